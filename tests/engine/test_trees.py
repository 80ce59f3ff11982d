"""The kernel and the numpy way give the same sums, whatever the trees and the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.engine import trees as module
from pagestrata.engine.trees import UNIT, Trees, sum_leaves


def stump(feature: int, threshold: float, low: int, high: int) -> Trees:
    """One tree of one question."""
    ints = (np.array(column, np.int32) for column in ([feature], [-1], [-2], [0], [low, high]))
    column, left, right, root, leaf = ints
    return Trees(column, np.array([threshold], np.float32), left, right, root, leaf)


def random_trees(seed: int, count: int, depth: int) -> Trees:
    """Full trees one after another; each also has a leaf near the root."""
    random = np.random.default_rng(seed)
    feature: list[int] = []
    threshold: list[float] = []
    left, right, root, leaf = ([0][:0] for _ in range(4))
    for _ in range(count):
        first = len(feature)
        root.append(first)
        for step in range(depth):
            feature.append(int(random.integers(4)))
            threshold.append(float(random.normal()))
            leaf.append(int(random.integers(-UNIT, UNIT)))
            left.append(-len(leaf))
            right.append(first + step + 1)
        leaf.append(int(random.integers(-UNIT, UNIT)))
        right[-1] = -len(leaf)
    whole = [np.array(column, np.int32) for column in (feature, left, right, root, leaf)]
    return Trees(whole[0], np.array(threshold, np.float32), *whole[1:])


def test_a_row_goes_left_up_to_the_threshold() -> None:
    table = np.array([[0.0, 1.0], [0.0, 1.5], [0.0, 2.0]], np.float32)
    assert [0.25, 0.25, -0.5] == stump(1, 1.5, UNIT // 4, -UNIT // 2).score(table).tolist()


@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 7), st.integers(0, 11))
def test_both_ways_agree(seed: int, count: int, depth: int, rows: int) -> None:
    if module._sum_leaves is sum_leaves:
        pytest.skip("the kernel is not built, or pure was asked for")
    trees = random_trees(seed, count, depth)
    table = np.random.default_rng(seed).normal(size=(rows, 4)).astype(np.float32)
    assert (sum_leaves(trees, table) / UNIT).tolist() == trees.score(table).tolist()
