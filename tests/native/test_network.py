"""The layers of the network: sums of whole numbers, equal in the compiled and the interpreted loops."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.native import network as interpreted
from pagestrata.native.network import BORDERS, WIDTH

compiled = pytest.importorskip("pagestrata.native._network", reason="the kernels were not built")

KERNELS = (interpreted, compiled)


def levels(kernel: object, values: list[float], borders: list[float]) -> list[int]:
    """The levels of one feature, block by block."""
    padded = np.full((1, BORDERS), np.inf, np.float32)
    padded[0, : len(borders)] = borders
    found = np.zeros((len(values), 1), np.uint8)
    kernel.find_levels(np.array([values], np.float32), padded, 0, found)  # type: ignore[attr-defined]
    return [int(level) for level in found[:, 0]]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_level_is_the_number_of_borders_below_a_value(kernel: object) -> None:
    assert [0, 0, 1, 1, 2, 2] == levels(kernel, [-1, 0, 0.5, 1, 1.5, 99], [0, 1])
    assert [0] * 40 + [1] * 40 == levels(kernel, [float(n) for n in range(80)], [39])
    assert list(range(BORDERS + 1)) == levels(kernel, [n + 0.5 for n in range(-1, BORDERS)], list(range(BORDERS)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_convolution_sees_the_blocks_around(kernel: object) -> None:
    inputs = np.array([[1], [10], [100]], np.uint8)
    weights, outputs = np.zeros((WIDTH, 3), np.int16), np.zeros((3, WIDTH), np.uint8)
    weights[0] = 2, 3, 5  # of the block before, of the block itself, of the block after
    weights[1] = -1
    kernel.convolve(inputs, weights, np.ones(WIDTH, np.int32), 1, 1, outputs, 0)  # type: ignore[attr-defined]
    assert [(1 + 3 + 50) // 2, 255, (1 + 20 + 300) // 2] == outputs[:, 0].tolist()
    assert [0, 0, 0] == outputs[:, 1:].max(axis=1).tolist()


@given(st.integers(0, 1000), st.integers(0, 9), st.sampled_from((1, 3)), st.integers(1, 4), st.integers(1, 9))
def test_layers_are_equal(seed: int, count: int, taps: int, dilation: int, shift: int) -> None:
    random = np.random.default_rng(seed)
    inputs = random.integers(0, 256, (count, 7)).astype(np.uint8)
    weights = random.integers(-900, 900, (WIDTH, taps * 7)).astype(np.int16)
    bias = random.integers(-9000, 9000, WIDTH).astype(np.int32)
    before = random.integers(0, 256, (count + 1, WIDTH)).astype(np.uint8)
    found: list[npt.NDArray[np.uint8]] = []
    for kernel in KERNELS:
        found.append(before.copy())
        kernel.convolve(inputs, weights, bias, dilation, shift, found[-1], 1)
    np.testing.assert_array_equal(found[0], found[1])
