"""A few blocks that are missing amid kept text are kept with it."""

import numpy as np
from tests.build import held_landmarks, page_of

from pagestrata.engine.decide.gaps import fill_gaps
from pagestrata.engine.decide.smooth import smooth_groups
from pagestrata.engine.engine import decide

THRESHOLD = 0.6
TEXT = "One of the lines of a text that goes on for a while. "


def kept(body: str, scores: list[float]) -> list[bool]:
    landmarks = held_landmarks(page_of(body))
    filled = fill_gaps(smooth_groups(np.array(scores), landmarks), landmarks, THRESHOLD)
    return [value >= THRESHOLD for value in filled.tolist()]


def decided(body: str, scores: list[float]) -> list[bool]:
    """What is kept after all steps, which are taken over what the page shows."""
    keep: list[bool] = decide(held_landmarks(page_of(body)), np.array(scores)).keep.tolist()
    return keep


def test_a_block_that_is_missing_amid_text_is_kept() -> None:
    assert [True] * 3 == kept("<p>One line.<pre>x = 1</pre><p>Another.", [0.9, 0.1, 0.9])


def test_links_and_wide_gaps_are_not_filled() -> None:
    assert [True, False, True] == kept("<p>One line.<p><a href=/>More</a><p>Another.", [0.9, 0.4, 0.9])
    assert [True, *[False] * 4, True] == kept("<p>One." + "<h2>x</h2>" * 4 + "<p>Two.", [0.9, *[0.4] * 4, 0.9])


def test_another_container_is_another_text() -> None:
    assert [True, False, True] == kept("<div><div><p>One.</div></div><p>Two.<div><div><p>Three.", [0.9, 0.4, 0.9])


def test_a_suppressed_copy_stays_dropped() -> None:
    assert [True, False, True] == kept("<p>One line.<pre>x = 1</pre><p>Another.", [0.9, 0.0, 0.9])


def test_hidden_blocks_are_between_nothing() -> None:
    """Nor do they separate a list or code from the text that it follows."""
    hidden = "<span hidden>An advertisement.</span>"
    code = f"{hidden}<pre>x = 1</pre>{hidden}"
    assert [True, False, True, False, True] == decided(f"<p>{TEXT}</p>{code}<p>{TEXT}", [0.9, 0.0, 0.1, 0.0, 0.9])
    assert [True, False, True] == decided(f"<p>{TEXT}</p>{hidden}<pre>x = 1</pre>", [0.9, 0.0, 0.1])
