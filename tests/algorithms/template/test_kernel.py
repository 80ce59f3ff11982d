"""The kernel equals the reference, on everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, real_pages

from pagestrata import parse
from pagestrata.algorithms.template import _columns
from pagestrata.options import Options
from pagestrata.page.page import Page

kernel = pytest.importorskip(
    "pagestrata.algorithms.template._kernel", reason="the kernel was not built: there is nothing to compare"
)
pytestmark = pytest.mark.both

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
    ours, wanted = kernel.columns(page), _columns.columns(page)
    np.testing.assert_array_equal(wanted.nodes, ours.nodes)
    assert wanted.nodes.dtype == ours.nodes.dtype
    assert wanted[1:] == ours[1:]
    assert _columns.shapes(wanted.tag, wanted.parent) == kernel.shapes(ours.tag, ours.parent)
    children: list[list[int]] = [[] for _ in wanted.parent]
    for node, parent in enumerate(wanted.parent[1:], 1):
        children[parent].append(node)
    assert _columns.preorder(children) == kernel.preorder(children) == (list(range(len(children))), wanted.parent)


@settings(max_examples=500, deadline=None)
@given(pages, st.sampled_from([2, 5, 511]))
def test_columns_are_equal_on_generated_pages(markup: str, max_depth: int) -> None:
    assert_same_columns(parse(markup, options=Options(max_depth=max_depth)))


@pytest.mark.parametrize("markup", [b"", b"<p>", b"one", "<p>\ud800"])
def test_columns_are_equal_on_little(markup: bytes | str) -> None:
    assert_same_columns(parse(markup))


def test_columns_are_equal_on_the_example() -> None:
    for path in EXAMPLES:
        assert_same_columns(parse(path.read_bytes()))


def test_columns_are_equal_on_real_pages() -> None:
    for path in real_pages(60):
        assert_same_columns(parse(path.read_bytes()))
