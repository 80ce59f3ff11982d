"""Site Style Tree: what is shown on every page in the same way and the same words is noise."""

import pytest
from tests.algorithms.learners import assert_learns_in_linear_time, assert_partition, importance_of, site
from tests.build import page_of

from pagestrata.algorithms.site_style_tree import (
    ATTENUATION,
    Element,
    SiteStyleTree,
    composite,
    importances,
    lay_on,
    style_entropy,
)


def test_a_leaf_by_hand() -> None:
    # two pages: "tea" once on both (entropy 1), "milk" on one (entropy 0): 1 - 1/2
    leaf = Element(pages=2)
    for text in ("tea milk", "tea"):
        leaf.read(text)
    assert pytest.approx(0.5) == leaf.leaf_importance()


def test_an_element_on_one_page_is_important() -> None:
    leaf = Element(pages=1)
    leaf.read("tea")
    assert (1.0, 1.0) == (leaf.leaf_importance(), style_entropy([1], 1))


def test_a_tree_by_hand() -> None:
    # one style of two leaves, on two pages: "home" is the same (0), the other differs (1).
    # body: NodeImp 0, CompImp 0.1 * 0 + 0.9 * (0 + 1) / 2 = 0.45; html: 0.9 * 0.45
    elements = [Element()]
    for word in ("kettle", "sailor"):
        lay_on(elements, page_of(f"<p>home</p><p>{word}</p>"))
    known = importances(elements)
    paragraphs = ATTENUATION * 0.0, ATTENUATION * 1.0
    body = ATTENUATION * sum(paragraphs) / 2
    assert pytest.approx([ATTENUATION * body, body, *paragraphs, 0.0, 1.0]) == known


def test_styles_that_differ_make_an_element_important() -> None:
    # two pages, two styles: NodeImp 1; below each text is on one page only: 1
    elements = [Element()]
    for body in ("<p>kettle</p>", "<h2>kettle</h2>"):
        lay_on(elements, page_of(body))
    assert pytest.approx(composite(1.0, 2, 1.0)) == importances(elements)[1]


def test_template_is_noise_and_text_is_not() -> None:
    pages = site()
    found = importance_of(SiteStyleTree(), pages, pages[3])
    assert {"Home": 0.0, "Painters": 1.0, "All": 0.0} == found


def test_the_order_of_pages_does_not_matter() -> None:
    pages = site()
    one, other = (importance_of(SiteStyleTree(), some, pages[3]) for some in (pages, pages[::-1]))
    assert one == other


def test_what_was_never_seen_is_kept() -> None:
    pages = site()
    found = importance_of(SiteStyleTree(), pages, page_of("<section>Home</section>"))
    assert {"Home": 1.0} == found


def test_sections_partition_the_page() -> None:
    for body in ("", "<div>tea</div>", "<p>a<p>the<div>of</div>"):
        assert_partition(SiteStyleTree(), site(2), page_of(body))
        assert_partition(SiteStyleTree(), [], page_of(body))


def test_cost_is_linear() -> None:
    assert_learns_in_linear_time(SiteStyleTree())
