"""`pagestrata serve` refuses to start where it would be unsafe or cannot work, in one line."""

import socket
from pathlib import Path

import pytest
from tests.cli.runs import Shell

from pagestrata.cli import serve


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_any_address_but_loopback_needs_a_token(shell: Shell) -> None:
    code, text = shell.refusal("serve", "--host", "0.0.0.0")  # noqa: S104
    assert (2, "0.0.0.0 can be reached by others: give tokens, or bind to 127.0.0.1") == (code, text)


def test_a_port_that_is_taken_is_said(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        code, text = shell.refusal("serve", "--port", other.getsockname()[1])
    assert 2 == code
    assert text.startswith("cannot listen on 127.0.0.1:")


def test_what_is_missing_is_named(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    assert (2, "fastapi is not installed: pip install 'pagestrata[server]'") == shell.refusal("serve")


def test_an_address_to_allow_must_be_one(shell: Shell) -> None:
    assert 2 == shell.refusal("serve", "--fetch", "--allow-address", "nonsense")[0]
