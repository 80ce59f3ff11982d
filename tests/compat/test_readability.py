"""The door for users of readability-lxml, held against the real one."""

import inspect
import io
import warnings
from typing import Any

import pytest
from tests.build import ROOT

from pagestrata.compat.readability import Document
from pagestrata.compat.unused import UnusedArgument

theirs = pytest.importorskip("readability", reason="to hold our door against it: pip install readability-lxml")
PAGE = (ROOT / "examples/site/articles/knots-return-to-hallin-flats.html").read_text(encoding="utf-8")
METHODS = ("title", "short_title", "author", "content", "summary")
MEANINGLESS: dict[str, Any] = {
    "positive_keywords": ["entry"],
    "negative_keywords": "sidebar",
    "min_text_length": 100,
    "retry_length": 10,
    "xpath": True,
    "handle_failures": "ignore",
}


@pytest.mark.parametrize("name", ["__init__", *METHODS])
def test_arguments_have_the_names_the_order_and_the_defaults_of_theirs(name: str) -> None:
    wanted = inspect.signature(getattr(theirs.Document, name)).parameters
    given = inspect.signature(getattr(Document, name)).parameters
    assert [(each.name, each.default) for each in wanted.values()] == [
        (each.name, each.default) for each in given.values() if each.name != "unknown"
    ]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_both_answer_with_a_string(name: str) -> None:
    wanted, given = (getattr(each(PAGE), name)() for each in (theirs.Document, Document))
    assert type(wanted) is type(given)


def test_titles_and_author_agree_with_theirs() -> None:
    for page in (PAGE, "<p>no head at all"):
        wanted, given = theirs.Document(page), Document(page)
        assert (wanted.title(), wanted.short_title(), wanted.author()) == (
            given.title(),
            given.short_title(),
            given.author(),
        )


def test_a_summary_is_a_page_or_a_part_as_theirs() -> None:
    for document in (theirs.Document(PAGE), Document(PAGE)):
        assert document.summary().startswith("<html><body><div>")
        part = document.summary(html_partial=True)
        assert part.startswith("<div>")
        assert "nine thousand birds" in part
        assert "Skip to content" not in part


def test_content_is_the_whole_body() -> None:
    content = Document(PAGE).content()
    assert content.startswith("<body>")
    assert "nine thousand birds" in content
    assert "Skip to content" in content


@pytest.mark.parametrize("name", MEANINGLESS)
def test_an_argument_without_meaning_is_named_once(name: str) -> None:
    with pytest.warns(UnusedArgument) as caught:
        Document(PAGE, **{name: MEANINGLESS[name]})
    assert [f"Document() does nothing with {name}"] == [str(each.message) for each in caught]
    assert __file__ == caught[0].filename


def test_what_has_a_meaning_does_not_warn_and_what_is_unknown_does() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Document(PAGE, url="https://tidewater.example/").summary(html_partial=True)
    with pytest.warns(UnusedArgument, match=r"summary\(\) does nothing with keep_all_images, images"):
        Document(PAGE).summary(keep_all_images=True, images=2)


def test_links_are_resolved_against_the_address() -> None:
    page = (
        "<h1>Tea</h1><p>" + "Warm the pot, then wait a while for it. " * 9 + "<a href='/pots'>Pots</a> are round.</p>"
    )
    assert 'href="https://tea.example/pots"' in Document(page, url="https://tea.example/a").summary()


def test_a_file_is_read_once_and_an_empty_page_is_an_answer() -> None:
    document = Document(io.BytesIO(PAGE.encode()))
    assert "nine thousand birds" in document.summary()
    assert "nine thousand birds" in document.content()
    assert ("[no-title]", "<div></div>") == (Document("").title(), Document("").summary(html_partial=True))
