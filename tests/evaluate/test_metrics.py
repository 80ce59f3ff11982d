"""The figures, worked out by hand: edges that the doctests leave out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagestrata.algorithms.density.measures import mean_recall
from pagestrata.evaluate.metrics import (
    Score,
    bcubed,
    block_score,
    covered,
    gram_bag_score,
    gram_score,
    mean,
    noise_score,
    region_score,
    word_score,
)

PERFECT, WRONG = Score(1.0, 1.0), Score(0.0, 0.0)
TEXT_SCORES = (word_score, gram_score, gram_bag_score)


@pytest.mark.parametrize("measure", TEXT_SCORES)
def test_only_nothing_is_right_where_there_is_nothing(measure: object) -> None:
    assert (PERFECT, WRONG, WRONG) == (measure("", " \n"), measure("tea pot", ""), measure("", "tea pot"))  # type: ignore[operator]


def test_chinese_is_scored_by_the_character() -> None:
    """茶 and 好 of 茶很好 are in the answer, which has three characters too."""
    assert Score(2 / 3, 2 / 3) == word_score("茶 不好", "茶很好")
    assert Score(1 / 2, 1 / 2) == gram_score("很好喝", "茶很好")


def test_case_and_punctuation_do_not_count() -> None:
    assert PERFECT == word_score("TEA—pot!", "tea, pot")


def test_one_word_has_no_pairs() -> None:
    assert PERFECT == gram_score("tea", "pot")


def test_regions_are_matched_by_what_they_say_not_by_their_length() -> None:
    """The found comments are as long as the article, but are matched to the comments: 5/(|5-10|+5) and 5/5."""
    found = region_score(["maryx", "abcde"], ["abcde fghij", "maryx"])
    assert (0.75, Score(1.0, 10 / 15)) == (found.accuracy, found.characters)


def test_a_region_too_many_costs_characters_but_no_accuracy() -> None:
    found = region_score(["tea", "junk"], ["tea"])
    assert (1.0, Score(3 / 7, 1.0)) == (found.accuracy, found.characters)


def test_blocks_match_from_a_similarity_of_four_fifths() -> None:
    """Eight tokens of ten are enough, seven of nine are not."""
    assert PERFECT == block_score([0] * 10, {1: range(8)})
    assert WRONG == block_score([0] * 9, {1: range(7)})


def test_two_true_blocks_cannot_have_the_same_match() -> None:
    """A block and one inside of it that holds nearly all of it: one of them is found."""
    assert Score(1.0, 0.5) == block_score([0] * 10, {1: range(10), 2: range(9)})


def test_true_blocks_without_words_do_not_count() -> None:
    assert PERFECT == block_score([0, 0], {1: range(2), 2: ()})
    assert PERFECT == block_score([], {1: ()})


def test_bcubed_of_pieces_apart_is_precise_and_forgets() -> None:
    """Each of four pieces of one true block alone: precision 1, recall 1/4."""
    assert Score(1.0, 0.25) == bcubed([0, 1, 2, 3], [frozenset({9})] * 4, [1, 1, 1, 1])


def test_bcubed_leaves_out_what_nobody_marked() -> None:
    assert PERFECT == bcubed([0, 0], [frozenset({1}), frozenset()], [1, 5])
    assert PERFECT == bcubed([], [], [])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5)), min_size=1))
def test_bcubed_turns_around(pieces: list[tuple[int, int, int]]) -> None:
    """With one true block a piece, precision and recall change places when answer and truth do."""
    left, right, weights = ([piece[i] for piece in pieces] for i in range(3))
    one = bcubed(left, [frozenset({label}) for label in right], weights)
    other = bcubed(right, [frozenset({label}) for label in left], weights)
    assert pytest.approx((one.precision, one.recall)) == (other.recall, other.precision)


@given(st.text("ab ", max_size=30), st.text("ab ", max_size=30))
def test_scores_stay_in_their_range_and_turn_around(answer: str, truth: str) -> None:
    for measure in TEXT_SCORES:
        one, other = measure(answer, truth), measure(truth, answer)
        assert 0 <= one.f1 <= 1
        assert (one.precision, one.recall) == (other.recall, other.precision)


@given(st.text("abc", max_size=40), st.sets(st.text("abc", min_size=3, max_size=3)))
def test_covered_says_the_same_as_looking_at_every_run(items: str, truth: set[str]) -> None:
    wanted = {tuple(run) for run in truth}
    near = [range(max(0, i - 2), min(i, len(items) - 3) + 1) for i in range(len(items))]
    expected = [any(tuple(items[start : start + 3]) in wanted for start in starts) for starts in near]
    assert expected == covered(list(items), wanted, 3)


def test_no_noise_and_none_found_are_no_numbers() -> None:
    found = noise_score([3, 4], [False, True], [False, False])
    assert (None, 0.0) == (found.precision, found.recall)


def test_recall_of_classes_counts_each_class_once() -> None:
    """Nine listings found and the one article missed: half, not nine tenths."""
    assert 0.5 == mean_recall([("multiple", "multiple")] * 9 + [("multiple", "article")])


def test_an_interval_depends_on_the_seed_alone_and_holds_the_mean() -> None:
    values = [0.1, 0.9, 0.4, 0.6]
    first, again, other = mean(values, seed=1), mean(values, seed=1), mean(values, seed=2)
    assert first == again != other
    assert first is not None
    assert pytest.approx(0.5) == first.value
    assert first.low < first.value < first.high
