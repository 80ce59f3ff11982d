"""Real Chromium: what it draws, what it may ask for, and what a page cannot do to it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.build import EXAMPLES, ROOT, real_pages
from tests.inputs.hostile import HOSTILE, Ears, are_gone, browsers, everything, site

from pagestrata import Options, Page, extract, parse
from pagestrata.errors import AddressRefused, DrawError, MissingExtra, UsageError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.browser import Browser, DrawLimits, Launch
from pagestrata.inputs.browser.launch import find_browser
from pagestrata.inputs.browser.requests import Budget, read_beside
from pagestrata.inputs.files import read_file
from pagestrata.page import tags
from pagestrata.page.raw import RawPage

OPEN = Launch(sandbox=False)
"""The pages here are our own, and tests run as root."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    _need_chromium()
    with Browser(OPEN) as running:
        yield running


@pytest.fixture(scope="module")
def still() -> Iterator[Browser]:
    """One that runs no scripts."""
    _need_chromium()
    with Browser(OPEN, scripts=False) as running:
        yield running


def _need_chromium() -> None:
    pytest.importorskip("playwright", reason="playwright is not here: pip install 'pagestrata[render]'")
    try:
        find_browser(None)
    except UsageError:
        pytest.skip("no Chromium here: apt-get install chromium")


def drawn(browser: Browser, markup: str, **options: object) -> Page:
    return parse(browser.draw(RawPage(markup)), options=Options(**options))  # type: ignore[arg-type]


def node(page: Page, name: str) -> int:
    return int(page.nodes_tagged(name)[0])


def box(page: Page, place: int) -> tuple[float, ...]:
    assert page.boxes is not None
    columns = (page.boxes.x, page.boxes.y, page.boxes.width, page.boxes.height)
    return tuple(float(column[place]) for column in columns)


# --------------------------------------------------------------------------------------------------- what is drawn


def test_boxes_are_those_of_the_style_sheet(browser: Browser) -> None:
    page = drawn(browser, "<style>body{margin:0}aside{float:right;width:300px;height:50px}</style><aside>Tide</aside>")
    assert (980.0, 0.0, 300.0, 50.0) == box(page, node(page, "aside"))


def test_a_text_has_the_box_of_its_own_words(browser: Browser) -> None:
    page = drawn(browser, "<style>body{margin:0}</style><p style='margin:20px'>one <b>two</b> three")
    texts = np.flatnonzero(page.nodes.is_text)
    lefts = [box(page, int(text))[0] for text in texts]
    assert ["one", "two", "three"] == [page.text_of(int(text)) for text in texts]
    assert lefts == sorted(lefts)
    assert 20.0 == lefts[0]


def test_what_only_floats_inside_gives_its_room_to_what_is_around_it(browser: Browser) -> None:
    page = drawn(browser, "<style>body{margin:0}i{float:left;width:90px;height:70px}</style><nav><i></i><i></i></nav>")
    assert (0.0, 0.0, 180.0, 70.0) == box(page, node(page, "nav"))


def test_looks_are_computed_styles(browser: Browser) -> None:
    page = drawn(
        browser,
        "<style>nav{background:#102030}b{font-size:40px;color:rgb(255 0 0/50%);position:relative;z-index:9}</style>"
        "<nav><b>loud</b></nav>",
    )
    looks, text = page.drawn, int(np.flatnonzero(page.nodes.is_text)[0])
    assert looks is not None
    assert (40.0, 700.0) == (looks.font_size[text], looks.font_weight[text])
    assert [16, 32, 48] == looks.background[text].tolist()
    assert [136, 16, 24] == looks.colour[text].tolist()
    assert looks.paint_order[text] > looks.paint_order[node(page, "nav")]


