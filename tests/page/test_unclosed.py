"""An element without its end tag does not hide the rest of the page, and the page reports it."""

import pytest
from tests.build import EXAMPLES, page_of
from tests.growth import assert_linear

from pagestrata import extract, parse
from pagestrata.page.unclosed import MAX_CLOSED, close_unclosed

SENTENCE = "The tide turned before the boats were in, and nobody on the pier had seen it coming. "
ARTICLE = f"<article><h1>Tides</h1>{f'<p>{SENTENCE * 4}</p>' * 4}</article><footer>About us</footer>"
HIDING = "button object select dialog video audio canvas iframe textarea noframes noembed noscript template".split()


@pytest.mark.parametrize("name", HIDING)
def test_the_article_after_an_unclosed_element_is_found(name: str) -> None:
    extraction = extract(f"<title>Tides</title><body><p>Hello</p><{name} class=x>Menu{ARTICLE}")
    assert 16 == extraction.text.count("nobody on the pier")
    assert f"<{name}> without an end tag" in extraction.warnings[0]


def test_a_title_ends_with_its_text() -> None:
    page = parse(f"<head><title>Tides\n<meta charset=utf-8></head><body>{ARTICLE}")
    assert "Tides" == page.title
    assert "nobody on the pier" in page.text


def test_a_title_does_not_end_in_a_drawing() -> None:
    drawing = "<svg><title>Menu</title><path d=M0/></svg>"
    page = parse(f"<html><head><title>Tides</head><body>{drawing}{ARTICLE}</body></html>")
    assert "Tides" == page.title
    assert page.warnings


def test_options_stay_in_their_select() -> None:
    page = page_of(f"<select><option>Winter<option selected>Summer</option>{ARTICLE}")
    assert "Winter\nSummer" == page.text_of(int(page.nodes_tagged("select")[0]))
    assert 1 == len(page.nodes_tagged("article"))


def test_a_button_that_the_next_button_closes_is_unclosed() -> None:
    page = page_of(f"<button>Menu{ARTICLE}<button>Share</button>")
    assert ["Menu", "Share"] == [page.text_of(int(node)) for node in page.nodes_tagged("button")]


@pytest.mark.parametrize(
    "body",
    [
        f"<button>{ARTICLE}</button>",
        f"<OBJECT data=x><object>{ARTICLE}</object></Object>",
        f"<p>Short</p><video><source src=x><p>{SENTENCE * 9}</video>",
        f"<!-- <video> --><select><option>{SENTENCE * 9}</select><script>'<button>'</script>",
        f"<textarea>{SENTENCE}<title></textarea>",
        f"<p>{SENTENCE}<template><p>Row</template>",
        f"<p>{SENTENCE}<iframe>No frames</iframe>",
    ],
)
def test_pages_that_close_what_they_open_are_not_changed(body: str) -> None:
    page = f"<!DOCTYPE html><title>1 &lt;/head</title><body>{body}</body>".encode()
    assert (page, ()) == close_unclosed(page)
    assert () == parse(page).warnings


def test_examples_are_not_changed() -> None:
    for path in EXAMPLES:
        assert () == close_unclosed(path.read_bytes())[1]


def test_a_page_of_unclosed_elements_is_closed_only_so_often() -> None:
    data, names = close_unclosed(b"<object>" * 1_000)
    assert MAX_CLOSED == len(names) == data.count(b"</object>")


@pytest.mark.parametrize("part", ["<title>", "<iframe>x", "<button>", "<object>", "<title></head>", "<!--", "<script>"])
def test_work_is_linear(part: str) -> None:
    assert_linear(lambda size: lambda: close_unclosed(part.encode() * size))
