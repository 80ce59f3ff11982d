"""What the paper says of its variations, on news pages that were not learned from; docs/papers/forest.md has more."""

import os
from functools import cache
from pathlib import Path

import pytest

from pagestrata.algorithms.forest import Forest
from pagestrata.evaluate.contenders import InputPage, answer_of
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.datasets.truth import MainText, TruePage
from pagestrata.evaluate.metrics import Score, gram_score
from pagestrata.evaluate.siblings import folds_of
from pagestrata.evaluate.title_lines import shown_title, without_titles
from pagestrata.results import Segmentation


@cache
def given(page: TruePage) -> InputPage:
    return InputPage(page)


@cache
def score(forest: Forest, siblings: int) -> Score:
    """Mean precision and recall of 2-grams over the first fold of every site of big9."""
    folder = Path(os.environ.get("PAGESTRATA_DATA", ""), "big9")
    if not os.environ.get("PAGESTRATA_DATA") or not folder.is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds big9/")
    scores = []
    for site in read_dataset(str(folder)).sites:
        fold = folds_of(site, [siblings])[siblings][0]
        wrappers = forest.learn([given(page).page for page in fold.learned])
        scores += [page_score(given(page), wrappers.segment(given(page).page)) for page in fold.tested]
    return Score(sum(s.precision for s in scores) / len(scores), sum(s.recall for s in scores) / len(scores))


def page_score(tested: InputPage, segmentation: Segmentation) -> Score:
    truth = tested.true.truth
    assert isinstance(truth, MainText)
    titles = truth.titles or tuple(filter(None, [shown_title(tested.page)]))
    return gram_score(without_titles(answer_of(tested.page, segmentation).text, titles), truth.main or "")


def test_density_alone_finds_less_than_unexpectedness_alone() -> None:
    assert score(Forest(measure="J"), 8).recall < score(Forest(measure="U"), 8).recall


def test_both_together_are_better_than_each() -> None:
    both = score(Forest(), 8).f1
    assert both >= max(score(Forest(measure="J"), 8).f1, score(Forest(measure="U"), 8).f1)


@pytest.mark.parametrize("less", [Forest(by_level=False), Forest(drop_anchor_lists=False)])
def test_the_level_and_leaving_out_lists_of_anchors_help(less: Forest) -> None:
    assert score(less, 8).f1 < score(Forest(), 8).f1


def test_a_second_page_helps_most() -> None:
    one, two, eight = (score(Forest(), siblings).f1 for siblings in (1, 2, 8))
    assert one < two
    assert abs(eight - two) < 0.05
    assert eight > 0.93
