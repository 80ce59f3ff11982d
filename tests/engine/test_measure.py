"""The loops give the same bits compiled and as Python runs them, on any page."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.build import EXAMPLES, page_of, real_pages

from pagestrata import parse
from pagestrata.engine.engine import Engine
from pagestrata.engine.features import COLUMNS, Features, features_of
from pagestrata.engine.lexicon import Lexicon, line_words, name_words
from pagestrata.native import IS_COMPILED

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
from tests.engine.test_measure import digest
print(digest(sys.argv[1:]))
"""


def features(body: str) -> Features:
    return features_of(page_of(body), Lexicon.empty())


def row(found: Features, name: str) -> list[float]:
    return [round(float(value), 4) for value in found.table[COLUMNS.index(name)]]


def digest(paths: list[str]) -> str:
    """Of all that is measured and decided on these pages and the odd ones."""
    engine, seen = Engine(), hashlib.sha256()
    for data in [*ODD, *(Path(path).read_bytes() for path in paths)]:
        page = parse(data)
        seen.update(features_of(page, engine.model.lexicon).table.tobytes())
        seen.update(repr(engine.segment(page).kept_blocks).encode())
        seen.update(engine.segment(page).confidence.hex().encode())
    return seen.hexdigest()


@pytest.mark.parametrize("source", ["examples", "real"])
def test_both_ways_agree(source: str) -> None:
    if not IS_COMPILED:
        pytest.skip("the loops are not compiled, or pure was asked for")
    paths = [str(path) for path in (EXAMPLES if source == "examples" else real_pages(25))]
    environment = os.environ | {"PAGESTRATA_PURE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", DIGEST, *paths]
    told = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert digest(paths) == told.stdout.strip()


def test_running_text_counts_long_lines_and_no_links() -> None:
    found = features("<p>one two three four five six seven eight</p><p>one two</p><p><a href=/>one two</a></p>")
    assert [8, 0.6, 0] == row(found, "prose")
    assert [0, 0, 1] == row(found, "link_share")


def test_signed_records_are_known_by_name_and_time() -> None:
    record = "<div><b>Ann</b>, 4 May 2024<p>What a fine day it was</p></div>"
    assert {1.0} == set(row(features(f"<section>{record * 3}</section>"), "signed"))
    assert {0.0} == set(row(features(f"<section>{record.replace('4 May 2024', 'wrote') * 3}</section>"), "signed"))


def test_talk_is_told_by_the_lines_that_sign_it_and_the_text_between() -> None:
    stamp, text, word = "<p>Ann, 4 May 2024</p>", "<p>one two three four five six seven eight</p>", "<p>Yes</p>"
    found = features(stamp + text * 3 + (stamp + word) * 2)  # an article, then two comments
    assert [1, 1, 1, 1, 2, 2, 3, 3] == row(found, "stamps_before")
    assert [2, 2, 2, 2, 1, 1, 0, 0] == row(found, "stamps_after")
    assert {25.2} == set(row(found, "talk_lead"))  # a short line counts three tenths of its words
    assert {3.0} == set(row(found, "talk_rest"))
    assert [1.2, 9.2, 17.2, 25.2, 1.2, 1.5, 1.2, 1.5] == row(found, "prose_since_stamp")
    assert [0, 24, 16, 8, 0, 0.3, 0, 0.3] == row(found, "prose_until_stamp")
    assert {3.0} == set(row(found, "stamps_near"))
    assert [0, 0, 0, 0, 1, 1, 1, 1] == row(found, "after_longest")
    assert [1, 1, 1, 1, 0.0595, 0.0595, 0.0595, 0.0595] == row(found, "own_stretch")


def test_talk_begins_with_the_title() -> None:
    page = page_of("<p>Monday, 4 May 2024</p><h1>Mud</h1><p>Ann, 5 May 2024</p><p>It was not there</p>")
    found = features_of(page, Lexicon.empty())
    assert [0, 0, 1, 1] == row(found, "stamps_before")


def test_the_core_is_where_the_text_is() -> None:
    text = "<p>" + "words that go on and on for a while " * 3
    found = features(f"<div><a href=/>menu</a></div><div>{text * 3}</div><div>foot</div>")
    assert [0, 1, 1, 1, 0] == row(found, "in_core")
    assert [1, 0, 0, 0, 1] == row(found, "blocks_from_core")
    assert [0, 0, 0, 0, 1] == row(found, "after_core")


def test_words_of_names_are_cut_at_capitals_and_short_ones_left() -> None:
    names, lines = (
        read(page_of(body))
        for read, body in (
            (name_words, "<div class='entryContent col-md-6' id=main>x</div>"),
            (line_words, "<div>entry content col main</div>"),
        )
    )
    assert list(lines.bucket[: lines.count]) == list(names.bucket[: names.count])


def test_words_of_lines_know_their_block() -> None:
    words = line_words(page_of("<p>One two</p><p>TWO</p>"))
    assert [0, 0, 1] == list(words.place[: words.count])
    assert words.bucket[1] == words.bucket[2]


def test_plain_lists_and_tables_have_one_importance_and_layout_has_not() -> None:
    found = features("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table><table><tr><td><p>e<td><p>f</table>")
    importance, whole = found.evened(np.array([0.0, 1, 0, 1, 0, 1]))
    assert [0.5, 0.5, 0.5, 0.5, 0, 1] == importance.tolist()
    assert [True, True, True, True, False, False] == [place >= 0 for place in whole]


def test_lines_of_text_side_by_side_have_one_importance_and_links_and_labels_their_own() -> None:
    line = "Eight words and no less make it text"
    found = features(f"<div><p>{line}<p>{line}<p>{line}<p>Label<p><a href=/>{line}</a></div><p>{line}")
    importance, _ = found.evened(np.array([1.0, 1, 0.25, 0.1, 0.2, 0.3]))
    assert [0.75, 0.75, 0.75, 0.1, 0.2, 0.3] == importance.tolist()
