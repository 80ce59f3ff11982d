"""The threshold makes the expected F1 largest, and the bias moves it one way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.engine.choose import (
    FEW_WORDS,
    LEANING,
    REACH,
    SURE_LINE,
    SURE_PAGE,
    SURER,
    SURER_THERE,
    UNSURE_PAGE,
    expected_score,
    threshold,
)
from pagestrata.engine.kernel import loops

Blocks = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 200)), min_size=1, max_size=30)


def columns(blocks: list[tuple[float, int]]) -> tuple[np.ndarray, np.ndarray]:
    importance, words = zip(*blocks, strict=True)
    return np.array(importance), np.array(words, np.float64)


def surer(importance: np.ndarray, by: float) -> np.ndarray:
    return np.array([loops.surer(one, by) for one in importance.tolist()])


def best_of(importance: np.ndarray, words: np.ndarray, by: float) -> float:
    sure = surer(importance, by)
    scores = [expected_score(sure, words, other) for other in sure.tolist()]
    return float(importance[int(np.argmax(scores))])


def test_surer_moves_away_from_the_middle() -> None:
    assert surer(np.array([0.1, 0.5, 0.9]), 2.0).round(2).tolist() == [0.01, 0.5, 0.99]


def promised(sure: np.ndarray, words: np.ndarray, kept: np.ndarray, recall: float) -> float:
    right = sure * words
    return float(right[kept].sum() / (words[kept].sum() + recall * right.sum()))


@given(Blocks)
def test_no_other_threshold_promises_more(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    chosen = threshold(importance, words)
    if chosen <= 1:
        score = expected_score(importance, words, best_of(importance, words, SURER))
        sure = surer(importance, SURER_THERE if score >= SURE_PAGE else SURER)
        is_sure = ((importance >= SURE_LINE) & (words >= FEW_WORDS)).any()
        recall = REACH ** (2 * LEANING) if score < UNSURE_PAGE and not is_sure else 1.0
        best = promised(sure, words, importance >= chosen, recall)
        assert all(promised(sure, words, sure >= other, recall) <= best + 1e-9 for other in sure.tolist())


def test_where_little_is_sure_a_grid_is_kept_as_a_whole() -> None:
    """Its cards are text or not together, whatever the small differences between them say."""
    grid = np.array([0.5, 0.4, 0.35, 0.3, 0.25, 0.22, 0.2, 0.18])
    assert threshold(grid, np.full(8, 20.0)) < 0.18
    sure_line = np.array([0.95, *grid])
    assert threshold(sure_line, np.array([8.0, *[20.0] * 8])) > 0.18


def test_what_is_not_sure_is_left_on_a_plain_page_and_kept_on_another() -> None:
    words = np.full(10, 50.0)
    plain = np.array([0.97] * 6 + [0.45] * 4)
    assert threshold(plain, words) > 0.9
    assert threshold(np.array([0.6] * 6 + [0.45] * 4), words) < 0.45


@given(Blocks)
def test_bias_moves_along_one_curve(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    kept = [int((importance >= threshold(importance, words, bias)).sum()) for bias in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    assert sorted(kept) == kept


def test_too_few_words_are_none() -> None:
    assert threshold(np.array([0.4, 0.3]), np.array([5.0, 5.0])) > 1
    assert threshold(np.zeros(0), np.zeros(0)) > 1
