"""Curves of the density method: by T1, and by the number of pages that T1 is learned from."""

from pagestrata.algorithms.density import PageKind
from pagestrata.evaluate.density_curves import T1_VALUES, DensityCurves

ARTICLE, MULTIPLE = PageKind.ARTICLE, PageKind.MULTIPLE


def curves_of(truth: list[PageKind], answers: dict[int, list[PageKind]]) -> DensityCurves:
    curves = DensityCurves([])
    curves.truth, curves.answers = truth, answers
    return curves


def test_figures_at_each_t1_by_hand() -> None:
    """Up to 40 everything is an article: precision (2/3 + 0) / 2, recall (1 + 0) / 2; from 50 on all is right."""
    truth = [ARTICLE, ARTICLE, MULTIPLE]
    points = curves_of(truth, {t1: [ARTICLE] * 3 if t1 < 50 else truth for t1 in T1_VALUES}).by_t1()
    assert [(1 / 3, 0.5)] * 5 + [(1.0, 1.0)] * 6 == [(point.precision, point.recall) for point in points]
    assert {ARTICLE: 1.0, MULTIPLE: 0.0, PageKind.ARTICLE_WITH_COMMENTS: 0.0} == points[0].recalls


def test_the_best_t1_of_a_sample_is_used_on_other_pages() -> None:
    truth = [ARTICLE] * 20 + [MULTIPLE] * 20
    points = curves_of(truth, {t1: truth if t1 == 70 else [MULTIPLE] * 40 for t1 in T1_VALUES}).by_sample_size()
    assert [(5, 1.0, 0.0), (10, 1.0, 0.0)] == [(point.pages, point.precision, point.deviation) for point in points]


def test_as_many_pages_of_each_kind_are_tested_at_each_size() -> None:
    """Every article is called multiple: precision (0 + 1/2) / 2, although there are four times as many articles."""
    truth = [ARTICLE] * 80 + [MULTIPLE] * 20
    points = curves_of(truth, {t1: [MULTIPLE] * 100 for t1 in T1_VALUES}).by_sample_size()
    assert [(5, 0.25), (10, 0.25)] == [(point.pages, point.precision) for point in points]


def test_too_few_pages_give_no_curve() -> None:
    assert [] == curves_of([ARTICLE] * 9, {t1: [ARTICLE] * 9 for t1 in T1_VALUES}).by_sample_size()
    assert [] == DensityCurves([]).by_sample_size()
