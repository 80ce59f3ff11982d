"""Hidden text counts as seen where it is the content of the page, and then the page says so."""

import pytest
from tests.build import block_texts, page_of

from pagestrata import Options, Page, extract
from pagestrata.errors import UsageError
from pagestrata.page import tags
from pagestrata.page.visibility import LEFT_OUT_WARNING, SHOWN_WARNING

POSTS = "".join(
    f"<div><b>Ann</b><p>Post {n}: the tide turned before the boats were in, and nobody saw it.</p></div>"
    for n in range(9)
)
ARTICLE = "<p>" + "The pier was built in the year of the great storm, of oak and iron from the north. " * 6 + "</p>"


def test_a_thread_for_readers_without_scripts_is_the_page() -> None:
    page = page_of(f"<noscript>{POSTS}</noscript><div id=app></div>")
    assert "Ann" == block_texts(page)[0]
    assert not page.blocks.is_unseen.any()
    assert {"noscript, where scripts run"} == {tags.HIDDEN_BY[code] for code in page.blocks.hidden_by}
    assert tags.BY_NOSCRIPT not in page.nodes.hidden_by
    assert (SHOWN_WARNING,) == page.warnings


def test_what_is_streamed_in_hidden_elements_is_the_page() -> None:
    page = page_of(f"<div>Loading</div><div hidden id='S:0'>{POSTS}</div>")
    assert not page.blocks.is_unseen.any()
    assert (page.blocks.hidden_by > 0).sum() == 18
    assert "until scripts run" in page.warnings[0]


def test_a_page_with_text_of_its_own_does_not_wait_for_scripts() -> None:
    page = page_of(f"{ARTICLE}<div style='display:none'>{POSTS}</div>")
    assert 18 == page.blocks.is_unseen.sum()
    assert () == page.warnings


@pytest.mark.parametrize("dialog", ["<dialog open>", "<div role=dialog>", "<div role=' AlertDialog '>"])
def test_the_text_of_a_dialog_is_no_text_of_the_page(dialog: str) -> None:
    page = page_of(f"<div hidden id='S:0'>{POSTS}</div>{dialog}{ARTICLE}")
    assert (SHOWN_WARNING,) == page.warnings
    assert 18 == (page.blocks.hidden_by > 0).sum()


@pytest.mark.parametrize(
    "panel",
    [
        "<div role=tabpanel hidden>",
        "<div hidden id='S:1'>",
        "<div class=faq__answer style=display:none>",
        "<a href=#more>More</a><div id=more hidden>",
        "<button aria-controls=b>B</button><div id=b style='display:none'>",
        "<div class=accordion><div hidden>",
        "<div style='visibility:hidden'><h1>Test</h1>",
    ],
)
def test_elements_that_open_count_as_seen(panel: str) -> None:
    page = page_of(f"{ARTICLE}{panel}{POSTS}</div></div><p hidden>{'Not this one. ' * 40}</p>")
    assert ["Not this one."] == [text[:13] for text in _unseen_texts(page)]
    assert (SHOWN_WARNING,) == page.warnings


def _unseen_texts(page: Page) -> list[str]:
    return [text for text, unseen in zip(block_texts(page), page.blocks.is_unseen, strict=True) if unseen]


@pytest.mark.parametrize("attribute", ["role=dialog", "role=menu", "aria-modal=true"])
def test_dialogs_do_not_open(attribute: str) -> None:
    page = page_of(f"{ARTICLE}<a href=#d>Open</a><div id=d class=panel {attribute} hidden>{POSTS}</div>")
    assert 18 == page.blocks.is_unseen.sum()


def test_a_twin_of_what_is_seen_stays_unseen() -> None:
    page = page_of(f"<main>{POSTS * 3}</main><noscript>{POSTS}</noscript>")
    assert 18 == page.blocks.is_unseen.sum()
    assert () == page.warnings


def test_a_request_to_turn_scripts_on_stays_unseen() -> None:
    page = page_of("<noscript>Please turn on scripts to use this page.</noscript><div id=app></div>")
    assert page.blocks.is_unseen.all()


def test_never_means_never_and_the_reason_is_given() -> None:
    extraction = extract(f"<body><div hidden id='S:0'>{POSTS}</div>", options=Options(hidden="never"))
    assert "" == extraction.text
    assert LEFT_OUT_WARNING == extraction.reason


def test_the_share_of_hidden_words_is_reported() -> None:
    extraction = extract(
        f"<body><article>{ARTICLE}</article><div hidden id='S:0'>{POSTS}</div>", options=Options(keep=("body",))
    )
    assert 0.5 < extraction.hidden_share < 0.7
    assert f"{extraction.hidden_share:.0%} of the returned words are hidden until scripts run" in extraction.warnings
    assert 0 == extract(f"<body>{ARTICLE}").hidden_share


def test_sections_know_whether_they_are_visible() -> None:
    extraction = extract(
        f"<body><main>{ARTICLE * 3}</main><nav hidden>{POSTS}</nav><div hidden id='S:0'>{POSTS * 3}</div>"
    )
    visible = {leaf.text[:8]: leaf.visible for leaf in extraction.leaves()}
    assert visible.pop("The pier")
    assert visible
    assert not any(visible.values())


def test_other_values_are_refused() -> None:
    with pytest.raises(UsageError, match="hidden is 'yes'"):
        Options(hidden="yes")  # type: ignore[arg-type]
