"""What moved a decision adds up to the decision, and is told in words."""

import pickle

import numpy as np
from tests.build import EXAMPLES, page_of

from pagestrata import extract, parse
from pagestrata.engine.engine import Engine, LazySections
from pagestrata.engine.explain import SIGNALS, contributions
from pagestrata.engine.features import features_of
from pagestrata.trees import UNIT

PROSE = "<p>" + "The tide turned before the boats were in, and nobody on the quay had seen it coming. " * 4
LINKS = "<ul>" + "".join(f"<li><a href=/{n}>Another article, number {n}</a></li>" for n in range(8)) + "</ul>"


def test_contributions_add_up_to_what_the_trees_say() -> None:
    model = Engine().model
    for path in EXAMPLES[:4]:
        table = features_of(parse(path.read_bytes()), model.lexicon).table
        start = model.trees.leaf.mean(axis=1).sum() / UNIT
        assert np.allclose(model.trees.score(table), start + contributions(model.trees, table).sum(axis=0))


def test_every_section_with_text_tells_what_moved_it() -> None:
    leaves = list(extract(page_of(f"<nav>{LINKS}</nav><article>{PROSE * 4}</article>")).leaves())
    assert all(set(SIGNALS) == set(leaf.signals) for leaf in leaves if leaf.has_blocks)
    menu = next(leaf for leaf in leaves if "Another" in leaf.text)
    text = next(leaf for leaf in leaves if "tide" in leaf.text)
    assert [True] * 3 == [" (-" in reason for reason in menu.reasons[-3:]]
    assert [True] * 3 == [" (+" in reason for reason in text.reasons[-3:]]
    strongest = sorted(menu.signals.values(), key=abs, reverse=True)
    assert strongest == list(menu.signals.values())


def test_signals_are_a_mapping_that_can_be_sent() -> None:
    (section,) = extract(page_of(PROSE)).sections
    signals = section.signals
    assert dict(signals) == signals
    assert repr(dict(signals)) == repr(signals)
    assert signals == pickle.loads(pickle.dumps(signals))  # noqa: S301
    assert len(SIGNALS) == len(signals)


def test_who_asks_again_for_sections_gets_the_same() -> None:
    found = Engine().segment(parse(page_of(f"<nav>{LINKS}</nav>{PROSE * 4}")))
    assert isinstance(found, LazySections)
    assert found.make() == found.make()


def test_a_page_without_text_has_nothing_to_tell() -> None:
    assert [] == [leaf for leaf in extract("<div></div>").leaves() if leaf.has_blocks]
