import pytest
from tests.metadata.helpers import meta, page_of, values

from pagestrata.metadata import opengraph
from pagestrata.options import Options


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("og:title", "title"),
        ("og:description", "description"),
        ("og:image", "image"),
        ("og:image:url", "image"),
        ("og:url", "url"),
        ("og:site_name", "site_name"),
        ("og:locale", "language"),
        ("article:published_time", "date_published"),
        ("article:modified_time", "date_modified"),
        ("og:updated_time", "date_modified"),
        ("article:author", "authors"),
        ("article:section", "categories"),
        ("article:tag", "tags"),
        ("twitter:title", "title"),
        ("twitter:image", "image"),
        ("twitter:description", "description"),
    ],
)
@pytest.mark.parametrize("attribute", ["property", "name"])
def test_names_answer_fields(name: str, field: str, attribute: str) -> None:
    found = opengraph.read(page_of(f'<meta {attribute}="{name.upper()}" content=" value ">'), Options())
    assert values(found, field) == [("value",)]


def test_twitter_is_a_source_of_its_own() -> None:
    found = opengraph.read(page_of(meta(twitter__title="Card", og__title="Graph")), Options())
    assert [(one.values, one.source) for one in found] == [(("Graph",), "opengraph"), (("Card",), "twitter")]


def test_tags_of_one_page_are_one_answer() -> None:
    found = opengraph.read(page_of(meta(article__tag="Mud") + meta(article__tag="Tides")), Options())
    assert values(found, "tags") == [("Mud", "Tides")]


def test_the_author_on_a_card_is_told_by_the_time_to_read_beside_it() -> None:
    card = meta(twitter__label1="Verfasst von", twitter__data1="Ines Halloway", twitter__data2="3 Minuten")
    assert values(opengraph.read(page_of(card), Options()), "authors") == [("Ines Halloway",)]


def test_a_price_on_a_card_is_no_author() -> None:
    card = meta(twitter__label1="Price", twitter__data1="38 GBP", twitter__data2="11 left")
    assert opengraph.read(page_of(card), Options()) == []
