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


def test_weights_that_cannot_be_summed_exactly_are_refused() -> None:
    network, features = shipped().network, len(shipped().columns)
    assert network.checked(features) is network
    for out in (network.out + 0.5, network.out + 2.0**17, network.out * np.nan):
        with pytest.raises(ValueError, match="whole numbers, or too large"):
            replace(network, out=out.astype(np.float32)).checked(features)
    with pytest.raises(ValueError, match="fit each other"):
        replace(network, near=network.near[:2]).checked(features)
