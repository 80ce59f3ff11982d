"""The outline: a worked example, then what ends the scope of a heading, then real pages and both kinds of kernels."""

import numpy as np
import pytest
from tests.build import block_texts, held_landmarks, page_of, real_pages

from pagestrata import parse
from pagestrata.landmarks import find_outline, landmarks_of
from pagestrata.native import landmarks as interpreted
from pagestrata.native.landmarks import LABEL
from pagestrata.page.page import Page


def paths(page: Page) -> dict[str, str]:
    """The path of each line of a page, as text."""
    lines, outline = block_texts(page), landmarks_of(page).outline
    return {line: " > ".join(lines[heading] for heading in outline.path(block)) for block, line in enumerate(lines)}


def paths_in(body: str) -> dict[str, str]:
    return paths(page_of(body))


def test_a_worked_example() -> None:
    page = page_of("<p>a</p><h1>A</h1><p>b</p><h2>B</h2><p>c</p><h3>C</h3><p>d</p><h2>D</h2><p>e</p>")
    outline = landmarks_of(page).outline
    assert [-1, 1, 1, 3, 3, 5, 5, 7, 7] == outline.heading.tolist()
    assert [1, 3, 5, 7] == outline.headings.tolist()
    assert [-1, 1, 3, 1] == outline.above[outline.headings].tolist()
    assert [9, 7, 7, 9] == outline.scope_end[outline.headings].tolist()
    assert ["", "A", "A", "A > B", "A > B", "A > B > C", "A > B > C", "A > D", "A > D"] == list(paths(page).values())


def test_a_heading_counts_inside_its_element() -> None:
    assert "A" == paths_in("<h1>A</h1><div><h2>B</h2><p>b</p></div><p>c</p>")["c"]


def test_a_heading_with_nothing_behind_it_heads_what_follows_its_element() -> None:
    assert "A" == paths_in("<div><header><p>kicker</p><h2>A</h2></header></div><p>b</p>")["b"]
    assert "" == paths_in("<div><h2>A</h2><p>by Ann</p></div><p>b</p>")["b"]


def test_a_level_that_is_left_out_is_no_level() -> None:
    assert "A > B" == paths_in("<h1>A</h1><h4>B</h4><p>b</p>")["b"]
    assert "C" == paths_in("<h3>A</h3><p>a</p><h2>C</h2><p>c</p>")["c"]


def test_lines_of_one_heading_are_one_heading() -> None:
    page = page_of("<h2>A<br><br>B</h2><p>c</p>")
    assert [0] == landmarks_of(page).outline.headings.tolist()
    assert page.text.split("\n")[0] == "A"


def test_only_the_texts_that_are_named_can_be_headed() -> None:
    page = page_of("<div><h2>A</h2><p>by Ann</p></div><p>b</p>")
    landmarks = landmarks_of(page)
    outline = find_outline(landmarks, landmarks.heading_level, np.array([True, False, True]))
    assert [0, 0, 0] == outline.heading.tolist()


def test_a_line_may_be_taken_for_a_heading_below_all_others() -> None:
    page = page_of("<h6>A</h6><div>Label<p>a</p></div><p>b</p>")
    assert [0, 1, 1, 0] == find_outline(landmarks_of(page), np.array([6, LABEL, 0, 0], np.int32)).heading.tolist()


@pytest.mark.parametrize("body", ["", "<p>a</p>", "<h1></h1>", "<h2>A</h2>"])
def test_pages_without_an_outline(body: str) -> None:
    outline = held_landmarks(page_of(body)).outline
    assert len(outline.heading) == body.count("a") + body.count("A")


def test_scopes_lie_in_each_other_on_real_pages() -> None:
    for path in real_pages(60):
        outline = held_landmarks(parse(path.read_bytes())).outline
        for heading in outline.headings.tolist():
            above, end = outline.above[heading], outline.scope_end[heading]
            assert heading < end <= len(outline.heading)
            assert (outline.heading[heading:end] >= heading).all()
            assert above < 0 or (outline.scope_end[above] >= end and outline.level[above] < outline.level[heading])


def test_interpreted_and_compiled_outlines_are_equal() -> None:
    for path in real_pages(20):
        landmarks = held_landmarks(parse(path.read_bytes()))
        level, columns = landmarks.heading_level, landmarks.columns
        count = len(level)
        read = (level, np.arange(count + 1), columns.blocks[2], *columns.nodes[1:3], columns.of_nodes[1])
        found = [[0] * count for _ in range(4)]
        interpreted.find_outline(*(np.asarray(column).tolist() for column in read), *found)
        outline = landmarks.outline
        assert [outline.heading.tolist(), outline.above.tolist(), outline.scope_end.tolist()] == found[1:]
