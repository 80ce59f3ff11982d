"""Text that nobody can read is hidden, however a page spells it, and the rest of the page stays."""

import time

import pytest
from tests.build import page_of
from tests.growth import assert_linear
from tests.hidden_pages import AMOUNTS, MARKER, WAYS, hidden_page

from pagestrata import Options, extract
from pagestrata.page import tags

TEXT = "Nobody on the pier had seen the tide come in. "
ARTICLE = f"<p>{TEXT * 9}</p>"
NEVER = Options(hidden="never")
RETURNED = ("aria-hidden", "style-sheet")
"""Ways that `auto` does not know as hiding: what is drawn but not read out, and what a style sheet hides; 6 pages."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("amount", AMOUNTS)
def test_hidden_instructions_are_not_returned(way: str, amount: int) -> None:
    strict, default = extract(hidden_page(way, amount), options=NEVER), extract(hidden_page(way, amount))
    for form in ("text", "md", "html", "xml"):
        assert MARKER not in strict.render(form)
    assert way in RETURNED or MARKER not in default.text
    assert 12 == strict.text.count("nobody on the pier")


def _reasons(markup: str, **options: object) -> set[str]:
    page = page_of(ARTICLE + markup, **options)
    start = int(page.nodes_tagged("i")[0])
    codes = page.nodes.hidden_by[start : page.nodes.end[start]]
    return {tags.HIDDEN_BY[code] for code in codes[page.nodes.is_text[start : page.nodes.end[start]]]}


@pytest.mark.parametrize(
    "style",
    [
        "font-size:0 !important",
        "font-size:.5px",
        "opacity:0%",
        "left : -99999px",
        "margin-left:-2000px",
        "right:-999px",
        "transform:translateX(-5000px)",
        "clip: rect(1px, 1px, 1px, 1px)",
        "width:1px;height:1px;overflow:hidden",
        "background: black; color: #000",
        "color:rgba(1,2,3,0)",
    ],
)
def test_styles_that_conceal(style: str) -> None:
    assert {"style"} == _reasons(f'<i style="{style}">{TEXT}</i>')


@pytest.mark.parametrize(
    "style",
    [
        "font-size:0.9em",
        "font-size:10px",
        "font-size:px",
        "opacity:.9",
        "fill-opacity:0",
        "backface-visibility: hidden",
        "-webkit-backface-visibility:hidden",
        "--display:none",
        "left:-20px",
        "margin-left:-100px",
        "clip:auto",
        "height:0",
        "color:#fff;background:#000",
        "color:inherit;background-color:inherit",
        "color:#fff;background:#fff url(dark.png)",
        "color:transparent;background-clip:text",
        "transform:scale(0.9)",
    ],
)
@pytest.mark.parametrize("hidden", ["auto", "never"])
def test_styles_that_do_not(style: str, hidden: str) -> None:
    assert {""} == _reasons(f'<i style="{style}">{TEXT}</i>', hidden=hidden)


@pytest.mark.parametrize(
    "markup",
    [
        f"<i style='opacity:0;transform:translateY(20px)'>{TEXT}</i>",
        f"<div class=accordion-item><i style='height:0;overflow:hidden'>{TEXT}</i></div>",
        f"<i data-aos=fade style='opacity:0'>{TEXT}</i>",
        f"{'<p style=opacity:0>x</p>' * 5}<i style='opacity:0'>{TEXT}</i>",
        "<i class=sr-only>Original price was: $39.95.</i>",
        f"<div style='font-size:0'><i class=cell>{TEXT}</i></div>",
        f"<style>.a {{display:none}}</style><i class=a>{TEXT}</i>",
    ],
)
def test_what_visitors_get_to_see_or_need_is_hidden_only_at_never(markup: str) -> None:
    assert {""} == _reasons(markup)
    assert _reasons(markup, hidden="never") <= {"style"}


def test_a_size_that_is_set_again_counts() -> None:
    assert {""} == _reasons(f"<div style='font-size:0'><i style='font-size:16px'>{TEXT}</i></div>", hidden="never")
    assert {"style"} == _reasons(f"<div style='font-size:0'><i>{TEXT}</i></div>")


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print {.a {display:none}}",
        ".b .a {display:none}",
        "/* .a {display:none} */",
        "p.a {display:none}",
        ".a {display:block}",
        "@media (max-width: 600px) {.a {display:none}} .b {display:none}",
        "@media screen {.b {display:none}} .a .b {display:none}",
        "</style><style media=print>.a {display:none}",
        "body, main, header {display:none}",
    ],
)
def test_rules_that_are_not_read(sheet: str) -> None:
    assert {""} == _reasons(f"<style>{sheet}</style><i class=a>{TEXT}</i>", hidden="never")


@pytest.mark.parametrize(
    "sheet",
    [
        "<style>i.a {display:none}</style>",
        "<style>u, I {display:none}</style>",
        "<style>@media all {.b {color:red} .a {display:none}}</style>",
        "<style>@import 'x'; @MEDIA screen{.b{color:red}.a{display:none}}</style>",
        "<style>@layer base {.a {display:none}}</style>",
        "<style media=screen>.a {display:none}</style>",
    ],
)
def test_rules_for_everyone_are_read(sheet: str) -> None:
    assert {"style"} == _reasons(f"{sheet}<i class=a>{TEXT}</i>", hidden="never")


@pytest.mark.parametrize(
    "style",
    [
        "display:/**/none",
        "d\\69splay: none",
        "display\t:\nnone",
        "visibility: collapse",
        "content-visibility: hidden",
        "color:red;\rdisplay:none",
    ],
)
def test_odd_spellings_of_what_is_not_drawn(style: str) -> None:
    assert {"style"} == _reasons(f'<i style="{style}">{TEXT}</i>')


@pytest.mark.parametrize(
    "style",
    [
        "content-visibility:hidden",
        "clip-path:ellipse(0 0)",
        "clip-path: inset(0 100% 0 0)",
        "clip-path: polygon(0px 0px, 0px 0px)",
        "-webkit-clip-path: inset(100%)",
        "left:9999px",
        "left: calc(-9999px)",
        "inset:-9999px auto auto -9999px",
        "inset-inline-start: -9999px",
        "margin: 0 0 0 -9999px",
        "text-indent:100%",
        "transform: scaleX(0)",
        "transform:matrix(0, 0, 0, 0, 0, 0)",
        "transform: rotateY(90deg)",
        "transform:translateX(-100vw)",
        "translate: -9999px",
        "scale:.001",
        "zoom: 0.01",
        "filter: blur(2px) opacity(0)",
        "color:#0000",
        "color: rgb(0 0 0 / 0%)",
        "color: hsla(0, 0%, 0%, 0)",
        "-webkit-text-fill-color: transparent",
        "font:0/0 a",
        "font: bold 1px Arial",
        "font-size:.01em",
        "font-size:calc(1px * 0)",
        "opacity:calc(0)",
        "filter:blur(99px)",
        "color:white",
        "color:#fdfdfd",
        "color:white;background:#fefefe",
        "color:hsl(0 0% 100%);background:#fff",
        "background:linear-gradient(#fff,#fff);color:#fff",
        "left:-99in",
        "left:min(-9999px, 0px)",
        "transform:rotate3d(1,0,0,90deg)",
        "transform:matrix(1,0,0,0,0,0)",
        "rotate:y .25turn",
        "clip:rect(auto,0,auto,auto)",
        "clip-path:polygon(1px 1px,1px 1px,1px 1px)",
        "mask:linear-gradient(transparent,transparent)",
        "block-size:0;overflow:hidden",
        "height:0;overflow:auto",
        "height:0;contain:paint",
        "--d: none; display: var(--d)",
        "display:var(--x,none)",
        "letter-spacing:-1em",
    ],
)
def test_rare_styles_that_conceal_at_never(style: str) -> None:
    assert {"style"} == _reasons(f'<i style="{style}">{TEXT}</i>', hidden="never")


@pytest.mark.parametrize(
    "style",
    [
        "color: rgb(255, 255, 0)",
        "color:transparent; background-clip: text",
        "transform: scale(.95) translateX(-50%)",
        "margin: 0 -15px",
        "inset: 0",
        "clip-path: inset(0 10px)",
        "font: 12px/1.5 Arial",
        "font: bold 10px Arial",
        "zoom: 1",
        "text-indent: 2em",
        "left: 50%",
        "opacity: .5",
        "letter-spacing: -.05em",
        "height: 20px; overflow: hidden",
        "mask: linear-gradient(black, transparent)",
        "mask: linear-gradient(to right, transparent, black 10%)",
        "clip-path: polygon(0 0, 100% 0, 100% 90%)",
        "transform: matrix(.7, .7, -.7, .7, 0, 0)",
        "filter: blur(1px)",
        "width: calc(100% - 20px); overflow: hidden",
        "float: left; margin-left: -100%",
        "color: white; background: linear-gradient(to right, navy, white)",
        "color: white; background: var(--dark)",
        "color: #ddd",
    ],
)
def test_styles_that_only_look_like_these(style: str) -> None:
    assert {""} == _reasons(f'<i style="{style}">{TEXT}</i>', hidden="never")


@pytest.mark.parametrize(
    "markup",
    [
        f"<font color='#fefefe'><i>{TEXT}</i></font>",
        f"<font color=FFFFFF><i>{TEXT}</i></font>",
        f"<table bgcolor=black><tr><td><font color=black><i>{TEXT}</i></font></table>",
        f"<div style='background:#eee'><p style='background:transparent'><i style='color:#eee'>{TEXT}</i></div>",
        f"<svg><text opacity=0>{TEXT}</text></svg>",
        f"<svg width=0 height=0><text>{TEXT}</text></svg>",
    ],
)
def test_attributes_that_say_what_styles_say_conceal_at_never(markup: str) -> None:
    page = extract(f"<body>{ARTICLE.replace('pier', 'quay')}{markup}", options=NEVER)
    assert "quay" in page.text
    assert "pier" not in page.text


def test_white_text_may_stand_on_what_a_style_sheet_colours() -> None:
    assert {""} == _reasons(f"<link rel=stylesheet href=a.css><i style='color:#fff'>{TEXT}</i>", hidden="never")
    assert {""} == _reasons(f"<div style='background:#123'><i style='color:#fff'>{TEXT}</i></div>", hidden="never")
    assert {""} == _reasons(f"<i style='color:#fff'>{TEXT}</i>")
    assert {"style"} == _reasons(f"<i style='--c:#fff;color:var(--c)'>{TEXT}</i>", hidden="never")


PUBLISHED = "<time class='entry-date published' datetime=2024-05-03>3 May 2024</time>"


@pytest.mark.parametrize(
    ("second", "shown"),
    [
        (f"{PUBLISHED}<time class=updated>9 June 2024</time>", "3 May 2024"),
        (f"{PUBLISHED}\n<time class=updated>9 June 2024</time>", "3 May 2024"),
        (f"{PUBLISHED} <time class=updated>(changed 9 June 2024)</time>", "3 May 2024 (changed 9 June 2024)"),
        (f"{PUBLISHED} <time class=updated>Updated: 9 June 2024</time>", "3 May 2024 Updated: 9 June 2024"),
        (f"{PUBLISHED}, changed <time class=updated>9 June 2024</time>", "3 May 2024, changed 9 June 2024"),
        (f"{PUBLISHED} <b><time class=updated>9 June 2024</time></b>", "3 May 2024 9 June 2024"),
        (f"{PUBLISHED} <time>9 June 2024</time><i class=updated></i>", "3 May 2024 9 June 2024"),
        ("<time class='published updated'>3 May 2024</time>", "3 May 2024"),
        ("<time class=updated>9 June 2024</time>", "9 June 2024"),
    ],
)
def test_the_date_of_a_change_behind_that_of_publication_is_hidden_by_wordpress_themes(second: str, shown: str) -> None:
    page = page_of(f"<p>Posted on {second}")
    nodes = page.nodes
    seen = [page.text_of(node) for node in (nodes.is_text & ~nodes.is_unseen).nonzero()[0].tolist()]
    assert "".join(f"Posted on {shown}".split()) == "".join("".join(seen).split())


@pytest.mark.parametrize("options", [{}, {"hidden": "never"}])
def test_a_popover_is_closed(options: dict[str, object]) -> None:
    assert {"style"} == _reasons(f"<div popover><i>{TEXT}</i></div>", **options)
    assert {""} == _reasons(f"<p>popover</p><div data-popover><i>{TEXT}</i></div>", **options)


@pytest.mark.parametrize("markup", ["<svg><defs><text>{}</text></defs></svg>", "<ruby>a<rp>{}</rp></ruby>"])
def test_elements_that_are_never_drawn(markup: str) -> None:
    assert "pier" not in extract(f"<p>Tea.</p>{markup.format(TEXT)}", options=NEVER).text


@pytest.mark.parametrize(
    "classes", ["card d-none", "hidden", "uk-hidden", "h-0 overflow-hidden", "text-white bg-white"]
)
def test_classes_that_hide_on_every_screen(classes: str) -> None:
    assert {"style"} == _reasons(f"<i class='{classes}'>{TEXT}</i>", hidden="never")
    assert {""} == _reasons(f"<i class='{classes} md:block'>{TEXT}</i>", hidden="never")
    assert {""} == _reasons(f"<i class='{classes}'>{TEXT}</i>")


@pytest.mark.parametrize("style", ["font-size:0", "color:#fff;background:#fff", "opacity:0", "left:-9999px"])
def test_work_is_linear(style: str) -> None:
    assert_linear(lambda size: lambda: page_of(f"<div style='{style}'>a " * size))


def test_many_dates_take_time_in_proportion() -> None:
    assert_linear(lambda size: lambda: page_of(f"{PUBLISHED}<time class=updated>9 June 2024</time>" * size))


@pytest.mark.parametrize("hidden", ["auto", "never"])
@pytest.mark.parametrize("piece", ["transform:translate(", "margin:", "font: ", "clip-path:inset(", "color:a(", "/*"])
def test_a_long_style_takes_time_in_proportion(piece: str, hidden: str) -> None:
    """Patterns run no lines that could be counted; eight times the size took 60 times as long before."""

    def seconds(size: int) -> float:
        started = time.process_time()
        page_of(f"<div style='{piece * size}'>a</div>", hidden=hidden)
        return time.process_time() - started

    assert min(seconds(8_000) for _ in range(3)) < 30 * max(min(seconds(1_000) for _ in range(3)), 0.001)
