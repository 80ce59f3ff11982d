"""ContentExtractor: blocks that recur on a site are no content."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.algorithms.learners import assert_learns_in_linear_time, assert_partition, importance_of, site
from tests.build import page_of

from pagestrata.algorithms.content_extractor import (
    SIMILAR,
    ContentExtractor,
    RecurringBlocks,
    cosine,
    head,
    vector_of,
)

TEXTS = st.lists(st.sampled_from("a b c d e".split()), min_size=1, max_size=12).map(" ".join)


def test_inverse_block_document_frequency() -> None:
    # three pages, the block on one of them: ln(4 / 2) / ln 4 = 1/2
    known = RecurringBlocks(pages=3)
    for texts in (["tea and milk", "home"], ["home"], ["home"]):
        known.add_page([vector_of(text) for text in texts])
    assert [0.5, 0.0, 1.0] == [known.inverse_frequency(vector_of(text)) for text in ("tea and milk", "home", "cocoa")]


def test_a_block_counts_once_a_page() -> None:
    known = RecurringBlocks(pages=2)
    known.add_page([vector_of("home")] * 5)
    assert [1] == known.counts


def test_similar_blocks_are_the_same() -> None:
    words = [f"word{i}" for i in range(20)]
    known = RecurringBlocks(pages=1)
    known.add_page([vector_of(" ".join(words))])
    # 19 and 17 words of 20 shared: cosine 0.95 and 0.85
    assert 0 == known.find(vector_of(" ".join([*words[:19], "other"])))
    assert known.find(vector_of(" ".join([*words[:17], "other", "more", "still"]))) is None


@given(TEXTS, TEXTS)
def test_heads_of_similar_blocks_meet(first: str, second: str) -> None:
    one, other = vector_of(first), vector_of(second)
    if cosine(one, other) >= SIMILAR:
        assert set(head(one, {"a": 3, "b": 2})) & set(head(other, {"a": 3, "b": 2}))


@given(TEXTS)
def test_vectors_have_length_one(text: str) -> None:
    assert pytest.approx(1.0) == math.hypot(*vector_of(text).values())
    assert pytest.approx(1.0) == cosine(vector_of(text), vector_of(text))


def test_template_recurs_and_text_does_not() -> None:
    pages = site()
    found = importance_of(ContentExtractor(), pages[:3], pages[3])
    assert {"Home": 0.0, "Painters": 1.0, "All": 0.0} == found


def test_nothing_recurs_without_other_pages() -> None:
    (page,) = site(1)
    assert 1.0 == min(importance_of(ContentExtractor(), [], page).values())
    assert ContentExtractor().learn([]).segment(page).notes


def test_sections_partition_the_page() -> None:
    for body in ("", "<div>tea</div>", "<p>a<p>!<div>of</div>"):
        assert_partition(ContentExtractor(), site(2), page_of(body))


def test_cost_is_linear() -> None:
    assert_learns_in_linear_time(ContentExtractor())
