"""Chunks: a worked example, then what may not be cut, sizes, joins and posts, then real pages."""

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from tests.build import kept, real_pages

from pagestrata import Extraction, Options, extract
from pagestrata.errors import UsageError
from pagestrata.page.text import words

SENTENCE = "Mud is what is left when the tide has gone. "
TEXTS = [" ".join(f"{name} {SENTENCE.strip()}" for _ in range(4)) for name in ("Mill", "Weir", "Dyke", "Lock")]
ARTICLE = (
    f"<title>Mud</title><article><h1>Mud</h1><p>{TEXTS[0]}</p><h2 id='the tides'>Tides</h2><p>{TEXTS[1]}</p>"
    f"<h3>Spring</h3><p>{TEXTS[2]}</p><section id=eels><h2>Eels</h2><p>{TEXTS[3]}</p></section></article>"
)
ADDRESS = "https://mud.example/mud"


def article() -> Extraction:
    return extract(ARTICLE, ADDRESS)


def test_a_worked_example() -> None:
    chunks = article().chunks(max_words=50)
    assert [(), ("Tides",), ("Tides", "Spring"), ("Eels",)] == [chunk.heading_path for chunk in chunks]
    assert [ADDRESS, f"{ADDRESS}#the%20tides", f"{ADDRESS}#the%20tides", f"{ADDRESS}#eels"] == [
        chunk.url for chunk in chunks
    ]
    assert f"## Eels\n\n{TEXTS[3]}\n" == chunks[-1].markdown
    assert (45, None, "Mud", "main") == (chunks[-1].words, chunks[-1].tokens, chunks[-1].title, chunks[-1].role.value)
    assert 0.5 <= chunks[-1].importance <= 1


def test_small_neighbours_join_first_under_one_heading() -> None:
    chunks = article().chunks(max_words=92, min_words=60)
    assert [(), ("Tides",), ("Eels",)] == [chunk.heading_path for chunk in chunks]
    assert 4 == len(article().chunks(max_words=92, min_words=0))
    (whole,) = article().chunks(max_words=1000)
    assert ((), article().markdown) == (whole.heading_path, f"# Mud\n\n{whole.markdown}")


def test_a_long_section_is_cut_between_blocks_into_pieces_of_one_size() -> None:
    chunks = kept(f"<h2>A</h2>{f'<p>{SENTENCE}</p>' * 10}").chunks(max_words=70)
    assert [51, 50] == [chunk.words for chunk in chunks]
    assert [("A",)] * 2 == [chunk.heading_path for chunk in chunks]


def test_tokens_can_be_counted_by_the_caller() -> None:
    chunks = kept(f"<p>{SENTENCE}</p>" * 10).chunks(max_words=100, count_tokens=len)
    assert all(chunk.tokens == len(chunk.markdown) <= 101 for chunk in chunks)
    assert 5 == len(chunks)


def test_the_end_of_a_cut_piece_is_repeated() -> None:
    first, second = kept(f"<h2>A</h2>{''.join(f'<p>{n} {SENTENCE}</p>' for n in range(6))}").chunks(40, overlap=5)[:2]
    assert first.markdown.endswith("when the tide has gone.\n")
    assert second.markdown.startswith("when the tide has gone.\n\n")
    assert second.words <= 40


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        (f"<ul>{f'<li>{SENTENCE}</li>' * 6}</ul>", "- Mud"),
        (f"<table><tr><th>a<th>b</tr>{'<tr><td>Mud is here<td>and eels are there</tr>' * 6}</table>", "| a | b |"),
        (f"<pre>{'mud = eels + tides + rain + river' + chr(10)}</pre>" * 1, "```"),
    ],
    ids=["list", "table", "code"],
)
def test_lists_tables_and_code_are_cut_between_items_rows_and_lines(body: str, mark: str) -> None:
    chunks = kept(body * 3).chunks(max_words=24)
    assert all(chunk.markdown.startswith(mark) for chunk in chunks)
    assert all(
        line.startswith(("- Mud", "|", "```", "mud", "* Mud")) or not line
        for chunk in chunks
        for line in chunk.markdown.split("\n")
    )


def test_what_fits_is_not_cut() -> None:
    code = "\n".join(f"mud = eels({n})" for n in range(8))
    chunks = kept(f"<p>{SENTENCE * 3}</p><pre>{code}</pre>").chunks(max_words=40)
    assert [False, True] == [code in chunk.markdown for chunk in chunks]


