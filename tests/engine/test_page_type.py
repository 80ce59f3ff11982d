"""The type of a page: probabilities, from whatever signs are left, and a model file that is read with care."""

import json
from collections import Counter
from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of, real_pages

from pagestrata import parse
from pagestrata.engine.page_signs import PLACES, numbers_of, words_of
from pagestrata.engine.page_type import TYPES, PageTypeModel, TypeTrees, WordWeights, probabilities_of, shipped
from pagestrata.errors import ModelError
from pagestrata.results import PageType

ARTICLE = """<!DOCTYPE html><title>Harbour wall gave way in the storm - The Quay Post</title>
<meta property="og:type" content="article"><body><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>Harbour wall gave way in the storm</h1><p class="byline">By Ada Quay, 3 March 2025</p>""" + "".join(
    f"<p>The wall had stood for {years} years before the water came over it, and nobody on the quay had seen it "
    "coming that day. The mayor said that the council was told of the cracks, and that work would begin in spring.</p>"
    for years in range(90, 100)
)
THREAD = """<!DOCTYPE html><title>Boat engine will not start | Harbour forum</title><body>
<h1>Boat engine will not start</h1>""" + "".join(
    f"<div class=post><a href='/members/{name}'>{name}</a> <time>Mar {day}, 2025 at 10:{day}</time>"
    f"<div class=message>I had the same with mine, has anyone tried to clean the filter first?</div>"
    f"<a href='#'>Reply</a> <a href='#'>Quote</a></div>"
    for day, name in enumerate(("ada", "bo", "cy", "dee", "ed", "flo", "gus", "hal"), 11)
)
GOODS = """<!DOCTYPE html><title>Men's boots - Quay Shop</title><body><h1>Men's boots</h1>
<div>Sort by</div><div>24 products</div>""" + "".join(
    f"<div class='product-card'><a href='/products/{number}'><img src='{number}.jpg' alt=''></a>"
    f"<a href='/products/{number}'>Deck boot {number}</a> <span class=price>${number}.00</span>"
    "<button>Add to cart</button></div>"
    for number in range(80, 104)
)


SHIPPED = shipped().to_bytes()


def most_likely(markup: str, url: str | None = None) -> PageType:
    return next(iter(probabilities_of(parse(markup, url))))


@pytest.mark.parametrize(
    ("markup", "url", "expected"),
    [
        (ARTICLE, "https://quay.example/news/2025/03/harbour-wall-gave-way", PageType.ARTICLE),
        (THREAD, "https://forum.quay.example/threads/boat-engine-will-not-start.123/", PageType.FORUM),
        (GOODS, "https://shop.quay.example/collections/mens-boots", PageType.COLLECTION),
    ],
)
def test_plain_cases_are_told_with_and_without_an_address(markup: str, url: str, expected: PageType) -> None:
    assert [expected, expected] == [most_likely(markup, url), most_likely(markup)]


def test_all_types_have_a_probability_most_likely_first() -> None:
    found = probabilities_of(parse(ARTICLE))
    assert set(TYPES) == found.keys()
    assert pytest.approx(1) == sum(found.values())
    assert sorted(found.values(), reverse=True) == list(found.values())


def test_nothing_is_said_of_a_page_without_text() -> None:
    assert [{}, {}] == [probabilities_of(parse("")), probabilities_of(parse("<img src=a.png>"))]


def test_measures_are_the_same_in_name_and_order_on_every_page() -> None:
    pages = [parse(""), page_of("<p>x"), parse(ARTICLE), parse(GOODS, "https://a.example/b"), parse("x", "http://[")]
    assert {tuple(numbers_of(pages[0]))} == {tuple(numbers_of(page)) for page in pages}
    assert {PLACES} == {tuple(words_of(page)) for page in pages}
    assert all(np.isfinite(list(numbers_of(page).values())).all() for page in pages)


def test_the_words_of_an_address_say_where_they_stand() -> None:
    page = parse("x", "https://docs.quay.example/en/2025/guide-to-mud.html?page=2")
    expected = (
        "ends example|host docs|host quay|deep 3|step en|step 1|step number|last guide|last to|last mud|last html|"
        "last 4|ending html|asks page"
    )
    assert set(expected.split("|")) == words_of(page)["address"]


def test_names_that_are_used_often_count_again() -> None:
    page = page_of("<i class=product-card>x</i>" * 20)
    assert (
        set(chain.from_iterable((word, f"{word} 5", f"{word} 20") for word in ("product", "card")))
        == (words_of(page)["names"])
    )


def test_types_in_json_ld_are_read_however_they_are_written() -> None:
    scripts = '{"@type": "Product"}', '{"@type" : ["https://schema.org/WebPage", "X"]}', '{"@type": broken'
    page = parse("".join(f'<script type="application/ld+json">{script}</script>' for script in scripts))
    assert {"type product", "type webpage"} == words_of(page)["meta"] - {""}


