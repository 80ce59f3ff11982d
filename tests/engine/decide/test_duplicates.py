"""A text that stands on a page twice is recognised, and returned once."""

import numpy as np
from tests.build import held_landmarks, page_of

import pagestrata
from pagestrata.engine.decide.duplicates import suppress_duplicates
from pagestrata.engine.decide.smooth import smooth_groups
from pagestrata.engine.features import COLUMNS, features_of
from pagestrata.engine.lexicon import Lexicon

LINE = "One line of text that is long enough to count."
OTHER = "Another line of text that is as long as this."


def row(body: str, name: str) -> list[float]:
    table = features_of(held_landmarks(page_of(body)), Lexicon.empty())
    return [round(float(value), 2) for value in table[COLUMNS.index(name)]]


def unique(body: str, scores: list[float]) -> list[float]:
    landmarks = held_landmarks(page_of(body))
    importance: list[float] = suppress_duplicates(smooth_groups(np.array(scores), landmarks), landmarks).tolist()
    return importance


def test_copies_are_counted() -> None:
    body = f"<p>{LINE}</p><div><p>{OTHER}</p><p>{LINE}</p></div><p>{LINE}</p>"
    assert [3, 1, 3, 3] == row(body, "copies")


def test_the_start_of_a_line_that_another_line_has_is_recognised() -> None:
    teaser = "One line of text that is cut off"  # 3 of its 5 runs of four words; two of them are in all three lines
    assert [0.43, 0.29, 0.6] == row(f"<p>{LINE}</p><p>{OTHER}</p><div>{teaser}</div>", "shingles_elsewhere")


def test_containers_are_measured_by_their_share_of_copies() -> None:
    body = f"<section><div><p>{LINE}</p></div></section><section><div><p>{LINE}</p><p>{OTHER}</p></div></section>"
    assert [1.0, 0.5, 0.5] == row(body, "copied_2")


def test_all_but_the_most_important_copy_are_suppressed() -> None:
    layout = f"<p>{LINE}</p><h2>x</h2>"
    body = f"<div>{layout}</div><section>{layout}</section><aside>{layout}</aside>"
    assert [0, 0.5, 0.9, 0.5, 0, 0.5] == unique(body, [0.8, 0.5, 0.9, 0.5, 0.1, 0.5])
    assert [0.8, 0.5, 0, 0.5, 0, 0.5] == unique(body, [0.8, 0.5, 0.8, 0.5, 0.8, 0.5])


def test_a_text_that_is_repeated_between_others_stays() -> None:
    body = f"<div><h2>a</h2><p>{LINE}</p><h2>b</h2></div><div><h2>c</h2><p>{LINE}</p><h2>d</h2></div>"
    assert [0.5, 0.9, 0.5, 0.5, 0.8, 0.5] == unique(body, [0.5, 0.9, 0.5, 0.5, 0.8, 0.5])


def test_short_lines_refrains_and_tables_stay() -> None:
    assert [0.9, 0.8] == unique("<div><p>Read more</p></div><section><p>Read more</p></section>", [0.9, 0.8])
    assert [0.9, 0.7, 0.8] == unique(f"<div><p>{LINE}</p><h2>x</h2><p>{LINE}</p></div>", [0.9, 0.7, 0.8])
    table = f"<table><tr><td>1<td>{LINE}</tr></table>"
    assert 0 not in unique(f"<div>{table}</div><section>{table}</section>", [0.9, 0.9, 0.8, 0.8])


def test_the_text_has_it_once_and_the_section_says_why() -> None:
    line = "<p>Sentence {} of the story tells of the long way to the sea, of rain and of wind.</p>"
    story = "".join(map(line.format, range(9)))  # once for wide screens, and once for narrow ones
    page = pagestrata.extract(f"<html><body><h1>The way</h1><div>{story}</div><div>{story}</div></body></html>")
    assert 1 == page.text.count("Sentence 4 of the story")
    dropped = [section for section in page.leaves() if not section.kept]
    assert any("repeats another part of the page" in section.reasons for section in dropped)
