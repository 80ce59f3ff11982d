from tests.build import page_of

from pagestrata import Page, parse
from pagestrata.algorithms.coverage import Coverage, Covering


def page(word: str) -> Page:
    return page_of(f'<div class="menu">home</div><div class="story"><p>{word} {word} pot</p><p>{word}{word}</p></div>')


def learned() -> Covering:
    return Coverage().learn([page(word) for word in ("tea", "mud")])


def test_coverage_by_hand() -> None:
    """`tea` twice and `teatea` once: the weights are 2/3 and 1/3, and each `p` holds one of the two."""
    values = [(wrapper.pattern.tag, round(wrapper.relevance, 9)) for wrapper in learned().ranked]
    div = 2 * (1 / 2) * 2 * 2
    first, second = 2 * (2 / 3 / 2) * 2 * 3, 2 * (1 / 3 / 2) * 2 * 3
    assert [("div", div), ("p", first), ("body", 2.0), ("p", second), ("html", 0.0)] == values


def test_the_lowest_of_those_that_cover_all_wins_whole() -> None:
    segmentation = learned().segment(page("fjord"))
    kept = [leaf.text for leaf in segmentation.sections[0].leaves() if leaf.kept]
    assert ["fjord fjord pot\nfjordfjord"] == kept


def test_one_page_has_no_signifiers_and_says_so() -> None:
    segmentation = Coverage().learn([page("tea")]).segment(page("tea"))
    assert 0.0 == segmentation.confidence
    assert "fewer than two pages" in segmentation.notes[0]


def test_an_empty_page_is_an_answer() -> None:
    assert () == tuple(leaf for leaf in learned().segment(parse("")).sections if leaf.kept)
