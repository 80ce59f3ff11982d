"""Compiled and interpreted, the same words and marks are found in any text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of

from pagestrata.landmarks.words import _IS_NAME

interpreted = pytest.importorskip("pagestrata.native.words")
compiled = pytest.importorskip("pagestrata.native._words", reason="the kernels were not built")

TELLING = st.sampled_from([*"aAzZ09:./-h_ $€£¥前.!?。…é東😀ǅ²", "ago", "2024", "12:30", "x" * 19, "x" * 20])
TEXTS = st.lists(TELLING, max_size=60).map("".join) | st.text(max_size=150)
Words = tuple[list[int], list[int]]


def used(found: tuple[np.ndarray | list[int], np.ndarray | list[int], int]) -> Words:
    place, bucket, size = found
    return list(place[:size]), list(bucket[:size])


@settings(max_examples=500, deadline=None)
@given(st.lists(TEXTS, max_size=6), st.integers(0, 20))
def test_words_and_marks_of_lines_are_equal(lines: list[str], count: int) -> None:
    text, edges = "".join(lines), np.cumsum([0, *map(len, lines)]).astype(np.int32)
    start, end, size = edges[:-1], edges[1:], len(lines)
    most = interpreted.LINE_START
    assert used(interpreted.line_words(text, start, end, most)) == used(compiled.line_words(text, start, end, most))
    ours = [np.zeros(size, np.int32) for _ in range(2)]
    compiled.read_marks(text, start, end, np.full(size, count, np.int32), *ours)
    theirs = [[0] * size for _ in range(2)]
    interpreted.read_marks(text, start.tolist(), end.tolist(), [count] * size, *theirs)
    assert theirs == [marks.tolist() for marks in ours]
    expected = sum(line.count(sign) for line in lines[1:] for sign in "$£¥€")
    assert (
        interpreted.count_prices(text, start[1:], end[1:])
        == expected
        == compiled.count_prices(text, start[1:], end[1:])
    )


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 50))
def test_what_two_texts_say_is_equal(one: str, other: str, most: int) -> None:
    assert interpreted.said_words((one, other), most) == compiled.said_words((one, other), most).tolist()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text("aBc9-_ éÉ東😀", max_size=260), min_size=1, max_size=5))
def test_words_of_names_are_equal(names: list[str]) -> None:
    page = page_of("".join(f"<p title=x class='{name}' id='{name[::-1]}'>x</p>" for name in names))
    arguments = (page.markup, page.attributes, page.nodes.attribute_end, _IS_NAME)
    assert used(interpreted.name_words(*arguments)) == used(compiled.name_words(*arguments))


def test_attributes_past_the_end_of_the_markup_are_not_read() -> None:
    """Our parser writes none; a kernel must not read memory of others whatever it is given."""
    number = np.flatnonzero(_IS_NAME)[0]
    attributes = np.array([[number] * 4, [0] * 4, [0, 4, 90, 9], [5, 900, 9000, 2]], np.int32)
    arguments = ("abcd efgh", attributes, np.array([4], np.int32), _IS_NAME)
    assert used(interpreted.name_words(*arguments)) == used(compiled.name_words(*arguments))
    assert 2 == compiled.name_words(*arguments)[2]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["", "a", "b", "ab", "same text", "same texts", "東京", "😀"]) | st.text(max_size=20)))
def test_copies_are_equal(lines: list[str]) -> None:
    text, edges = "".join(lines), np.cumsum([0, *map(len, lines)]).astype(np.int32)
    first, theirs = np.zeros(len(lines), np.int32), [0] * len(lines)
    compiled.find_copies(text, edges[:-1], edges[1:], first)
    interpreted.find_copies(text, edges[:-1].tolist(), edges[1:].tolist(), theirs)
    assert [lines.index(line) for line in lines] == theirs == first.tolist()
