"""Trees give the leaves and steps that their questions lead to."""

import random
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest

from pagestrata.engine import model as engine_model
from pagestrata.engine.model import EngineModel
from pagestrata.errors import ModelError
from pagestrata.page_type import model as page_type_model
from pagestrata.page_type.model import PageTypeModel
from pagestrata.trees import UNIT, Trees, sum_steps


def test_the_first_question_is_the_lowest_bit_and_yes_is_above() -> None:
    leaves = np.array([[0, UNIT // 4, UNIT // 2, UNIT]], np.int32)
    trees = Trees(np.array([[0, 1]], np.int32), np.array([[1.5, 7]], np.float32), leaves)
    table = np.array([[1.5, 1.6, 1.5, 1.6], [7, 7, 8, 8]], np.float32)
    assert [0, 0.25, 0.5, 1] == trees.score(table).tolist()


def test_trees_may_have_several_outputs_and_a_unit_of_their_own() -> None:
    leaves = np.array([[[0, 2], [4, 6]], [[1, 3], [4, 8]]], np.int32)
    trees = Trees(np.array([[0], [1]], np.int32), np.array([[0], [0]], np.float32), leaves, unit=2)
    table = np.array([[0, 1], [1, 0]], np.float32)
    assert [[3, 3], [4.5, 3.5]] == trees.score(table).tolist()


def test_a_question_moves_the_mean_of_what_is_in_reach() -> None:
    leaves = np.array([[0, UNIT, 0, 3 * UNIT]], np.int32)
    trees = Trees(np.array([[0, 1]], np.int32), np.array([[0, 0]], np.float32), leaves)
    table = np.array([[1, 0], [1, 0]], np.float32)
    assert [[1, -1], [1, 0]] == sum_steps(trees, np.array([[0, 1]], np.int32), 2, table).tolist()


@pytest.mark.parametrize("model", [engine_model.shipped(), page_type_model.shipped()])
def test_damaged_models_are_refused_by_name(model: EngineModel | PageTypeModel) -> None:
    rng, whole, refused = random.Random(7), model.to_bytes(), 0
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 4, 40))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            model.from_bytes(bytes(data))
        except ModelError:
            refused += 1
    assert refused > 200  # the others change numbers that may have any value


def test_a_header_that_is_no_header_is_refused() -> None:
    file = BytesIO()
    with ZipFile(file, "w") as inside:
        inside.writestr("format.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr': (((" + b" " * 99)
    with pytest.raises(ModelError, match="no engine model"):
        EngineModel.from_bytes(file.getvalue())


def test_no_trees_add_nothing() -> None:
    shape = (0, 4)
    none = Trees(np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros((0, 16), np.int32))
    assert [0.0, 0.0] == none.score(np.ones((3, 2), np.float32)).tolist()
