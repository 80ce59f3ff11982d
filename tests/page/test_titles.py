"""Which heading is the title of a page."""

import pytest

from pagestrata import extract, parse

TEXT = "<p>" + "The kettle sang before the tide was in, and nobody on the quay had put the cups out yet. " * 4 + "</p>"


def title_of(title: str, body: str) -> str | None:
    page = parse(f"<title>{title}</title><body>{body}")
    return None if page.title_heading is None else page.text_of(page.title_heading)


def test_a_heading_of_the_first_level_inside_the_text_stays_there() -> None:
    page = (
        f"<title>Tea | Blog</title><article><h2>Tea</h2>{TEXT}{TEXT}<h1>Previously, on Tea…</h1>{TEXT}{TEXT}</article>"
    )
    found = extract(page)
    assert "Tea" == found.title
    before, heading, after = found.text.partition("Previously, on Tea…")
    assert heading
    assert "kettle" in before
    assert "kettle" in after


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Tea - Blog", "<h1>Tea</h1><h2>Tea</h2>", "Tea"),
        ("Tea", "<h1>All about tea</h1><h2>Tea</h2>", "All about tea"),
        ("Sofas | Shop", "<h1>Sofas and chairs</h1><h3>Sofas</h3>", "Sofas and chairs"),
        ("How to brew / Drinks / Kettle Linux Forums", "<h1>Kettle Linux</h1><h3>How to brew</h3>", "How to brew"),
        ("Brewing | The Book of Tea", "<h1>The Book of Tea</h1><h2>Brewing</h2>", "Brewing"),
        ("Kettles • View topic - How do I brew?", "<h2>How do I brew?</h2><h3>Re: How</h3>", "How do I brew?"),
        ("Dental Care | One Health", "<h1>One Health and Dental Centers</h1><h1>Dental Care</h1>", "Dental Care"),
        (
            "backup - How do I keep all my tea?",
            "<h1>How do I keep all my tea?</h1><h1>Backup</h1>",
            "How do I keep all my tea?",
        ),
        ("Water | The Book of Tea and Time", "<h1>The Book of Tea and Time</h1><h2>Water</h2>", "Water"),
        ("News of clouds | Dive", "<h1>Do not miss our news</h1><h1>Clouds</h1>", "Clouds"),
        ("Tea", "<h1>Another headline</h1>", "Another headline"),
        ("Tea", "<h1>Another headline</h1><h1>Another headline</h1>", "Another headline"),
        ("Tea", "<h1>Contact</h1><h1>Follow us</h1>", None),
        ("Tea", "<h2>Contact</h2>", None),
        ("", "<h2>Contact</h2>", None),
        ("", "<h1>Tea</h1>", "Tea"),
    ],
)
def test_title_and_headings(title: str, body: str, expected: str | None) -> None:
    assert expected == title_of(title, body)


@pytest.mark.parametrize(
    "logo", ['<h1><a href="/">Tidewater</a></h1>', '<a href="https://t.example"><h1>Tidewater</h1></a>']
)
def test_a_heading_that_links_to_the_home_page_is_a_logo(logo: str) -> None:
    assert title_of("Why mud moves", logo + TEXT) is None
    assert "Mud in motion" == title_of("Why mud moves", f"{logo}<h1>Mud in motion</h1>{TEXT}")
    assert "Tidewater" == title_of("Tidewater", logo + TEXT)


def test_the_logo_is_the_title_of_the_home_page() -> None:
    markup = '<title>Tidewater - Shop</title><h1><a href="/">Tidewater</a></h1><h2>News</h2>'
    page = parse(markup, url="https://tidewater.example/")
    assert page.title_heading is not None
    assert "Tidewater" == page.text_of(page.title_heading)


def test_a_heading_that_links_elsewhere_is_none() -> None:
    assert "Mud in motion" == title_of("Why mud moves", '<h1><a href="/mud">Mud in motion</a></h1>')
    assert "Mud in motion" == title_of("Why mud moves", '<h1><a href="#mud">Mud in motion</a></h1>')
