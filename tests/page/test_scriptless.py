"""Text that scripts may show is seen where it is much of the page, and then the page says so."""

from tests.build import block_texts, page_of

from pagestrata.page import tags
from pagestrata.page.scriptless import SHOWN_WARNING

POSTS = "".join(
    f"<div><b>Ann</b><p>Post {n}: the tide turned before the boats were in, and nobody saw it.</p></div>"
    for n in range(9)
)


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
    assert page.blocks.is_hidden.sum() == 18
    assert "until scripts run" in page.warnings[0]


def test_a_twin_of_what_is_seen_stays_unseen() -> None:
    page = page_of(f"<main>{POSTS * 3}</main><noscript>{POSTS}</noscript>")
    assert 18 == page.blocks.is_unseen.sum()
    assert () == page.warnings


def test_a_request_to_turn_scripts_on_stays_unseen() -> None:
    page = page_of("<noscript>Please turn on scripts to use this page.</noscript><div id=app></div>")
    assert page.blocks.is_unseen.all()
