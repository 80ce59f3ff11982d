"""Compiled and interpreted, the loops of the template give the same results on any page."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, real_pages

from pagestrata import parse
from pagestrata.algorithms.template import Structure, Template, TemplateBuilder, TemplateLearner, structure_of
from pagestrata.algorithms.template.features import long_text_features, text_features
from pagestrata.algorithms.template.labels import number
from pagestrata.algorithms.template.loops import columns, structure_loops
from pagestrata.algorithms.template.match import in_lists, required_nodes
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage

interpreted = pytest.importorskip("pagestrata.native.template")
compiled = pytest.importorskip("pagestrata.native._template", reason="the kernels were not built")

INTERPRETED, COMPILED = structure_loops(interpreted), structure_loops(compiled)
TAGS = "div p b a span ul li table tr td img video noscript script select option x-y o:p é svg h1 pre br".split()
ATTRIBUTES = (
    "class=post",
    'class="post-42 wide"',
    "class=42",
    'class="&lt;x"',
    'class="a\x07b"',
    f'class="{"x" * 90}"',
    'class="é"',
    "id=main",
    'id=" main-2"',
    'id=""',
    "href=/x",
    "src=a.png",
)
TEXTS = (
    "foo",
    "bar baz",
    " ",
    "東京",
    "😀",
    "é",
    "&amp;",
    "<!-- c -->",
    *(f"</{tag}>" for tag in ("div", "p", "b", "a")),
)

start_tags = st.builds(
    lambda tag, attributes: f"<{tag}{''.join(' ' + attribute for attribute in attributes)}>",
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
)
pages = st.lists(st.one_of(start_tags, st.sampled_from(TEXTS), st.text(max_size=5)), max_size=40).map("".join)


def assert_same_columns(page: Page) -> None:
    ours, theirs = columns(page, COMPILED), columns(page, INTERPRETED)
    np.testing.assert_array_equal(theirs[0], ours[0])
    assert theirs[0].dtype == ours[0].dtype
    assert theirs[1:] == ours[1:]
    tag, parent = ours[1], ours[2]
    assert INTERPRETED.shapes(tag, parent) == COMPILED.shapes(tag, parent) == ours[5]
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent[1:], 1):
        children[above].append(node)
    in_order = list(range(len(children))), parent
    assert interpreted.preorder(children) == compiled.preorder(children) == in_order


@settings(max_examples=500, deadline=None)
@given(pages, st.sampled_from([2, 5, 511]))
def test_columns_are_equal_on_generated_pages(markup: str, max_depth: int) -> None:
    assert_same_columns(parse(RawPage(markup), options=Options(max_depth=max_depth)))  # a text may look like a path


@pytest.mark.parametrize("markup", [b"", b"<p>", b"one", "<p>\ud800"])
def test_columns_are_equal_on_little(markup: bytes | str) -> None:
    assert_same_columns(parse(markup))


def test_columns_are_equal_on_the_example() -> None:
    for path in EXAMPLES:
        assert_same_columns(parse(path.read_bytes()))


def test_columns_are_equal_on_real_pages() -> None:
    for path in real_pages(60):
        assert_same_columns(parse(path.read_bytes()))


def test_the_inverse_of_the_base_is_one() -> None:
    assert 1 == interpreted.BASE * interpreted.BASE_INVERSE % 2**64


def test_equal_texts_and_equal_structures_have_equal_hashes() -> None:
    """Wherever they stand on the page; others have other hashes."""
    one, two, other = (
        "<ul class=a><li>same <b>é</b></ul>",
        "<ul class=a><li>same <b>é</b></ul>",
        "<ul><li>sane 東</ul>",
    )
    page = structure_of(parse(f"<p>x</p>{one}<p>between</p>{two}{other}"))
    lists = [node for node, tag in enumerate(page.tag) if tag == "ul"]
    for column in (page.form, page.content):
        first, second, third = (column[node] for node in lists)
        assert first == second != third
        assert all(0 <= number < 2**52 for number in column)


tables = st.integers(0, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 4.1]), min_size=width, max_size=width), max_size=5
    )
)


@settings(max_examples=500, deadline=None)
@given(tables, st.integers(0, 31))
def test_alignments_are_equal(scores: list[list[float]], bits: int) -> None:
    """Worths from a few values, so that there are many ties."""
    repeats = [bool(bits >> place & 1) for place in range(len(scores))]
    assert interpreted.align(scores, repeats) == compiled.align(scores, repeats)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_likenesses_are_equal(one: int, other: int) -> None:
    for a, b in ((one, other), (one, one & other), (one, one), (0, other)):
        assert interpreted.likeness(a, b) == compiled.likeness(a, b)


def grown(paths: list[Path]) -> tuple[TemplateBuilder, Structure]:
    """A template of some pages, and the structure of the last of them."""
    builder = TemplateLearner().builder()
    structures = [structure_of(parse(path.read_bytes())) for path in paths]
    for structure in structures:
        builder.add(structure.page, structure)
    return builder, structures[-1]


def test_fits_are_equal_on_the_example() -> None:
    builder, page = grown(EXAMPLES[:4])
    tree = builder.tree
    shape = tree.shapes()
    for node in range(len(tree)):
        for child in range(0, len(page), 7):
            arguments = tree, shape[node], node, page, child
            assert interpreted.fit(*arguments) == compiled.fit(*arguments)


def assert_same_match(template: Template, page: Page) -> None:
    """Twice, since subtrees that were seen take another way."""
    tree, structure = template.tree(), structure_of(page)
    if not len(tree) or not len(structure):
        return
    tables = tree, tree.shapes(), required_nodes(tree), in_lists(tree)
    ours, theirs = compiled.MatchLoops(*tables), interpreted.MatchLoops(*tables)
    for _ in range(2):
        our_nodes, their_nodes = np.full((2, len(page.nodes)), -1, np.int32)
        assert theirs.places(structure, their_nodes) == ours.places(structure, our_nodes)
        np.testing.assert_array_equal(their_nodes, our_nodes)


def assert_same_noise(template: Template, page: Page) -> None:
    match = template.match(page)
    for own in (0, 1):
        counted = template.known, template.by_path, own
        arguments = (match.leaves, match.places, *counted, text_features, long_text_features, number)
        shares = interpreted.recurring(*arguments)
        assert shares == compiled.recurring(*arguments)
        columns = page.blocks.node_start, page.blocks.node_end, page.blocks.characters
        ours, theirs = np.zeros((2, 2, len(page.blocks)))
        compiled.block_means(match.leaves, shares, *columns, *ours)
        interpreted.block_means(match.leaves, shares, *columns, *theirs)
        np.testing.assert_array_equal(theirs, ours)


@settings(max_examples=200, deadline=None)
@given(st.lists(pages, min_size=2, max_size=3))
def test_matches_and_noise_are_equal_on_generated_pages(markups: list[str]) -> None:
    """The first half of a page is on two, so that something recurs."""
    sample = [parse(RawPage(markup)) for markup in (*markups, markups[0][: len(markups[0]) // 2])]
    template = TemplateLearner().learn(sample)
    for page in sample:
        assert_same_match(template, page)
        assert_same_noise(template, page)


def test_matches_and_noise_are_equal_on_the_example() -> None:
    sample = [parse(path.read_bytes()) for path in EXAMPLES[:4]]
    template = TemplateLearner().learn(sample[:3])
    assert template.noise(sample[3]).any()
    for page in sample:
        assert_same_match(template, page)
        assert_same_noise(template, page)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("aZ é9٣ \t\u2003\x1cß"), max_size=8))
def test_plain_texts_have_the_features_that_any_text_has(text: str) -> None:
    """The short way for texts without digits and odd white space gives the same."""
    for module in (compiled, interpreted):
        features = module.read_text(text, 0, len(text), 1, text_features, long_text_features)
        assert features == (text_features(text) if text else ())