def test_a_style_sheet_hides_and_shows_whatever_the_markup_says(browser: Browser) -> None:
    page = drawn(
        browser,
        "<style>.a{display:none}.b{visibility:hidden}.c{display:block!important}.d{position:absolute;left:-999px}"
        ".e{display:contents}</style><p class=a>gone<p class=b>unseen<p class=c hidden>shown<p class=d>far"
        "<div class=e><p>inside</div><details><summary>more</summary><p>folded</details><textarea>typed</textarea>",
    )
    assert page.drawn is not None
    seen = {page.text_of(text): bool(page.drawn.visible[text]) for text, _ in _hidden(page)}
    unseen = dict.fromkeys(("gone", "unseen", "far", "folded"), False)
    assert {**unseen, **dict.fromkeys(("shown", "inside", "more", "typed"), True)} == seen


def test_what_is_drawn_is_seen_and_what_is_not_is_hidden(browser: Browser) -> None:
    page = drawn(
        browser,
        "<style>.a{display:none}.c{display:block!important}</style><p class=a>gone<p class=a hidden>away"
        "<p class=c hidden>shown<p aria-hidden=true>mute<details><summary>more</summary><p>folded</details>",
    )
    reasons = {page.text_of(text): tags.HIDDEN_BY[reason] for text, reason in _hidden(page)}
    expected = {"gone": "style", "away": "hidden attribute", "shown": "", "mute": "aria-hidden", "more": ""}
    assert {**expected, "folded": "closed details"} == reasons


def _hidden(page: Page) -> list[tuple[int, int]]:
    return list(zip(page.blocks.node_start.tolist(), page.blocks.hidden_by.tolist(), strict=True))


def test_scripts_are_run_and_may_be_left_out(browser: Browser, still: Browser) -> None:
    markup = "<p>one<script>document.body.append('two')</script><noscript>three</noscript>"
    assert "one\ntwo" == drawn(browser, markup).text.replace("three", "").strip()
    assert "onethree" == drawn(still, markup).text


def test_the_inside_of_noscript_is_markup_whether_scripts_are_run_or_not(browser: Browser, still: Browser) -> None:
    markup = "<div>one</div><noscript><p>two <img src=x> &amp; <b>three</b></p></noscript><p>four"
    pages = [drawn(browser, markup), drawn(still, markup), parse(markup)]
    assert ["one\ntwo & three\nfour"] * 3 == [page.text for page in pages]
    assert [["", "noscript", ""], ["", "", ""], ["", "noscript", ""]] == [
        [tags.HIDDEN_BY[reason] for _, reason in _hidden(page)] for page in pages
    ]


def test_the_tree_is_the_browsers_own(browser: Browser) -> None:
    """A paragraph in a paragraph, which no parser gives, and a text that scripts tore apart."""
    page = drawn(
        browser,
        "<p id=a>out<script>let p=document.createElement('p');p.append('i','n');a.append(p,'ter')</script>",
    )
    outer, inner = page.nodes_tagged("p").tolist()
    assert outer == page.nodes.parent[inner]
    assert "in" == page.text_of(inner)


def test_shadow_roots_stand_in_their_hosts(browser: Browser) -> None:
    page = drawn(browser, "<div><template shadowrootmode=open><b>shade</b> <slot></slot></template>light</div>")
    assert "shade light" == page.text
    assert tags.SHADOW_ROOT in page.nodes.names[: len(tags.TAGS)]
    assert len(page.nodes_tagged(tags.SHADOW_ROOT)) == 1


def test_selectors_json_ld_title_and_formulas_work_as_on_any_page(browser: Browser) -> None:
    page = drawn(
        browser,
        "<title>Mud</title><script type=application/ld+json>{}</script><p class=x>a<p>b"
        "<script type='math/tex'>x^2</script>c",
        keep=("p.x",),
    )
    assert ("Mud", ("{}",), "a\nbx^2c") == (page.title, page.json_ld, page.text)
    assert {"p.x": (node(page, "p"),)} == page.marks
    assert 1280.0 > box(page, int(np.flatnonzero(page.nodes.is_text)[-1]))[0] > 0.0


