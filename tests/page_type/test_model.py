"""The type of a page: probabilities, from whatever signs are left, and a model file that is read with care."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, page_of, real_pages

from pagestrata import RawPage, parse
from pagestrata.errors import ModelError
from pagestrata.native.arrays import as_column
from pagestrata.page_type.model import SCORES, TYPES, PageTypeModel, WordWeights, probabilities_of, shipped, signs_of
from pagestrata.page_type.numbers import NUMBERS
from pagestrata.page_type.words import PLACES
from pagestrata.results import PageType
from pagestrata.train.fit_page_types import NO_TREES

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
FEATURE = shipped().trees.feature.astype(np.uint16)


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


def test_a_page_is_read_the_same_twice_and_all_measures_are_numbers() -> None:
    pages = [
        parse(""),
        page_of("<p>x"),
        parse(ARTICLE),
        parse(GOODS, "https://a.example/b"),
        parse(RawPage("x", url="http://[")),
    ]
    for page in pages:
        first, second = signs_of(page), signs_of(page)
        assert len(NUMBERS) == len(first.numbers)
        assert np.isfinite(first.numbers).all()
        assert first.numbers.tolist() == second.numbers.tolist()
        assert [list(keys) for keys in first.words] == [list(keys) for keys in second.words]


READ = """
import sys
from pagestrata import parse
from pagestrata.page_type.model import signs_of
for file in sys.argv[1:]:
    words, numbers = signs_of(parse(open(file, "rb").read(), "https://quay.example/a-b/2?page=7"))
    print(numbers.tolist(), [[int(key) for key in keys] for keys in words])
"""


def test_compiled_and_interpreted_loops_read_the_same(tmp_path: Path) -> None:
    odd = tmp_path / "odd.html"
    letters = "İstanbul ΣΑΣ ǅ Straße ПРИВЕТ 漢字です 𝒳𝒴 a\u0301 5 zł $ 7 "
    odd.write_text(f"<title>{letters}</title><p class=İxĀbc>{letters}<p>{letters * 9}{THREAD}", encoding="utf-8")
    files = [str(file) for file in (odd, *EXAMPLES[:8])]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", READ, *files],
            env={**os.environ, "PAGESTRATA_PURE": pure},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for pure in ("", "1")
    ]
    assert len(files) == len(outputs[0].splitlines())
    assert outputs[0] == outputs[1]


def test_words_weigh_over_the_root_of_their_number_and_unknown_words_say_nothing() -> None:
    base = np.array([-0.25, 0.25], np.float32)
    known = WordWeights(np.array([7, 9]), np.array([[2, 0], [4, 0]], np.int8), 0.5, base)
    assert [[0.75, 0.25], [3 / 2**0.5 - 0.25, 0.25], [0, 0]] == [
        pytest.approx(known.score(as_column(np.array(keys))).tolist()) for keys in ([7, 5, 7], [7, 9], [5])
    ]


def test_words_count_by_their_share_and_trees_add_to_it() -> None:
    row = np.zeros(len(NUMBERS) + len(SCORES), np.float32)
    trees_only = shipped().sums(row)
    half, whole = (replace(shipped(), trees=NO_TREES, word_share=share) for share in (0.5, 1.0))
    forum = TYPES.index(PageType.FORUM)
    row[len(NUMBERS) + forum :: len(TYPES)] = 2  # every place speaks for a forum
    assert pytest.approx(2 * len(PLACES)) == whole.sums(row)[forum]
    assert whole.sums(row).tolist() == (2 * half.sums(row)).tolist()
    assert trees_only.tolist() == shipped().trees.score(np.zeros((len(row), 1), np.float32))[:, 0].tolist()


def test_a_model_is_the_same_after_it_was_written_and_read() -> None:
    again = PageTypeModel.from_bytes(SHIPPED)
    assert SHIPPED == again.to_bytes()
    assert shipped().probabilities(parse(THREAD)) == again.probabilities(parse(THREAD))


def test_what_ships_is_small() -> None:
    assert len(SHIPPED) <= 200_000


def test_the_card_is_that_of_what_ships_and_its_accuracy_did_not_fall() -> None:
    card = files("pagestrata.page_type").joinpath("data", "page_types.md").read_text(encoding="utf-8")
    assert f"{len(SHIPPED):,} bytes, SHA-256 {sha256(SHIPPED).hexdigest()}." in card
    accuracies = dict(re.findall(r"^\| (\w+) \|.*\| (\d\.\d{3}) \|[^|]*\|$", card, re.MULTILINE))
    floors = {"wcxb": 0.9, "sitesets": 0.97, "fundus": 0.99, "magichtml": 0.91, "forums": 0.915}
    floors |= {"templates": 0.93, "docs": 0.98, "shops": 0.985, "wpsites": 0.855}
    assert floors.keys() == accuracies.keys()
    assert not [name for name, floor in floors.items() if float(accuracies[name]) < floor]


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
        pytest.param(altered(feature=np.full_like(FEATURE, 60_000)), id="looks beyond the row"),
        pytest.param(altered(threshold=shipped().trees.threshold[:, 0]), id="one question a tree"),
        pytest.param(altered(leaf=np.array([{}], object)), id="pickled"),
        pytest.param(altered(word_counts=np.array([-1] * 7, np.int32)), id="negative counts"),
        pytest.param(altered(word_counts=np.array([5], np.int32)), id="one place"),
        pytest.param(altered(words=np.frombuffer(b"a\na\xff", np.uint8)), id="words as text"),
        pytest.param(altered(words=np.arange(3)), id="other words"),
        pytest.param(altered(word_scales=np.full(7, np.nan)), id="scales that are no numbers"),
        pytest.param(altered(word_bases=np.full((7, 7), np.nan, np.float32)), id="bases that are no numbers"),
        pytest.param(altered(word_bases=np.zeros((7, 6), np.float32)), id="bases of six types"),
        pytest.param(altered(word_share=np.array(np.inf)), id="more than all of the words"),
        pytest.param(altered(temperature=np.array(0.0)), id="no temperature"),
        pytest.param(altered(leaf_unit=np.array("x")), id="text for a number"),
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


def test_a_model_of_other_measures_is_refused() -> None:
    names = np.frombuffer("\n".join([*NUMBERS[1:], "mood"]).encode(), np.uint8)
    with pytest.raises(ModelError, match="other measures"):
        PageTypeModel.from_bytes(altered(numbers=names))


def test_real_pages_that_were_learned_from_are_known_again() -> None:
    """Says that model and measures belong together, not how good they are: see docs/page-types.md for that."""
    pages = real_pages(60)
    right = Counter(_is_right(page) for page in pages)
    assert right[True] >= 0.95 * len(pages)


def _is_right(file: Path) -> bool:
    truth = json.loads((file.parent.parent / "truth" / f"{file.stem}.json").read_text(encoding="utf-8"))
    return PageType(truth["page_type"]) is next(iter(probabilities_of(parse(file.read_bytes(), truth["url"]))))
