"""Letter by letter and by patterns, the same words and marks are found in any text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of

from pagestrata.engine import kernel, words_by_pattern
from pagestrata.engine.lexicon import _IS_NAME
from pagestrata.engine.measure import LINE_START

pytestmark = pytest.mark.skipif(not kernel.IS_COMPILED, reason="the loops are not compiled, or pure was asked for")

TELLING = st.sampled_from([*"aAzZ09:./-h_ $€£¥前.!?。…é東😀ǅ²", "ago", "2024", "12:30", "x" * 19, "x" * 20])
TEXTS = st.lists(TELLING, max_size=60).map("".join) | st.text(max_size=150)


@settings(max_examples=500, deadline=None)
@given(st.lists(TEXTS, max_size=6), st.integers(0, 20))
def test_words_and_marks_of_lines_are_the_same(lines: list[str], count: int) -> None:
    text, edges = "".join(lines), np.cumsum([0, *map(len, lines)]).astype(np.int32)
    start, end, size = edges[:-1], edges[1:], len(lines)
    place, bucket, found = kernel.words.line_words(text, start, end, LINE_START)
    wanted = words_by_pattern.line_words(text, start, end, LINE_START)
    assert wanted == (place[:found].tolist(), bucket[:found].tolist(), found)
    ours = [np.zeros(size, np.int32) for _ in range(2)]
    kernel.words.read_marks(text, start, end, np.full(size, count, np.int32), *ours)
    theirs = [[0] * size for _ in range(2)]
    words_by_pattern.read_marks(text, start.tolist(), end.tolist(), [count] * size, *theirs)
    assert theirs == [marks.tolist() for marks in ours]
    assert words_by_pattern.count_prices(text) == kernel.words.count_prices(text)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 50))
def test_what_two_texts_say_is_the_same(one: str, other: str, most: int) -> None:
    assert words_by_pattern.said_words((one, other), most) == kernel.words.said_words((one, other), most).tolist()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text("aBc9-_ éÉ東😀", max_size=260), min_size=1, max_size=5))
def test_words_of_names_are_the_same(names: list[str]) -> None:
    page = page_of("".join(f"<p title=x class='{name}' id='{name[::-1]}'>x</p>" for name in names))
    given_page = (page.markup, page.attributes, page.nodes.attribute_end, _IS_NAME)
    place, bucket, found = kernel.words.name_words(*given_page)
    assert words_by_pattern.name_words(*given_page) == (place[:found].tolist(), bucket[:found].tolist(), found)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["", "a", "b", "ab", "same text", "same texts", "東京", "😀"]) | st.text(max_size=20)))
def test_copies_are_the_same(lines: list[str]) -> None:
    text, edges = "".join(lines), np.cumsum([0, *map(len, lines)]).astype(np.int32)
    first, theirs = np.zeros(len(lines), np.int32), [0] * len(lines)
    kernel.words.find_copies(text, edges[:-1], edges[1:], first)
    words_by_pattern.find_copies(text, edges[:-1].tolist(), edges[1:].tolist(), theirs)
    assert [lines.index(line) for line in lines] == theirs == first.tolist()
