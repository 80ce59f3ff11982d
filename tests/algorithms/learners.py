"""What every method that learns from sibling pages must keep, and sites in a line."""

from collections.abc import Callable

from tests.build import page_of
from tests.growth import assert_linear

from pagestrata import Page, Section
from pagestrata.algorithms.base import Learner

MENU = "<ul><li>Home and garden</li><li>Tea and coffee</li></ul>"
FOOT = "<footer><p>All rights reserved by the house of tea</p></footer>"
BODIES = (
    "A kettle sings above an open flame while rain falls outside",
    "Seven sailors crossed that narrow bay before dawn",
    "Mountains keep their snow until late summer every year",
    "Painters mix blue pigments with linseed oil",
)


def site(count: int = 4) -> list[Page]:
    """Pages with the same menu and footer, each with its own text."""
    return [page_of(f"{MENU}<div><p>{body}</p></div>{FOOT}") for body in BODIES[:count]]


def importance_of(learner: Learner, pages: list[Page], page: Page) -> dict[str, float]:
    """The first word of every leaf, and how important it is."""
    return {leaf.text.split()[0]: leaf.importance for leaf in leaves(learner, pages, page) if leaf.text}


def leaves(learner: Learner, pages: list[Page], page: Page) -> list[Section]:
    sections = learner.learn(pages).segment(page).sections
    return [leaf for root in sections for leaf in root.leaves()]


def assert_partition(learner: Learner, pages: list[Page], page: Page) -> None:
    found = leaves(learner, pages, page)
    assert [0, *(leaf.block_end for leaf in found)] == [*(leaf.block_start for leaf in found), len(page.blocks)]
    assert all(0 <= leaf.importance <= 1 for leaf in found)


def assert_learns_in_linear_time(learner: Learner) -> None:
    """Learning from two long pages and reading one."""

    def work(rows: int) -> Callable[[], object]:
        body = "".join(f"<div><p>Row {i} of {i * 7919 % 1000} and some more words</p></div>" for i in range(rows))
        pages = [page_of(body), page_of(body + MENU)]
        return lambda: learner.learn(pages).segment(pages[0])

    assert_linear(work)
