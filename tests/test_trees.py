"""Trees give the leaves and steps that their questions lead to."""

import numpy as np

from pagestrata.trees import UNIT, Trees, sum_steps


def test_the_first_question_is_the_lowest_bit_and_yes_is_above() -> None:
    leaves = np.array([[0, UNIT // 4, UNIT // 2, UNIT]], np.int32)
    trees = Trees(np.array([[0, 1]], np.int32), np.array([[1.5, 7]], np.float32), leaves)
    table = np.array([[1.5, 1.6, 1.5, 1.6], [7, 7, 8, 8]], np.float32)
    assert [0, 0.25, 0.5, 1] == trees.score(table).tolist()


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
