"""The second look sees what became of the text around a block."""

import numpy as np
import numpy.typing as npt
import pytest
from tests.build import page_of

from pagestrata import parse
from pagestrata.engine.context import COLUMNS, context_of
from pagestrata.landmarks import landmarks_of

CARD = "<div><h3>Boat</h3><p>A boat with two oars.</p></div>"
"""One word and five words; each of them a block."""


def context(body: str, chances: list[float]) -> dict[str, npt.NDArray[np.float32]]:
    landmarks = landmarks_of(parse(page_of(body)))
    odds = np.array(chances) / (1 - np.array(chances))
    return dict(zip(COLUMNS, context_of(landmarks, np.log(odds)), strict=True))


def test_a_block_sees_the_scores_before_and_after_it() -> None:
    rows = context("<p>One</p><p>Two</p><p>Three</p>", [0.2, 0.5, 0.8])
    assert np.allclose([-8.0, np.log(0.25), 0.0], rows["score_before"])
    assert np.allclose([0.0, np.log(4), -8.0], rows["score_after"])


def test_means_are_by_words_and_a_fifth() -> None:
    rows = context(CARD + CARD, [0.5, 1 - 1e-9, 0.5, 1e-9])
    first, both = (0.5 * 1.2 + 5.2) / 6.4, (0.5 * 1.2 + 5.2 + 0.5 * 1.2) / 12.8
    assert np.allclose([first, first], rows["mean_record"][:2])
    assert np.allclose(both, rows["mean_records"])
    assert np.allclose([0.5, 0.5], rows["mean_path"][::2])


def test_the_threshold_is_where_the_expected_score_is_largest() -> None:
    rows = context("<p>One two three four</p><p>Five six</p><p>Seven</p>", [0.9, 0.8, 0.1])
    # Kept are the first two: 2 (3.6 + 1.6) / (6 + 5.3) is more than with one or with all of them.
    assert np.allclose(0.0, rows["above_threshold"][1], atol=1e-6)
    assert (rows["above_threshold"] >= 0).tolist() == [True, True, False]
    assert np.allclose([0, 4 / 6, 1], rows["kept_before"])
    assert [0, 1, 2] == rows["from_first"].tolist()
    assert np.allclose([0, 1 / 3, 2 / 3], rows["rank"])


def test_hidden_text_counts_for_nothing() -> None:
    rows = context("<p>One</p><p hidden>Two</p><p>Three</p>", [0.5, 0.99])
    assert np.allclose([0.0, 4.595], rows["score"], atol=1e-3)


@pytest.mark.pure
def test_a_page_without_text_has_no_context() -> None:
    assert (len(COLUMNS), 0) == context_of(landmarks_of(parse("<div></div>")), np.zeros(0)).shape
