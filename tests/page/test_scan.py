"""The kernel equals the reference, on everything."""

import random
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, real_pages
from turbohtml import Html

from pagestrata.page import _reference, columns, tags
from pagestrata.page.text import UNSPACED_RANGES

kernel = pytest.importorskip(
    "pagestrata.native._scan", reason="the kernels were not built: there is nothing to compare"
)
kernel.set_up(tags, columns, UNSPACED_RANGES)
pytestmark = pytest.mark.pure
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


def assert_same_scan(page: str | bytes, max_depth: int = 511, max_attributes: int = 1000) -> None:
    markup = turbohtml.parse(page, positions=False).serialize(Html(xml=True))
    ours = columns.Scan(*kernel.scan(markup, max_depth, max_attributes))
    wanted = _reference.scan(markup, max_depth, max_attributes)
    np.testing.assert_array_equal(ours.nodes, wanted.nodes)
    np.testing.assert_array_equal(ours.blocks, wanted.blocks)
    np.testing.assert_array_equal(ours.attributes, wanted.attributes)
    assert wanted[3:] == ours[3:]


@settings(max_examples=1500, deadline=None)
@given(pages, st.sampled_from([2, 4, 511]), st.sampled_from([1, 2, 1000]))
def test_scans_are_equal_on_generated_pages(page: str, max_depth: int, max_attributes: int) -> None:
    assert_same_scan(page, max_depth, max_attributes)


@settings(max_examples=1500, deadline=None)
@given(pages, st.integers(0, 20), st.integers(0, 20))
def test_surveys_are_equal_on_generated_pages(page: str, tag_budget: int, rebuild_budget: int) -> None:
    data = page.encode("utf-8", "replace")
    wanted = _reference.survey(data, tag_budget, rebuild_budget)
    assert wanted == kernel.survey(data, tag_budget, rebuild_budget)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_surveys_are_equal_on_any_bytes(data: bytes) -> None:
    assert _reference.survey(data, 3, 3) == kernel.survey(data, 3, 3)


@given(st.lists(st.integers(0, 3)))
def test_both_find_the_places_of_a_number(numbers: list[int]) -> None:
    column = np.array(numbers, np.int32)
    assert _reference.places_of(column, 2) == kernel.places_of(column, 2)


@settings(max_examples=1000, deadline=None)
@given(st.one_of(st.binary(max_size=12), st.text(max_size=6).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_both_know_utf8(data: bytes) -> None:
    for some in (data, data[:-1]):
        assert _reference.is_utf8(some) == kernel.is_utf8(some)
        assert _reference.decode_utf8(some) == kernel.decode_utf8(some)


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(["a", "sixteen letters.", "é", "–", "東京", "😀", "\0"]), max_size=30).map("".join))
def test_both_decode_runs_of_every_width(text: str) -> None:
    """Sixteen plain letters at a time are copied at once, so where they begin and end matters."""
    data = text.encode()
    assert text == kernel.decode_utf8(data)
    assert _reference.decode_utf8(data) == kernel.decode_utf8(data)


@pytest.mark.parametrize("lead", range(0x80, 0x100))
def test_both_know_utf8_by_its_second_byte(lead: int) -> None:
    for second in range(0x70, 0x100):
        for data in (
            bytes([lead]),
            bytes([lead, second]),
            bytes([lead, second, 0x80]),
            bytes([lead, second, 0x80, 0x80]),
        ):
            assert _reference.is_utf8(data) == kernel.is_utf8(data), data
            assert _reference.decode_utf8(data) == kernel.decode_utf8(data), data


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
    assert _reference.survey(data, 1_000, 10) == kernel.survey(data, 1_000, 10)


@pytest.mark.parametrize("seed", range(6))
def test_surveys_are_equal_on_open_formatting(seed: int) -> None:
    data = formatting_storm(seed)
    for budget in (10, 1_000, 50_000, 10_000_000):
        wanted = _reference.survey(data, 10_000, budget)
        assert wanted == kernel.survey(data, 10_000, budget)
        assert wanted[2] >= 0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_scans_are_equal_on_the_examples(path: Path) -> None:
    assert_same_scan(path.read_bytes())


def test_scans_are_equal_on_real_pages() -> None:
    for path in real_pages(60):
        data = path.read_bytes()
        assert_same_scan(data)
        assert _reference.survey(data, 100, 100) == kernel.survey(data, 100, 100)


@pytest.mark.parametrize("markup", ["", "<html/>", "<a>x</a>"])
def test_scans_are_equal_on_next_to_nothing(markup: str) -> None:
    np.testing.assert_array_equal(kernel.scan(markup, 511, 10)[0], _reference.scan(markup, 511, 10).nodes)


@settings(max_examples=1000, deadline=None)
@given(
    st.lists(st.sampled_from(["<p", " a", "=", '"', "b", ">", "/", "<", "&", "é", "東", "😀", "<!--", "-->"])).map(
        "".join
    )
)
def test_attributes_of_malformed_markup_end_with_it(markup: str) -> None:
    """Our parser writes no such markup; a kernel must not point past the end of it all the same."""
    attributes = columns.Scan(*kernel.scan(markup, 511, 10)).attributes
    assert (attributes[1:] <= len(markup)).all()
    assert (attributes[2] <= attributes[3]).all()