def test_a_long_paragraph_is_cut_between_sentences_and_never_in_a_link() -> None:
    line = "Mud is [here and there](https://mud.example/a). "
    chunks = kept("<p>" + "Mud is <a href=https://mud.example/a>here and there</a>. " * 20 + "</p>").chunks(30)
    assert all(chunk.markdown.startswith("Mud is [here and there]") for chunk in chunks)
    assert line.strip() * 20 == "".join(chunk.markdown.strip().replace(". Mud", ".Mud") for chunk in chunks)


def test_a_line_that_cannot_be_cut_is_one_chunk() -> None:
    (chunk,) = kept("<p>" + "x" * 500 + "</p>").chunks(max_words=1)
    assert 1 == chunk.words


@pytest.mark.parametrize("sizes", [(10, 11), (10, 0, 10)])
def test_sizes_that_cannot_be(sizes: Any) -> None:
    with pytest.raises(UsageError, match="cannot be made"):
        article().chunks(*sizes)


def test_a_page_without_text_has_no_chunks() -> None:
    assert ([], "") == (extract("").chunks(), extract("").render("chunks"))


def test_they_are_written_as_lines_of_json() -> None:
    found = extract(ARTICLE, ADDRESS, Options(chunk_words=50))
    rows = [json.loads(line) for line in found.render("chunks").splitlines()]
    assert [chunk.markdown for chunk in found.chunks()] == [row["markdown"] for row in rows]
    assert ["Tides", "Spring"] == rows[2]["heading_path"]


def test_chunks_of_real_pages_hold_all_that_is_kept() -> None:
    for path in real_pages(40):
        found = extract(path.read_bytes(), options=Options(title_in_markdown=False))
        chunks = found.chunks(max_words=200, min_words=0)
        expected, pieces = (
            Counter(words(found.markdown)),
            Counter(word for each in chunks for word in words(each.markdown)),
        )
        assert (expected - pieces).total() <= 0.01 * expected.total(), path  # numbers of lists that a heading cuts
        assert all(chunk.words <= 200 for chunk in chunks if not chunk.markdown.startswith(("|", "-", "*", ">"))), path


def test_smaller_chunks_are_more() -> None:
    counts = [len(article().chunks(size)) for size in (1000, 100, 50, 20, 10)]
    assert all(few <= many for few, many in pairwise(counts))


def test_a_table_with_empty_rows_is_cut_too() -> None:
    rows = "<tr><td><td></tr>" + "<tr><td>Mud is here<td>and eels are there</tr><tr><td><td></tr>" * 6
    chunks = kept(f"<table>{rows}</table>").chunks(max_words=16)
    assert ["| Mud is here | and eels are there |"] * 6 == [
        line for chunk in chunks for line in chunk.markdown.split("\n") if "Mud" in line
    ]


def test_the_label_of_a_footnote_is_written_once_as_in_markdown() -> None:
    note = "<dl><dt>[1]<dd id=n1>Silt, mostly.</dl>"
    answer = kept(f'<p>Mud<a id=r1 href="#n1"><sup>1</sup></a> is soft. {SENTENCE}</p>{note}')
    (chunk,) = answer.chunks()
    assert answer.markdown == chunk.markdown


def test_roles_need_not_be_read_for_chunks() -> None:
    answer = article()
    kept_leaves = answer.segmentation.kept_leaves
    assert "parts" not in vars(answer.segmentation)
    pairs = zip(kept_leaves, (leaf for leaf in answer.leaves() if leaf.kept), strict=True)
    assert all(
        (one.node_start, one.role, one.importance, one.xpath)
        == (other.node_start, other.role, other.importance, other.xpath)
        for one, other in pairs
    )


def test_a_picture_below_the_title_is_in_the_chunk_of_the_text() -> None:
    page = ARTICLE.replace("</h1>", "</h1><img src=mud.jpg alt='Mud'>", 1)
    first, *_ = extract(page, ADDRESS).chunks(max_words=50)
    assert ("main", True) == (first.role.value, first.markdown.startswith("![Mud](https://mud.example/mud.jpg)\n\n"))
    assert TEXTS[0] in first.markdown
