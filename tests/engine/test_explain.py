"""What moved a decision adds up to the decision, and is told in words."""

import pickle

import numpy as np
from tests.build import EXAMPLES, held_landmarks, page_of

from pagestrata import extract, parse
from pagestrata.engine.engine import Engine
from pagestrata.engine.explain import SIGNALS, contributions
from pagestrata.engine.features import features_of
from pagestrata.trees import UNIT

PROSE = "<p>" + "The tide turned before the boats were in, and nobody on the quay had seen it coming. " * 4
LINKS = "<ul>" + "".join(f"<li><a href=/{n}>Another article, number {n}</a></li>" for n in range(8)) + "</ul>"


def test_contributions_add_up_to_the_score() -> None:
    model = Engine().model
    for path in EXAMPLES[:4]:
        landmarks = held_landmarks(parse(path.read_bytes()))
        table = features_of(landmarks, model.lexicon)
        start = model.trees.leaf.mean(axis=1).sum() / UNIT
        added = contributions(model, table).sum(axis=0)
        assert np.allclose((model.trees.score(table) + model.network.score(table)) / 2, start / 2 + added)


def test_every_section_with_text_tells_what_moved_it() -> None:
    leaves = list(extract(page_of(f"<nav>{LINKS}</nav><article>{PROSE * 4}</article>")).leaves())
    assert all(set(SIGNALS) == set(leaf.signals) for leaf in leaves if leaf.has_blocks)
    menu = next(leaf for leaf in leaves if "Another" in leaf.text)
    text = next(leaf for leaf in leaves if "tide" in leaf.text)
    assert 3 == sum(" (-" in reason for reason in menu.reasons)
    assert 3 == sum(" (+" in reason for reason in text.reasons)
    strongest = sorted(menu.signals.values(), key=abs, reverse=True)
    assert strongest == list(menu.signals.values())


def test_signals_are_a_mapping_that_can_be_sent() -> None:
    (section,) = extract(page_of(PROSE)).sections
    signals = section.signals
    assert dict(signals) == signals
    assert repr(dict(signals)) == repr(signals)
    assert signals == pickle.loads(pickle.dumps(signals))  # noqa: S301
    assert len(SIGNALS) == len(signals)


def test_each_topic_is_stated_once() -> None:
    leaves = extract(page_of(f"<nav>{LINKS}</nav><article>{PROSE * 4}</article>")).leaves()
    for reasons in (leaf.reasons for leaf in leaves):
        assert 1 >= sum("core of the page" in reason for reason in reasons)
        assert 1 >= sum("of its text is links" in reason for reason in reasons)


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    reasons = " | ".join(reason for path in EXAMPLES for leaf in extract(path).leaves() for reason in leaf.reasons)
    assert " 1 block with the same tags holds " in reasons
    assert " 1 blocks " not in reasons
    assert " 1 lines " not in reasons


def test_sections_can_be_sent_with_their_reasons() -> None:
    found = extract(page_of(f"<nav>{LINKS}</nav>{PROSE * 4}"))
    again = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert [leaf.reasons for leaf in found.leaves()] == [leaf.reasons for leaf in again.leaves()]


def test_a_page_without_text_has_nothing_to_tell() -> None:
    assert [] == [leaf for leaf in extract("<div></div>").leaves() if leaf.has_blocks]
