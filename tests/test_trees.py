"""The kernel and the numpy way give the same sums and steps, whatever the trees and the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagestrata import trees as module
from pagestrata.trees import UNIT, Trees, add_steps, sum_leaves, sum_steps


def random_trees(seed: int, count: int, depth: int) -> Trees:
    random = np.random.default_rng(seed)
    return Trees(
        random.integers(4, size=(count, depth)).astype(np.int32),
        random.normal(size=(count, depth)).astype(np.float32),
        random.integers(-UNIT, UNIT, size=(count, 2**depth)).astype(np.int32),
    )


def test_the_first_question_is_the_lowest_bit_and_yes_is_above() -> None:
    leaves = np.array([[0, UNIT // 4, UNIT // 2, UNIT]], np.int32)
    trees = Trees(np.array([[0, 1]], np.int32), np.array([[1.5, 7]], np.float32), leaves)
    table = np.array([[1.5, 1.6, 1.5, 1.6], [7, 7, 8, 8]], np.float32)
    assert [0, 0.25, 0.5, 1] == trees.score(table).tolist()


@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 7), st.sampled_from((0, 1, 7, 255, 256, 257, 3000)))
def test_both_ways_agree(seed: int, count: int, depth: int, columns: int) -> None:
    if module._sum_leaves is sum_leaves:
        pytest.skip("the kernel is not built, or pure was asked for")
    trees = random_trees(seed, count, depth)
    table = np.random.default_rng(seed).normal(size=(4, columns)).astype(np.float32)
    assert (sum_leaves(trees, table) / UNIT).tolist() == trees.score(table).tolist()
    group = np.random.default_rng(seed).integers(3, size=(count, depth)).astype(np.int32)
    found = np.zeros((3, columns), np.int64)
    add_steps(trees, group, table, found)
    assert (found / (UNIT * 2**depth)).tolist() == sum_steps(trees, group, 3, table).tolist()


def test_a_leaf_may_hold_several_outputs_in_a_unit_of_its_own() -> None:
    leaves = np.array([[[0, 1], [2, 3]], [[4, 4], [6, 8]]], np.int32)
    trees = Trees(np.array([[0], [1]], np.int32), np.array([[0], [0]], np.float32), leaves, unit=2)
    table = np.array([[0, 1], [1, 0]], np.float32)
    assert [[3, 4.5], [3, 3.5]] == trees.score(table).tolist()


def test_a_question_moves_the_mean_of_what_is_in_reach() -> None:
    leaves = np.array([[0, UNIT, 0, 3 * UNIT]], np.int32)
    trees = Trees(np.array([[0, 1]], np.int32), np.array([[0, 0]], np.float32), leaves)
    table = np.array([[1, 0], [1, 0]], np.float32)
    assert [[1, -1], [1, 0]] == sum_steps(trees, np.array([[0, 1]], np.int32), 2, table).tolist()
