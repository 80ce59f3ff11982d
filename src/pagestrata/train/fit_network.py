"""Trains the network of the engine: plain gradient descent in numpy, then whole numbers for its weights.

There are few pages to learn from. So inputs are set to 0 at random (dropout), and on some pages all features of class
and id names are, so that the network learns to read pages without them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.features import COLUMNS
from pagestrata.engine.network import DILATION, FIRST_WEIGHT_BITS, TAPS, UNIT_BITS, WEIGHT_BITS, Network
from pagestrata.native.features import NAMES, NEAR_NAMES
from pagestrata.native.network import BORDERS, MOST, WIDTH
from pagestrata.trees import Table

Floats = npt.NDArray[np.float32]
Parameters = dict[str, Floats]
"""The weights and biases during training, named as in `Network`."""

EPOCHS: Final = 20
RATE: Final = 0.002
"""The first step size of Adam; it falls to 0 over all epochs."""
DECAY: Final = 0.01
INPUT_DROPOUT: Final = 0.3
"""Share of the inputs that are dropped; 0.3 was better than 0.2 with 64 outputs."""
DROPOUT: Final = 0.2
"""Share of the outputs of the last layer that are dropped."""
NAMELESS: Final = 0.3
"""Share of the pages whose features of class and id names are set to the values of a page without names."""
BATCH: Final = 6000
"""Approximate number of blocks in a batch."""
MAX_BLOCKS: Final = 1500
"""The most blocks of a page in a batch; of a longer page each epoch takes another stretch."""
MAX_SCALE: Final = 3.0
"""The largest factor on the levels of a feature that rarely varies (see `_scale`)."""
PADDING: Final = DILATION
"""Empty blocks between two pages, so that no convolution reaches from one page into the next."""
MAX_WEIGHT: Final = 2**15 - 1
"""The largest weight that 16 bits hold."""
LARGEST: Final = MOST / 2**UNIT_BITS
"""The largest output of a layer."""
_NAME_ROWS: Final = [COLUMNS.index(name) for name in (*NAMES, *NEAR_NAMES)]


@dataclass(frozen=True, slots=True)
class Example:
    """A page to train on: its features, and the label and the weight of each block."""

    table: Table
    labels: Floats
    weights: Floats


@dataclass(frozen=True, slots=True)
class Batch:
    """Some pages one after another, with empty blocks between them."""

    levels: Floats
    labels: Floats
    weights: Floats
    """0 for empty blocks; `is_block` is 0 for them, too."""
    is_block: Floats
    starts: npt.NDArray[np.intp]
    """The first block of each page."""


def fit_network(examples: Sequence[Example], seed: int, shrinkage: float) -> Network:
    """Train a network; the same examples and seed give the same numbers."""
    some = [example for example in examples if example.table.shape[1] > 0]
    borders, usual = find_borders([example.table for example in some])
    levels = [levels_of(example.table, borders, usual) for example in some]
    scale = _scale(levels)
    nameless = levels_of(np.zeros((len(COLUMNS), 1), np.float32), borders, usual)[0, _NAME_ROWS]
    rng = np.random.default_rng(seed)
    parameters = _start(rng, len(COLUMNS))
    descent = Descent(parameters)
    for epoch in range(EPOCHS):
        for batch, progress in _batches(some, levels, nameless, rng):
            rate = RATE * (1 - (epoch + progress) / EPOCHS)
            descent.step(gradients(parameters, batch, scale, rng), rate)
    return _in_whole_numbers(parameters, scale, shrinkage, borders, usual)


def find_borders(tables: Sequence[Table]) -> tuple[Floats, npt.NDArray[np.int32]]:
    """Return the borders of each feature, features × `BORDERS`, and its usual level.

    A feature with few values has a border between any two neighbouring values. The borders of other features are
    quantiles of all values but the most frequent one.
    """
    sample = np.concatenate([table[:, ::5] for table in tables], axis=1)
    borders = np.full((len(sample), BORDERS), np.inf, np.float32)
    usual = np.zeros(len(sample), np.int32)
    for row, values in enumerate(sample):
        distinct, counts = np.unique(values, return_counts=True)
        if len(distinct) <= BORDERS + 1:
            found = (distinct[1:] + distinct[:-1]) / 2
        else:
            others = values[values != distinct[counts.argmax()]]
            found = np.unique(np.quantile(others, (np.arange(BORDERS) + 0.5) / BORDERS))
        borders[row, : len(found)] = np.unique(found.astype(np.float32))[:BORDERS]
        usual[row] = np.bincount(np.searchsorted(borders[row], values)).argmax()
    return borders, usual


def levels_of(table: Table, borders: Floats, usual: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """Return blocks × features: the number of borders below each value, less the usual number."""
    ranks = [np.searchsorted(row, values) for row, values in zip(borders, table, strict=True)]
    return (np.stack(ranks, axis=1) - usual).astype(np.int8)


def _scale(levels: Sequence[npt.NDArray[np.int8]]) -> Floats:
    """Return a factor for each feature that makes all features about as large."""
    spread = np.sqrt(np.mean(np.concatenate([page[::5] for page in levels]).astype(np.float32) ** 2, axis=0))
    return np.asarray(np.minimum(MAX_SCALE, 1 / (spread + 0.05)), np.float32)


def _start(rng: np.random.Generator, features: int) -> Parameters:
    """Return random weights, larger where a layer has fewer inputs; those of the output are 0."""
    shapes = {"first": (features, WIDTH), "near": (TAPS * WIDTH, WIDTH), "wide": (TAPS * WIDTH, WIDTH)}
    shapes["last"] = (2 * WIDTH, WIDTH)
    parameters = {}
    for name, shape in shapes.items():
        reach = shape[0] ** -0.5
        parameters[name] = rng.uniform(-reach, reach, shape).astype(np.float32)
        parameters[f"{name}_bias"] = rng.uniform(-reach, reach, WIDTH).astype(np.float32)
    return parameters | {"out": np.zeros(WIDTH, np.float32), "out_bias": np.zeros(1, np.float32)}


def _batches(
    examples: Sequence[Example],
    levels: Sequence[npt.NDArray[np.int8]],
    nameless: npt.NDArray[np.int8],
    rng: np.random.Generator,
) -> Iterator[tuple[Batch, float]]:
    """Yield all pages in random order as batches, each with the share of the pages that came before it."""
    pages: list[tuple[npt.NDArray[np.int8], Floats, Floats]] = []
    for place, number in enumerate(rng.permutation(len(examples)).tolist()):
        example, page = examples[number], levels[number]
        first = int(rng.integers(0, max(0, len(page) - MAX_BLOCKS) + 1))
        part = slice(first, first + MAX_BLOCKS)
        page = page[part]
        if rng.random() < NAMELESS:
            page = page.copy()
            page[:, _NAME_ROWS] = nameless
        pages.append((page, example.labels[part], example.weights[part]))
        if sum(len(labels) for _, labels, _ in pages) > BATCH or place == len(examples) - 1:
            yield _join(pages), place / len(examples)
            pages = []


def _join(pages: Sequence[tuple[npt.NDArray[np.int8], Floats, Floats]]) -> Batch:
    sizes = np.array([len(labels) for _, labels, _ in pages])
    ends = np.cumsum(sizes + PADDING)
    starts = ends - sizes - PADDING
    levels = np.zeros((ends[-1], pages[0][0].shape[1]), np.float32)
    labels, weights, is_block = np.zeros((3, ends[-1]), np.float32)
    for start, size, (page_levels, page_labels, page_weights) in zip(starts, sizes, pages, strict=True):
        here = slice(start, start + size)
        levels[here], labels[here], weights[here], is_block[here] = page_levels, page_labels, page_weights, 1
    return Batch(levels, labels, weights, is_block, starts)


def gradients(parameters: Parameters, batch: Batch, scale: Floats, rng: np.random.Generator) -> Parameters:
    """Return the gradient of the weighted cross entropy for each parameter, with dropout."""
    forward = Forward(parameters, batch.is_block[:, None], batch.starts)
    kept_inputs = _left_out(rng, batch.levels.shape, INPUT_DROPOUT)
    kept_outputs = _left_out(rng, (len(batch.labels), WIDTH), DROPOUT)
    log_odds = forward.run(batch.levels * scale * kept_inputs, kept_outputs)
    weights = batch.weights / batch.weights.sum()
    return forward.back(weights * (1 / (1 + np.exp(-log_odds)) - batch.labels))


def _left_out(rng: np.random.Generator, shape: tuple[int, ...], share: float) -> Floats:
    """Return a dropout mask: 0 for what is dropped, and for the rest the factor that keeps the expected sum."""
    return (rng.random(shape, np.float32) >= share).astype(np.float32) / np.float32(1 - share)


@dataclass(slots=True)
class Forward:
    """One forward pass through the network, and the backward pass. Each step keeps what its derivative needs."""

    parameters: Parameters
    is_block: Floats
    starts: npt.NDArray[np.intp]
    _steps: list[Callable[[Floats], Floats]] = field(default_factory=list)
    _gradients: Parameters = field(default_factory=dict)

    def run(self, inputs: Floats, kept_outputs: Floats) -> Floats:
        """Return the log odds of each block."""
        hidden = self._bounded(self._layer("first", inputs))
        for name, dilation in (("near", 1), ("wide", DILATION)):
            hidden = self._convolved(name, hidden, dilation)
        joined = self._bounded(self._layer("last", self._with_page(hidden))) * kept_outputs
        self._steps.append(lambda change: change * kept_outputs)
        return self._layer("out", joined)

    def back(self, change: Floats) -> Parameters:
        """Return the gradient of each parameter, given the gradient of the log odds."""
        while self._steps:
            change = self._steps.pop()(change)
        return self._gradients

    def _layer(self, name: str, inputs: Floats) -> Floats:
        weights = self.parameters[name]

        def back(change: Floats) -> Floats:
            self._gradients[name] = inputs.T @ change
            self._gradients[f"{name}_bias"] = np.asarray(change.sum(axis=0)).reshape(-1)
            return np.outer(change, weights) if weights.ndim == 1 else change @ weights.T

        self._steps.append(back)
        return np.asarray(inputs @ weights + self.parameters[f"{name}_bias"], np.float32)

    def _bounded(self, values: Floats) -> Floats:
        """Clip to the range from 0 to the largest output; empty blocks become 0."""
        inside = ((values > 0) & (values < LARGEST)) * self.is_block
        self._steps.append(lambda change: change * inside)
        return np.asarray(values.clip(0, LARGEST) * self.is_block, np.float32)

    def _convolved(self, name: str, hidden: Floats, dilation: int) -> Floats:
        """Return each block plus the rectified convolution over it and the blocks around it (a residual layer)."""
        shifts = [(tap - TAPS // 2) * dilation for tap in range(TAPS)]
        around = np.concatenate([_shifted(hidden, shift) for shift in shifts], axis=1)
        added = self._layer(name, around)
        layer_back = self._steps.pop()
        is_positive = (added > 0) * self.is_block

        def back(change: Floats) -> Floats:
            parts = np.split(layer_back(change * is_positive), TAPS, axis=1)
            return np.asarray(change + sum(_shifted(part, -shift) for part, shift in zip(parts, shifts, strict=True)))

        self._steps.append(back)
        return self._bounded(hidden + added * is_positive)

    def _with_page(self, hidden: Floats) -> Floats:
        """Return the outputs of each block, and beside them their means over its page."""
        sizes = np.add.reduceat(self.is_block[:, 0], self.starts)
        page = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(hidden)]))
        means = np.add.reduceat(hidden, self.starts, axis=0) / sizes[:, None]

        def back(change: Floats) -> Floats:
            own, of_page = np.split(change, 2, axis=1)
            shares = np.add.reduceat(of_page, self.starts, axis=0) / sizes[:, None]
            return np.asarray(own + shares[page] * self.is_block)

        self._steps.append(back)
        return np.concatenate((hidden, means[page]), axis=1)


def _shifted(rows: Floats, by: int) -> Floats:
    """Return for each row the row that comes `by` rows after it; 0 where there is none."""
    shifted = np.zeros_like(rows)
    if by >= 0:
        shifted[: len(rows) - by] = rows[by:]
    else:
        shifted[-by:] = rows[:by]
    return shifted


@dataclass(slots=True)
class Descent:
    """Adam with weight decay (Loshchilov and Hutter 2019); gradients are clipped to length 1."""

    parameters: Parameters
    steps: int = 0
    _mean: dict[str, Any] = field(default_factory=dict)
    _square: dict[str, Any] = field(default_factory=dict)

    def step(self, gradient: Parameters, rate: float) -> None:
        """Change the parameters by one step of Adam."""
        length = float(np.sqrt(sum(float((each.astype(np.float64) ** 2).sum()) for each in gradient.values())))
        self.steps += 1
        for name, values in self.parameters.items():
            change = gradient[name] * np.float32(min(1.0, 1 / (length + 1e-6)))
            self._mean[name] = 0.9 * self._mean.get(name, 0.0) + np.float32(0.1) * change
            self._square[name] = 0.999 * self._square.get(name, 0.0) + np.float32(0.001) * change**2
            mean, square = self._mean[name] / (1 - 0.9**self.steps), self._square[name] / (1 - 0.999**self.steps)
            values -= (rate * (mean / (np.sqrt(square) + 1e-8) + DECAY * values)).astype(np.float32)


def _in_whole_numbers(
    parameters: Parameters, scale: Floats, shrinkage: float, borders: Floats, usual: npt.NDArray[np.int32]
) -> Network:
    """Return the network as it is shipped: its log odds are multiplied by `shrinkage`.

    While it is learned its inputs are levels less the usual ones; here the bias of the first layer takes these.
    """
    first, first_bias = _layer("first", parameters["first"] * scale[:, None], parameters["first_bias"])
    first_bias -= first @ usual
    near, wide, last = (_layer(name, parameters[name], parameters[f"{name}_bias"]) for name in ("near", "wide", "last"))
    out = _layer("out", parameters["out"][:, None] * shrinkage, parameters["out_bias"] * shrinkage)
    return Network(borders, first, first_bias, *near, *wide, *last, *out).checked(len(usual))


def _layer(name: str, weights: Floats, bias: Floats) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    """Return a layer in whole numbers, a row for each output. Half a unit in the bias makes shifts round."""
    weight_bits, input_bits = (FIRST_WEIGHT_BITS, 0) if name == "first" else (WEIGHT_BITS, UNIT_BITS)
    half = 0 if name == "out" else 2 ** (weight_bits + input_bits - UNIT_BITS - 1)
    whole = np.rint(weights.T * 2**weight_bits).clip(-MAX_WEIGHT, MAX_WEIGHT).astype(np.int16)
    return np.ascontiguousarray(whole), np.rint(bias * 2 ** (weight_bits + input_bits) + half).astype(np.int32)
