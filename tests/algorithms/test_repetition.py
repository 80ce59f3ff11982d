"""Repetition: the paper's worked sequences, then pages."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, page_of, real_pages
from tests.growth import assert_linear

from pagestrata import Page, Section, parse
from pagestrata.algorithms.repetition import Automaton, Repetition, key_patterns, virtual_nodes

WORKED = "h2 p p ul p p h2 p p p p p p div".split()


def repetitions(sequence: Sequence[str]) -> list[tuple[int, int]]:
    """All subsequences of more than one and at most half of the elements that occur twice without overlap.

    Each is (start, end) of its first match, short ones first. There can be very many.
    """
    states = Automaton(sequence)
    places = [
        (states.first[i] - length, states.first[i])
        for i in range(1, len(states.length))
        for length in range(max(2, states.shortest(i)), states.longest[i] + 1)
    ]
    return sorted(places, key=lambda place: (place[1] - place[0], place))


def spell(sequence: list[str], places: list[tuple[int, int]]) -> list[str]:
    return [" ".join(sequence[start:end]) for start, end in places]


def keys(sequence: list[str]) -> list[str]:
    return spell(sequence, [(key.ends[0] - key.length, key.ends[0]) for key in key_patterns(sequence)])


def leaves_of(page: Page, min_importance: int = 4) -> list[Section]:
    return [leaf for root in Repetition(min_importance).segment(page).sections for leaf in root.leaves()]


def test_the_only_repetition_is_a_b() -> None:
    """Figure 2 of the paper."""
    sequence = list("ABCABD")
    assert ["A B"] == spell(sequence, repetitions(sequence)) == keys(sequence)


def test_equal_elements_do_not_overlap() -> None:
    """Figure 3 of the paper: `p p` comes twice in four, `p p p` once."""
    sequence = list("pppp")
    assert ["p p"] == spell(sequence, repetitions(sequence))


def test_repetitions_and_key_patterns() -> None:
    """Section 3.4 of the paper."""
    assert ["h2 p", "p p", "h2 p p", "p p p"] == spell(WORKED, repetitions(WORKED))
    assert ["h2 p p", "p p p"] == keys(WORKED)


def test_virtual_nodes() -> None:
    """Figure 4 of the paper."""
    v1, v2, v3 = "h2 p p ul p p", "h2 p p p p p p div", "p p p p p p"
    assert [v1, v2, v3] == spell(WORKED, virtual_nodes(WORKED))


def test_what_precedes_the_first_match_is_a_block() -> None:
    sequence = "form h2 p h2 p".split()
    assert ["form", "h2 p", "h2 p"] == spell(sequence, virtual_nodes(sequence))


def test_a_list_of_pairs_is_cut_into_pairs() -> None:
    """The key pattern is half of the list, but its matches overlap at each pair."""
    sequence = "dt dd".split() * 7
    assert ["dt dd"] * 7 == spell(sequence, virtual_nodes(sequence))


def test_different_patterns_cut_together() -> None:
    sequence = "h2 p h2 p div ul div ul".split()
    assert ["h2 p", "h2 p", "div ul", "div ul"] == spell(sequence, virtual_nodes(sequence))


def published_leaves(page: Page, min_importance: int = 4) -> list[Section]:
    method = Repetition(min_importance, published=True)
    return [leaf for root in method.segment(page).sections for leaf in root.leaves()]


def test_as_published_a_page_has_the_virtual_nodes_of_figure_4() -> None:
    """v2 holds v3, so that its leaves are its heading, v3 and its division; all three blocks have over four tags."""
    body = "".join(f"<{tag}>{place}</{tag}>" for place, tag in enumerate(WORKED))
    leaves = published_leaves(page_of(f"<div>{body}</div>"))
    assert [("012345", True), ("6", True), ("789101112", True), ("13", True)] == [
        ("".join(leaf.text.split()), leaf.kept) for leaf in leaves if leaf.text
    ]


def test_as_published_a_long_list_is_cut_where_matches_do_not_overlap() -> None:
    sequence = "dt dd".split() * 8
    assert ["dt dd dt dd dt dd dt dd"] * 2 == spell(sequence, virtual_nodes(sequence, by_step=False))


def test_as_published_blocks_below_the_threshold_are_eliminated() -> None:
    """Where every block is small, the page is kept whole by default, and nothing of it as published."""
    page = page_of("<h2>a</h2><p>b</p><h2>c</h2><p>d</p>")
    assert [True] == [leaf.kept for leaf in leaves_of(page, 3)]
    assert [("a\nb", False), ("c\nd", False)] == [
        (leaf.text, leaf.kept) for leaf in published_leaves(page, 3) if leaf.text
    ]


def test_as_published_only_one_level_is_cut() -> None:
    page = page_of("<div>" + "<div><h2>Name</h2><ul><li>one<li>two</ul></div>" * 4 + "</div>")
    assert ["Name\none\ntwo\n" * 3 + "Name\none\ntwo"] == [leaf.text for leaf in published_leaves(page) if leaf.text]


def slow_repetitions(sequence: str) -> set[str]:
    """By the definition, and slowly."""
    found, count = set(), len(sequence)
    for size in range(2, count // 2 + 1):
        for start in range(count - size + 1):
            if sequence.find(sequence[start : start + size], start + size) >= 0:
                found.add(sequence[start : start + size])
    return found


@given(st.text("abc", max_size=24))
def test_repetitions_follow_the_definition(sequence: str) -> None:
    slow = slow_repetitions(sequence)
    assert slow == {sequence[start:end] for start, end in repetitions(sequence)}
    longest = {text for text in slow if not any(text in other and text != other for other in slow)}
    found = {sequence[key.ends[0] - key.length : key.ends[0]]: key for key in key_patterns(sequence)}
    assert longest == set(found)
    for text, key in found.items():
        assert key.ends == tuple(i + len(text) for i in range(len(sequence)) if sequence.startswith(text, i))


@given(st.text("abc", max_size=40))
def test_virtual_nodes_nest(sequence: str) -> None:
    """The blocks follow each other without gap, and the groups of equal elements lie inside of them."""
    found = virtual_nodes(sequence)
    outer = [place for place in found if not any(o[0] <= place[0] and place[1] <= o[1] and o != place for o in found)]
    for (_, end), (start, _) in pairwise(sorted(outer)):
        assert end <= start


def test_formatting_is_dissolved_in_the_view_only() -> None:
    """An image in a link counts as a child of the element around; the section holds the link too.

    The first leaf begins with the page.
    """
    page = page_of("<div>" + "<a href=x><img></a><p>text</p>" * 3 + "</div>")
    records = [leaf for leaf in leaves_of(page, 2) if leaf.signals["tags"] == 2]
    assert ["html", "a", "a"] == [page.nodes.tag_name(leaf.node_start) for leaf in records]


def test_records_of_a_listing_are_sections() -> None:
    page = page_of("<div>" + "<h2>Name</h2><ul><li>one<li>two</ul>" * 3 + "</div>")
    assert ["Name\none\ntwo"] * 3 == [leaf.text for leaf in leaves_of(page)]


def test_blocks_below_the_threshold_are_noise() -> None:
    """The small print has one tag, the list five: only the list is kept."""
    page = page_of("<ul><li>a<li>b<li>c<li>d</ul><p>small print</p>")
    assert [("a\nb\nc\nd", True, 0.5556), ("small print", False, 0.2)] == [
        (leaf.text, leaf.kept, leaf.importance) for leaf in leaves_of(page)
    ]


HOSTILE = {
    "empty": "",
    "deep": "<div>" * 3000 + "x",
    "unknown tags": "".join(f"<x-{i}>t</x-{i}>" for i in range(3000)),
    "formatting around blocks": "<a><div>x</div><b><p>y</p></b></a>" * 300,
    "two tags": "".join("<p>x</p>" if i * i % 7 < 3 else "<div>y</div>" for i in range(3000)),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_leaves_partition_hostile_pages(body: str) -> None:
    page = page_of(body)
    leaves = leaves_of(page)
    assert [0, *(leaf.node_end for leaf in leaves)] == [*(leaf.node_start for leaf in leaves), len(page.nodes)]
    assert all(0 <= leaf.importance <= 1 for leaf in leaves)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("<div> </div> <p> <ul> <li> <a> </a> <img> text <h2> <td> <script>x</script>".split())))
def test_leaves_partition_any_page(pieces: list[str]) -> None:
    page = parse("".join(pieces))
    leaves = leaves_of(page, 2)
    assert [0, *(leaf.block_end for leaf in leaves)] == [*(leaf.block_start for leaf in leaves), len(page.blocks)]
    assert all(0 <= leaf.importance <= 1 for leaf in leaves)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_leaves_partition_the_example_site(path: object) -> None:
    page = parse(path.read_bytes())  # type: ignore[attr-defined]
    leaves = leaves_of(page)
    assert [0, *(leaf.block_end for leaf in leaves)] == [*(leaf.block_start for leaf in leaves), len(page.blocks)]


def test_real_pages_are_cut() -> None:
    for path in real_pages(20):
        page = parse(path.read_bytes())
        leaves = leaves_of(page)
        assert [0, *(leaf.block_end for leaf in leaves)] == [*(leaf.block_start for leaf in leaves), len(page.blocks)]


@pytest.mark.parametrize("row", ["<li>x", "<dt>x<dd>y", "<h2>x</h2><p>y</p><p>z</p>"], ids=["equal", "pairs", "mixed"])
def test_long_lists_take_linear_time(row: str) -> None:
    pages = {rows: page_of(f"<ul>{row * rows}</ul>") for rows in (10, 300, 1_200)}
    assert_linear(lambda rows: lambda: Repetition().segment(pages[rows]))
