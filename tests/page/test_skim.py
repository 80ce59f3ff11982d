"""What a page never shows is left out before the parser reads it, and the page comes out the same."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, real_pages

from pagestrata.native import skim as interpreted
from pagestrata.options import Options
from pagestrata.page import parse
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.page.scan import skim

pytestmark = pytest.mark.pure


def leave_all(data: bytes, with_json_ld: bool) -> tuple[bytes, bool, bool, tuple[bytes, ...]]:
    """Skim nothing: the parser reads the page as it stands."""
    return data, False, False, ()


def skimmed(page: bytes) -> tuple[bytes, bool]:
    """What is left of it, and whether all that is never content is empty."""
    left, all_empty, _, _ = skim(page, with_json_ld=False)
    return left, all_empty


def test_scripts_styles_and_drawings_are_emptied() -> None:
    page = b"<style>p{}</style><p>Text</p><script src=x>if (a<b) {}</script><svg a='>'><g><path d='M1'/></g></svg>end"
    assert skimmed(page) == (b"<style></style><p>Text</p><script src=x></script><svg a='>'></svg>end", True)


@pytest.mark.parametrize(
    "page",
    [
        b'<script type="application/ld+json">{"a": 1}</script>',
        b"<script type='APPLICATION/LD+JSON'>{}</script>",
        b"<script type=application/ld&#43;json>{}</script>",
        b'<script type="math/tex; mode=display">x</script>',
        b"<svg><title>A picture</title><path/></svg>",
        b"<template>x</template>",
    ],
)
def test_what_is_read_later_stays(page: bytes) -> None:
    assert skimmed(page) == (page, False)


@pytest.mark.parametrize(
    "page",
    [
        b"<!-- <script>a</script> -->",
        b"<!--> --><p title='<script>a</script>'>",
        b"<title><script>a</script></title>",
        b"<textarea><style>a</style></textarea>",
        b"<!x <script>",
        b"</ <script>",
        b"<p a='<svg>",
        b"<a b=<script>a</script>",
        b"<scripty>a</scripty>",
    ],
)
def test_what_only_looks_like_a_script_stays(page: bytes) -> None:
    assert skimmed(page)[0] == page


@pytest.mark.parametrize(
    "start",
    [
        b"<math><mi><b></math>",
        b"<frameset>",
        b"<plaintext>",
        b"<svg><p>",
        b"<svg><g></svg>",
        b"<svg><foreignObject></svg></foreignObject>",
        b"<svg><title><b></title></svg>",
        b"<svg><style><b></style></svg>",
        b"<svg>" * 65 + b"</svg>" * 65,
        b"<script><!--<script>a</script>--></script>",
        b"<iframe>",
    ],
)
def test_after_what_it_is_not_sure_of_all_stays(start: bytes) -> None:
    page = start + b"<script>a</script><style>b</style>"
    assert skimmed(page) == (page, False)


def test_it_takes_up_again_where_text_ends() -> None:
    page = b"<title>a<b</title><script>x</script><!----!><script>x</script><!---><svg/><script>x</script><p a=b/>"
    assert skimmed(page) == (page.replace(b">x<", b"><"), True)


LINKED_DATA = b'<script type="application/ld+json">{}</script>'


@pytest.mark.parametrize(
    "said", [b'type="application/ld+json"', b"id=a TYPE = 'Application/LD+json'", b"type=application/ld+json"]
)
def test_json_ld_may_be_left_out_too(said: bytes) -> None:
    page = b"<script " + said + b">{}</script>"
    assert skim(page, with_json_ld=True) == (page.replace(b"{}", b""), True, True, (b"{}",))


@pytest.mark.parametrize(
    "start", [b"<table>", b"<template>", b"<script type='application/ld+json;'>", b"<script id='&' type=a>"]
)
def test_json_ld_stays_where_the_tree_may_have_it_in_another_order(start: bytes) -> None:
    page = start + b"</script>" + LINKED_DATA
    assert skim(page, with_json_ld=True)[::3] == (page, ())


@pytest.mark.parametrize("end", [b"<template shadowrootmode=open>", b"<frameset>"])
def test_json_ld_stays_before_what_may_move_or_drop_it(end: bytes) -> None:
    page = LINKED_DATA + end
    assert skim(page, with_json_ld=True)[::3] == (page, ())


def test_json_ld_keeps_its_order_and_its_letters() -> None:
    data = '<script type="application/ld+json">%s</script>'
    texts = ['{"a":\r\n1}', "", "é\r東京", "\0", "last"]
    page = (
        data % texts[0] + data % texts[1] + data % texts[2] + "<table>" + data % texts[3] + "</table>" + data % texts[4]
    )
    assert parse.parse(RawPage(page.encode()), Options()).json_ld == ('{"a":\n1}', "", "é\n東京", "\ufffd", "last")
    assert_same_page(page.encode())
    assert_same_page((data % "\xff").encode("latin-1"))


@pytest.mark.parametrize("name", [b"shadowrootmode=open", b"class='a' shadowRootMode='closed'"])
def test_templates_that_are_shadow_roots_are_told_from_others(name: bytes) -> None:
    assert not skim(b"<template " + name + b">", with_json_ld=True)[2]
    assert skim(b"<template class=shadowrootmode title=' " + name[:5] + b"'>", with_json_ld=True)[2]


# ---------------------------------------------------------------------------------------------- the page is the same

PIECES = [
    *(
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<table>",
        "<tr><td>",
        "</table>",
        "<select>",
        "</select>",
        "<option>",
    ),
    *(
        "text",
        " ",
        "\n",
        "a < b",
        "x > y",
        "&lt;",
        "é",
        "東京",
        "\0",
        '"',
        "'",
        "=",
        "-->",
        "]]>",
        "--",
        "<",
        "</",
        "<!",
        "/>",
    ),
    *(
        "<script>",
        "</script>",
        "<SCRIPT src='>'>",
        "</script >",
        "</scripts>",
        "<script/>",
        "if (a<b) '</p>'",
        "<!--",
        "<!-->",
    ),
    *(
        '<script type="application/ld+json">',
        '{"@type": "Thing"}',
        '<script type="math/tex">',
        "<script type='text/plain'>",
    ),
    *(
        "<style>",
        "</style>",
        "p > a {}",
        "<style media=print>",
        "<template>",
        "</template>",
        "<template shadowrootmode=open>",
    ),
    *(
        "<svg>",
        "</svg>",
        "<svg/>",
        "<svg viewBox='0 0 1 1'>",
        "<g>",
        "</g>",
        "<path/>",
        "<path>",
        "</path>",
        "<use href='#a'/>",
    ),
    *(
        "<svg><title>",
        "</title></svg>",
        "<desc>",
        "</desc>",
        "<foreignObject>",
        "</foreignObject>",
        "<![CDATA[",
        "<a>",
        "</a>",
    ),
    *("<math>", "</math>", "<mi>", "</mi>", "<annotation-xml encoding='text/html'>", "<frameset>", "<plaintext>"),
    *(
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<iframe>",
        "</iframe>",
        "<xmp>",
        "</xmp>",
        "<noframes>",
        "</noframes>",
    ),
    *(
        "<noscript>",
        "</noscript>",
        "<head>",
        "</head>",
        "<body>",
        "</body>",
        "</html>",
        "<!doctype html>",
        "<?x",
        "<p a='",
        "<p a=x",
    ),
]
soup = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def parsed_both_ways(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    for way in (skim, leave_all):
        monkeypatch.setattr(parse, "skim", way)
        yield parse.parse(RawPage(data), Options())


def assert_same_page(data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ours, wanted = parsed_both_ways(data, patch)
    assert ours.markup == wanted.markup  # all arrays are made from it
    assert (ours.text, ours.title, ours.json_ld) == (wanted.text, wanted.title, wanted.json_ld)
    assert (ours.limits, ours.warnings) == (wanted.limits, wanted.warnings)


@settings(max_examples=4000, deadline=None)
@given(soup)
def test_the_page_is_the_same_on_generated_pages(page: str) -> None:
    assert_same_page(page.encode())


def test_the_page_is_the_same_on_examples_and_real_pages() -> None:
    for path in [*EXAMPLES, *real_pages(60)]:
        assert_same_page(path.read_bytes())


@settings(max_examples=2000, deadline=None)
@given(soup, st.booleans(), st.integers(0, 20))
def test_compiled_and_interpreted_skims_are_equal(page: str, with_json_ld: bool, cut: int) -> None:
    compiled = pytest.importorskip("pagestrata.native._skim", reason="the kernels were not built")
    data = page.encode()
    for some in (data, data[: len(data) - cut]):
        assert interpreted.skim(some, with_json_ld) == compiled.skim(some, with_json_ld)


def test_compiled_and_interpreted_skims_are_equal_on_real_pages() -> None:
    compiled = pytest.importorskip("pagestrata.native._skim", reason="the kernels were not built")
    for path in [*EXAMPLES, *real_pages(20)]:
        assert interpreted.skim(path.read_bytes(), True) == compiled.skim(path.read_bytes(), True)
