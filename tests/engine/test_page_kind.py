"""The three kinds of the density paper: its answer is evidence, and so is the type of the page."""

import pytest
from tests.build import page_of

from pagestrata import parse
from pagestrata.algorithms.density import PageKind
from pagestrata.engine.page_kind import kinds_of, weigh

TEXT = "The tide turned before the boats were in and nobody on the quay had seen it coming that day. " * 4


@pytest.mark.parametrize("said", PageKind)
def test_what_the_method_says_holds_when_the_type_is_open(said: PageKind) -> None:
    found = weigh(said, 0.4)
    assert said == next(iter(found))
    assert pytest.approx(1) == sum(found.values())


def test_a_type_that_is_sure_makes_the_answer_less_or_more_likely() -> None:
    sure, open_, unsure = (weigh(PageKind.MULTIPLE, many)[PageKind.MULTIPLE] for many in (1.0, 0.5, 0.0))
    assert 1 > sure > open_ > unsure > 0.5


def test_an_article_is_one() -> None:
    found = kinds_of(page_of(f"<article><h1>Tides</h1>{'<p>'.join([TEXT] * 6)}</article>"))
    assert PageKind.ARTICLE == next(iter(found))
    assert set(PageKind) == found.keys()


def test_nothing_is_said_of_a_page_without_text() -> None:
    assert {} == kinds_of(parse(""))