def test_a_page_can_be_deeper_than_we_keep(browser: Browser) -> None:
    page = drawn(
        browser,
        "<body><script>let c=document.body;for(let i=0;i<700;i++)c=c.appendChild(document.createElement('div'));"
        "c.append('deep')</script>",
    )
    assert "deep" == page.text
    assert "depth" in {limit.name for limit in page.limits}


def test_sections_of_a_drawn_page_have_boxes(browser: Browser) -> None:
    extraction = extract(browser.draw(read_file(EXAMPLES[0])), method="vips")
    boxes = [section.box for section in extraction.sections]
    assert all(each is not None and each.width > 0 for each in boxes)
    assert extraction.page.boxes is not None
    assert not extraction.page.boxes.estimated


@pytest.mark.parametrize("path", EXAMPLES[::4], ids=lambda path: path.stem)
def test_without_scripts_our_own_pages_are_what_parse_makes_of_them(still: Browser, path: Path) -> None:
    raw = read_file(path)
    page, plain = parse(still.draw(raw)), parse(raw)
    assert plain.text == page.text
    assert [plain.nodes.tag_name(i) for i in range(len(plain.nodes))] == [
        page.nodes.tag_name(i) for i in range(len(page.nodes))
    ]
    assert plain.title == page.title


def test_without_scripts_every_character_of_real_pages_agrees(still: Browser) -> None:
    different = [path.name for path in real_pages(20) if not _agrees(still, path)]
    assert [] == different


def _agrees(browser: Browser, path: Path) -> bool:
    raw = read_file(path)
    return parse(browser.draw(raw)).text == parse(raw).text


# -------------------------------------------------------------------------------------------------- what gets out


def test_a_saved_page_reaches_nobody_whatever_it_tries(browser: Browser) -> None:
    with Ears() as ears:
        page = drawn(browser, everything(ears.port))
        time.sleep(0.3)
    assert "tried everything" in page.text
    assert [] == ears.heard


def test_a_page_of_the_web_reaches_only_what_the_policy_allows() -> None:
    _need_chromium()
    with Ears() as ears, site({"/": everything(ears.port), "/own.css": "p{width:123px}"}) as server:
        policy = AddressPolicy(allow=(f"127.0.0.1:{server.port}",))
        with Browser(OPEN, DrawLimits(seconds=60), policy) as browser:
            page = parse(browser.draw(f"http://127.0.0.1:{server.port}/"))
            time.sleep(0.3)
    assert "tried everything" in page.text
    assert 123.0 == box(page, node(page, "p"))[2]
    assert [] == ears.heard
    assert "/own.css" in server.asked


def test_a_name_that_changes_its_address_gets_nothing_more() -> None:
    """The first answer leads to the page, the second to this very machine again but by another address."""
    _need_chromium()
    answers = iter((["127.0.0.1"],))
    script = "<p>x<script>fetch('/secret').then(r=>r.text()).then(t=>document.body.append(t))</script>"
    with site({"/": script, "/secret": "secret"}) as server:
        policy = AddressPolicy(allow=(f"127.0.0.1:{server.port}",))
        resolve = lambda host: next(answers, ["127.0.0.2"])  # noqa: E731
        with Browser(OPEN, DrawLimits(seconds=60), policy, resolve=resolve) as browser:
            page = parse(browser.draw(f"http://rebound.example:{server.port}/"))
    assert "x" == page.text
    assert ["/"] == server.asked


def test_an_address_that_is_refused_is_not_drawn(browser: Browser) -> None:
    with pytest.raises(AddressRefused):
        browser.draw("http://127.0.0.1:1/")


