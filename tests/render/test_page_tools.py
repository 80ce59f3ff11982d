"""Tools of a page are not written: here the pictures that share it."""

import pytest
from tests.build import kept, page_of

from pagestrata.render.page_tools import sharing_signs

SHARE = '<a href="https://www.facebook.com/sharer.php?u=x"><img src=/f.svg alt=Facebook></a>'
PICTURE = "<img src=/tide.jpg alt=Tide>"


def test_pictures_that_share_a_page_are_not_written_and_others_are() -> None:
    box = f'<ul><li>{SHARE}<li><a href="https://instagram.com/tide"><img src=/i.svg alt=Instagram></a></ul>'
    markdown = kept(f"<h1>Tide</h1>{box}<p>The water rises.<p>{PICTURE}").markdown
    assert "# Tide\n\nThe water rises.\n\n![Tide](https://example.org/tide.jpg)\n" == markdown


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param(PICTURE, id="a picture"),
        pytest.param(f"<a href=/tide>{PICTURE}</a>", id="a picture that leads on"),
        pytest.param("<p>Tide", id="a text"),
    ],
)
def test_what_stands_beside_such_a_sign_stays(beside: str) -> None:
    markdown = kept(f"<p>Low water<div><div>{SHARE}</div>{beside}</div>").markdown
    assert ("facebook" not in markdown, "Tide" in markdown) == (True, True)


@pytest.mark.parametrize(
    "target",
    [
        pytest.param("/share-of-the-sea", id="on the site"),
        pytest.param("https://www.facebook.com/tide", id="a profile alone"),
        pytest.param("https://sea.example/shares/7", id="another site"),
        pytest.param("/to//www.facebook.com/sharer.php", id="an address inside of one"),
    ],
)
def test_other_links_around_pictures_are_no_signs(target: str) -> None:
    assert [] == sharing_signs(page_of(f"<a href={target}>{PICTURE}</a>"))


def test_a_sign_with_a_text_is_a_link() -> None:
    assert [] == sharing_signs(page_of(SHARE.replace("</a>", "Share</a>")))
