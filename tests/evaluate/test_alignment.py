"""Which words of a page are main text, and which come again on its siblings."""

from pagestrata import parse
from pagestrata.evaluate.alignment import keys_by_text, noise_truth, recurring, words_of
from pagestrata.evaluate.datasets import MainText
from pagestrata.evaluate.title_lines import shown_title, without_titles
from pagestrata.page.page import Page

MAIN = "Warm the pot before the leaves go in."


def page_of(body: str, title: str = "On tea") -> Page:
    return parse(f"<!DOCTYPE html><title>{title}</title><body>{body}", "https://tea.example/a/b.html")


def told(body: str, truth: MainText) -> dict[str, bool | None]:
    """What is said of each word."""
    words = words_of(page_of(body))
    return dict(zip(words.lowered, noise_truth(words, truth), strict=True))


def test_what_is_in_the_truth_is_no_noise_and_titles_and_comments_are_neither() -> None:
    found = told(
        f"<p>Menu<h1>Tea!</h1><p>{MAIN}<p>Mary wrote this nice remark",
        MainText(MAIN, ("Tea",), "Mary wrote this nice remark"),
    )
    assert (True, None, False, None) == (found["menu"], found["tea"], found["leaves"], found["remark"])


def test_a_few_words_of_the_truth_elsewhere_are_still_noise() -> None:
    words = words_of(page_of(f"<p>the pot<p>{MAIN}"))
    assert [True, True] == noise_truth(words, MainText(MAIN))[:2]


def test_hidden_words_are_not_counted() -> None:
    words = words_of(page_of("<p>Seen<p style='display:none'>unseen<p hidden>gone</p><noscript><p>never</noscript>"))
    assert ["seen"] == words.lowered


def test_chinese_needs_longer_runs() -> None:
    """Five characters that stand in the truth are noise where they stand alone; all eight are not."""
    words = words_of(page_of("<p>先温壶再放<p>先温壶再放茶叶吧"))
    assert [True] * 5 + [False] * 8 == noise_truth(words, MainText("先温壶再放茶叶吧"))


def test_an_empty_truth_makes_all_noise() -> None:
    assert {"menu": True} == told("<p>Menu", MainText(""))


def again(body: str, *siblings: str) -> list[str]:
    """The words that come again."""
    words = words_of(page_of(body))
    keys = [{key for own in keys_by_text(page_of(each)).values() for key in own} for each in siblings]
    found = recurring(words, keys_by_text(words.page), keys)
    return [word for word, here in zip(words.lowered, found, strict=True) if here]


def test_text_recurs_when_half_of_the_siblings_have_it_at_the_same_path() -> None:
    body = "<p>Imprint<div><p>fresh</div>"
    assert ["imprint"] == again(body, "<p>IMPRINT ", "<p>other")
    assert [] == again(body, "<p>Imprint", "<p>other", "<p>third")
    assert [] == again(body, "<div>Imprint</div>")
    assert [] == again(body)


def test_a_link_recurs_whatever_it_says() -> None:
    assert ["next"] == again("<p><a href='/x'>Next</a> more", "<p><a href='https://tea.example/x'>Go on</a>")


def test_titles_are_whole_lines_and_go_once() -> None:
    assert "Tea time\nOn tea" == without_titles("On TEA\nTea time\nOn tea", ["On tea"])
    assert "" == without_titles("", ["On tea"])


def test_without_a_told_title_the_longest_line_that_is_in_the_title_is_it() -> None:
    page = page_of("<p>The Kettle<h2>On tea and more</h2><p>On tea", "On tea and more - The Kettle")
    assert "On tea and more" == shown_title(page)
    assert shown_title(page_of("<p>Tea", "")) is None
