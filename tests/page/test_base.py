"""What relative links are resolved against: `<base>`, the given address, or the one that the page states."""

import pytest

from pagestrata import extract, parse
from pagestrata.page.page import Base

CANONICAL = "<link rel='alternate canonical' href='https://a.example/b/c'>"
SHARED = "<meta property=og:url content='https://s.example/d/'>"


@pytest.mark.parametrize(
    ("head", "url", "expected"),
    [
        ("", None, None),
        ("", "https://u.example/", Base("https://u.example/", "url")),
        (CANONICAL + SHARED, "https://u.example/", Base("https://u.example/", "url")),
        (SHARED + CANONICAL, None, Base("https://a.example/b/c", "canonical")),
        (SHARED, None, Base("https://s.example/d/", "og:url")),
        ("<link rel=canonical href=/e>" + SHARED, None, Base("https://s.example/d/", "og:url")),
        ("<link rel=canonical href=javascript:e>", None, None),
        ("<base href=https://b.example/f/>" + CANONICAL, None, Base("https://b.example/f/", "base")),
        ("<base href=/f/>" + CANONICAL, None, Base("https://a.example/f/", "base")),
        ("<base href=/f/>", None, Base("/f/", "base")),
        ("<base href=javascript:x>", "https://u.example/", Base("https://u.example/", "url")),
        ("<base href='https://[::1'>" + CANONICAL, None, Base("https://a.example/b/c", "canonical")),
        ("<base href=data:text/html,x>", None, None),
        ("<link rel=canonical href='https://[::1'>" + SHARED, None, Base("https://s.example/d/", "og:url")),
    ],
)
def test_the_base(head: str, url: str | None, expected: Base | None) -> None:
    assert expected == parse(f"{head}<body><p>a", url).base


def test_links_and_images_of_a_page_that_states_its_address_are_absolute() -> None:
    body = "<p>" + "Warm the pot, then wait a while. " * 9 + "<a href=g>h</a> <img src=/i.png alt=j> <a href='#k'>l</a>"
    markdown = extract(f"{CANONICAL}<body>{body}").markdown
    assert "[h](https://a.example/b/g) ![j](https://a.example/i.png) [l](https://a.example/b/c#k)" in markdown
