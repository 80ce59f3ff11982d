"""Products of pages without structured data: what stands below the title."""

import pytest

from pagestrata import parse
from pagestrata.metadata.shown_product import shown_products

TITLE = "<title>Heron boots</title><nav>Cart $0.00</nav><main><h1>Heron boots</h1>"


def test_a_product_is_what_the_lines_below_the_title_say() -> None:
    page = (
        "<p>Waterproof.</p><p class=price><del>90,00 €</del> 70,00 €</p><p>SKU: HB-7 Category: Boots</p><p>In stock</p>"
    )
    (boots,) = shown_products(parse(TITLE + page))
    assert ("Heron boots", "70.00", "EUR", "HB-7", "InStock") == (
        boots.name,
        boots.price,
        boots.currency,
        boots.sku,
        boots.availability,
    )
    assert {"shown"} == set(boots.sources.values())


def test_a_price_in_a_long_text_is_no_price_of_the_product() -> None:
    text = "Our grandmother paid $5 for hers, which was much money at that time, and wore them all her life."
    assert () == shown_products(parse(f"{TITLE}<p>{text}</p>"))


@pytest.mark.parametrize("page", ["", "<p>$5 for everything</p>"])
def test_a_page_without_a_title_shows_no_product(page: str) -> None:
    assert () == shown_products(parse(page))
