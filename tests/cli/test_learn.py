"""`pagestrata learn`, and what later commands do with what it learned."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.cli.runs import ARTICLES, FEED, HOST, PAGE, SITE, Shell

from pagestrata.inputs.site_addresses import spread
from pagestrata.sites.model import SiteModel


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    shell = Shell(tmp_path_factory.mktemp("learned"))
    shell.output("learn", ARTICLES)
    return shell


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The example site on a port of this machine, its feed leading there."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = (SITE / self.path.lstrip("/")).read_bytes() if (SITE / self.path.lstrip("/")).is_file() else b""
            if self.path.endswith(".xml"):
                content = content.replace(f"https://{HOST}/".encode(), f"{address}/".encode())
            self.send_response(200 if content else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    address = f"http://127.0.0.1:{running.server_port}"
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield address
    running.shutdown()
    running.server_close()


def test_a_folder_becomes_a_site_named_after_its_host(shell: Shell) -> None:
    told = shell.output("learn", ARTICLES)
    assert f"{HOST}: 10 pages, 1 layout" == told.splitlines()[0]
    assert f"pagestrata extract --site {HOST} PAGE..." in told
    assert [(HOST, 1, 10)] == [(row.name, row.clusters, row.pages) for row in shell.store.sites()]


def test_reading_by_host_is_advised_only_where_it_would_find_the_site(shell: Shell) -> None:
    assert "--site auto" in shell.output("learn", ARTICLES)
    assert "--site auto" not in shell.output("learn", ARTICLES, "--name", "almanac")
    folder = shell.folder / "saved"
    folder.mkdir()
    for number, path in enumerate(sorted(ARTICLES.iterdir())[:3]):  # pages that do not say where they are from
        (folder / f"{number}.html").write_text(path.read_text("utf-8").replace(HOST, ""), "utf-8")
    told = shell.output("learn", folder)
    assert told.startswith("saved: 3 pages")
    assert "--site auto" not in told


def test_a_process_says_nothing_on_standard_error(shell: Shell) -> None:
    done = shell.run("learn", ARTICLES, "-k", "3")
    assert (0, "") == (done.returncode, done.stderr)
    assert f"{HOST}: 3 of 10 pages, 1 layout" == done.stdout.splitlines()[0]
    assert "" == shell.run("learn", ARTICLES, "-k", "3", "--quiet").stdout


def test_pages_are_spread_over_the_folder() -> None:
    assert [0, 25, 50, 75] == spread(range(100), 4)
    assert [0, 1, 2] == spread(range(3), 15)


def test_a_model_can_go_to_a_file_instead(shell: Shell) -> None:
    readable, compact = shell.folder / "model.json", shell.folder / "model.site"
    shell.output("learn", ARTICLES, "-o", readable)
    shell.output("learn", ARTICLES, "-o", compact)
    assert SiteModel.load(readable) == SiteModel.load(compact)
    assert readable.read_bytes().startswith(b"{")
    assert () == shell.store.sites()
    assert 2 == shell.refusal("learn", ARTICLES, "-o", readable)[0]
    shell.output("learn", ARTICLES, "-o", readable, "--force")


def test_a_model_on_standard_output_stands_there_alone(shell: Shell) -> None:
    assert HOST == SiteModel.from_json(shell.output("learn", ARTICLES, "-o", "-")).site


def test_one_page_is_not_enough(shell: Shell) -> None:
    code, told = shell.refusal("learn", PAGE)
    assert (2, True) == (code, "at least two pages" in told)


def test_an_empty_folder_is_said(shell: Shell) -> None:
    assert (3, f"no pages in {shell.folder}") == shell.refusal("learn", shell.folder)


def test_pages_of_different_sites_need_a_name(shell: Shell) -> None:
    other = shell.folder / "other.html"
    other.write_bytes(PAGE.read_bytes().replace(HOST.encode(), b"elsewhere.example"))
    code, told = shell.refusal("learn", PAGE, ARTICLES / "a-glossary-of-mud.html", other)
    assert 2 == code
    assert f"different sites: {HOST} (2), elsewhere.example (1)" in told
    shell.output("learn", ARTICLES, other, "--name", "coast")
    assert ["coast"] == [row.name for row in shell.store.sites()]


def test_pages_that_say_no_host_are_named_after_their_folder(shell: Shell) -> None:
    folder = shell.folder / "almanac"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_text(f"<title>{number}</title><nav>Menu</nav><p>" + f"words{number} " * 50)
    assert shell.output("learn", folder).startswith("almanac: 3 pages")


@pytest.mark.parametrize("name", ["auto", "", " ", "a\x1b[31m", "a\nb"])
def test_names_that_cannot_be_told_apart_are_refused(shell: Shell, name: str) -> None:
    assert 2 == shell.refusal("learn", ARTICLES, "-k", "2", "--name", name)[0]


def test_what_cannot_be_read_is_left_out_and_told(shell: Shell) -> None:
    (shell.folder / "empty.html").touch()
    (shell.folder / "paper.html").write_bytes(b"%PDF-1.7")
    done = shell.run("learn", ARTICLES, shell.folder, shell.folder / "none.html")
    assert 0 == done.returncode, done.stderr
    assert ["empty.html", "paper.html", "none.html"] == [
        line.partition(":")[0].rpartition("/")[2] for line in done.stderr.splitlines()
    ]
    assert 3 == shell.refusal("learn", shell.folder)[0]


def test_learning_again_keeps_the_edits(shell: Shell) -> None:
    shell.output("learn", ARTICLES)
    shell.output("sites", "edit", HOST, "--drop", ".pullquote")
    assert "1 edit made before still hold" in shell.output("learn", ARTICLES, "-k", "5")
    model = shell.store.load(HOST)
    assert model is not None
    assert [".pullquote"] == [edit.selector for edit in model.edits]


def test_the_same_pages_give_the_same_model(shell: Shell) -> None:
    first = shell.run("learn", ARTICLES, "-o", "-").stdout
    assert first == shell.run("learn", ARTICLES, "-o", "-").stdout


def test_a_feed_is_used(shell: Shell) -> None:
    assert shell.output("learn", ARTICLES, "--feed", FEED).startswith(f"{HOST}: 10 pages")
    assert 3 == shell.refusal("learn", ARTICLES, "--feed", shell.folder / "none.xml")[0]


def test_the_pages_of_a_feed_are_fetched(shell: Shell, server: str) -> None:
    told = shell.output("learn", f"{server}/feed.xml", "-k", "4", "--allow-address", server.partition("//")[2])
    assert told.startswith("127.0.0.1: 4 of 10 pages, 1 layout")


def test_addresses_are_fetched_but_not_those_of_this_machine(shell: Shell, server: str) -> None:
    pages = [f"{server}/articles/{path.name}" for path in sorted(ARTICLES.iterdir())[:3]]
    told = shell.output("learn", *pages, f"{server}/gone.html", "--allow-address", server.partition("//")[2])
    assert told.startswith("127.0.0.1: 3 of 4 pages")
    assert 3 == shell.refusal("learn", *pages)[0]


def test_a_feed_without_links_is_said(shell: Shell) -> None:
    feed = shell.folder / "feed.xml"
    feed.write_text("<rss><channel><title>Nothing</title></channel></rss>")
    assert (3, f"no links to pages in the feed {feed}") == shell.refusal("learn", feed)


def test_extract_reads_with_the_model_of_a_name_a_host_or_a_file(learned: Shell) -> None:
    model = learned.folder / "model.json"
    learned.output("sites", "export", HOST, "-o", model)
    rows = [
        json.loads(learned.output("extract", PAGE, "-f", "json", "-q", "--site", site))
        for site in (HOST, "auto", model)
    ]
    assert ["site"] * 3 == [row["method"] for row in rows]
    assert rows[0]["text"] == rows[1]["text"] == rows[2]["text"]


def test_many_pages_are_read_with_the_model_in_workers(learned: Shell) -> None:
    done = learned.run(ARTICLES, "-f", "jsonl", "-j", "2", "--site", "auto")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (0, "") == (done.returncode, done.stderr)
    assert ["site"] * 10 == [row["method"] for row in rows]


def test_an_unknown_site_is_said_and_the_page_is_read_anyway(learned: Shell) -> None:
    other = learned.folder / "other.html"
    other.write_bytes(PAGE.read_bytes().replace(HOST.encode(), b"elsewhere.example"))
    one = learned.run(other, "--site", "auto")
    assert f"{other}: nothing was learned of elsewhere.example: read by engine\n" == one.stderr
    many = learned.run(other, other, PAGE, "--site", "auto", "-f", "jsonl")
    assert one.stderr == many.stderr
    assert ["engine", "engine", "site"] == [json.loads(line)["method"] for line in many.stdout.splitlines()]
    assert "" == learned.run(other, other, "--site", "auto", "-f", "jsonl", "-q").stderr
    nowhere = learned.folder / "nowhere.html"
    nowhere.write_text("<p>" + "words " * 50)
    assert "does not say which site it is from" in learned.run(nowhere, "--site", "auto").stderr


def test_a_name_that_is_not_there_is_an_error_at_once(learned: Shell) -> None:
    code, told = learned.refusal("extract", ARTICLES, "-f", "jsonl", "--site", "tidewatr.example")
    assert 2 == code
    assert told.endswith(f"nor a file of that name; there are: {HOST}")


def test_a_file_that_is_no_model_is_an_error(learned: Shell) -> None:
    assert 3 == learned.refusal("extract", PAGE, "--site", PAGE)[0]


def test_edits_are_obeyed(shell: Shell) -> None:
    shell.output("learn", ARTICLES)
    before = shell.output("extract", PAGE, "-q", "--site", HOST)
    shell.output("sites", "edit", HOST, "--drop", ".entry-content > p:first-of-type")
    after = shell.output("extract", PAGE, "-q", "--site", HOST)
    assert "You do not need a boatyard." in before
    assert "You do not need a boatyard." not in after


def test_the_store_may_be_named_in_the_configuration(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAGESTRATA_STORE", raising=False)
    config = shell.folder / "pagestrata.toml"
    config.write_text('store = "here/models.db"\nbias = 0.1\n')
    from typer.testing import CliRunner

    from pagestrata.cli.main import app

    for command in (
        ["learn", str(ARTICLES), "-k", "2"],
        ["sites", "show", HOST],
        ["extract", str(PAGE), "--site", HOST],
    ):
        result = CliRunner().invoke(app, [*command, "--config", str(config)])
        assert 0 == result.exit_code, result.output
    assert (shell.folder / "here" / "models.db").is_file()
    config.write_text("store = 7\n")
    assert 2 == getattr(CliRunner().invoke(app, ["sites", "list", "--config", str(config)]).exception, "exit_code", 0)


def test_sections_take_a_method_or_a_site(learned: Shell) -> None:
    assert "[site]" in learned.output("sections", PAGE, "--site", "auto")
    assert "[density]" in learned.output("sections", PAGE, "--method", "density")
    assert 2 == learned.refusal("sections", PAGE, "--method", "magic")[0]
    assert 2 == learned.refusal("sections", PAGE, "--method", "density", "--site", HOST)[0]


def test_a_feed_that_is_none_is_told_of(shell: Shell) -> None:
    assert (3, f"{PAGE} is not a feed in RSS or Atom") == shell.refusal("learn", ARTICLES, "--feed", PAGE)
