import pytest
from tests.metadata.helpers import page_of

from pagestrata.metadata.addresses import absolute, address_key, is_home
from pagestrata.metadata.clean import MAX_ENTRIES, clean, distinct, split_if_list


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  two \n words\xa0", "two words"),
        ("Salt &amp;amp; sea", "Salt & sea"),
        ("<b>Bold</b> word", "Bold word"),
        ("a < b and b > c", "a < b and b > c"),
        ("30 years of <br> tags", "30 years of <br> tags"),
        ("bell\x07 \x1b[31mred", "bell [31mred"),
        ("lone \ud800 surrogate", "lone surrogate"),
        ("", ""),
    ],
)
def test_a_string_becomes_one_line_of_plain_text(text: str, expected: str) -> None:
    assert clean(text, 100) == expected


def test_a_string_is_cut_at_its_length() -> None:
    assert clean("word " * 1_000, 12) == "word word wo"


def test_a_list_keeps_the_first_of_each_whatever_its_case() -> None:
    assert distinct(["Mud", "tide", "", "MUD", "Tide"]) == ("Mud", "tide")
    assert len(distinct([str(number) for number in range(1_000)])) == MAX_ENTRIES


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("Mud, tides,eels,",), ("Mud", "tides", "eels", "")),
        (("Salt &amp; sea, mud, eels",), ("Salt & sea", "mud", "eels")),
        ((f"Mud, {'which the tide brings, ' * 2}and which {'it takes away again ' * 5}",),) * 2,
        (("泥、潮、鰻",), ("泥", "潮", "鰻")),
        (("Mud, tides",), ("Mud, tides",)),
        (("Mud, Tides, and Eels",), ("Mud, Tides, and Eels",)),
        (("Mud, tides, eels", "Boats"), ("Mud, tides, eels", "Boats")),
    ],
)
def test_a_single_value_may_be_a_list(values: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert split_if_list(values) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/feed.xml", "https://tidewater.example/feed.xml"),
        ("//cdn.example/a.jpg", "https://cdn.example/a.jpg"),
        (" http://other.example/a b ", "http://other.example/a%20b"),
        ("data:image/gif;base64,R0lGOD", None),
        ("javascript:alert(1)", None),
        ("https://", None),
        ("http://[", None),
        ("", None),
        ("https://tidewater.example/" + "a" * 5_000, None),
    ],
)
def test_only_addresses_of_the_web_are_given(link: str, expected: str | None) -> None:
    assert absolute(page_of(), link) == expected


def test_without_a_url_a_relative_link_leads_nowhere() -> None:
    assert absolute(page_of(url=None), "/feed.xml") is None


def test_addresses_are_compared_without_what_does_not_matter() -> None:
    assert address_key("https://WWW.tidewater.example/mud/?a=1#b") == address_key("http://tidewater.example/mud")
    assert address_key("http://[") == ""


def test_the_home_page_is_told_from_others() -> None:
    assert is_home("https://tidewater.example")
    assert not is_home("https://tidewater.example/?p=3")
    assert not is_home("http://[")
