"""The network reads the blocks of a page in their order, and gives the same bits everywhere."""

from dataclasses import replace

import numpy as np
import pytest
from tests.build import EXAMPLES, page_of

from pagestrata import parse
from pagestrata.engine import network as module
from pagestrata.engine.features import features_of
from pagestrata.engine.model import shipped
from pagestrata.landmarks import landmarks_of
from pagestrata.page.page import Page
from pagestrata.trees import Table


def table_of(page: Page) -> Table:
    return features_of(landmarks_of(page), shipped().lexicon)


def test_a_block_is_judged_by_its_neighbours() -> None:
    table = table_of(parse(EXAMPLES[0].read_bytes()))
    alone = shipped().network.score(np.ascontiguousarray(table[:, :1]))
    assert alone[0] != shipped().network.score(table)[0]


def test_many_blocks_are_read_as_few(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(parse(EXAMPLES[0].read_bytes()))
    at_once = shipped().network.score(table)
    monkeypatch.setattr(module, "RUN", 7)
    assert at_once.tolist() == shipped().network.score(table).tolist()


@pytest.mark.pure
def test_a_page_without_text_has_no_scores() -> None:
    assert [] == shipped().network.score(table_of(page_of(""))).tolist()


def test_weights_that_do_not_fit_or_cannot_be_summed_are_refused() -> None:
    network, features = shipped().network, len(shipped().columns)
    assert network.checked(features) is network
    with pytest.raises(ValueError, match="too large to be summed"):
        replace(network, near_bias=np.full_like(network.near_bias, 2**31 - 1)).checked(features)
    wider = np.asarray(network.near, np.int32)
    for near in (network.near[:2], wider, np.asfortranarray(network.near)):
        with pytest.raises(ValueError, match="fit each other"):
            replace(network, near=near).checked(features)  # type: ignore[arg-type]
