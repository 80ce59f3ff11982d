"""A page is parsed once on every way from its bytes to a result; what is counted are calls of the real parser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import turbohtml

from pagestrata.api import learn, parse
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.serve.child import reply_to
from pagestrata.serve.tasks import Setup, Task
from pagestrata.sites.choice import AUTO, RunModel, StoredModel
from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.store import Store
from pagestrata.work.job import Job
from pagestrata.work.read_page import read_page
from pagestrata.work.rows import Reading, Record, RecordResult, read_record
from pagestrata.work.site_sample import site_of
from tests.batch.corpus import article
from tests.cli.runs import Shell

SITE = "tea.example"
URL = f"https://{SITE}/9.html"
CANONICAL = f'<link rel="canonical" href="{URL}">'
PAGE = article(9)
PAGE_WITH_ADDRESS = PAGE.replace("<nav>", f"{CANONICAL}<nav>", 1)


@pytest.fixture
def model() -> SiteModel:
    return learn([parse(article(number), f"https://{SITE}/{number}.html") for number in range(5)], site=SITE)


@pytest.fixture
def store(tmp_path: Path, model: SiteModel) -> Store:
    store = Store(tmp_path / "sites.db")
    store.save(model)
    return store


@pytest.fixture
def parses(model: SiteModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The size of each page that is parsed from now on."""
    counted: list[int] = []
    real: Callable[..., Any] = turbohtml.parse

    def counting(markup: str | bytes, *arguments: Any, **named: Any) -> Any:
        if markup:  # the parser is also asked for the name of an encoding, without a page
            counted.append(len(markup))
        return real(markup, *arguments, **named)

    monkeypatch.setattr(turbohtml, "parse", counting)
    return counted


def result_of(record: Record, reading: Reading) -> dict[str, Any]:
    answer = msgspec.msgpack.decode(read_record(record, reading), type=RecordResult)
    assert "row" == answer.outcome
    row: dict[str, Any] = json.loads(answer.line)
    return row


def record(markup: str, url: str | None = None) -> Record:
    return Record("x", Job("x", page=RawPage(markup, url)), url=url)


def test_a_plain_row(parses: list[int]) -> None:
    assert "engine" == result_of(record(PAGE), Reading())["method"]
    assert 1 == len(parses)


@pytest.mark.parametrize(
    ("markup", "url", "method"),
    [
        (PAGE, URL, "site"),
        (PAGE_WITH_ADDRESS, None, "site"),
        (PAGE, None, "engine"),
        (PAGE, "https://b.test/", "engine"),
    ],
)
def test_a_row_with_the_model_of_its_host(
    markup: str, url: str | None, method: str, store: Store, parses: list[int]
) -> None:
    row = result_of(record(markup, url), Reading(choice=StoredModel(AUTO, store)))
    assert (method, 1) == (row["method"], len(parses))


def test_selectors_of_edits_need_a_second_parse_where_only_the_page_names_its_site(
    store: Store, model: SiteModel, parses: list[int]
) -> None:
    """They run on the parser's tree, and which they are is known only when the page has been read."""
    store.save(model.with_edit(Edit(action="drop", selector="main p:first-of-type")))
    for markup, url, count in ((PAGE, URL, 1), (PAGE_WITH_ADDRESS, None, 2)):
        parses.clear()
        row = result_of(record(markup, url), Reading(choice=StoredModel(AUTO, store)))
        assert ("site", count) == (row["method"], len(parses))
    parses.clear()
    options = Options(drop=("main p:first-of-type",))
    result_of(record(PAGE_WITH_ADDRESS), Reading(options, StoredModel(AUTO, store)))
    assert 1 == len(parses)


def test_a_page_that_took_long_to_parse_is_answered_as_one_section(store: Store) -> None:
    late = Options(seconds=0.0)
    for choice in (None, StoredModel(AUTO, store)):
        extraction, _ = read_page(RawPage(PAGE), late, choice)
        assert ["seconds"] == [limit.name for limit in extraction.limits]


def test_a_row_with_the_model_of_this_run(model: SiteModel, parses: list[int]) -> None:
    extraction, _ = read_page(RawPage(PAGE, URL), Options(), RunModel(model.to_bytes()))
    assert ("site", 1) == (extraction.method, len(parses))
    everything_of(extraction)
    assert 1 == len(parses)


def everything_of(extraction: Extraction) -> None:
    for name in ("text", "md", "html", "xml", "json"):
        extraction.render(name)


@pytest.mark.parametrize(("markup", "url", "site_parses"), [(PAGE, URL, 0), (PAGE_WITH_ADDRESS, None, 1)])
def test_a_spark_record_with_a_model(
    markup: str, url: str | None, site_parses: int, model: SiteModel, parses: list[int]
) -> None:
    """The site is the key that pages and models are joined by; only a page without its address is parsed for it."""
    pytest.importorskip("pyspark")
    import pyarrow as pa

    from pagestrata.spark.pages import records_of

    site = site_of(RawPage(markup.encode(), url))
    assert (SITE, site_parses) == (site, len(parses))
    parses.clear()
    joined = {"source": "x", "url": url, "html": markup.encode(), "site": site, "model": model.to_bytes()}
    [found] = records_of([pa.RecordBatch.from_pylist([joined])])
    assert ("site", 1) == (result_of(found, Reading(form="parquet"))["method"], len(parses))


@pytest.mark.parametrize("verb", ["extract", "sections", "look"])
@pytest.mark.parametrize("wanted", [{}, {"site": SITE}, {"site": "auto"}, {"method": "engine"}])
def test_a_request_of_the_service(verb: str, wanted: dict[str, Any], store: Store, parses: list[int]) -> None:
    setup = Setup(store, fetches=False, seconds=60.0, niceness=0)
    body = json.dumps({"html": PAGE_WITH_ADDRESS, **wanted}).encode()
    assert 200 == reply_to(Task(verb, body), setup).status
    assert 1 == len(parses)


def test_a_request_that_learns(store: Store, parses: list[int]) -> None:
    setup = Setup(store, fetches=False, seconds=60.0, niceness=0)
    body = json.dumps(
        {"html": PAGE_WITH_ADDRESS, "url": "https://tea.example/9", "site": "auto", "learn": True}
    ).encode()
    assert 200 == reply_to(Task("extract", body), setup).status
    assert 1 == len(parses)


@pytest.mark.parametrize(
    "command", [("extract",), ("extract", "--site", "auto"), ("extract", "--explain"), ("sections",), ("metadata",)]
)
def test_a_command(command: tuple[str, ...], tmp_path: Path, store: Store, parses: list[int]) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE_WITH_ADDRESS)
    Shell(tmp_path).output(*command, page)
    assert 1 == len(parses)
