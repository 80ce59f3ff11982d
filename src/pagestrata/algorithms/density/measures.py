"""Precision and recall of classes, each the mean over the true classes, from pairs of answer and truth."""

from collections import Counter
from collections.abc import Iterable

Answers = Iterable[tuple[str, str]]
"""For each page the class that was answered, and the true one."""


def mean_recall(answers: Answers) -> float:
    """Return the mean over the true classes of the share of their pages that were classified correctly.

    One of two articles is correct, and one of one listing: (1/2 + 1) / 2.

    >>> mean_recall([("article", "article"), ("multiple", "article"), ("multiple", "multiple")])
    0.75
    """
    pairs = list(answers)
    return _mean_share(pairs, Counter(truth for _, truth in pairs))


def mean_precision(answers: Answers) -> float:
    """Return the mean over the true classes of the share of the pages called so that are; 0 for one never answered.

    The one page called an article is one, and of two called a listing one is: (1 + 1/2) / 2.

    >>> mean_precision([("article", "article"), ("multiple", "article"), ("multiple", "multiple")])
    0.75
    >>> mean_precision([("article", "article"), ("article", "multiple")])
    0.25
    """
    pairs = list(answers)
    return _mean_share(pairs, Counter(answer for answer, _ in pairs))


def _mean_share(pairs: list[tuple[str, str]], totals: Counter[str]) -> float:
    """Return the mean over the true classes of the correct answers, divided by the totals of the class."""
    correct = Counter(truth for answer, truth in pairs if answer == truth)
    classes = sorted({truth for _, truth in pairs})
    return sum(correct[each] / max(1, totals[each]) for each in classes) / max(1, len(classes))
