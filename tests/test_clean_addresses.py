"""An address or a name with anything in it comes out clean, in every format."""

import xml.etree.ElementTree as ElementTree

import msgspec
import pytest

from pagestrata import Options, extract
from pagestrata.page.raw import RawPage
from pagestrata.work.rows import Record, line_of, unreadable

DIRTY = "https://a.example/\x1b]0;x\x07\x00a\ud800b\ufffec\ufdd0d\n\te\x9f"
CLEAN = "https://a.example/]0;xabcde"
PAGE = "<title>Tea</title><h1>Tea</h1><p>" + "Warm the <a href=pot>pot</a>, then wait a while. " * 9


@pytest.mark.parametrize("name", ["text", "md", "html", "xml", "json", "jsonl"])
def test_every_format_is_clean(name: str) -> None:
    written = extract(RawPage(PAGE, url=DIRTY, source=DIRTY), options=Options(metadata=True)).render(name)
    written.encode()
    assert not set(written) & set("\x00\x07\x1b\x9f\ufffe\ufdd0")
    if name == "xml":
        ElementTree.fromstring(written)  # noqa: S314
    if name == "json":
        assert CLEAN == msgspec.json.decode(written)["url"]


def test_an_address_that_is_clean_stays() -> None:
    assert "https://a.example/ü?q=a b" == RawPage("", url="https://a.example/ü?q=a b").url


def test_rows_without_a_page_are_clean() -> None:
    row = msgspec.json.decode(line_of(unreadable(Record(DIRTY, stage="read", problem="x", url=DIRTY))))
    assert (CLEAN, CLEAN) == (row["source"], row["url"])
