import pytest
from tests.metadata.helpers import meta, page_of, values

from pagestrata.metadata.opengraph import TwitterCard, opengraph


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
def test_names_stand_for_fields(name: str, field: str, attribute: str) -> None:
    page = page_of(f'<meta {attribute}="{name.upper()}" content=" value ">')
    source = TwitterCard(page) if name.startswith("twitter:") else opengraph(page)
    assert values(source, field) == [("value",)]


def test_twitter_is_a_source_of_its_own() -> None:
    page = page_of(meta(twitter__title="Card", og__title="Graph"))
    assert values(opengraph(page), "title") == [("Graph",)]
    assert values(TwitterCard(page), "title") == [("Card",)]


def test_tags_of_one_page_are_one_candidate() -> None:
    page = page_of(meta(article__tag="Mud") + meta(article__tag="Tides"))
    assert values(opengraph(page), "tags") == [("Mud", "Tides")]


def test_the_author_on_a_card_is_recognised_by_the_reading_time_beside_it() -> None:
    card = meta(twitter__label1="Verfasst von", twitter__data1="Ines Halloway", twitter__data2="3 Minuten")
    assert values(TwitterCard(page_of(card)), "authors") == [("Ines Halloway",)]


def test_a_price_on_a_card_is_no_author() -> None:
    card = meta(twitter__label1="Price", twitter__data1="38 GBP", twitter__data2="11 left")
    assert values(TwitterCard(page_of(card)), "authors") == []


def test_a_card_may_label_only_the_author() -> None:
    card = '<meta name="twitter:label1" content="{}"><meta name="twitter:data1" content="Ines Halloway">'
    assert values(TwitterCard(page_of(card.format("Written by"))), "authors") == [("Ines Halloway",)]
    assert values(TwitterCard(page_of(card.format("Price"))), "authors") == []
