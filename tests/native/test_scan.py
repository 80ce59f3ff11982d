"""Compiled and interpreted, survey and scan give the same results on any page; words and styles are as defined."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, real_pages
from turbohtml import Html

from pagestrata.native import scan as interpreted
from pagestrata.page import columns, tags
from pagestrata.page.text import UNSPACED_RANGES, words

compiled = pytest.importorskip("pagestrata.native._scan", reason="the kernels were not built")
for kernel in (compiled, interpreted):
    kernel.set_up(tags, columns, UNSPACED_RANGES)
TAGS = (
    "div p b i a span br pre td table tr ul li details summary dialog noscript canvas script title x-y o:p svg math "
    'textarea font hr img select option head iframe annotation é x<y template a"b style foreignObject DIV'
).split()
ATTRIBUTES = (
    "hidden",
    'style="display:none"',
    'style="DISPLAY : block"',
    'style="visibility:hidden;display:flex"',
    'style="xdisplay:none"',
    "aria-hidden=true",
    'aria-hidden="false"',
    "href=x",
    "open",
    'class="a b"',
    'a"b=c',
    "<i=2",
    'data-x="q>&lt;\'"',
    "xlink:href=1",
    "id=é",
    "日本=1",
    'data-lazy-srcset="a b"',
)
TEXTS = (
    "foo",
    "bar baz",
    " ",
    "\n",
    "&nbsp;",
    "&lt;",
    "&amp;lt;",
    "東京",
    "\x80\x9f",
    "\x7f",
    "\u2003",
    "ไทย",
    "_x9",
    "é",
    "<!-- c <b> > -->",
    "<?pi x?>",
    "&#13;",
    "&#129;",
    "😀𠀀",
    "a\u200bb",
    "\t\r\n",
    "<![CDATA[x]]>",
    '"',
    "='x'",
    "\u3000",
    *(f"</{tag}>" for tag in ("div", "p", "b", "pre", "table", "details", "script", "title", "svg", "style")),
)

start_tags = st.builds(
    lambda tag, attributes, end: f"<{tag}{''.join(' ' + attribute for attribute in attributes)}{end}",
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
    st.sampled_from([">", "/>"]),
)
pages = st.lists(st.one_of(start_tags, st.sampled_from(TEXTS), st.text(max_size=5)), max_size=40).map("".join)


def serialised(page: str | bytes) -> str:
    """The stream that the scan reads."""
    markup: str = turbohtml.parse(page, positions=False).serialize(Html(xml=True))
    return markup


def assert_same_scan(markup: str, max_depth: int = 511, max_attributes: int = 1000) -> columns.Scan:
    one = columns.Scan(*compiled.scan(markup, max_depth, max_attributes))
    other = columns.Scan(*interpreted.scan(markup, max_depth, max_attributes))
    for ours, wanted in zip(one[:3], other[:3], strict=True):
        np.testing.assert_array_equal(ours, wanted)
        assert (ours.dtype, ours.strides, ours.flags.writeable) == (wanted.dtype, wanted.strides, False)
    assert one[3:] == other[3:]
    return one


def assert_same_survey(data: bytes, tag_budget: int, rebuild_budget: int) -> tuple[int, int, int, int]:
    found: tuple[int, int, int, int] = compiled.survey(data, tag_budget, rebuild_budget)
    assert found == interpreted.survey(data, tag_budget, rebuild_budget)
    return found


@settings(max_examples=1500, deadline=None)
@given(pages, st.sampled_from([2, 4, 511]), st.sampled_from([1, 2, 1000]))
def test_scans_are_equal_on_generated_pages(page: str, max_depth: int, max_attributes: int) -> None:
    assert_same_scan(serialised(page), max_depth, max_attributes)


@settings(max_examples=500, deadline=None)
@given(pages)
def test_words_are_counted_as_defined(page: str) -> None:
    scanned = assert_same_scan(serialised(page))
    spans = scanned.blocks[[columns.BLOCK_TEXT_START, columns.BLOCK_TEXT_END]].T.tolist()
    assert scanned.blocks[columns.BLOCK_WORDS].tolist() == [len(words(scanned.text[a:b])) for a, b in spans]
    assert sum(scanned.words) == len(words(scanned.text))


DECLARATIONS = st.lists(
    st.sampled_from("display DISPLAY visibility : ; none None hidden table-cell ſ".split()) | st.sampled_from(" \t")
)


@settings(max_examples=500, deadline=None)
@given(DECLARATIONS.map("".join))
def test_styles_hide_and_make_blocks_as_defined(style: str) -> None:
    root = assert_same_scan(f'<span style="{style}"/>').nodes[columns.FLAGS, 0]
    hides = re.search(r"(?i)(?<![a-z-])(?:display\s*:\s*none|visibility\s*:\s*hidden)", style, re.ASCII)
    is_block = re.search(r"(?i)(?<![a-z-])display\s*:\s*(?:block|flex|grid|table|list-item)", style, re.ASCII)
    assert (tags.BY_STYLE if hides else 0, is_block is not None) == (
        (root & columns.HIDDEN_BITS) >> columns.HIDDEN_SHIFT,
        bool(root & columns.IS_BLOCK),
    )


def test_names_have_their_numbers_and_others_do_not() -> None:
    """Names are found by their last eight letters, and longer ones are then compared."""
    assert [*range(1, len(tags.TAGS))] == [
        assert_same_scan(f"<{name}/>").nodes[columns.TAG, 0] for name in tags.TAGS[1:]
    ]
    others = ["blockquotes", "xblockquote", "clockquote", "d\u0269v", "DIV", "aria-hidden"]
    scans = [assert_same_scan(f'<{name} {name}=""/>') for name in others]
    assert [(name,) for name in others] == [scanned.names for scanned in scans]
    assert [0, 0, 0, 0, 0, tags.ATTRIBUTE["aria-hidden"]] == [scanned.attributes[0, 0] for scanned in scans]


@settings(max_examples=1500, deadline=None)
@given(pages, st.integers(0, 20), st.integers(0, 20))
def test_surveys_are_equal_on_generated_pages(page: str, tag_budget: int, rebuild_budget: int) -> None:
    assert_same_survey(page.encode("utf-8", "replace"), tag_budget, rebuild_budget)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_surveys_are_equal_on_any_bytes(data: bytes) -> None:
    assert_same_survey(data, 3, 3)


def formatting_storm(seed: int) -> bytes:
    """Formatting tags opened, closed and mixed with blocks at random."""
    choose = random.Random(seed).choice
    pieces = [
        "<font size=1>",
        "<font size=2>",
        "<b>",
        "<i class=x>",
        "</font>",
        "</b>",
        "<p>",
        "</p>",
        "<FONT color=3>",
    ]
    return "".join(choose(pieces) + choose(["", "x"]) for _ in range(3000)).encode() + bytes(
        f"{''.join(f'<font c={n}><p>' for n in range(1200))}", "ascii"
    )


@pytest.mark.parametrize("data", [b"<script<a><template>", b"<b<i>" * 40 + b"<p>" * 40, b"</b<><b>" * 40 + b"<p>"])
def test_surveys_are_equal_on_names_that_go_on(data: bytes) -> None:
    """A second `<` belongs to the name of a tag: no script in the first of these, no formatting in the next."""
    assert_same_survey(data, 1_000, 10)


@pytest.mark.parametrize("seed", range(6))
def test_surveys_are_equal_on_open_formatting(seed: int) -> None:
    data = formatting_storm(seed)
    for budget in (10, 1_000, 50_000, 10_000_000):
        assert assert_same_survey(data, 10_000, budget)[2] >= 0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_scans_are_equal_on_the_examples(path: Path) -> None:
    assert_same_scan(serialised(path.read_bytes()))


def test_surveys_and_scans_are_equal_on_real_pages() -> None:
    for path in real_pages(60):
        assert_same_scan(serialised(path.read_bytes()))
        assert_same_survey(path.read_bytes(), 100, 100)


@pytest.mark.parametrize("markup", ["", "<html/>", "<a>x</a>", "<a><b>" * 3000, "x<br/>" * 9000])
def test_scans_are_equal_on_little_and_on_much(markup: str) -> None:
    """More rows than the tables have room for at first."""
    assert_same_scan(markup)


PIECES = """<p =" " b > / < & &lt; é 東 😀 <!-- --> <? ?> style="display:none hidden""".split()


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.just(" ")).map("".join))
def test_attributes_of_malformed_markup_end_with_it(markup: str) -> None:
    """Our parser writes no such markup; a kernel must not point past the end of it all the same."""
    attributes = assert_same_scan(markup, max_attributes=10).attributes
    assert (attributes[1:] <= len(markup)).all()
    assert (attributes[2] <= attributes[3]).all()
