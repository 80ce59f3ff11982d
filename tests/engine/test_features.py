"""Features hold what they say, and have the same bits compiled and interpreted."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.build import EXAMPLES, held_landmarks, page_of, real_pages

from pagestrata import parse
from pagestrata.engine.engine import Engine
from pagestrata.engine.features import COLUMNS, Table, features_of
from pagestrata.engine.lexicon import Lexicon
from pagestrata.landmarks import landmarks_of
from pagestrata.landmarks.comments import line_words_of
from pagestrata.landmarks.words import name_groups, name_words
from pagestrata.native import IS_COMPILED
from pagestrata.native.features import MAX_STEPS

ODD = [
    b"",
    b"<p>x",
    b"<body>" + b"<div>" * 400 + b"deep",
    b"<ul>" + b"<li>a<ul><li>b</ul>" * 50,
    "<p class='größe Ünïted entryContent'>İstanbul ΣΑΣ 東京 12:30, 4 May 2024 € 5 ago</p>".encode(),
    b"<table><tr><td>a<td>b</table>" * 9 + b"<x-y id=zz>odd</x-y>",
]
DIGEST = """
import sys
from tests.engine.test_features import digest
print(digest(sys.argv[1:]))
"""


def features(body: str) -> Table:
    return features_of(held_landmarks(page_of(body)), Lexicon.empty())


def row(table: Table, name: str) -> list[float]:
    return [round(float(value), 4) for value in table[COLUMNS.index(name)]]


def digest(paths: list[str]) -> str:
    """A digest of all that is measured, decided and cut on these pages and the odd ones."""
    engine, seen = Engine(), hashlib.sha256()
    for data in [*ODD, *(Path(path).read_bytes() for path in paths)]:
        page = parse(data)
        answer = engine.segment(page)
        seen.update(features_of(landmarks_of(page), engine.model.lexicon).tobytes())
        seen.update(answer.decision.importance.tobytes())
        seen.update(answer.leaves.node_start.tobytes() + answer.leaves.kept.tobytes())
        seen.update(answer.confidence.hex().encode())
    return seen.hexdigest()


@pytest.mark.parametrize("source", ["examples", "real"])
def test_both_ways_agree(source: str) -> None:
    if not IS_COMPILED:
        pytest.skip("the loops are not compiled, or pure was asked for")
    paths = [str(path) for path in (EXAMPLES if source == "examples" else real_pages(25))]
    environment = os.environ | {"PAGESTRATA_PURE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", DIGEST, *paths]
    pure = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert digest(paths) == pure.stdout.strip()


def test_running_text_counts_long_lines_and_no_links() -> None:
    found = features("<p>one two three four five six seven eight</p><p>one two</p><p><a href=/>one two</a></p>")
    assert [8, 0.6, 0] == row(found, "prose")
    assert [0, 0, 1] == row(found, "link_share")


def test_signed_records_are_known_by_name_and_time() -> None:
    record = "<div><b>Ann</b>, 4 May 2024<p>What a fine day it was</p></div>"
    assert {1.0} == set(row(features(f"<section>{record * 3}</section>"), "signed"))
    assert {0.0} == set(row(features(f"<section>{record.replace('4 May 2024', 'wrote') * 3}</section>"), "signed"))


def test_bylines_are_counted_and_the_text_between_them_measured() -> None:
    stamp, text, word = "<p>Ann, 4 May 2024</p>", "<p>one two three four five six seven eight</p>", "<p>Yes</p>"
    found = features(stamp + text * 3 + (stamp + word) * 2)  # an article, then two comments
    assert [1, 1, 1, 1, 2, 2, 3, 3] == row(found, "stamps_before")
    assert [2, 2, 2, 2, 1, 1, 0, 0] == row(found, "stamps_after")
    assert {25.2} == set(row(found, "text_before_second_byline"))  # a short line counts three tenths of its words
    assert {3.0} == set(row(found, "text_after_second_byline"))
    assert [1.2, 9.2, 17.2, 25.2, 1.2, 1.5, 1.2, 1.5] == row(found, "prose_since_stamp")
    assert [0, 24, 16, 8, 0, 0.3, 0, 0.3] == row(found, "prose_until_stamp")
    assert [0, 0, 0, 0, 1, 1, 1, 1] == row(found, "after_longest")
    assert [1, 1, 1, 1, 0.0595, 0.0595, 0.0595, 0.0595] == row(found, "byline_gap_share")


def test_bylines_count_from_the_title_on() -> None:
    found = features("<p>Monday, 4 May 2024</p><h1>Mud</h1><p>Ann, 5 May 2024</p><p>It was not there</p>")
    assert [0, 0, 1, 1] == row(found, "stamps_before")


def test_the_core_is_where_the_text_is() -> None:
    text = "<p>" + "words that go on and on for a while " * 3
    found = features(f"<div><a href=/>menu</a></div><div>{text * 3}</div><div>foot</div>")
    assert [0, 1, 1, 1, 0] == row(found, "in_core")
    assert [1, 0, 0, 0, 1] == row(found, "blocks_from_core")
    assert [0, 0, 0, 0, 1] == row(found, "after_core")


def test_words_of_names_are_cut_at_capitals_and_short_ones_left() -> None:
    names = name_words(page_of("<div class='entryContent col-md-6' id=main>x</div>"))
    lines = line_words_of(held_landmarks(page_of("<div>entry content col main</div>")))
    assert list(lines.bucket[: lines.count]) == list(names.bucket[: names.count])


def test_words_of_lines_know_their_block() -> None:
    words = line_words_of(held_landmarks(page_of("<p>One two</p><p>TWO</p>")))
    assert [0, 0, 1] == list(words.place[: words.count])
    assert words.bucket[1] == words.bucket[2]


def test_the_element_with_the_title_and_the_article_are_measured() -> None:
    found = features("<div><h1>Mud</h1><p>one two three</p></div><article><p>four five six seven</p></article>")
    assert [0.125, 0.5, 1.0] == row(found, "title_share")
    assert [1, 2, 3] == row(found, "title_blocks")
    assert [0, 0, 0.5] == row(found, "article_share")


def test_the_text_up_to_the_next_heading_is_measured() -> None:
    found = features("<p>one</p><h2>two</h2><p>three four</p><h3>five</h3><p><a href=/>six</a></p>")
    assert [1, 3, 3, 2, 2] == row(found, "headed_words")
    assert [0, 0, 0, 0.4286, 0.4286] == row(found, "headed_links")


def test_the_names_of_the_nearest_elements_count_and_wrappers_do_not() -> None:
    near = f"near_{name_groups().index('related')}"
    body = "<div class='related-posts'><p>one</p>{}<p>two</p>{}</div><p>three</p>"
    plain, wrapped = (features(body.format(*marks)) for marks in (("", ""), ("<div><div>", "</div></div>")))
    assert [MAX_STEPS - 1, MAX_STEPS - 1, 0] == row(plain, near) == row(wrapped, near)


def test_the_comment_region_is_measured() -> None:
    text = "<p>one two three four five six seven eight</p>"
    found = features(f"<h1>Mud</h1>{text}<div id=comments>{text}</div>")
    assert [0, 0, 1] == row(found, "comment_found_by")
    assert [0, 0, 8] == row(found, "comment_words")
    assert [0, 0, 8.3] == row(found, "comment_prose_outside")
    assert {0.4706} == set(row(found, "comments_on_page"))


def test_what_the_page_says_of_itself_is_the_same_for_all_blocks() -> None:
    page = parse('<meta property="og:type" content="article"><p>one</p><p>two</p>')
    found = features_of(landmarks_of(page), Lexicon.empty())
    assert [1, 1] == row(found, "og_article")
    assert [0, 0] == row(found, "is_strict")
