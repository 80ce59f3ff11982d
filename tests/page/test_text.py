"""Words, white space, and characters that nobody sees."""

import pytest

from pagestrata.page.text import collapse, invisible_characters, without_controls, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("one two", 2),
        ("don't_stop 3.14", 4),
        ("한국어 단어", 2),
        ("日本語 and Latin", 5),
        ("カタカナ", 4),
        ("สวัสดี", 4),
        ("…—!", 0),
    ],
)
def test_words_are_runs_of_letters_or_single_signs(text: str, expected: int) -> None:
    assert expected == len(words(text))


def test_all_white_space_collapses() -> None:
    assert "a b" == collapse("\u3000a\u2003\xa0 \n b\t")


def test_controls_go_and_lines_stay() -> None:
    assert "a\n\tb" == without_controls("\x1ba\n\t\x9b\x00b\ud800\uffff")


def test_joiners_of_scripts_and_emoji_are_not_suspicious() -> None:
    assert 0 == invisible_characters("می‌خواهم 👩‍🚀 ❤️")
    assert 3 == invisible_characters("\u202eevil\u2066\U000e0041")
