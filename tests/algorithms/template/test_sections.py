"""Sections from lists and layout, and how important each is."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.template.test_learn import MENU, STORIES, html, learn, pages_of, story
from tests.build import page_of

from pagestrata import Page, RawPage, Section, parse
from pagestrata.algorithms.template import Template, TemplateLearner
from pagestrata.results import Segmentation

LONG = "Long words fill the lines of this part of the page, so that it is big. " * 8


def published(*bodies: str) -> Template:
    """A template whose sections are those of the paper."""
    return TemplateLearner(cut_mixed=False).learn(pages_of(*bodies))


def leaves_of(found: Segmentation) -> list[Section]:
    return [leaf for root in found.sections for leaf in root.leaves()]


def sections(template: Template, body: str) -> list[tuple[str, str]]:
    """Text and reason of each leaf section."""
    return [(leaf.text[:12], leaf.reasons[-1]) for leaf in leaves_of(template.segment(page_of(body)))]


def cut(body: str) -> list[tuple[str, str]]:
    """The sections of a page that is its own only sample."""
    return sections(published(body), body)


# ------------------------------------------------------------------------------------------------------------- cutting


def test_a_list_is_a_section_and_so_is_the_rest() -> None:
    assert [
        ("Heading", "a part of the layout"),
        ("One\nTwo\nThre", "a list of similar items"),
        ("The end", "no big part inside"),
    ] == cut("<h2>Heading</h2><ul><li>One</li><li>Two</li><li>Three</li></ul><footer>The end</footer>")


def test_of_lists_in_lists_only_the_uppermost_counts() -> None:
    items = "".join(f"<li>{word}<ul><li>a</li><li>b</li></ul></li>" for word in ("One", "Two", "Three"))
    assert [("One\na\nb\nTwo\n", "a list of similar items")] == cut(f"<ul>{items}</ul>")


def test_items_that_differ_slightly_form_one_section() -> None:
    body = (
        "<div><h3>One</h3><p>Text</p><img src=1.png></div><div><h3>Two</h3><p>Text <b>bold</b></p></div>"
        "<div><h3>Three</h3><p>Text</p><ul><li>Sale</li></ul><img src=3.png></div>"
    )
    assert 1 == len(cut(body))


def test_big_parts_are_gone_into() -> None:
    """Cond1 and Cond2."""
    body = f"<div><h2>Left</h2><blockquote>{LONG}</blockquote></div><section><h3>Right</h3><pre>{LONG}</pre></section>"
    assert [("Left\nLong wo", "no big part inside"), ("Right\nLong w", "no big part inside")] == cut(body)


def test_what_has_no_big_part_is_one_section() -> None:
    body = f"<div><h2>Left</h2><blockquote>{LONG}</blockquote><h3>Right</h3></div>"
    assert [("Left\nLong wo", "no big part inside")] == cut(body)


def test_a_small_part_beside_a_big_one_is_a_section() -> None:
    body = f"<header>Small</header><div><h2>Big</h2><blockquote>{LONG * 4}</blockquote></div>"
    assert [("Small", "a part of the layout"), ("Big\nLong wor", "no big part inside")] == cut(body)


def test_separators_cut_what_stands_between_them() -> None:
    """Cond3: before the first, between two, after the last."""
    body = "<h2>First</h2><p>Line</p><hr><h3>Second</h3><hr><pre>Third</pre>"
    assert [(text, "between separators") for text in ("First\nLine", "Second", "Third")] == cut(body)


def test_separators_beside_a_big_part() -> None:
    body = f"<h2>First</h2><p>Line</p><hr><h3>Second</h3><div><h4>Big</h4><pre>{LONG}</pre></div><hr><pre>Third</pre>"
    assert [
        ("First\nLine", "between separators"),
        ("Second", "between separators"),
        ("Big\nLong wor", "no big part inside"),
        ("Third", "between separators"),
    ] == cut(body)


def test_separators_cut_a_small_part_too() -> None:
    """All children of a node with a big part are gone into, whatever their size."""
    body = f"<footer><p>First</p><hr><address>Second</address></footer><div><h2>Big</h2><pre>{LONG * 4}</pre></div>"
    assert [
        ("First", "between separators"),
        ("Second", "between separators"),
        ("Big\nLong wor", "no big part inside"),
    ] == cut(body)


def test_layout_goes_into_a_table_but_not_into_its_cells() -> None:
    body = f"<table><tr><td><h2>Left</h2><pre>{LONG}</pre></td><th><h3>Right</h3><pre>{LONG}</pre></th></tr></table>"
    assert [("Left\nLong wo", "no big part inside")] == cut(f"{body}<div><h4>Below</h4><pre>{LONG}</pre></div>")[:-1]


def test_runs_of_formatted_text_are_one_section() -> None:
    body = f"Some <b>bold</b> and<div><h4>Big</h4><pre>{LONG}</pre></div>"
    assert [("Some bold an", "a run of text"), ("Big\nLong wor", "no big part inside")] == cut(body)


# ---------------------------------------------------------------------------------------------------------- importance


def test_importance_is_one_less_the_noise_by_size() -> None:
    """`Ten chars.` is on all pages, `Five5` on none, so that 10 of 15 characters are noise."""
    template = published(*(f"<h2>Ten chars.</h2><pre>{word}</pre>" for word in STORIES[:4]))
    (section,) = leaves_of(template.segment(page_of("<h2>Ten chars.</h2><pre>Five5</pre>")))
    assert pytest.approx(1 - 10 / 15, abs=1e-4) == section.importance
    assert {"noise": pytest.approx(10 / 15, abs=1e-4)} == dict(section.signals)


def test_sections_from_a_quarter_on_are_kept() -> None:
    """Noise of 3/4 on three of four pages is importance 1/4."""
    template = published(*(["<h2>Same</h2>"] * 3 + ["<h2>Else</h2>"]))
    assert [(0.25, True)] == [
        (leaf.importance, leaf.kept) for leaf in leaves_of(template.segment(page_of("<h2>Same</h2>")))
    ]
    template = published(*(["<h2>Same</h2>"] * 4 + ["<h2>Else</h2>"]))
    assert [(0.2, False)] == [
        (leaf.importance, leaf.kept) for leaf in leaves_of(template.segment(page_of("<h2>Same</h2>")))
    ]


def test_noise_of_part_of_a_site_is_found_there() -> None:
    template = learn(*(story(i, MENU if i < 2 else "") for i in range(6)))
    found = leaves_of(template.segment(page_of(story(5, MENU))))
    assert [("Home", False), ("Story", True), ("Mud t", True)] == [(leaf.text[:5].strip(), leaf.kept) for leaf in found]


def test_lines_that_repeat_are_cut_from_what_does_not_and_the_other_way_round() -> None:
    body = "<div><h2>{0}</h2><pre>{0}</pre><h5>Sign up for our letter</h5><h6>All rights reserved</h6></div>"
    template, page = learn(*(body.format(word * 9) for word in STORIES[:4])), page_of(body.format("Mud " * 30))
    found = leaves_of(template.segment(page))
    assert [("Mud", True), ("Sig", False)] == [(leaf.text[:3], leaf.kept) for leaf in found]
    assert "repeats in a section that does not" in found[1].reasons
    found = leaves_of(template.segment(page_of(body.format("Mud"))))
    assert [("Mud", True), ("Sig", False)] == [(leaf.text[:3], leaf.kept) for leaf in found]
    assert "is new in a section that repeats" in found[0].reasons


# -------------------------------------------------------------------------------------------------------- what it says


def test_what_a_reader_should_know_is_said() -> None:
    assert "learned from fewer than two pages" in learn(story(0)).segment(page_of(story(1))).notes[0]
    far = learn(story(0), story(1)).segment(page_of("<table><tr><td>Else</td><td><pre>where</pre></td></tr></table>"))
    assert "does not fit the template" in far.notes[0]
    small = TemplateLearner(most_nodes=5).learn(pages_of(story(0), story(1)))
    assert "the template was cut" in small.segment(page_of(story(2))).notes[-1]


@settings(deadline=None)
@given(st.lists(html, min_size=1, max_size=3), html, st.booleans())
def test_sections_partition_the_page(bodies: list[str], body: str, cut_mixed: bool) -> None:
    page = page_of(body)
    template = TemplateLearner(cut_mixed=cut_mixed).learn(pages_of(*bodies))
    leaves = leaves_of(template.segment(page))
    for start, end, size in (("node_start", "node_end", page.nodes), ("block_start", "block_end", page.blocks)):
        assert [0, *(getattr(leaf, end) for leaf in leaves)] == [*(getattr(leaf, start) for leaf in leaves), len(size)]
    assert all(0 <= leaf.importance <= 1 for leaf in leaves)


@pytest.mark.parametrize(
    "page", [parse(b""), parse(b"plain"), parse(RawPage("<html></html>", url="http://["))], ids=["", "text", "url"]
)
def test_a_page_of_nothing_is_no_error(page: Page) -> None:
    for template in (learn(story(0), story(1)), TemplateLearner().learn([]), TemplateLearner().learn([page, page])):
        assert template.segment(page).sections is not None
        assert 0 <= template.match(page).distance <= 1


def test_pages_of_a_real_site_fit_their_template() -> None:
    folder = Path(os.environ.get("PAGESTRATA_DATA", "")) / "sitesets" / "clusterdb.com"
    if not os.environ.get("PAGESTRATA_DATA") or not folder.is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds sitesets/")
    pages = [parse(path.read_bytes()) for path in sorted(folder.glob("*.html"))[:6]]
    template = TemplateLearner().learn(pages[:5])
    assert template.match(pages[5]).distance < 0.2
    found = template.segment(pages[5])
    assert {True, False} == {leaf.kept for leaf in leaves_of(found)}
    assert len(template.to_json()) < 256_000