def test_requests_end_with_their_budget() -> None:
    _need_chromium()
    images = "".join(f"<img src=/{i}.png>" for i in range(20))
    with site({"/": f"<p>words{images}"}) as server:
        policy = AddressPolicy(allow=(f"127.0.0.1:{server.port}",))
        with Browser(OPEN, DrawLimits(seconds=60, requests=5), policy) as browser:
            page = parse(browser.draw(f"http://127.0.0.1:{server.port}/"))
    assert 6 == len(server.asked)
    assert ["requests: 20 where 5 are allowed; further ones, or their bytes, were not answered"] == [
        str(limit) for limit in page.limits
    ]


def test_shares_of_a_budget_never_add_up_to_more_than_it() -> None:
    budget = Budget(requests=100, size=20_000_000, deadline=0.0)
    assert [8_000_000, 8_000_000, 4_000_000, 0] == [budget.take() for _ in range(4)]
    budget.give_back(5)
    assert 5 == budget.take()


def test_a_saved_page_has_the_style_sheets_beside_it(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page_files").mkdir()
    (tmp_path / "page_files" / "a b.css").write_text("p{width:77px}")
    (tmp_path / "page.html").write_text("<link rel=stylesheet href='page_files/a%20b.css?v=1'><p>words")
    page = parse(browser.draw(read_file(tmp_path / "page.html"), tmp_path))
    assert 77.0 == box(page, node(page, "p"))[2]


def test_nothing_but_looks_comes_from_beside(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "note.html").write_text("secret")
    (tmp_path / "code.js").write_text("document.body.append('secret')")
    markup = "<p>words<iframe src=note.html></iframe><script src=code.js></script><script>fetch('note.html')</script>"
    (tmp_path / "page.html").write_text(markup)
    assert "words" == parse(browser.draw(read_file(tmp_path / "page.html"), tmp_path)).text


def test_beside_ends_at_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "out.css").write_text("p{}")
    (folder / "ok.css").write_text("p{}")
    (folder / "link.css").symlink_to(tmp_path / "out.css")
    found = [
        read_beside(folder, "http://a.example/x/p.html", f"http://a.example/x/{name}", 99) is not None
        for name in ("ok.css", "..%2fout.css", "link.css", "nope.css", "%00.css", "")
    ]
    assert [True, False, False, False, False, False] == found
    assert read_beside(folder, "http://a.example/x/p.html", "http://b.example/x/ok.css", 99) is None


# ------------------------------------------------------------------------------------------------- hostile pages


@pytest.fixture(scope="module")
def hurried() -> Iterator[Browser]:
    _need_chromium()
    with Browser(OPEN, DrawLimits(seconds=8)) as running:
        yield running


@pytest.mark.parametrize("name", ["endless script", "dialogs", "popups", "downloads", "moves", "memory", "tampering"])
def test_a_hostile_page_ends_in_time_and_the_next_is_normal(hurried: Browser, name: str) -> None:
    started = time.monotonic()
    try:
        assert drawn(hurried, HOSTILE[name]).text.startswith("words")
    except DrawError as error:
        assert "seconds" in str(error) or "MiB" in str(error)  # noqa: PT017
    assert time.monotonic() - started < 8 + 10
    assert "normal" == drawn(hurried, "<p>normal").text


def test_an_endless_script_is_stopped_and_what_is_there_is_taken(hurried: Browser) -> None:
    page = drawn(hurried, "<p>words<script>onload=()=>{for(;;);}</script><p>more")
    assert "words\nmore" == page.text
    assert ["seconds to load"] == [limit.name for limit in page.limits]


def test_a_page_that_a_script_blew_up_is_refused() -> None:
    _need_chromium()
    with Browser(OPEN, DrawLimits(nodes=1000, markup=9000)) as browser:
        for script in ("'<i></i>'.repeat(2000)", "'x'.repeat(10000)"):
            with pytest.raises(DrawError, match="are allowed"):
                drawn(browser, f"<script>document.write({script})</script>")


