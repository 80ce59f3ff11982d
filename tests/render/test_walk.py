"""What all formats write alike."""

from importlib import import_module

import numpy as np
import pytest
from tests.build import EXAMPLES, kept

from pagestrata import Extraction, Options, extract
from pagestrata.native import IS_COMPILED
from pagestrata.page import tags
from pagestrata.render.walk import shown_nodes, tag_table, walk

WORDS = ("<p>" + "word " * 60 + "</p>") * 3


def under_title(article: str, **options: bool) -> Extraction:
    """An article under the title that its site writes, all of it kept."""
    page = f"<title>Mud banks</title><header><h1>Mud banks</h1></header><article>{article}</article>"
    found = extract(page, options=Options(keep=("article",), **options))  # type: ignore[arg-type]
    assert found.title_section is not None
    return found


@pytest.mark.parametrize("heading", ["<h1>Mud banks</h1>", "<h2> <b>Mud</b>\nbanks</h2>"])
def test_a_heading_that_says_the_title_again_is_not_written_under_it(heading: str) -> None:
    found = under_title(heading + WORDS)
    assert [1, 1, 1] == [found.render(name).count("Mud") for name in ("md", "html", "xml")]


def test_it_is_written_where_the_title_is_not() -> None:
    article = f"<h1>Mud banks</h1>{WORDS}"
    assert 1 == under_title(article).text.count("Mud banks")
    assert 1 == under_title(article, title_in_text=True).text.count("Mud banks")
    assert 1 == under_title(article, title_in_markdown=False).markdown.count("Mud banks")


@pytest.mark.parametrize(
    ("picture", "is_written"),
    [("<div><img src=/a.png></div>", True), ("<a href=/share><img src=/a.png></a>", False)],
)
def test_a_picture_before_the_text_is_written_unless_it_is_a_link(picture: str, is_written: bool) -> None:
    page = "<title>Mud</title><body><nav><a href=/>Home</a></nav><main>{}<h1>Mud banks</h1>{}<div>{}</div></main>"
    for body in (page.format(picture, "", WORDS), page.format("", picture, WORDS)):
        found = extract(body, "https://example.org/")
        assert is_written == ("![](https://example.org/a.png)" in found.markdown)
        assert found.text.startswith("word")


def test_another_heading_and_a_later_one_stay() -> None:
    found = under_title(f"<h1>Mud banks move</h1>{WORDS}<h2>Mud banks</h2>{WORDS}")
    assert 3 == found.markdown.count("Mud banks")


def test_steps_have_the_elements_that_end_and_the_gaps() -> None:
    found = kept("<div><p>a <b>b</b>c</p></div><p>d<br>e</p>")
    names = found.page.nodes.names
    steps = walk(found.page, shown_nodes(found), tag_table([tags.TAG["p"], tags.TAG["b"]]))
    described = [(found.page.text_of(node) if tag == 0 else names[tag], ended, gap) for node, tag, ended, gap in steps]
    assert [
        ("p", 0, ""),
        ("a", 0, "\n\n"),
        ("b", 0, ""),
        ("b", 0, " "),
        ("c", 1, ""),
        ("p", 1, ""),
        ("d", 0, "\n\n"),
        ("e", 0, "\n"),
    ] == described


@pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_compiled_and_interpreted_walks_are_equal(path) -> None:  # type: ignore[no-untyped-def]
    found = extract(path.read_bytes())
    page, shown = found.page, shown_nodes(found)
    nodes = page.nodes
    columns = (nodes.tag, nodes.end, nodes.flags, nodes.text_start, nodes.text_end, page.blocks.node_start, shown)
    interpreted = import_module("pagestrata.native.walk").Walk(
        *(column.tolist() for column in columns), [1], 0, [0] * (len(nodes) + 1), page.text
    )
    assert list(walk(page, shown)) == interpreted.take(len(nodes) + 1)
    assert np.count_nonzero(shown) == len(list(walk(page, shown)))
