"""Figures amid kept text, glossaries beside kept sections and headings between kept text are kept with it."""

import numpy as np
from tests.build import held_landmarks, page_of

from pagestrata.engine.decide.structures import keep_structures

THRESHOLD = 0.6
FIGURE = "<div><figure><img src=a.jpg><figcaption>A pot of tea</figcaption></figure></div>"


def kept(body: str, scores: list[float]) -> list[bool]:
    raised = keep_structures(np.array(scores), held_landmarks(page_of(body)), THRESHOLD)
    return [value >= THRESHOLD for value in raised.tolist()]


def test_a_figure_amid_text_is_kept_with_its_caption() -> None:
    assert [True] * 3 == kept(f"<article><p>One.{FIGURE}<div><p>Two.</div></article>", [0.9, 0.1, 0.9])


def test_a_figure_at_the_edge_of_the_text_or_in_another_element_is_not() -> None:
    assert [True, False] == kept(f"<article><p>One.{FIGURE}</article>", [0.9, 0.1])
    beside = f"<article><p>One.<p>Two.</article><aside><p>Also{FIGURE}</aside><p>Three."
    assert [True, True, False, False, True] == kept(beside, [0.9, 0.9, 0.1, 0.1, 0.9])


def test_a_caption_without_picture_and_a_linked_one_are_not() -> None:
    without = FIGURE.replace("<img src=a.jpg>", "")
    linked = FIGURE.replace("A pot of tea", "<a href=/x>A pot of tea</a>")
    assert [True, False, True] == kept(f"<p>One.{without}<p>Two.", [0.9, 0.1, 0.9])
    assert [True, False, True] == kept(f"<p>One.{linked}<p>Two.", [0.9, 0.1, 0.9])


def test_a_suppressed_copy_stays_dropped() -> None:
    assert [True, False, True] == kept(f"<p>One.{FIGURE}<p>Two.", [0.9, 0.0, 0.9])


def test_a_heading_between_kept_text_is_kept_if_it_heads_text_of_its_own_element() -> None:
    assert [True] * 3 == kept("<section><p>One.</section><section><h2>Two</h2><p>Three.</section>", [0.9, 0.1, 0.9])
    assert [False, True] == kept("<h2>One</h2><p>Two.", [0.1, 0.9])
    assert [True, False, True] == kept("<p>One.<div><h2>Two</h2></div><p>Three.", [0.9, 0.1, 0.9])


SECTION = "<section><h2>Pots</h2><p>Clay.</section>"
GLOSSARY = "<section><h2>Short</h2><dl><dt>P<dd>see <a href={}>pots</a></dl></section>"


def test_a_glossary_beside_kept_sections_is_kept_with_its_heading() -> None:
    scores = [0.9, 0.9, 0.9, 0.9, 0.2, 0.2, 0.2]
    assert [True] * 7 == kept(SECTION * 2 + GLOSSARY.format("#pots"), scores)
    assert [True] * 4 + [False] * 3 == kept(SECTION * 2 + GLOSSARY.format("/pots"), scores)
    assert [True, True, *[False] * 3] == kept(SECTION + GLOSSARY.format("#pots"), [0.9, 0.9, 0.2, 0.2, 0.2])


def test_a_glossary_below_a_kept_heading_is_kept_but_not_for_the_title_alone() -> None:
    page = "<h{}>Tea</h{}><p>All about it.</p><h3>Words</h3><dl><dt>Pot<dd>What it is made in.</dl>"
    scores = [0.9, 0.9, 0.2, 0.2, 0.2]
    assert [True] * 5 == kept(page.format(2, 2), scores)
    assert [True, True, *[False] * 3] == kept(page.format(1, 1), scores)


def test_a_list_that_a_sentence_announces_is_kept_though_it_consists_of_links() -> None:
    links = "<ul><li><a href=/a>Cups</a><li><a href=/b>Pots</a></ul>"
    sentence = "<p>All that one needs for tea is on these pages{}</p>"
    assert [True] * 3 == kept(sentence.format(":") + links, [0.9, 0.2, 0.2])
    assert [True] * 3 == kept(sentence.format(":") + links, [0.9, 0.9, 0.2])
    assert [True, False, False] == kept(sentence.format(".") + links, [0.9, 0.2, 0.2])
    assert [True, False, False] == kept("<p>Read more:" + links, [0.9, 0.2, 0.2])
    assert [False] * 3 == kept(sentence.format(":") + links, [0.2, 0.2, 0.2])


def test_nothing_is_raised_where_nothing_is_kept() -> None:
    assert [False] * 3 == kept(f"<p>One.{FIGURE}<p>Two.", [0.1, 0.1, 0.1])
