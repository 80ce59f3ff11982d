"""No page is read by what was learned from it, or from its copy."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.made_up import main_text

from pagestrata.evaluate.datasets import MainText, SitePages, TruePage
from pagestrata.evaluate.siblings import copies, folds_of


def site_of(texts: Sequence[str]) -> SitePages:
    pages = tuple(TruePage("s", f"p{i:03}", Path(f"p{i}"), MainText(text)) for i, text in enumerate(texts))
    return SitePages("s", pages)


@given(st.lists(st.integers(0, 12), max_size=24), st.integers(1, 12))
def test_every_page_is_tested_once_and_learned_from_others(topics: list[int], k: int) -> None:
    """Pages of one topic are copies of each other, so they must stay on one side."""
    site = site_of([main_text(0, topic) for topic in topics])
    topic_of = dict(zip((page.name for page in site.pages), topics, strict=True))
    for fold in folds_of(site, [k]).get(k, ()):
        assert k == len({page.name for page in fold.learned})
        assert not {topic_of[page.name] for page in fold.tested} & {topic_of[page.name] for page in fold.learned}
    tested = [page.name for fold in folds_of(site, [k]).get(k, ()) for page in fold.tested]
    assert sorted(tested) in ([], sorted(topic_of))


def test_ten_pages_are_learned_five_times() -> None:
    folds = folds_of(site_of([main_text(0, i) for i in range(10)]), [8])[8]
    assert [2] * 5 == [len(fold.tested) for fold in folds]


def test_a_site_is_counted_while_it_has_enough_pages() -> None:
    """Six pages: five are left for each page alone, and six for none."""
    folds = folds_of(site_of([main_text(0, i) for i in range(6)]), [6, 5, 2])
    assert [2, 5] == list(folds)
    assert 6 == len(folds[5])


def test_siblings_of_a_smaller_number_are_among_those_of_a_larger() -> None:
    folds = folds_of(site_of([main_text(0, i) for i in range(20)]), [2, 8])
    for small, large in zip(folds[2], folds[8], strict=True):
        assert small.tested == large.tested
        assert small.learned == large.learned[:2]


def test_the_draw_does_not_depend_on_the_order_of_the_pages() -> None:
    site = site_of([main_text(0, i) for i in range(12)])
    turned = replace(site, pages=site.pages[::-1])
    learned, again = (
        [{page.name for page in fold.learned} for fold in folds_of(each, [3])[3]] for each in (site, turned)
    )
    assert learned == again


def test_pages_that_share_half_of_their_text_are_copies() -> None:
    """The second page adds a line to the first, the third shares nothing with them, empty ones are no copies."""
    first, third = main_text(0, 1), main_text(0, 2)
    site = site_of([first, first + "\n" + main_text(0, 3)[:50], third, "", ""])
    assert [["p000", "p001"], ["p002"], ["p003"], ["p004"]] == [
        [page.name for page in group] for group in copies(site.pages)
    ]
