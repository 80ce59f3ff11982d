"""VIPS: the frame of a page, its blocks, and coherence that never falls."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, page_of, real_pages
from tests.growth import assert_linear

from pagestrata import Page, Section, parse
from pagestrata.algorithms.vips import CONFIDENCE, CONFIDENCE_MEASURED, Vips, _separated, _VisiblePage
from pagestrata.page.boxes import Boxes
from pagestrata.page.drawn import Drawn

TEXT = "Plain words that make a line of text. " * 12
HEADER = "<div><img width=200 height=60><p>Name of the site</p></div>"
MENU = "<ul><li><a href=a>One</a><li><a href=b>Two</a></ul>"
ARTICLES = "".join(f"<div><h2>Story {i}</h2><p>{TEXT}</p><p>{TEXT}</p></div>" for i in range(3))
FOOTER = "<div><p>About us</p><p>Imprint</p></div>"


def tree_of(page: Page, permitted: float = 0.9) -> Section:
    (root,) = Vips(permitted).segment(page).sections
    return root


def starts(sections: tuple[Section, ...] | list[Section]) -> list[str]:
    return [section.text.split("\n")[0] for section in sections]


def check(page: Page) -> None:
    """Leaves partition the page, importance is in [0, 1], coherence does not fall."""
    for root in Vips().segment(page).sections:
        leaves = list(root.leaves())
        assert [0, *(leaf.node_end for leaf in leaves)] == [*(leaf.node_start for leaf in leaves), len(page.nodes)]
        assert [0, *(leaf.block_end for leaf in leaves)] == [*(leaf.block_start for leaf in leaves), len(page.blocks)]
        for section in root.walk():
            assert 0 <= section.importance <= 1
            for child in section.children:
                if "coherence" in child.signals:  # the title has none
                    assert section.signals["coherence"] <= child.signals["coherence"] <= 1


@pytest.mark.parametrize("wrapper", ["{}", "<div>{}</div>", "<form><div><div>{}</div></div></form>"])
def test_the_frame_is_header_content_footer(wrapper: str) -> None:
    """Whatever is wrapped around them."""
    root = tree_of(page_of(wrapper.format(f"{HEADER}<div>{ARTICLES}</div>{FOOTER}")))
    assert ["Name of the site", "Story 0", "About us"] == starts(root.children)


def test_header_and_footer_on_different_levels() -> None:
    root = tree_of(page_of(f"{HEADER}<div><div>{ARTICLES}</div>{FOOTER}</div>"))
    assert ["Name of the site", "Story 0", "About us"] == starts(root.children)


def test_the_main_part_is_not_opened_for_the_frame() -> None:
    """Here nothing stands after the main part, and nothing inside of it is taken for a footer."""
    root = tree_of(page_of(f"{HEADER}<main>{ARTICLES}{FOOTER}</main>"))
    assert ["Name of the site", "Story 0"] == starts(root.children)


def test_content_is_cut_into_its_blocks() -> None:
    """Name and menu, small things without a separator between them, are one block."""
    root = tree_of(page_of(f"{HEADER}{MENU}<div>{ARTICLES}</div>{FOOTER}"))
    assert ["Name of the site", "Story 0", "Story 1", "Story 2", "About us"] == starts(list(root.leaves()))


def test_the_permitted_coherence_says_how_fine() -> None:
    page = page_of(f"{HEADER}<div>{ARTICLES}</div>{FOOTER}")
    assert [3, 5, 5] == [len(list(tree_of(page, permitted).leaves())) for permitted in (0.0, 0.5, 1.0)]


def test_a_rule_separates_small_things() -> None:
    small = f"<p>{TEXT}</p>" * 2
    root = tree_of(page_of(f"{HEADER}<div>{small}<hr>{small}</div>{FOOTER}"))
    assert 4 == len(list(root.leaves()))


def test_a_heading_goes_with_the_block_that_follows() -> None:
    box = f"<div><p>{TEXT}</p><p>{TEXT}</p></div>"
    root = tree_of(page_of(f"{HEADER}<div><p>Lead</p><h2>First</h2>{box}<h2>Second</h2>{box}</div>{FOOTER}"))
    assert ["Name of the site", "Lead", "First", "Second", "About us"] == starts(list(root.leaves()))


def test_layout_tables_are_cut_and_data_tables_are_not() -> None:
    data = "<table>" + "<tr><td>a<td>b" * 9 + "</table>"
    layout = f"<table><tr><td>{ARTICLES}<td><p>x</p>{MENU}</table>"
    root = tree_of(page_of(f"{HEADER}<div>{layout}</div>{FOOTER}"))
    assert ["Name of the site", "Story 0", "Story 1", "Story 2", "x", "About us"] == starts(list(root.leaves()))
    root = tree_of(page_of(f"{HEADER}<div>{data}</div>{FOOTER}"))
    assert ["Name of the site", "a", "About us"] == starts(list(root.leaves()))


def test_text_is_more_important_than_links() -> None:
    root = tree_of(page_of(f"{MENU}<div><p>{TEXT}</p><p>{TEXT}</p></div>{FOOTER}"))
    assert [False, True, False] == [leaf.kept for leaf in root.leaves()]


def test_drawn_boxes_win_over_the_guess() -> None:
    """A browser that gave the articles no room leaves nothing to divide."""
    page = page_of(f"{HEADER}<div>{ARTICLES}</div>{FOOTER}")
    ones = np.ones(len(page.nodes), np.float32)
    area = np.where(np.arange(len(page.nodes)) == 0, 1e6, 20.0).astype(np.float32)
    drawn = replace(page, boxes=Boxes(ones, ones, area, ones, estimated=False))
    assert CONFIDENCE == Vips().segment(page).confidence
    assert CONFIDENCE_MEASURED == Vips().segment(drawn).confidence
    assert 3 == len(list(tree_of(drawn).leaves()))


LINES = "<p>One</p><p>Two</p><p>Three</p><p>Four</p>"
LOOKS = f"{HEADER}<div>{LINES}</div>{FOOTER}"


def drawn_page(body: str, **looks: dict[str, Any]) -> Page:
    """A page as a browser drew it: looks by the text of an element; otherwise 16 pixels, normal, black on white."""
    page = page_of(body)
    count = len(page.nodes)
    ones, shown = np.ones(count, np.float32), np.ones(count, np.bool_)
    columns: dict[str, Any] = {
        "font_size": ones * 16,
        "font_weight": ones * 400,
        "background": np.full((count, 3), 255, np.uint8),
        "colour": np.zeros((count, 3), np.uint8),
    }
    for text, look in looks.items():
        node = next(
            n for n in range(count) if page.nodes.tag_name(n) in ("p", "h4", "div") and page.text_of(n).strip() == text
        )
        for name, value in look.items():
            columns[name][node : int(page.nodes.end[node])] = value
    order = np.arange(count, dtype=np.int32)
    return replace(
        page,
        boxes=Boxes(ones, ones, ones * 100, ones * 100, estimated=False),
        drawn=Drawn(visible=shown, paint_order=order, **columns),
    )


def pieces(page: Page) -> list[str]:
    """The lines of each piece of the body that a cut at its separators gives."""
    visible = _VisiblePage(page)
    body = next(
        node for node in range(len(page.nodes)) if page.nodes.tag_name(node) == "div" and "One" in page.text_of(node)
    )
    return [
        " ".join(page.text_of(node).strip() for node in piece) for piece in _separated(visible, visible.children(body))
    ]


def test_things_that_look_alike_have_no_separator() -> None:
    assert ["One Two Three Four"] == pieces(drawn_page(LOOKS))


@pytest.mark.parametrize(
    "look", [{"font_size": 19}, {"font_weight": 600}, {"background": (240, 240, 240)}, {"colour": (0, 64, 0)}]
)
def test_a_separator_is_before_what_is_larger_or_bolder_or_in_other_colours(look: dict[str, Any]) -> None:
    """What follows a larger line belongs to it; a line on a background or in a colour of its own stands alone."""
    end = ["Three Four"] if {"font_size", "font_weight"} & set(look) else ["Three", "Four"]
    assert ["One Two", *end] == pieces(drawn_page(LOOKS, Three=look))


@pytest.mark.parametrize(
    "look",
    [{"font_size": 18}, {"font_weight": 599}, {"font_size": 15}, {"font_weight": 201}, {"colour": (63, 63, 63)}],
)
def test_small_differences_separate_nothing(look: dict[str, Any]) -> None:
    assert ["One Two Three Four"] == pieces(drawn_page(LOOKS, Three=look))


def test_a_separator_is_after_small_print() -> None:
    assert ["One Two Three", "Four"] == pieces(drawn_page(LOOKS, Three={"font_size": 12}))


def test_a_coloured_heading_stays_with_what_follows_it() -> None:
    """Whether its tag or its font makes it a heading."""
    blue = {"colour": (0, 0, 255)}
    assert ["One Two", "Three Four"] == pieces(drawn_page(LOOKS, Three={**blue, "font_weight": 700}))
    heading = LOOKS.replace("<p>Three</p>", "<h4>Three</h4>")
    assert ["One Two", "Three Four"] == pieces(drawn_page(heading, Three=blue))


def test_the_colour_of_links_separates_nothing() -> None:
    page = drawn_page(LOOKS.replace("Three", "<a href=x>Three</a>"), Three={"colour": (0, 0, 255)})
    assert ["One Two Three Four"] == pieces(page)


def test_a_bold_word_does_not_make_a_line_bold() -> None:
    """The font of a line is the mean over its characters."""
    page = drawn_page(LOOKS.replace("Three", "Three <b>bold</b> words of a line"))
    assert page.drawn is not None
    weight = page.drawn.font_weight.copy()
    weight[next(n for n in range(len(weight)) if page.nodes.tag_name(n) == "b") :][:2] = 700
    assert 1 == len(pieces(replace(page, drawn=replace(page.drawn, font_weight=weight))))


def test_a_heading_that_only_its_font_tells_goes_with_the_block_that_follows() -> None:
    box = f"<div><p>{TEXT}</p><p>{TEXT}</p></div>"
    body = f"{HEADER}<div><p>Lead</p><p>First</p>{box}</div>{FOOTER}"
    large = drawn_page(body, First={"font_size": 24})
    assert ["Name of the site", "Lead", "First", "About us"] == starts(list(tree_of(large).leaves()))
    assert ["Name of the site", "Lead", TEXT.strip(), "About us"] == starts(list(tree_of(drawn_page(body)).leaves()))


def test_a_drawn_page_is_cut_as_any_other() -> None:
    check(drawn_page(LOOKS, Three={"font_size": 24, "background": (0, 0, 0)}))


HOSTILE = {
    "empty": "",
    "deep": "<div>" * 3000 + "x",
    "deep and wide": "<div>x<p>y</p>" * 400,
    "tables in tables": "<table><tr><td>x<td>" * 200,
    "hidden": "<div hidden><p>x</p></div>",
    "text only": "x" * 100_000,
    "images": "<img width=0 height=0>" * 50,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages(body: str) -> None:
    check(page_of(body))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from("<div> </div> <p> <ul> <li> <a> </a> <img> text <h2> <td> <table> <hr> <main>".split()))
)
def test_any_page(pieces: list[str]) -> None:
    check(parse("".join(pieces)))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_site(path: object) -> None:
    check(parse(path.read_bytes()))  # type: ignore[attr-defined]


def test_real_pages() -> None:
    for path in real_pages(20):
        check(parse(path.read_bytes()))


@pytest.mark.parametrize("row", ["<li>x", "<div><p>x<p>y</div>", "<tr><td>x<td>y"], ids=["list", "blocks", "table"])
def test_long_pages_take_linear_time(row: str) -> None:
    pages = {rows: page_of(f"<div><table>{row * rows}</table></div>") for rows in (10, 300, 1_200)}
    assert_linear(lambda rows: lambda: Vips().segment(pages[rows]))
