"""Strict or generous: articles lose their comments, threads keep their posts, and the caller may decide."""

import numpy as np
import pytest
from tests.build import held_landmarks, page_of

import pagestrata
from pagestrata import Options
from pagestrata.engine.decide.comments import MIN_TEXT_OUTSIDE, comments_to_drop
from pagestrata.engine.engine import Engine
from pagestrata.errors import UsageError
from pagestrata.options import Scope

LINE = "The river rose by a hand in the night, and number {} of the barges was loose by the morning."
STORY = "".join(f"<p>{LINE.format(number)}</p>" for number in range(12))
COMMENT = "<div class=comment><b>Ann</b> 4 May 2024<p>What a fine story {} this was, I shall read it again.</p></div>"
PAGE = f"<h1>The flood</h1>{STORY}<div id=comments>{''.join(map(COMMENT.format, range(3)))}</div>"


@pytest.mark.parametrize("scope", ["auto", "strict", "generous"])
def test_the_caller_chooses(scope: Scope) -> None:
    decision = Engine().decide(page_of(PAGE), Options(scope=scope))
    assert {"strict": True, "generous": False}.get(scope, decision.is_strict) == decision.is_strict


def test_comments_below_an_article_leave_the_text_and_are_given_back_on_request() -> None:
    left, given = (pagestrata.extract(PAGE, options=Options(scope="strict", comments=on)) for on in ("off", "on"))
    assert "number 7 of the barges" in left.text
    assert "What a fine story" not in left.text
    assert given.text.count("What a fine story") == 3
    reasons = [reason for leaf in left.leaves() if "fine story" in leaf.text for reason in leaf.reasons]
    assert "in the comments of an article" in reasons


def test_comments_stay_where_there_is_little_else() -> None:
    landmarks = held_landmarks(page_of(f"<p>{LINE}</p><div id=comments><p>{LINE}</p></div>"))
    words = np.array([MIN_TEXT_OUTSIDE, 50.0])
    assert [False, True] == comments_to_drop(np.array([1.0, 0.9]), words, landmarks).tolist()
    assert [False, False] == comments_to_drop(np.array([0.9, 0.9]), words, landmarks).tolist()


def test_another_scope_is_refused() -> None:
    with pytest.raises(UsageError, match="scope is 'wide', but must be one of auto, strict, generous"):
        Options(scope="wide")  # type: ignore[arg-type]
