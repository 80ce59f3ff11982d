"""Compiled and interpreted trees give the same sums and steps, whatever the trees and the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.native import trees as interpreted
from pagestrata.trees import UNIT, Trees, steps_of

compiled = pytest.importorskip("pagestrata.native._trees", reason="the kernels were not built")


def random_trees(seed: int, count: int, depth: int) -> Trees:
    random = np.random.default_rng(seed)
    return Trees(
        random.integers(4, size=(count, depth)).astype(np.int32),
        random.normal(size=(count, depth)).astype(np.float32),
        random.integers(-UNIT, UNIT, size=(count, 2**depth)).astype(np.int32),
    )


@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 7), st.sampled_from((0, 1, 7, 255, 256, 257, 3000)))
def test_sums_and_steps_are_equal(seed: int, count: int, depth: int, columns: int) -> None:
    trees = random_trees(seed, count, depth)
    table = np.random.default_rng(seed).normal(size=(4, columns)).astype(np.float32)
    group = np.random.default_rng(seed).integers(3, size=(count, depth)).astype(np.int32)
    sums, moved = np.zeros((2, columns), np.int64), np.zeros((2, 3, columns), np.int64)
    for place, kernel in enumerate((interpreted, compiled)):
        kernel.sum_leaves(trees.feature, trees.threshold, trees.leaf, table, sums[place])
        kernel.add_steps(trees.feature, trees.threshold, group, steps_of(trees), table, moved[place])
    np.testing.assert_array_equal(*sums)
    np.testing.assert_array_equal(*moved)
