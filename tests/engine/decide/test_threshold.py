"""The threshold makes the expected F1 largest, and the bias moves it one way."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.engine.decide.threshold import (
    CLEAR_PAGE,
    SHARPENING,
    SHARPENING_CLEAR_PAGE,
    THREE_PAGES,
    choose_threshold,
    expected_score,
)

Blocks = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 200)), min_size=1, max_size=30)


def columns(blocks: list[tuple[float, int]]) -> tuple[np.ndarray, np.ndarray]:
    importance, words = zip(*blocks, strict=True)
    return np.array(importance), np.array(words, np.float64)


def sharpened(importance: np.ndarray, by: float, against: float = 1.0) -> np.ndarray:
    return np.asarray(1 / (1 + against * ((1 - importance) / importance) ** by))


def best_of(importance: np.ndarray, words: np.ndarray, by: float) -> float:
    sure = sharpened(importance, by)
    scores = [expected_score(sure, words, other) for other in sure.tolist()]
    return float(importance[int(np.argmax(scores))])


def promised(importance: np.ndarray, words: np.ndarray, keep_from: float, by: float, odds: Sequence[float]) -> float:
    """The mean F1 to expect over pages whose odds against are so many times higher."""
    pages = [sharpened(importance, by, against) for against in odds]
    return float(np.mean([expected_score(page, words, page[importance >= keep_from].min()) for page in pages]))


@given(Blocks)
def test_no_other_threshold_promises_more(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    chosen = choose_threshold(importance, words)
    if chosen <= 1:
        is_clear = expected_score(importance, words, best_of(importance, words, SHARPENING)) >= CLEAR_PAGE
        how = (SHARPENING_CLEAR_PAGE, (1.0,)) if is_clear else (SHARPENING, THREE_PAGES)
        best = promised(importance, words, chosen, *how)
        assert all(promised(importance, words, other, *how) <= best + 1e-9 for other in importance.tolist())


def test_more_is_kept_where_nothing_is_certain() -> None:
    importance, words = np.array([0.35, 0.3, 0.2, 0.2]), np.array([30.0, 30.0, 30.0, 30.0])
    alone = best_of(importance, words, SHARPENING)
    assert choose_threshold(importance, words) < alone


def test_uncertain_blocks_are_dropped_on_a_clear_page_and_kept_on_another() -> None:
    words = np.full(10, 50.0)
    clear = np.array([0.97] * 6 + [0.45] * 4)
    assert choose_threshold(clear, words) > 0.9
    assert choose_threshold(np.array([0.55] * 6 + [0.45] * 4), words) < 0.45


@given(Blocks)
def test_bias_moves_along_one_curve(blocks: list[tuple[float, int]]) -> None:
    importance, words = columns(blocks)
    kept = [
        int((importance >= choose_threshold(importance, words, bias)).sum()) for bias in (-1.0, -0.5, 0.0, 0.5, 1.0)
    ]
    assert sorted(kept) == kept


def test_too_few_words_are_none() -> None:
    assert choose_threshold(np.array([0.08, 0.06]), np.array([50.0, 50.0])) > 1
    assert choose_threshold(np.zeros(0), np.zeros(0)) > 1
    assert choose_threshold(np.zeros(2), np.array([5.0, 5.0])) > 1


def test_something_is_kept_of_a_tiny_page() -> None:
    assert choose_threshold(np.array([0.08, 0.06]), np.array([5.0, 5.0]), is_tiny=True) < 0.08
