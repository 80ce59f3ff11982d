"""The door for users of trafilatura, held against the real one."""

import csv
import inspect
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from tests.build import ROOT

from pagestrata.compat import trafilatura as ours
from pagestrata.compat.unused import UnusedArgument
from pagestrata.errors import MissingExtra, UsageError

theirs = pytest.importorskip("trafilatura", reason="to hold our door against trafilatura: pip install trafilatura")
PAGE = (ROOT / "examples/site/articles/knots-return-to-hallin-flats.html").read_text(encoding="utf-8")
FORMATS = ("csv", "html", "json", "markdown", "txt")
MEANINGLESS: dict[str, Any] = {
    "fast": True,
    "no_fallback": True,
    "tei_validation": True,
    "deduplicate": True,
    "date_extraction_params": {"original_date": True},
    "max_tree_size": 100,
    "settingsfile": "settings.cfg",
    "config": theirs.settings.DEFAULT_CONFIG,
    "options": object(),
}


def told(call: Callable[..., object], *arguments: object, **named: object) -> list[str]:
    """The warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*arguments, **named)
    return [str(each.message) for each in caught if each.category is UnusedArgument]


@pytest.mark.parametrize("name", ["extract", "bare_extraction"])
def test_arguments_have_the_names_the_order_and_the_defaults_of_theirs(name: str) -> None:
    wanted = inspect.signature(getattr(theirs, name)).parameters
    given = inspect.signature(getattr(ours, name)).parameters
    assert [*wanted, "unknown"] == [*given]
    defaults = {each.name: each.default for each in wanted.values() if each.name != "config"}
    assert defaults == {each.name: each.default for each in given.values() if each.name in defaults}


@pytest.mark.parametrize("name", MEANINGLESS)
def test_an_argument_without_meaning_is_named_once(name: str) -> None:
    assert [f"extract() does nothing with {name}"] == told(ours.extract, PAGE, **{name: MEANINGLESS[name]})


def test_several_of_them_and_unknown_ones_come_in_one_warning_that_points_to_the_caller() -> None:
    with pytest.warns(UnusedArgument) as caught:
        ours.bare_extraction(PAGE, fast=True, fasst=True)
    assert ["bare_extraction() does nothing with fast, fasst"] == [str(each.message) for each in caught]
    assert __file__ == caught[0].filename


def test_arguments_with_meaning_do_not_warn() -> None:
    known = inspect.signature(ours.extract).parameters
    values: dict[str, Any] = {
        "url": "https://tidewater.example/x.html",
        "record_id": "7",
        "output_format": "markdown",
        "target_language": "en",
        "url_blacklist": {"https://elsewhere.example/"},
        "author_blacklist": {"Nobody"},
        "prune_xpath": ["//aside"],
    }
    rest = [name for name in known if name not in (*MEANINGLESS, *values, "filecontent", "unknown")]
    assert [] == told(ours.extract, PAGE, **values, **dict.fromkeys(rest, True))


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("with_metadata", [False, True])
def test_both_give_a_string_or_nothing(output_format: str, with_metadata: bool) -> None:
    for page in (PAGE, ""):
        wanted = theirs.extract(page, output_format=output_format, with_metadata=with_metadata)
        assert type(wanted) is type(ours.extract(page, output_format=output_format, with_metadata=with_metadata))


@pytest.mark.parametrize("with_metadata", [False, True])
def test_json_has_the_same_keys_and_kinds(with_metadata: bool) -> None:
    wanted, given = (
        json.loads(each.extract(PAGE, output_format="json", with_metadata=with_metadata)) for each in (theirs, ours)
    )
    assert set(wanted) == set(given)
    not_ours = {"fingerprint", "filedate", "pagetype"}
    kinds = {name: type(value) for name, value in wanted.items() if value is not None and name not in not_ours}
    assert kinds == {name: type(given[name]) for name in kinds}


def test_metadata_agrees_with_theirs_on_a_page_that_says_all_of_it() -> None:
    wanted, given = (each.bare_extraction(PAGE, with_metadata=True).as_dict() for each in (theirs, ours))
    names = "title author url hostname description sitename date categories tags image".split()
    assert {name: wanted[name] for name in names} == {name: given[name] for name in names}


@pytest.mark.parametrize("with_metadata", [False, True])
def test_a_bare_extraction_has_the_same_keys_and_kinds(with_metadata: bool) -> None:
    wanted, given = (each.bare_extraction(PAGE, with_metadata=with_metadata).as_dict() for each in (theirs, ours))
    assert set(wanted) == set(given)
    assert all(
        isinstance(given[name], etree._Element) and "body" == given[name].tag for name in ("body", "commentsbody")
    )
    texts = ("text", "raw_text", "comments", "title", "categories", "tags")
    assert {name: type(wanted[name]) for name in texts} == {name: type(given[name]) for name in texts}


def test_a_bare_extraction_can_be_a_dictionary() -> None:
    document = ours.bare_extraction(PAGE, as_dict=True)
    assert isinstance(document, dict)
    assert "Every autumn" in document["body"].text_content()
    assert ours.bare_extraction("") is None


def test_only_trees_need_lxml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    document = ours.bare_extraction(PAGE)
    assert isinstance(document, ours.Document)
    assert (document.text or "").startswith("Every autumn")
    with pytest.raises(MissingExtra, match=r"pagestrata\[compat\]"):
        document.as_dict()


def test_comments_are_told_apart_or_left_out() -> None:
    page = (ROOT / "examples/site/articles/why-the-tide-is-late.html").read_text(encoding="utf-8")
    said = "The three corks have done it"
    document, without = ours.bare_extraction(page), ours.bare_extraction(page, include_comments=False)
    assert isinstance(document, ours.Document)
    assert isinstance(without, ours.Document)
    assert said in (document.comments or "")
    assert said not in (document.text or "")
    assert "" == without.comments
    for output_format in ("txt", "markdown", "html"):
        written = [ours.extract(page, output_format=output_format, include_comments=on) or "" for on in (True, False)]
        assert [True, False] == [said in text for text in written]


def test_a_row_has_as_many_cells_as_theirs() -> None:
    rows = [
        next(csv.reader([each.extract(PAGE, output_format="csv", with_metadata=True)], delimiter="\t"))
        for each in (theirs, ours)
    ]
    assert len(rows[0]) == len(rows[1])
    assert [rows[0][place] for place in (0, 1, 3, 4, 5, 6, 9)] == [rows[1][place] for place in (0, 1, 3, 4, 5, 6, 9)]


def test_formatting_links_and_images_make_plain_text_markdown() -> None:
    plain = ours.extract(PAGE) or ""
    assert "## Why they stop here" not in plain
    assert "Why they stop here" in plain
    assert "## Why they stop here" in (ours.extract(PAGE, include_formatting=True) or "")
    assert "](https://" in (ours.extract(PAGE, "https://tidewater.example/", include_links=True) or "")
    assert "![" in (ours.extract(PAGE, include_images=True) or "")


def test_metadata_stands_before_text_and_in_the_head_of_html() -> None:
    text = ours.extract(PAGE, with_metadata=True) or ""
    assert ["---", 'title: "The Knots Return to Hallin Flats"', 'author: "Signe Ødegarth"'] == text.splitlines()[:3]
    markup = ours.extract(PAGE, output_format="html", with_metadata=True) or ""
    assert '<meta name="author" content="Signe Ødegarth"/>' in markup


def test_pages_may_be_refused() -> None:
    address = "https://tidewater.example/articles/knots-return-to-hallin-flats.html"
    assert ours.extract(PAGE, target_language="de") is None
    assert ours.extract(PAGE, target_language="en") is not None
    assert ours.extract(PAGE, url_blacklist={address}) is None
    assert ours.extract("<h1>Tea</h1><p>" + "Warm the pot, then wait. " * 20, only_with_metadata=True) is None
    assert ours.extract(PAGE, only_with_metadata=True) is not None


def test_authors_may_be_refused() -> None:
    document = ours.bare_extraction(PAGE, with_metadata=True, author_blacklist={"signe ødegarth"})
    assert isinstance(document, ours.Document)
    assert document.author is None


def test_precision_recall_and_pruning_change_what_is_kept() -> None:
    listing = (ROOT / "examples/site/index.html").read_text(encoding="utf-8")
    least, most = ours.extract(listing, favor_precision=True) or "", ours.extract(listing, favor_recall=True) or ""
    assert len(least) < len(most)
    assert "grey mud below Cawley" not in (ours.extract(PAGE, prune_xpath="//p[@class='lede']") or "")


def test_xml_is_our_own_and_says_so() -> None:
    with pytest.warns(UnusedArgument, match="the XML is pagestrata's own"):
        written = ours.extract(PAGE, output_format="xml", with_metadata=True) or ""
    assert "page" == etree.fromstring(written.encode()).tag


def test_tei_is_tei() -> None:
    written = ours.extract(PAGE, output_format="xmltei", with_metadata=True) or ""
    assert "{http://www.tei-c.org/ns/1.0}TEI" == etree.fromstring(written.encode()).tag


def test_metadata_alone_are_those_of_an_extraction() -> None:
    document = ours.extract_metadata(PAGE, "https://tidewater.example/a", author_blacklist={"nobody"})
    whole = ours.bare_extraction(PAGE, "https://tidewater.example/a", with_metadata=True)
    assert isinstance(whole, ours.Document)
    assert (document.title, document.author, document.text) == (whole.title, whole.author, None)


def test_all_text_that_can_be_seen() -> None:
    assert "Home\n\nTea" == ours.html2txt("<nav><a href=/>Home</a></nav><p>Tea<p hidden>Milk<script>x</script>")


def test_the_baseline_is_a_tree_a_text_and_its_length() -> None:
    tree, text, length = ours.baseline(PAGE)
    assert ("body", len(text)) == (tree.tag, length)
    assert text.startswith("Every autumn, on a morning nobody can quite predict")


def test_a_page_is_fetched_as_text_or_not_at_all() -> None:
    assert ours.fetch_url("http://127.0.0.1/") is None
    with pytest.warns(UnusedArgument, match=r"fetch_url\(\) does nothing with no_ssl"):
        ours.fetch_url("http://127.0.0.1/", no_ssl=True)


@pytest.mark.parametrize("name", ours.ABSENT)
def test_what_is_absent_says_what_to_use(name: str) -> None:
    with pytest.raises(ImportError, match=f"has no {name}: use "):
        getattr(ours, name)


def test_everything_of_theirs_is_there_or_named_as_absent() -> None:
    assert [] == [name for name in theirs.__all__ if name not in ours.ABSENT and not hasattr(ours, name)]


def test_a_format_that_is_not_there_is_refused() -> None:
    for name in ("python", "pdf"):
        with pytest.raises(UsageError, match=name):
            ours.extract(PAGE, output_format=name)


@pytest.mark.parametrize("url", ["http://[", "not an address", ""])
def test_a_broken_address_does_no_harm(url: str) -> None:
    assert ours.extract(PAGE, url, output_format="json", with_metadata=True) is not None
