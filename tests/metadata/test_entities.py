"""Products, recipes, events and jobs in structured data."""

from collections.abc import Callable

import pytest
from tests.growth import assert_linear
from tests.metadata.helpers import meta, page_of, script

from pagestrata import Options, extract
from pagestrata.metadata.entities import Entity, read_entities
from pagestrata.metadata.entity_values import EntityKind, read_price

MUG = {
    "@type": "Product",
    "name": "Quay mug",
    "description": "Holds &amp; warms.",
    "image": ["/mug.jpg", {"@type": "ImageObject", "url": "/handle.jpg"}],
    "brand": {"@type": "Brand", "name": "Skarrow"},
    "sku": "M-1",
    "color": "Blue",
    "additionalProperty": [{"@type": "PropertyValue", "name": "Volume", "value": 0.3}],
    "offers": {"@type": "Offer", "price": 19.5, "priceCurrency": "eur", "availability": "https://schema.org/InStock"},
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.5", "reviewCount": 12},
}


def entities_of(head: str = "", body: str = "", options: Options | None = None) -> tuple[Entity, ...]:
    return read_entities(page_of(head, body), options or Options())


def test_a_product_in_json_ld() -> None:
    (mug,) = extract(f"<head>{script(MUG)}</head><p>x", url="https://tidewater.example/").entities
    expected = Entity(
        kind=EntityKind.PRODUCT,
        name="Quay mug",
        description="Holds & warms.",
        images=("https://tidewater.example/mug.jpg", "https://tidewater.example/handle.jpg"),
        brand="Skarrow",
        sku="M-1",
        price="19.5",
        currency="EUR",
        availability="InStock",
        rating=4.5,
        rating_count=12,
        attributes={"color": ("Blue",), "Volume": ("0.3",)},
        sources=mug.sources,
    )
    assert mug == expected
    assert set(mug.sources.values()) == {"json-ld"}
    assert "price" in mug.sources
    assert "url" not in mug.sources


def test_a_product_in_microdata() -> None:
    body = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Quay mug</h1>'
        '<img itemprop="image" src="/mug.jpg"><span itemprop="color">Blue</span>'
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">€ 1.019,50</b>'
        '<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/SoldOut"></div>'
        '<div itemprop="review" itemscope><b itemprop="name">Fine</b></div></div>'
    )
    (mug,) = entities_of(body=body)
    assert (mug.name, mug.price, mug.currency, mug.availability) == ("Quay mug", "1019.50", "EUR", "SoldOut")
    assert (mug.images, mug.attributes) == (("https://tidewater.example/mug.jpg",), {"color": ("Blue",)})


def test_a_product_in_opengraph() -> None:
    head = meta(
        og__type="product", og__title="Quay mug", product__price__amount="19.50", product__availability="in stock"
    )
    (mug,) = entities_of(head)
    assert (mug.name, mug.price, mug.availability, mug.sources["price"]) == (
        "Quay mug",
        "19.50",
        "InStock",
        "opengraph",
    )
    assert entities_of(meta(og__type="article", og__title="Quay mug")) == ()


def test_sources_complete_each_other() -> None:
    bare = {"@type": "Product", "name": "Quay mug"}
    opengraph = meta(og__type="product", og__title="Quay mug | Skarrow", og__price__amount="20")
    microdata = (
        '<div itemscope itemtype="http://schema.org/Product"><b itemprop="name">Quay Mug</b><i itemprop="sku">M-1'
    )
    (mug,) = entities_of(script(bare) + opengraph, microdata)
    assert (mug.name, mug.sku, mug.price) == ("Quay mug", "M-1", "20")
    assert [mug.sources[name] for name in ("name", "sku", "price")] == ["json-ld", "microdata", "opengraph"]


def test_things_of_one_name_with_different_skus_are_different() -> None:
    others = entities_of(script([MUG, {**MUG, "sku": "M-2"}, {**MUG, "sku": "M-1"}]))
    assert [mug.sku for mug in others] == ["M-1", "M-2"]


