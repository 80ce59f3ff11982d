"""The threshold makes the expected F1 largest, and the bias moves it one way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.engine.choose import expected_score, surer, threshold

Blocks = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 200)), min_size=1, max_size=30)


def columns(blocks: list[tuple[float, int]]) -> tuple[np.ndarray, np.ndarray]:
    importance, words = zip(*blocks, strict=True)
    return np.array(importance), np.array(words, np.float64)


@given(Blocks)
def test_no_other_threshold_promises_more(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    chosen = threshold(importance, words)
    if chosen <= 1:
        sure = surer(importance)
        best = expected_score(sure, words, sure[importance >= chosen].min())
        assert all(expected_score(sure, words, other) <= best + 1e-9 for other in sure.tolist())


@given(Blocks)
def test_bias_moves_along_one_curve(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    kept = [int((importance >= threshold(importance, words, bias)).sum()) for bias in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    assert sorted(kept) == kept


def test_too_few_words_are_none() -> None:
    assert threshold(np.array([0.4, 0.3]), np.array([5.0, 5.0])) > 1
    assert threshold(np.zeros(0), np.zeros(0)) > 1
