"""The threshold makes the expected F1 largest, and the bias moves it one way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.engine.choose import SURE_PAGE, SURER, SURER_THERE, expected_score, threshold
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


@given(Blocks)
def test_no_other_threshold_promises_more(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    chosen = threshold(importance, words)
    if chosen <= 1:
        is_plain = expected_score(importance, words, best_of(importance, words, SURER)) >= SURE_PAGE
        sure = surer(importance, SURER_THERE if is_plain else SURER)
        best = expected_score(sure, words, sure[importance >= chosen].min())
        assert all(expected_score(sure, words, other) <= best + 1e-9 for other in sure.tolist())


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
