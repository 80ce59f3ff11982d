"""Who can reach the service from elsewhere needs a token, and who has none learns nothing."""

import asyncio
from pathlib import Path

import pytest

from pagestrata.cli.serve import read_tokens
from pagestrata.errors import UsageError
from pagestrata.serve.access import check_access, share_name
from pagestrata.serve.problems import Refused
from pagestrata.serve.queue import FairQueue
from pagestrata.serve.settings import ServeSettings
from pagestrata.serve.tasks import Task
from pagestrata.sites.store import Store
from tests.serve.running import TEA, running

STORE = Store(Path("nowhere.db"))
TOKEN, OTHER = "first-token-of-ours", "other-token-of-ours"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org"])  # noqa: S104
def test_any_address_but_loopback_needs_a_token(host: str) -> None:
    with pytest.raises(UsageError, match="can be reached by others"):
        ServeSettings(store=STORE, host=host)
    assert frozenset() == ServeSettings(store=STORE, host=host, tokens=(TOKEN,)).hosts


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_loopback_needs_none_but_a_name_of_this_machine(host: str) -> None:
    assert {"localhost", host} <= ServeSettings(store=STORE, host=host).hosts
    assert frozenset() == ServeSettings(store=STORE, host=host, tokens=(TOKEN,)).hosts


def test_a_token_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(UsageError, match="at least 16"):
        ServeSettings(store=STORE, tokens=("hunter2",))


def test_clients_are_told_apart_by_their_tokens_and_not_named_by_them() -> None:
    settings = ServeSettings(store=STORE, host="192.0.2.7", tokens=(TOKEN, OTHER))
    names = {
        check_access(settings, "/extract", {"authorization": f"Bearer {token}"}, "198.51.100.1")
        for token in (TOKEN, OTHER)
    }
    assert 2 == len(names)
    assert not any(TOKEN in name or OTHER in name for name in names)


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": f"Basic {TOKEN}"}, {"authorization": f"Bearer {TOKEN}x"}, {"authorization": "Bearer "}],
)
def test_without_the_token_nobody_comes_in(headers: dict[str, str]) -> None:
    settings = ServeSettings(store=STORE, host="192.0.2.7", tokens=(TOKEN,))
    with pytest.raises(Refused, match="token-needed"):
        check_access(settings, "/sites", headers, "198.51.100.1")
    assert "198.51.100.1" == check_access(settings, "/health", headers, "198.51.100.1")


def test_tokens_come_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"{TOKEN}\n{OTHER}\n")
    assert (TOKEN, OTHER) == read_tokens(file, "")
    assert ((TOKEN,), ()) == (read_tokens(None, TOKEN), read_tokens(None, ""))
    file.write_text("\n")
    for wrong in (file, tmp_path / "none"):
        with pytest.raises(UsageError):
            read_tokens(wrong, TOKEN)


def test_a_service_for_others_answers_those_with_the_token(tmp_path: Path) -> None:
    arguments = ("--host", "0.0.0.0")  # noqa: S104
    with running(str(tmp_path / "sites.db"), tmp_path / "log", *arguments, PAGESTRATA_TOKEN=TOKEN) as service:
        with service.client() as stranger:
            answer = stranger.post("/extract", json={"html": TEA})
            assert (401, "Bearer") == (answer.status_code, answer.headers["www-authenticate"])
            assert [401, 401] == [stranger.get(path).status_code for path in ("/metrics", "/openapi.json")]
        with service.client(headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            assert 200 == client.post("/extract", json={"html": TEA}).status_code
            assert 200 == client.get("/sites", headers={"Host": "pages.example"}).status_code
        assert TOKEN not in service.log.read_text()


def test_local_programs_have_shares_of_their_own() -> None:
    """All of them have the address of the service, so without tokens their connections tell them apart."""
    here, elsewhere, server = ("127.0.0.1", 5001), ("192.0.2.8", 5001), ("127.0.0.1", 8000)
    open_to_all = ServeSettings(store=STORE)
    assert "127.0.0.1:5001" == share_name(open_to_all, "127.0.0.1", here, server)
    assert "192.0.2.8" == share_name(open_to_all, "192.0.2.8", elsewhere, server)
    assert "name" == share_name(ServeSettings(store=STORE, tokens=(TOKEN,)), "name", here, server)
    assert "" == share_name(open_to_all, "", ("",), ())


def test_a_slow_page_of_one_local_program_leaves_the_others_their_short_jobs() -> None:
    settings, server = ServeSettings(store=STORE), ("127.0.0.1", 8000)
    first, second = (share_name(settings, "127.0.0.1", ("127.0.0.1", port), server) for port in (5001, 5002))

    async def use() -> str:
        queue = FairQueue(settings.limits, settings.short_workers)
        queue.put(first, Task("extract"), 4.0)
        queue.done(await queue.take(only_short=True), 6.0, cost=6.0)
        queue.put(first, Task("extract"), 4.0)
        queue.put(second, Task("extract"), 4.0)
        return (await queue.take(only_short=True)).client

    assert second == asyncio.run(use())
