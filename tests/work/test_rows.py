"""Record → row: what a row says, and that nothing else decides it."""

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pagestrata import extract
from pagestrata.errors import UsageError
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.work.guard import Failure
from pagestrata.work.job import Job
from pagestrata.work.rows import (
    ALL_FIELDS,
    DEFAULT_FIELDS,
    IDENTITY,
    V1_FIELDS,
    PageRow,
    Reading,
    Record,
    RecordResult,
    failed,
    fields_of,
    read_record,
)
from tests.batch.corpus import article
from tests.build import EXAMPLES, NO_WEB_ADDRESSES

EVERYTHING = Reading(fields=fields_of("all"))


def answer_to(page: str | bytes, reading: Reading = Reading()) -> RecordResult:  # noqa: B008
    record = Record("pages#1", Job("pages#1", page=RawPage(page, "https://www.tea.example/1", source="pages#1")))
    return msgspec.msgpack.decode(read_record(record, reading), type=RecordResult)


def row_of(page: str | bytes, reading: Reading = Reading()) -> Any:  # noqa: B008
    return msgspec.json.decode(answer_to(page, reading).line, type=PageRow)


@pytest.mark.parametrize("path", EXAMPLES[:4], ids=lambda path: path.stem)
def test_a_row_says_what_an_extraction_says(path: Path) -> None:
    data = path.read_bytes()
    row, whole = row_of(data, EVERYTHING), extract(data, "https://www.tea.example/1")
    assert (whole.text, whole.markdown, whole.html) == (row.text, row.markdown, row.html)
    assert [chunk.markdown for chunk in whole.chunks()] == [chunk.markdown for chunk in row.chunks]
    assert whole.metadata.as_dict() == row.metadata
    assert [leaf.text for leaf in whole.leaves()] == [each.text for each in row.sections if each.text is not None]
    walked = [section for root in whole.sections for section in root.walk()]
    assert [(each.role.value, each.xpath, each.kept) for each in walked] == [
        (each.role, each.xpath, each.kept) for each in row.sections
    ]
    assert ("pages#1", "tea.example", hashlib.sha256(data).hexdigest()) == (row.source, row.site, row.digest)
    assert whole.metadata.language == row.language


@pytest.mark.parametrize("url", NO_WEB_ADDRESSES)
def test_a_url_that_is_none_of_a_page_is_kept_and_warned_of(url: str) -> None:
    record = Record("pages#1", Job("pages#1", page=RawPage(article(1), url)), url=url)
    row = msgspec.json.decode(msgspec.msgpack.decode(read_record(record, EVERYTHING), type=RecordResult).line)
    clean = row_of(article(1), EVERYTHING)
    assert (url, "", clean.text) == (row["url"], row["site"], row["text"])
    assert [f"{url!r} is not the URL of a page" in warning for warning in row["warnings"]] == [True]


def test_depths_tell_the_tree() -> None:
    row = row_of(article(1), EVERYTHING)
    depths = [each.depth for each in row.sections]
    assert 0 == depths[0]
    assert all(later <= sooner + 1 for sooner, later in pairwise(depths))
    assert all((each.text is None) == (each.near_duplicate is None) for each in row.sections)


def test_a_page_that_says_nothing_is_a_row_with_a_reason() -> None:
    row = row_of(b"")
    assert ("", None, "the page has no text") == (row.text, row.near_duplicate, row.reason)


@pytest.mark.parametrize(
    ("languages", "outcome"), [((), "row"), (("de",), "row"), (("en", "fr"), "filtered"), (("en", "de"), "row")]
)
def test_only_pages_in_the_languages_asked_for(languages: tuple[str, ...], outcome: str) -> None:
    assert outcome == answer_to(article(1, language="de-AT"), Reading(languages=languages)).outcome


def test_options_reach_the_page() -> None:
    reading = Reading(Options(keep=("footer",), drop=("main",)))
    assert row_of(article(1), reading).text.startswith("All rights reserved")


def test_parquet_has_the_metadata_as_text() -> None:
    as_text, as_object = row_of(article(1), Reading(form="parquet")).metadata, row_of(article(1)).metadata
    assert isinstance(as_text, str)
    assert as_object == json.loads(as_text)


def test_a_record_without_a_page_says_why() -> None:
    record = Record("a.warc#3", stage="read", problem="the record is cut off", url="https://tea.example/3")
    answer = msgspec.msgpack.decode(read_record(record, Reading()), type=RecordResult)
    assert "quarantined" == answer.outcome
    assert {
        "row_version": 2,
        "source": "a.warc#3",
        "url": "https://tea.example/3",
        "digest": "",
        "stage": "read",
        "reason": "unreadable",
        "limit": "",
        "detail": "the record is cut off",
    } == json.loads(answer.line)


def test_a_failure_keeps_all_that_the_guard_says() -> None:
    row = failed(
        Record("a#1", url="https://tea.example/"), Failure("a#1", "ab12", "work", "deadline", "seconds=1.0", "x")
    )
    assert ("a#1", "https://tea.example/", "ab12", "work", "deadline", "seconds=1.0", "x") == (
        row.source,
        row.url,
        row.digest,
        row.stage,
        row.reason,
        row.limit,
        row.detail,
    )


@pytest.mark.parametrize(
    ("names", "fields"),
    [
        ("text", ("text",)),
        ("chunks, text,chunks", ("text", "chunks")),
        ("default,chunks", (*DEFAULT_FIELDS[:-2], "chunks", *DEFAULT_FIELDS[-2:])),
        ("all", ALL_FIELDS),
        ("v1", V1_FIELDS),
        ("source,url", ()),
    ],
)
def test_rows_have_the_fields_that_were_asked_for(names: str, fields: tuple[str, ...]) -> None:
    assert fields == fields_of(names)
    row = json.loads(answer_to(article(1), Reading(fields=fields)).line)
    assert [*IDENTITY, *fields] == list(row)


@pytest.mark.parametrize("names", ["txt", "", "v1,text"])
def test_a_field_that_is_not_there_is_refused(names: str) -> None:
    with pytest.raises(UsageError, match="field"):
        fields_of(names)


def test_slim_rows_need_no_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("pagestrata.engine.sections.explained_parts")
    assert row_of(article(1)).markdown


def test_items_of_a_thread_are_rows() -> None:
    posts = "".join(
        f"<div class=post><a href=/user/{name}>{name}</a><time datetime=2024-05-0{day}>May {day}</time>"
        f"<p>{name} says that the mud is deep, and that the tide comes in on day {day} again.</p></div>"
        for day, name in enumerate(("nessa", "bran", "olwen", "idris"), 1)
    )
    row = row_of(f"<title>Mud</title><h1>Mud</h1><main>{posts}</main>", Reading(Options(bias=1), fields=("items",)))
    assert [("post", "nessa", "2024-05-01"), ("post", "bran", "2024-05-02")] == [
        (item.kind, item.author, item.time) for item in row.items[:2]
    ]
    assert "nessa says that" in row.items[0].text
