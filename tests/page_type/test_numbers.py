"""The measures of a page: of its blocks, lines, records, links and address."""

import pytest
from tests.build import page_of

from pagestrata import Page, parse
from pagestrata.page_type import numbers as module
from pagestrata.page_type.numbers import NUMBERS, numbers_of
from pagestrata.page_type.words import reader_of

LONG = "one two three four five six seven eight nine ten eleven twelve"


def measure(page: Page) -> dict[str, float]:
    return dict(zip(NUMBERS, numbers_of(page, reader_of(page)).tolist(), strict=True))


@pytest.mark.parametrize(
    ("line", "is_price"),
    [
        ("$5", True),
        ("from € 1.299,00", True),
        ("1,299 €", True),
        ("45 kr", True),
        ("45 krill", False),
        ("12zł", True),
        ("USD 5", False),
        ("5 USD", True),
        ("5 GBP a day", True),
        ("$ and 5", False),
        ("5", False),
        ("1" * 1000 + " €", False),
    ],
)
def test_a_price_is_a_number_beside_a_currency(line: str, is_price: bool) -> None:
    assert is_price == (measure(page_of(f"<p>{line}"))["page_prices"] > 0)


def test_blocks_are_added_up_by_what_holds_them() -> None:
    page = page_of(f"<h2>Two words</h2><p>{LONG}<ul><li>item <li><a href=/>linked item</a></ul><button>button</button>")
    found = measure(page)
    expected = {"words": 17, "heads": 1 / 17, "headings": 2 / 17, "paragraphs": 12 / 17, "long": 12 / 17}
    expected |= {"items": 3 / 17, "links": 2 / 17, "very_long": 0, "a": 1, "button": 1}
    assert pytest.approx(expected) == {name: found[f"page_{name}"] for name in expected}


def test_a_run_of_text_goes_on_after_a_heading() -> None:
    assert 24 == measure(page_of(f"<p>{LONG}<h2>Of boats</h2><p>{LONG}"))["run"]
    assert 12 == measure(page_of(f"<p>{LONG}<p>Of boats<p>{LONG}"))["run"]


def test_links_are_counted_by_where_they_lead() -> None:
    targets = (
        "#top # /news?page=2 /news?a=1&p=3 /page/7 /page/x /user/ada/ /u/bo /cart /my-Basket.html tel:123 mailto:a@b "
        "//cdn.example/x https://www.quay.example/ HTTPS://QUAY.example:80/a ftp://other.example http://other.example?q"
    ).split()
    page = parse("".join(f"<a href='{target}'>x</a>" for target in targets), "https://quay.example/")
    found = measure(page)
    assert [pytest.approx(2 / len(targets)), 1, 3, 2, 2, 2] == [found[name] for name in module.LINKS]


def test_a_page_without_an_address_is_on_the_site_that_most_links_lead_to() -> None:
    hosts = ("a.example", "a.example", "b.example", "a.example")
    page = page_of("".join(f"<a href='https://{host}/x'>x</a>" for host in hosts))
    assert 0.25 == measure(page)["links_out"]


def test_an_address_that_is_not_known_is_told_apart() -> None:
    assert [-1] * 4 == [measure(page_of("x"))[name] for name in module.ADDRESS]
    found = measure(parse("x", "https://quay.example/en/2025/mud-and-boats"))
    assert [3, 3, 4, 22] == [found[name] for name in module.ADDRESS]


def test_marks_are_counted_in_a_thousand_characters() -> None:
    found = measure(page_of("What? 12 boats, $5: yes!" + "x" * 76))
    assert [10, 10, 10, 10, 0, 10, 30] == [found[f"mark_{name}"] for name in module.MARKS]


def test_records_are_measured_with_the_group_that_has_most_words() -> None:
    record = "<div><p>Deck boot</p><img src=a><p><a href=/a>Buy this boot now</a></p></div>"
    found = measure(page_of(f"<section>{record * 3}</section>"))
    expected = {"records": 3, "records_pictured": 3, "records_linked": 3, "largest_group": 3, "group": 3}
    expected |= {"group_words": 6, "record_words": 6, "group_linked": 1}
    assert expected == {name: found[name] for name in expected}