def test_a_list_of_products() -> None:
    cards = [{"@type": "ListItem", "position": n, "item": {"@type": "Product", "name": f"Mug {n}"}} for n in range(3)]
    found = entities_of(script({"@type": "ItemList", "itemListElement": cards}))
    assert [mug.name for mug in found] == ["Mug 0", "Mug 1", "Mug 2"]


def test_a_recipe() -> None:
    recipe = {
        "@type": ["Recipe"],
        "name": "Mussel chowder",
        "author": {"@type": "Person", "name": "Ines Halloway", "url": "https://tidewater.example/ines"},
        "recipeIngredient": ["1 kg mussels", "2 onions"],
        "recipeInstructions": [
            {"@type": "HowToSection", "itemListElement": [{"@type": "HowToStep", "text": "Steam."}]}
        ],
        "nutrition": {"@type": "NutritionInformation", "calories": "200 kcal"},
    }
    (found,) = entities_of(script({"@graph": [{"@type": "WebPage"}, recipe]}))
    assert found.kind is EntityKind.RECIPE
    assert found.attributes == {
        "author": ("Ines Halloway",),
        "recipeIngredient": ("1 kg mussels", "2 onions"),
        "recipeInstructions": ("Steam.",),
        "nutrition": ("200 kcal",),
    }


def test_an_event_and_a_job() -> None:
    place = {"@type": "Place", "name": "Quay Hall", "address": {"@type": "PostalAddress", "addressLocality": "Skarrow"}}
    event = {"@type": "MusicEvent", "name": "Sea songs", "startDate": "2024-05-17T20:00", "location": place}
    salary = {"@type": "MonetaryAmount", "currency": "EUR", "value": {"minValue": 30000, "unitText": "YEAR"}}
    job = {"@type": "JobPosting", "title": "Keeper", "hiringOrganization": {"name": "Skarrow"}, "baseSalary": salary}
    concert, keeper = entities_of(script(event, job))
    assert (concert.kind, concert.attributes["location"]) == (EntityKind.EVENT, ("Quay Hall, Skarrow",))
    assert (keeper.kind, keeper.name) == (EntityKind.JOB, "Keeper")
    assert keeper.attributes == {"hiringOrganization": ("Skarrow",), "baseSalary": ("EUR, 30000, YEAR",)}


@pytest.mark.parametrize(
    ("offers", "price"),
    [
        ([{"availability": "InStock"}, {"price": "5"}], "5"),
        ({"@type": "AggregateOffer", "lowPrice": 5, "highPrice": 9}, "5"),
        ({"priceSpecification": [{"price": "5.00"}]}, "5.00"),
        ({"price": ""}, None),
        ("5", None),
        ([[]], None),
    ],
)
def test_shapes_of_offers(offers: object, price: str | None) -> None:
    (mug,) = entities_of(script({**MUG, "offers": offers}))
    assert mug.price == price


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("19", "19"),
        ("19.9", "19.9"),
        ("1,299", "1299"),
        ("1.299.000", "1299000"),
        ("CHF 1'299.50", "1299.50"),
        ("", None),
    ],
)
def test_prices(text: str, expected: str | None) -> None:
    assert read_price(text) == expected


@pytest.mark.parametrize(
    "item",
    [{"@type": "Product"}, {"@type": "Product", "name": {}}, {"@type": 5, "name": "x"}, {"name": "x"}, [], "x", None],
)
def test_what_is_no_entity(item: object) -> None:
    assert entities_of(script(item)) == ()


def nested_items(size: int) -> tuple[str, str]:
    item = '<div itemscope itemtype="http://schema.org/Product" itemprop="item"><b itemprop="name">x</b>'
    return "", item * size


def many_objects(size: int) -> tuple[str, str]:
    return script([{**MUG, "name": f"Mug {number}", "sku": number} for number in range(size)]), ""


@pytest.mark.parametrize("make", [nested_items, many_objects])
def test_work_grows_no_faster_than_the_page(make: Callable[[int], tuple[str, str]]) -> None:
    def reading(size: int) -> Callable[[], object]:
        page = page_of(*make(size))
        return lambda: read_entities(page, Options())

    assert_linear(reading, 100)
