"""The network is learned by gradient descent: its gradients are those of the loss, and it learns what a page needs."""

import numpy as np
import pytest

from pagestrata.engine.features import COLUMNS
from pagestrata.native.network import WIDTH
from pagestrata.train import fit_network as module
from pagestrata.train.fit_network import Example, Forward, find_borders, fit_network, levels_of


def test_a_feature_of_few_values_has_a_border_between_any_two() -> None:
    borders, usual = find_borders([np.array([[0, 0, 4, 1]], np.float32).repeat(5, axis=1)])  # it looks at every fifth
    assert [0.5, 2.5, np.inf] == borders[0, :3].tolist()
    assert [0] == usual.tolist()


def test_levels_count_from_the_usual_one() -> None:
    borders = np.array([[0.5, 1.5, np.inf]], np.float32)
    assert [[-1], [0], [1]] == levels_of(np.array([[0, 1, 2]], np.float32), borders, np.array([1], np.int32)).tolist()


def test_gradients_are_the_slope_of_the_loss() -> None:
    rng = np.random.default_rng(3)
    parameters = module._start(rng, 5)
    parameters["out"] = rng.normal(size=WIDTH).astype(np.float32)
    parameters = {name: values.astype(np.float64) for name, values in parameters.items()}
    is_block = np.array([1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0], np.float32)[:, None]
    inputs, wanted = rng.normal(size=(11, 5)) * is_block, rng.normal(size=11) * is_block[:, 0]

    def loss() -> float:
        return float((Forward(parameters, is_block, starts).run(inputs, np.ones(1)) * wanted).sum())  # type: ignore[arg-type]

    starts = np.array([0, 6])
    forward = Forward(parameters, is_block, starts)
    forward.run(inputs, np.ones(1, np.float32))  # type: ignore[arg-type]
    gradients = forward.back(wanted)  # type: ignore[arg-type]
    for name, values in parameters.items():
        place = np.unravel_index(int(np.abs(gradients[name]).argmax()), values.shape)
        before, reach = values[place], 1e-3
        values[place] = before + reach
        above = loss()
        values[place] = before - reach
        below = loss()
        values[place] = before
        assert gradients[name][place] == pytest.approx((above - below) / (2 * reach), rel=2e-2), name


def test_a_network_learns_to_look_at_the_block_before() -> None:
    rng = np.random.default_rng(1)
    examples = []
    for _ in range(60):
        table = np.zeros((len(COLUMNS), 40), np.float32)
        table[0] = rng.integers(0, 2, 40)
        labels = np.concatenate(([0], table[0, :-1])).astype(np.float32)
        examples.append(Example(table, labels, np.ones(40, np.float32)))
    network = fit_network(examples * 10, seed=1, shrinkage=1.0)
    scores = network.score(examples[0].table)
    assert ((scores > 0) == (examples[0].labels > 0)).mean() > 0.95
