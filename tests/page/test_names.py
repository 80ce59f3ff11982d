"""The numbers of many names at once."""

import numpy as np

from pagestrata.page import tags
from pagestrata.page._names import MAX_NAME_LENGTH, Names


def numbers_of(known: dict[str, int], words: list[str]) -> list[int]:
    lengths = np.array([len(word) for word in words])
    ends = np.cumsum(lengths)
    letters = np.frombuffer("".join(words).encode() + bytes(MAX_NAME_LENGTH), np.uint8)
    found: list[int] = Names(known).numbers(letters, ends - lengths, ends).tolist()
    return found


def test_known_names_have_their_numbers_and_others_none() -> None:
    assert [2, 0, 1, 0, 0] == numbers_of({"a": 1, "ab": 2}, ["ab", "abc", "a", "b", ""])


def test_every_tag_of_up_to_sixteen_letters_is_found() -> None:
    short = {name: number for name, number in tags.TAG.items() if len(name) <= MAX_NAME_LENGTH}
    assert [*short.values()] == numbers_of(tags.TAG, [*short])


def test_a_longer_name_is_not_taken_for_its_beginning() -> None:
    assert [1, 0] == numbers_of({"sixteen-letters-": 1}, ["sixteen-letters-", "sixteen-letters-x"])
