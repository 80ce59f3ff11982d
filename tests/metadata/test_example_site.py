"""The made-up site: all there is to know of its ten articles, and what its other pages must not claim."""

import re

import pytest
from tests.build import ROOT

from pagestrata import extract
from pagestrata.metadata.merge import Metadata

SITE = "https://tidewater.example/"
ARTICLES = {
    "a-glossary-of-mud": (
        "A Glossary of Mud",
        "Théo Marchbank",
        "2025-02-07T06:45:00+00:00",
        "2025-02-10T09:00:00+00:00",
        "2025/02/boot-in-mud",
        "Lore",
        ("Dialect", "Mud", "Hallin Flats"),
    ),
    "building-a-nine-foot-skiff": (
        "A Nine-Foot Skiff in Nine Weekends",
        "Callum Pettifer",
        "2024-05-03T06:00:00+00:00",
        None,
        "2024/05/skiff-upside-down",
        "Boats",
        ("Boat building", "Skiffs", "Woodwork"),
    ),
    "high-water-in-python": (
        "High Water in Thirty-Five Lines of Python",
        "Ines Halloway",
        "2024-11-08T18:00:00+00:00",
        None,
        "2024/11/laptop-and-kettle",
        "Tides",
        ("Tides", "Python", "Arithmetic"),
    ),
    "knots-return-to-hallin-flats": (
        "The Knots Return to Hallin Flats",
        "Signe Ødegarth",
        "2024-10-18T06:15:00+00:00",
        "2024-10-21T08:40:00+00:00",
        "2024/10/knots-over-flats",
        "Birds",
        ("Waders", "Hallin Flats", "Autumn", "Bird counts"),
    ),
    "samphire-and-other-salt-greens": (
        "Samphire and Other Salt Greens",
        "Ines Halloway",
        "2024-07-12T05:45:00+00:00",
        None,
        "2024/07/samphire-basket",
        "Kitchen",
        ("Foraging", "Salt marsh", "Vegetables"),
    ),
    "six-timbers-for-a-small-boat": (
        "Six Timbers for a Small Boat",
        "Callum Pettifer",
        "2024-03-22T07:00:00+00:00",
        None,
        "2024/03/timber-stack",
        "Boats",
        ("Timber", "Boat building"),
    ),
    "smoked-mussel-chowder": (
        "Smoked Mussel Chowder, as Served in Skarrow",
        "Ines Halloway",
        "2024-11-29T06:00:00+00:00",
        "2024-12-02T10:10:00+00:00",
        "2024/11/chowder-bowl",
        "Kitchen",
        ("Soup", "Mussels", "Winter"),
    ),
    "songs-of-the-oyster-dredgers": (
        "Songs of the Oyster Dredgers",
        "Théo Marchbank",
        "2025-01-10T07:15:00+00:00",
        None,
        "2025/01/sail-loft",
        "Lore",
        ("Songs", "Oysters", "Oral history"),
    ),
    "walking-the-gannet-stairs": (
        "Walking the Gannet Stairs",
        "Signe Ødegarth",
        "2024-06-14T07:30:00+00:00",
        "2024-06-20T09:05:00+00:00",
        "2024/06/gannet-stairs",
        "Walks",
        ("Coast path", "Gannets", "Day walks"),
    ),
    "why-the-tide-is-late": (
        "Why the Tide Is Always Late",
        "Théo Marchbank",
        "2024-09-06T06:30:00+00:00",
        "2024-09-09T11:20:00+00:00",
        "2024/09/quay-ladder",
        "Tides",
        ("Tides", "The moon", "Arithmetic"),
    ),
}


_HEAD = re.compile("<head>.*(<title>.*</title>).*</head>", re.DOTALL)


RECIPE_NAMES = {"smoked-mussel-chowder": "Smoked mussel chowder"}
"""The names of recipes in the head, which are the titles of their pages."""


def metadata_of(path: str, head: bool = True) -> Metadata:
    """The metadata of a page of the site; without its head, only what is shown is left to read."""
    markup = (ROOT / "examples" / "site" / path).read_text(encoding="utf-8")
    return extract(markup if head else _HEAD.sub(r"\1", markup), url=SITE + path).metadata


@pytest.mark.parametrize("name", ARTICLES)
def test_an_article_says_all_of_itself(name: str) -> None:
    title, author, published, modified, image, category, tags = ARTICLES[name]
    found = metadata_of(f"articles/{name}.html")
    assert found.title == RECIPE_NAMES.get(name, title)
    assert found.authors == (author,)
    assert found.date_published == published
    assert found.date_modified == modified
    assert found.language == "en"
    assert found.site_name == "The Tidewater Almanac"
    assert found.description
    assert found.image == f"{SITE}media/{image}-1200.jpg"
    assert found.url == f"{SITE}articles/{name}.html"
    assert found.licence is None
    assert found.categories == (category,)
    assert found.tags == tags
    assert found.feeds == (f"{SITE}feed.xml",)
    assert found.warnings == ()


@pytest.mark.parametrize("name", ARTICLES)
def test_an_article_without_a_head_still_shows_the_most_important(name: str) -> None:
    title, author, published, modified, *_ = ARTICLES[name]
    found = metadata_of(f"articles/{name}.html", head=False)
    assert (found.title, found.authors) == (title, (author,))
    assert (found.date_published, found.date_modified) == (published, modified)
    assert found.sources["authors"] == found.sources["date_published"] == "visible"


def test_the_home_page_has_the_author_and_date_of_none_of_its_articles() -> None:
    found = metadata_of("index.html")
    assert found.title == found.site_name == "The Tidewater Almanac"


def test_a_product_has_the_author_and_date_of_none_of_its_reviews() -> None:
    found = metadata_of("shop/product.html")
    assert found.title == "Long Staithe Sounding Lead"
    assert (found.authors, found.date_published) == ((), None)


def test_a_thread_is_by_who_began_it() -> None:
    found = metadata_of("forum/thread.html")
    assert (found.authors, found.date_published) == (("Driftwood Dan",), "2024-08-02T19:12:00+00:00")
