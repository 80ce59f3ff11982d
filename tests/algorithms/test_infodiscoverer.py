"""InfoDiscoverer: what is on all pages alike is redundant."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.algorithms.learners import assert_learns_in_linear_time, assert_partition, importance_of, site
from tests.build import page_of

from pagestrata.algorithms.infodiscoverer import NOWHERE, InfoDiscoverer, added, entropy


def spread_of(*frequencies: int) -> tuple[float, float]:
    spread = NOWHERE
    for frequency in frequencies:
        spread = added(spread, frequency)
    return spread


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 4))
def test_entropy_is_that_of_the_shares(frequencies: list[int], without: int) -> None:
    pages = len(frequencies) + without
    shares = [frequency / sum(frequencies) for frequency in frequencies]
    expected = -sum(share * math.log(share, pages) for share in shares) if pages > 1 else 0.0
    assert pytest.approx(expected) == entropy(spread_of(*frequencies), pages)


def test_a_block_has_the_mean_entropy_of_its_terms() -> None:
    # of two pages: "kettle" is on both (entropy 1), "flame" on one (0), so the block has 1/2
    pages = [page_of("<div>kettle</div>")]
    assert {"kettle": 0.5} == importance_of(InfoDiscoverer(), pages, page_of("<div>kettle flame</div>"))


def test_template_is_redundant_and_text_is_not() -> None:
    pages = site()
    found = importance_of(InfoDiscoverer(), pages[:3], pages[3])
    assert {"Home": 0.0, "Painters": 1.0, "All": 0.0} == found


def test_the_order_of_pages_does_not_matter() -> None:
    pages = site()
    one, other = (importance_of(InfoDiscoverer(), some, pages[3]) for some in (pages[:3], pages[2::-1]))
    assert one == other


def test_nothing_is_redundant_without_other_pages() -> None:
    (page,) = site(1)
    assert 1.0 == min(importance_of(InfoDiscoverer(), [], page).values())
    assert InfoDiscoverer().learn([]).segment(page).notes


def test_sections_partition_the_page() -> None:
    for body in ("", "<div>tea</div>", "<p>a<p>the<div>of</div>"):
        assert_partition(InfoDiscoverer(), site(2), page_of(body))


def test_cost_is_linear() -> None:
    assert_learns_in_linear_time(InfoDiscoverer())
