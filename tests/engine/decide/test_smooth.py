"""Blocks that belong together get one importance."""

import numpy as np
from tests.build import held_landmarks, page_of

from pagestrata.engine.decide.smooth import smooth_groups


def smoothed(body: str, scores: list[float]) -> list[float]:
    importance: list[float] = smooth_groups(np.array(scores, np.float64), held_landmarks(page_of(body))).tolist()
    return importance


def test_plain_lists_and_tables_have_one_importance_and_layout_has_not() -> None:
    body = "<ul><li>a<li>b</ul><table><tr><td>c<td>d</table><table><tr><td><div>e</div><td><p>f</table>"
    assert [0.5, 0.5, 0.5, 0.5, 0, 1] == smoothed(body, [0, 1, 0, 1, 0, 1])


def test_an_outer_list_counts_with_the_lists_inside_it() -> None:
    assert [0.5] * 4 == smoothed("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", [0, 1, 1, 0])


def test_paragraphs_side_by_side_have_one_importance_and_links_and_labels_their_own() -> None:
    line = "Eight words and no less make it text"
    body = f"<div><p>{line}<p>{line}<p>{line}<p>Label<p><a href=/>{line}</a></div><p>{line}"
    assert [0.75, 0.75, 0.75, 0.1, 0.2, 0.3] == smoothed(body, [1, 1, 0.25, 0.1, 0.2, 0.3])
