"""Few blocks that are missing amid kept text are kept with it."""

import numpy as np
from tests.build import page_of

from pagestrata.engine.features import features_of
from pagestrata.engine.lexicon import Lexicon

KEEP_FROM = 0.6


def filled(body: str, importance: list[float]) -> list[bool]:
    features = features_of(page_of(body), Lexicon.empty())
    even, whole = features.evened(np.array(importance))
    lifted = features.without_holes(even, whole, KEEP_FROM, KEEP_FROM)
    return [value >= KEEP_FROM for value in lifted.tolist()]


def test_a_block_that_is_missing_amid_text_is_kept() -> None:
    assert [True] * 3 == filled("<p>One line.<pre>x = 1</pre><p>Another.", [0.9, 0.1, 0.9])


def test_links_and_wide_gaps_are_no_holes() -> None:
    assert [True, False, True] == filled("<p>One line.<p><a href=/>More</a><p>Another.", [0.9, 0.4, 0.9])
    assert [True, *[False] * 4, True] == filled("<p>One." + "<h2>x</h2>" * 4 + "<p>Two.", [0.9, *[0.4] * 4, 0.9])


def test_another_container_is_another_text() -> None:
    assert [True, False, True] == filled("<div><div><p>One.</div></div><p>Two.<div><div><p>Three.", [0.9, 0.4, 0.9])
