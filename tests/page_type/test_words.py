"""The words of a page are read as keys, by the place where they stand."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.build import page_of

from pagestrata import Page, parse
from pagestrata.native import type_text
from pagestrata.page_type import words as module
from pagestrata.page_type.words import PLACES, address_words, hash_of, reader_of, words_of

PLAIN, LINK, H1, HEADING = range(1, 5)


def seeded(word: int, seed: int) -> int:
    return ((word ^ seed) * type_text.PRIME) & type_text.MASK


def keys(text: str, seed: int = PLAIN) -> set[int]:
    return {seeded(hash_of(word), seed) for word in text.split()}


def joined(*hashes: int) -> int:
    whole = 0
    for one in hashes:
        whole = ((whole * type_text.PRIME) ^ one) & type_text.MASK
    return whole


def label(text: str) -> int:
    """The key of a line of few words."""
    return seeded(joined(*map(hash_of, text.split())), PLAIN)


def read(page: Page, place: str) -> set[int]:
    return set(map(int, words_of(page, reader_of(page))[PLACES.index(place)]))


def test_the_words_of_an_address_say_where_they_stand() -> None:
    expected = (
        "ends example|host docs|host quay|deep 3|step en|step 1|step number|last guide|last to|last mud|last html|"
        "last 4|ending html|asks page"
    )
    url = "https://docs.quay.example/en/2025/guide-to-mud.html?page=2"
    assert set(expected.split("|")) == set(address_words(url))
    assert {seeded(hash_of(word), PLAIN) for word in expected.split("|")} == read(parse("x", url), "address")


def test_a_title_has_words_and_pairs_of_them_and_headings_have_words() -> None:
    page = parse("<title>Boat engine, a Guide</title><h1>Boat</h1><h2>The Engine</h2>")
    title = [seeded(hash_of(word), PLAIN) for word in ("boat", "engine", "guide")]
    pairs = {seeded(joined(first, second), PLAIN) for first, second in pairwise(title)}
    assert {*title, *pairs} | keys("boat", H1) | keys("the engine", HEADING) == read(page, "title")


def test_names_are_split_at_capitals_and_count_again_when_they_are_used_often() -> None:
    page = page_of("<i class='product-card entryContent md-6'>x</i>" + "<i class=product-card>x</i>" * 4)
    often = keys("product card", 0) | keys("product card", 5)
    assert often | keys("entry content", 0) == read(page, "names")
    assert keys("card", 20) <= read(page_of("<i id=card>x</i>" * 20), "names")


def test_markup_is_tags_and_the_values_of_some_attributes() -> None:
    page = page_of("<div role=Main itemtype='https://schema.org/Product'><input type=Search><a type=search rel=next>x")
    expected = keys("html head title body div input a #text", 0)
    expected |= keys("main", 1) | keys("next", 3) | keys("product", 4) | keys("search", 16)
    assert expected == read(page, "markup")


def test_meta_tags_are_names_and_some_have_content() -> None:
    page = parse(
        "<meta name=Description content='All boats'><meta property=og:type name=x content=Article><meta charset=utf-8>"
        "<meta name=generator content='Quay Press 5.2 fast'><meta name=robots content=all>"
    )
    expected = keys("description og:type generator robots")
    for name, said in (("description", "all boats"), ("og:type", "article"), ("generator", "quay press")):
        expected |= keys(said, ((hash_of(name) * type_text.PRIME) ^ PLAIN) & type_text.MASK)
    assert expected == read(page, "meta")


def test_types_in_json_ld_are_read_however_they_are_written() -> None:
    scripts = '{"@type": "Product"}', '{"@type" : ["https://schema.org/WebPage", "X"]}', '{"@type": broken'
    page = parse("".join(f'<script type="application/ld+json">{script}</script>' for script in scripts))
    assert keys("product webpage", 5) == read(page, "meta")


def test_lines_of_few_words_are_words_of_their_own() -> None:
    page = page_of("<button>Add to cart</button><p><a href=/>Home</a><p>All the boats of the harbour in a row")
    expected = keys("add to cart all the boats of the harbour in row") | keys("home", LINK)
    assert expected | {label("add to cart"), label("home")} == read(page, "lines")


def test_text_is_the_words_of_long_lines() -> None:
    page = page_of(f"<p>Short<p>{'Él Ölwechsel ПРИВЕТ 7th x ' * 5}")
    assert keys("él ölwechsel привет th") == read(page, "text")


Keys = st.integers(1, type_text.MASK)


@given(st.lists(Keys, unique=True, max_size=200), st.lists(Keys))
def test_known_keys_are_found_and_no_others(known: list[int], others: list[int]) -> None:
    slots = [0] * module.table_size(len(known))
    type_text.fill_slots(known, slots)
    rows = [type_text.row_of(one, known, slots) for one in [*known, *others]]
    assert [known.index(one) if one in known else -1 for one in [*known, *others]] == rows


def test_a_table_has_room_for_twice_its_entries() -> None:
    assert [1, 4, 8, 16] == [module.table_size(entries) for entries in (0, 1, 2, 7)]
