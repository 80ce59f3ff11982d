"""The known regions of a listing, and the region accuracy on them."""

from tests.build import page_of

from pagestrata.algorithms.density import Density
from pagestrata.evaluate.alignment import words_of
from pagestrata.evaluate.contenders import answer_of
from pagestrata.evaluate.listing_regions import listing_regions
from pagestrata.evaluate.page_score import score_listing

TEA = "Water that has boiled for long tastes flat, so fill the kettle anew and pour it over the leaves when it boils."
MUD = "At low tide the mud is full of worms, and the birds that winter here walk over it in rows with their heads down."
LISTING = page_of(
    f"<h1>Notes</h1><div><h2><a href=/tea>Tea</a></h2><p>{TEA}</p></div>"
    f"<div><h2><a href=/mud>Mud</a></h2><p>{MUD}</p></div><p>About this site</p>"
)


def test_the_regions_of_a_listing_are_its_excerpts_of_articles() -> None:
    regions = listing_regions(words_of(LISTING), [f"{TEA} And more of it.", "An article that is not here.", MUD])
    assert [["water", "that"], ["at", "low"]] == [region.split()[:2] for region in regions]


def test_one_article_is_no_page_of_several_regions() -> None:
    assert [] == listing_regions(words_of(LISTING), [TEA])


def test_region_accuracy_on_a_listing_by_hand() -> None:
    """Each area has the 3 characters of its title more than the region: mean of c / (3 + c)."""
    answer = answer_of(LISTING, Density().segment(LISTING))
    regions = listing_regions(words_of(LISTING), [TEA, MUD])
    sizes = [len(region.replace(" ", "")) + 3 for region in regions]
    assert {"ra_multiple": sum(size / (3 + size) for size in sizes) / 2} == score_listing(answer, regions)
