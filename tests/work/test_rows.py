"""Record → row: what a row says, and that nothing else decides it."""

import hashlib
import json
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from pagestrata import extract
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.work.guard import Failure
from pagestrata.work.job import Job
from pagestrata.work.rows import PageRow, Reading, Record, RecordResult, failed, read_record
from tests.batch.corpus import article
from tests.build import EXAMPLES


def answer_to(page: str | bytes, reading: Reading = Reading()) -> RecordResult:  # noqa: B008
    record = Record("pages#1", Job("pages#1", page=RawPage(page, "https://www.tea.example/1", source="pages#1")))
    return msgspec.msgpack.decode(read_record(record, reading), type=RecordResult)


def row_of(page: str | bytes, reading: Reading = Reading()) -> PageRow:  # noqa: B008
    return msgspec.json.decode(answer_to(page, reading).line, type=PageRow)


@pytest.mark.parametrize("path", EXAMPLES[:4], ids=lambda path: path.stem)
def test_a_row_says_what_an_extraction_says(path: Path) -> None:
    data = path.read_bytes()
    row, whole = row_of(data), extract(data, "https://www.tea.example/1")
    assert whole.text == row.text
    assert whole.metadata.as_dict() == row.metadata
    assert [leaf.text for leaf in whole.leaves()] == [each.text for each in row.sections if each.text is not None]
    walked = [section for root in whole.sections for section in root.walk()]
    assert [(each.role.value, each.xpath, each.kept) for each in walked] == [
        (each.role, each.xpath, each.kept) for each in row.sections
    ]
    assert ("pages#1", "tea.example", hashlib.sha256(data).hexdigest()) == (row.source, row.site, row.digest)
    assert whole.metadata.language == row.language


def test_depths_tell_the_tree() -> None:
    row = row_of(article(1))
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
        "row_version": 1,
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
