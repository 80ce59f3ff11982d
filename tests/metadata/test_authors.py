import pytest

from pagestrata.metadata.authors import author_names, byline_names, looks_like_name


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Ines Halloway", ["Ines Halloway"]),
        ("By Ines Halloway", ["Ines Halloway"]),
        ("Written by Ines Halloway", ["Ines Halloway"]),
        ("Author: Ines Halloway", ["Ines Halloway"]),
        ("Ines Halloway and Théo Marchbank", ["Ines Halloway", "Théo Marchbank"]),
        ("Ines Halloway, Théo Marchbank & Dob Lomm", ["Ines Halloway", "Théo Marchbank", "Dob Lomm"]),
        ("Ines Halloway; ines halloway", ["Ines Halloway"]),
        ("Marchbank, Théo", ["Théo Marchbank"]),
        ("Marchbank, Théo F.", ["Théo F Marchbank"]),
        ("Ines Halloway, PhD, M.D.", ["Ines Halloway"]),
        ("Ines Halloway, Senior Editor", ["Ines Halloway"]),
        ("Ines Halloway - Tidewater", ["Ines Halloway"]),
        ("Jean-Luc Ferrow", ["Jean-Luc Ferrow"]),
        ("Morgan & Sons", ["Morgan & Sons"]),
        ("Byron Lomm", ["Byron Lomm"]),
        ("https://tidewater.example/ines", []),
        ("ines@tidewater.example", []),
        ("@ines", []),
        ("admin", []),
        ("Автор", []),
        ("42", []),
        ("", []),
        ("a sentence of more words than anybody would have in a name", []),
        ("x" * 101, []),
    ],
)
def test_names_out_of_what_stands_in_their_place(value: str, expected: list[str]) -> None:
    assert list(author_names([value])) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("By Ines Halloway", ["Ines Halloway"]),
        ("BY INES HALLOWAY", ["INES HALLOWAY"]),
        ("ByInes Halloway", ["Ines Halloway"]),
        ("Posted by Ines Halloway on Friday", ["Ines Halloway"]),
        ("17 May 2024 · by Ines Halloway", ["Ines Halloway"]),
        ("By Ines Halloway May 17, 2024", ["Ines Halloway"]),
        ("By Ines Halloway, Editor", ["Ines Halloway"]),
        ("By Ludo van der Meer", ["Ludo van der Meer"]),
        ("Par Ines Halloway", ["Ines Halloway"]),
        ("от by the sea", []),
        ("Day by day", []),
        ("Baby Boom", []),
        ("By the sea", []),
        ("", []),
    ],
)
def test_names_after_by(line: str, expected: list[str]) -> None:
    assert byline_names(line) == expected


def test_scripts_without_capitals_are_read_too() -> None:
    assert looks_like_name("山田太郎一")
    assert not looks_like_name("read more")


@pytest.mark.parametrize("value", ["facebook.com/tidewater", "ines@tidewater.example", "Instagram", "Username", "Last"])
def test_what_is_no_name(value: str) -> None:
    assert author_names([value]) == ()