def test_pages_are_given_in_their_order_and_a_bad_one_is_its_error() -> None:
    _need_chromium()
    pages = ["<p>0", "http://127.0.0.1:1/", "<p>2", "<p>3"]
    with Browser(OPEN, at_once=2) as browser:
        outcomes = list(browser.draw_many(pages, lambda page: (page if page[:1] == "h" else RawPage(page), None)))
    assert pages == [page for page, _ in outcomes]
    texts = [parse(page).text if isinstance(page, RawPage) else type(page).__name__ for _, page in outcomes]
    assert ["0", "AddressRefused", "2", "3"] == texts


# ----------------------------------------------------------------------------------------------------- processes


def test_no_process_is_left_behind_by_good_pages_and_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    _need_chromium()
    monkeypatch.setenv("PAGESTRATA_MARK", "good and bad")
    with Browser(OPEN, DrawLimits(nodes=1000)) as browser:
        drawn(browser, "<p>normal")
        with pytest.raises(DrawError):
            drawn(browser, "<script>document.write('<i></i>'.repeat(2000));setTimeout(()=>{for(;;);})</script>")
        drawn(browser, "<p>normal")
        assert browsers("good and bad")
    assert are_gone("good and bad", 5)


def test_no_process_is_left_behind_when_we_are_killed() -> None:
    _need_chromium()
    program = (
        "from pagestrata.inputs.browser import *; from pagestrata.page.raw import RawPage\n"
        "with Browser(Launch(sandbox=False)) as browser:\n"
        "    browser.draw(RawPage('<p>x')); print('drawn', flush=True)\n"
        "    browser.draw(RawPage('<script>for(;;);</script>'))"
    )
    environment = {**os.environ, "PAGESTRATA_MARK": "killed", "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert b"drawn\n" == process.stdout.readline()
        assert browsers("killed")
        process.send_signal(signal.SIGKILL)
    assert are_gone("killed", 15)


# ------------------------------------------------------------------------------------------------- sandbox, start


def test_the_sandbox_is_not_given_up_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    _need_chromium()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with Browser() as browser, pytest.raises(UsageError, match="--no-sandbox"):
        browser.draw(RawPage("<p>x"))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv, to be nobody")
def test_the_sandbox_runs_for_who_is_not_root(tmp_path: Path) -> None:
    _need_chromium()
    program = (
        "from pathlib import Path; from pagestrata.inputs.browser import *; from pagestrata.page.raw import RawPage\n"
        "from pagestrata import parse\n"
        "with Browser() as browser:\n"
        "    print(parse(browser.draw(RawPage('<p>within walls'))).text)\n"
        "    lines = [p.read_bytes() for p in Path('/proc').glob('[0-9]*/cmdline')]\n"
        "    assert not any(b'--no-sandbox' in line and b'within' in line for line in lines)\n"
    )
    nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    may_read = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]  # our files may lie in root's home
    tmp_path.chmod(0o777)
    environment = {**os.environ, "HOME": str(tmp_path), "TMPDIR": "/tmp", "PYTHONPATH": str(ROOT / "src")}
    command = [*nobody, *may_read, sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, timeout=60)
    assert "within walls\n" == done.stdout, done.stderr


def test_a_browser_that_is_not_there_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="apt-get install chromium"):
        find_browser(None)
    with pytest.raises(UsageError, match="no program /nowhere/chromium"):
        find_browser("/nowhere/chromium")


def test_a_program_that_is_no_browser_is_told() -> None:
    pytest.importorskip("playwright")
    with Browser(Launch("/bin/false", sandbox=False)) as browser, pytest.raises(UsageError, match="cannot start"):
        browser.draw(RawPage("<p>x"))


def test_without_playwright_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    for launch in (Launch("/bin/true", sandbox=False), Launch("/no/browser"), Launch()):
        with Browser(launch) as browser, pytest.raises(MissingExtra, match="render"):
            browser.draw(RawPage("<p>x"))
