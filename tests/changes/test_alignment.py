"""Matching two sequences: Heckel's example, repeated entries, order, and growth."""

from hypothesis import given
from hypothesis import strategies as st

from pagestrata.changes.alignment import align, in_order

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


def test_the_example_of_the_paper() -> None:
    """Heckel's Figure 1: a block of words moved to the front, one word replaced."""
    old = "MUCH WRITING IS LIKE SNOW , A MASS OF LONG WORDS AND PHRASES FALLS UPON THE RELEVANT FACTS".split()
    new = "A MASS OF LATIN WORDS FALLS UPON THE RELEVANT FACTS LIKE SOFT SNOW , COVERING UP THE DETAILS .".split()
    partners = align(old, new)
    texts = [old[partner] if partner >= 0 else None for partner in partners]
    assert ["A", "MASS", "OF", None, "WORDS", "FALLS", "UPON", "THE", "RELEVANT", "FACTS"] == texts[:10]
    assert ["LIKE", None, "SNOW", ","] == texts[10:14]
    assert [None] * 5 == texts[14:]
    ordered = [new[place] for place in in_order(partners)]
    assert "A MASS OF WORDS FALLS UPON THE RELEVANT FACTS".split() == ordered


def test_repeated_entries_are_matched_beside_their_neighbours() -> None:
    assert [-1, 0, 1, 2, 3] == align("asbs", "sasbs")
    assert [0, 1, 2] == align("aaa", "aaa")


def test_empty_sequences() -> None:
    assert [] == align("abc", "")
    assert [-1] == align("", "a")
    assert [] == in_order([])


@given(WORDS, WORDS)
def test_partners_are_equal_and_each_is_used_once(old: list[str], new: list[str]) -> None:
    partners = align(old, new)
    pairs = [(new[place], old[partner]) for place, partner in enumerate(partners) if partner >= 0]
    assert all(one == other for one, other in pairs)
    used = [partner for partner in partners if partner >= 0]
    assert len({*used}) == len(used)
    # nothing that has a partner is left without one
    assert len(used) == sum(min(old.count(entry), new.count(entry)) for entry in {*old})


@given(st.permutations(range(8)))
def test_the_longest_order_is_found(partners: list[int]) -> None:
    ordered = in_order(partners)
    values = [partners[place] for place in ordered]
    assert sorted(ordered) == ordered
    assert sorted(values) == values
    subsets = ([value for place, value in enumerate(partners) if chosen >> place & 1] for chosen in range(256))
    assert max(len(subset) for subset in subsets if sorted(subset) == subset) == len(values)