def test_lines_of_few_words_are_words_of_their_own() -> None:
    found = words_of(page_of("<button>Add to cart</button><p>All the boats of the harbour in a row"))["lines"]
    assert {"add to cart", "boats"} <= found
    assert "all the boats of the harbour in a row" not in found


def test_a_line_is_not_searched_beyond_its_start() -> None:
    page = page_of("<p>" + "1" * 1_000_000 + "<p>" + '<b>"@type"' + " " * 1_000_000)
    assert 0 == numbers_of(page)["page_prices"]


def test_words_weigh_over_the_root_of_their_number() -> None:
    known = WordWeights({"a": 0, "b": 1}, np.array([[2, 0], [4, 0]], np.int8), 0.5)
    assert [[1, 0], [3 / 2**0.5, 0], [0, 0]] == [
        pytest.approx(known.score(words).tolist()) for words in ({"a", "x"}, {"a", "b"}, {"x"})
    ]


def test_the_first_question_is_the_lowest_bit() -> None:
    leaf = np.arange(4, dtype=np.int8).reshape(1, 4, 1)
    trees = TypeTrees(np.array([[0, 1]], np.uint16), np.array([[0.5, 0.5]], np.float32), leaf, 2.0)
    rows = ([0, 0], [1, 0], [0, 1], [1, 1])
    assert [0, 2, 4, 6] == [float(trees.score(np.array(row, np.float32))[0]) for row in rows]


def test_a_model_is_the_same_after_it_was_written_and_read() -> None:
    again = PageTypeModel.from_bytes(SHIPPED)
    assert SHIPPED == again.to_bytes()
    assert shipped().probabilities(parse(THREAD)) == again.probabilities(parse(THREAD))


def test_what_ships_is_small() -> None:
    assert len(SHIPPED) <= 250_000


def altered(**changes: np.ndarray) -> bytes:
    """What ships, with some arrays put in the place of others."""
    with np.load(BytesIO(SHIPPED)) as arrays:
        file = BytesIO()
        np.savez_compressed(file, **{**arrays, **changes})
    return file.getvalue()


def bomb() -> bytes:
    """A small file that unfolds to a large one."""
    file = BytesIO()
    with ZipFile(file, "w", compression=8) as inside:
        inside.writestr("format.npy", bytes(50_000_000))
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"PK\x03\x04 no archive", id="no archive"),
        pytest.param(b"\x93NUMPY", id="one array"),
        pytest.param(SHIPPED[:-500], id="cut short"),
        pytest.param(bomb(), id="unfolds without end"),
        pytest.param(altered(format=np.array(99)), id="of another format"),
        pytest.param(altered(format=np.array([1, 2])), id="of two formats"),
        pytest.param(altered(feature=np.full((1, 1), 60_000, np.uint16)), id="other trees"),
        pytest.param(altered(feature=shipped().trees.feature + np.uint16(60_000)), id="looks beyond the row"),
        pytest.param(altered(threshold=shipped().trees.threshold[:, 0]), id="one question a tree"),
        pytest.param(altered(leaf=np.array([{}], object)), id="pickled"),
        pytest.param(altered(word_counts=np.array([-1] * 7, np.int32)), id="negative counts"),
        pytest.param(altered(word_counts=np.array([5], np.int32)), id="one place"),
        pytest.param(altered(words=np.frombuffer(b"a\na\xff", np.uint8)), id="no text"),
        pytest.param(altered(word_scales=np.full(7, np.nan)), id="scales that are no numbers"),
        pytest.param(altered(temperature=np.array(0.0)), id="no temperature"),
        pytest.param(altered(leaf_scale=np.array("x")), id="text for a number"),
    ],
)
def test_a_file_that_is_no_model_is_refused(data: bytes) -> None:
    with pytest.raises(ModelError):
        PageTypeModel.from_bytes(data)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, len(SHIPPED) - 1), st.integers(0, 255))
def test_a_damaged_file_is_refused_or_read(place: int, byte: int) -> None:
    data = bytearray(SHIPPED)
    data[place] = byte
    with suppress(ModelError):
        assert PageTypeModel.from_bytes(bytes(data)).words


def test_a_model_that_looks_at_unknown_measures_is_refused() -> None:
    names = np.frombuffer("\n".join([*shipped().numbers[1:], "mood"]).encode(), np.uint8)
    with pytest.raises(ModelError):
        PageTypeModel.from_bytes(altered(numbers=names)).probabilities(parse(ARTICLE))


def test_real_pages_that_were_learned_from_are_known_again() -> None:
    """Says that model and measures belong together, not how good they are: see docs/page-types.md for that."""
    files = real_pages(60)
    right = Counter(_is_right(file) for file in files)
    assert right[True] >= 0.93 * len(files)


def _is_right(file: Path) -> bool:
    truth = json.loads((file.parent.parent / "truth" / f"{file.stem}.json").read_text(encoding="utf-8"))
    return PageType(truth["page_type"]) is next(iter(probabilities_of(parse(file.read_bytes(), truth["url"]))))
