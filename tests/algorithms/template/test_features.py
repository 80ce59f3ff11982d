"""Links are made whole as a browser does it, by ourselves where that is quick."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagestrata import parse
from pagestrata.algorithms.template.features import Leaves, link_features
from pagestrata.algorithms.template.structure import structure_of

STEPS = st.lists(st.sampled_from(["../", "./", "x", "y/", "..", "a.html", "?k=v", "#f"]), min_size=1, max_size=5)


@pytest.mark.parametrize("url", ["https://a.b", "https://a.b/x", "https://a.b/x/y/z.html", "https://a.b/x/y/?q=../1"])
@given(steps=STEPS.map("".join))
def test_links_up_from_the_page_are_those_of_the_library(url: str, steps: str) -> None:
    link = "./" + steps
    page = parse(f"<a href='{link}'>Tea</a>", url=url)
    found = [feature for _, shown in Leaves(structure_of(page)) for feature in shown if feature.startswith("link")]
    assert link_features("", urljoin(url, link)) == tuple(found)


def test_a_leaf_in_two_links_leads_to_both() -> None:
    """Browsers put a link in a link where an object is between them, and nowhere else."""
    page = parse("<a href=/out><object><a href=/in>Tea</a></object> pots</a><a name=here>Lid</a>", url="https://a.b/")
    found = {shown[0]: set(shown[1:]) for _, shown in Leaves(structure_of(page))}
    assert {"text tea": {"link a.b/in", "link a.b/out"}, "text pots": {"link a.b/out"}, "text lid": set()} == found
