"""The inspector in a real Chromium: every control does what it says, and pages reach neither out nor in."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pagestrata import Options, read_file
from pagestrata.cli.compare_peers import compare_peers
from pagestrata.page.raw import RawPage
from pagestrata.render.scale import colour
from pagestrata.serve.inspector import neutral, shell
from pagestrata.serve.inspector import view as views
from pagestrata.serve.inspector.session import InspectorSession, ViewRequest
from pagestrata.serve.inspector.shell import report
from pagestrata.work.job import Job
from tests.inputs.hostile import HOSTILE, Ears, everything
from tests.serve.inspecting import Watched, chromium, inspecting, jobs_of, session_of, until
from tests.serve.running import ARTICLES, Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The inspector with ten pages of a site that nobody edits."""
    with inspecting(session_of(jobs_of(ARTICLES), tmp_path_factory.mktemp("inspector"))) as address:
        yield address


@pytest.fixture
def tab(browser: "Browser") -> Iterator[Watched]:
    found = Watched(browser)
    yield found
    found.close()


@pytest.fixture
def page(tab: Watched, site: str) -> Iterator["Page"]:
    yield tab.open(site)
    assert [] == tab.strangers(site)
    assert [] == tab.said


def kept_share(page: "Page") -> int:
    return int((page.locator("#facts b").text_content() or "").rstrip("%"))


def slide(page: "Page", name: str, value: float) -> None:
    page.locator(f"#{name}").evaluate(
        "(e, v) => {e.value = v; e.dispatchEvent(new Event('input', {bubbles: true}))}", value
    )


# ------------------------------------------------------------------------------------------------------- the page


def test_the_page_is_drawn_with_its_sections_over_it(page: "Page") -> None:
    labels = page.locator(".layer .label").all_text_contents()
    assert "title 1.00" in labels
    assert any(label.startswith("main 0.9") for label in labels)
    assert "A Glossary of Mud" == page.locator("#facts h2").text_content()


def test_colours_are_those_of_pictures_and_of_the_terminal(page: "Page") -> None:
    chips = page.evaluate("""() => [...document.querySelectorAll(".row .chip")].map((chip) =>
        [Number(chip.textContent), getComputedStyle(chip).backgroundColor.match(/\\d+/g).map(Number)])""")
    assert len(chips) > 5
    for importance, background in chips:  # the number is rounded, so that the colour may be a little beside
        assert all(abs(one - other) <= 3 for one, other in zip(colour(importance), background, strict=True))


def test_a_mark_stands_where_its_section_does(page: "Page") -> None:
    title = page.locator(".layer .mark", has=page.locator("text=title 1.00")).bounding_box()
    frame = page.locator("iframe.seen").bounding_box()
    heading = page.frame_locator("iframe.seen").locator("h1").bounding_box()
    assert title is not None
    assert frame is not None
    assert heading is not None
    zoom = frame["width"] / 1200  # Playwright does not count that the frame is drawn smaller
    assert abs(title["y"] - frame["y"] - (heading["y"] - frame["y"]) * zoom) < 8
    assert abs(title["height"] - heading["height"] * zoom) < 16


def test_the_page_opens_at_its_first_kept_section(tab: Watched, tmp_path: Path) -> None:
    menu = "<nav>" + "<p><a href=/x>Chandlery</a></p>" * 80 + "</nav>"
    text = "<main><h1>On mud</h1><p>" + "Warm the pot, then wait a while. " * 40
    with inspecting(session_of([Job("menu", page=RawPage(menu + text))], tmp_path)) as address:
        page = tab.open(address)
        until(page, "document.querySelector('#first .scroller').scrollTop > 500")
        page.wait_for_selector(".layer .label >> text=title 1.00")


@pytest.mark.parametrize(
    "markup",
    [
        "<style>.late { height: 0; overflow: hidden; display: none }</style><main class=late>TEXT</main>",
        "<body><div id=app></div><noscript><main>TEXT</main></noscript>",
    ],
)
def test_kept_text_is_drawn_though_the_page_hides_it_until_scripts_run(
    tab: Watched, tmp_path: Path, markup: str
) -> None:
    # The lines differ: hidden text that repeats itself counts once, and would be too short to be the page.
    names = "Nessa Théo Ada Bruno Cleo Dora Emil Fay Gus Hedda Ivo Juno".split()
    text = "<h1>On tea</h1>" + "".join(
        f"<p>{name} warms pot {number}, then waits until {name} can pour cup {number} without {name} spilling it.</p>"
        for number, name in enumerate(names)
    )
    with inspecting(session_of([Job("x", page=RawPage(markup.replace("TEXT", text)))], tmp_path)) as address:
        page = tab.open(address)
        page.wait_for_selector(".layer .mark.kept")
        height = page.frame_locator("iframe.seen").locator("p").first.bounding_box()
        assert height is not None
        assert height["height"] > 10


def test_the_frame_runs_nothing_and_belongs_to_nobody(page: "Page") -> None:
    frames = page.locator("iframe")
    assert 1 == frames.count()
    assert "" == frames.get_attribute("sandbox")
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None


def test_the_ruler_belongs_to_nobody_and_goes_again(page: "Page") -> None:
    page.evaluate("""() => {
        window.seen = [];
        new MutationObserver((changes) => changes.forEach(({addedNodes}) => addedNodes.forEach((node) => {
            if (node.matches("iframe")) window.seen.push([node.className, node.getAttribute("sandbox")]);
        }))).observe(document.querySelector("#first .paper"), {childList: true});
    }""")
    page.click("#next")
    page.wait_for_selector("#facts h2 >> text=Nine-Foot Skiff")
    until(page, "window.seen.length === 2")
    assert [["ruler", "allow-scripts"], ["seen", ""]] == page.evaluate("window.seen")
    assert 0 == page.locator("iframe.ruler").count()


def test_pointing_at_either_side_lights_the_other(page: "Page") -> None:
    page.locator(".row", has_text="It is said that").last.hover()
    assert (page.locator(".mark.lit .label").text_content() or "").startswith("main 0.9")
    page.mouse.move(5, 5)
    box = page.locator(".layer .mark", has=page.locator("text=title 1.00")).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + 10)
    assert "title" == page.locator(".row.lit .role").text_content()


def test_a_click_on_the_page_says_why(page: "Page") -> None:
    box = page.locator(".layer .mark", has=page.locator("text=header")).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 200, box["y"] + 20)
    assert "header" == page.locator(".row[aria-selected=true] .role").text_content()
    assert "is below" in (page.locator("#why .reasons li").first.text_content() or "")
    assert page.locator("#why .signals li").count() > 3


def test_the_list_is_used_with_the_keyboard(page: "Page") -> None:
    page.locator("[role=tree]").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "End", "Home", "ArrowLeft"):
        page.keyboard.press(key)
    assert 1 == page.locator(".row").count()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert "2" == page.locator(".row[aria-selected=true]").get_attribute("aria-level")
    chosen = page.locator(".row[aria-selected=true]").get_attribute("id")
    assert chosen == page.locator("[role=tree]").get_attribute("aria-activedescendant")


def test_long_titles_do_not_widen_the_page(tab: Watched, tmp_path: Path) -> None:
    title = "A title that goes on and on, " * 20
    session = session_of([Job("long", page=RawPage(f"<h1>{title}</h1><p>{title * 9}</p>"))], tmp_path)
    with inspecting(session) as address:
        page = tab.open(address)
        for width in (1440, 1000, 400):
            page.set_viewport_size({"width": width, "height": 900})
            assert width >= page.evaluate("document.documentElement.scrollWidth")


# ------------------------------------------------------------------------------------------------------- controls


def test_the_threshold_acts_at_once(page: "Page") -> None:
    before = kept_share(page)
    slide(page, "threshold", 0)
    assert before < kept_share(page) <= 100
    assert 0 == page.locator(".layer .mark.dropped", has=page.locator("text=header")).count()
    slide(page, "threshold", 1)
    assert kept_share(page) < 5
    page.click("#threshold-reset")
    assert before == kept_share(page)


def test_text_and_markdown_follow_the_threshold(page: "Page") -> None:
    slide(page, "threshold", 0)
    page.click("#tab-text")
    page.wait_for_selector(".written.text >> text=Chandlery")
    page.click("#tab-md")
    page.wait_for_selector(".written.md >> text=# A Glossary of Mud")
    slide(page, "threshold", 1)
    until(page, "!document.querySelector('.written.md').textContent.includes('Chandlery')")


def test_the_bias_asks_again(page: "Page") -> None:
    with page.expect_response(lambda answer: "bias=1" in answer.url) as asked:
        slide(page, "bias", 1)
    assert asked.value.ok
    assert "1.0" == page.locator("#bias-said").text_content()


def test_the_method_is_switched(page: "Page") -> None:
    methods = page.locator("#method option").all_text_contents()
    assert {"engine", "site", "template", "forest", "density", "repetition", "vips"} <= set(methods)
    for method in ("template", "vips", "site"):
        page.select_option("#method", method)
        until(page, "method => document.querySelector('#first .caption').textContent === method", method)
    assert "learned from 10 pages" in (page.locator("#facts p").first.text_content() or "")


def test_overlays_window_and_theme(page: "Page") -> None:
    page.uncheck("#overlays")
    assert 0 == page.locator(".layer .mark").count()
    page.keyboard.press("Escape")
    page.check("#overlays")
    page.select_option("#width", "390")
    until(page, "document.querySelector('iframe.seen')?.style.width === '390px'")
    page.wait_for_selector(".layer .mark")
    page.click("#theme")
    assert "dark" == page.locator("html").get_attribute("data-theme")


def test_pages_are_turned(page: "Page") -> None:
    page.click("#next")
    page.wait_for_selector("#facts h2 >> text=Nine-Foot Skiff")
    page.click("#previous")
    page.wait_for_selector("#facts h2 >> text=Glossary")
    page.select_option("#page", "9")
    page.wait_for_selector("#facts h2 >> text=Tide Is Always Late")
    page.locator("[role=tree]").focus()
    page.keyboard.press("[")
    page.wait_for_selector("#facts h2 >> text=Gannet")


def test_every_tab_shows_something(page: "Page") -> None:
    for tab, shown in {
        "text": "people name what they love",
        "md": "# A Glossary of Mud",
        "json": "schema_version",
        "metadata": "Théo Marchbank",
        "limits": "No limit was hit",
        "sections": "navigation",
    }.items():
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#panel >> text={shown}")
        assert "true" == page.locator(f"#tab-{tab}").get_attribute("aria-selected")
    page.locator("#tab-sections").press("ArrowRight")
    assert "true" == page.locator("#tab-text").get_attribute("aria-selected")


def test_two_methods_are_held_against_each_other(page: "Page") -> None:
    page.click("[data-go=compare]")
    page.select_option("#other", "method repetition")
    page.wait_for_selector("#second[data-state=ready] .mark.differs")
    agreement = float(page.locator(".agreement dd").first.text_content() or "")
    assert 0 < agreement < 1
    page.select_option("#other", "engine")
    page.wait_for_selector("#panel >> text=Both keep the same words")
    assert 0 == page.locator(".mark.differs").count()
    page.locator("#first .scroller").evaluate("e => e.scrollTop = 300")
    until(page, "document.querySelector('#second .scroller').scrollTop === 300")


def test_compare_opens_with_an_extractor_in_wide_use(page: "Page") -> None:
    pytest.importorskip("trafilatura", reason="pip install 'pagestrata[bench]'")
    page.click("[data-go=compare]")
    page.wait_for_selector("#second[data-state=ready] .caption >> text=trafilatura")
    page.wait_for_selector(".agreement dd")


def test_a_frame_is_measured_only_when_it_has_room(browser: "Browser", site: str) -> None:
    for _ in range(5):  # its process may hear of its size late, or early
        tab = Watched(browser)
        page = tab.open(site)
        page.click("[data-go=compare]")
        page.wait_for_selector("#second .mark")
        assert page.locator("#second .mark").count() > 1
        tab.close()


def test_another_extractor_is_compared_as_on_the_command_line(page: "Page") -> None:
    pytest.importorskip("justext", reason="pip install 'pagestrata[bench]'")
    page.select_option("#page", "1")
    page.click("[data-go=compare]")
    page.select_option("#other", "peer justext")
    page.wait_for_selector("#second[data-state=ready] .caption >> text=justext")
    page.wait_for_selector(".difference .extra")
    ours, *others = compare_peers(read_file(ARTICLES[1]), ["justext"], Options())
    shown = page.locator(".agreement dd").all_text_contents()
    found = others[0]
    assert [f"{found.agreement:.3f}", f"{found.words_of('lost'):,}", f"{found.words_of('extra'):,}"] == [
        shown[0],
        *shown[2:],
    ]
    assert ours.words - found.words_of("lost") == int(shown[1].replace(",", ""))


def test_two_versions_of_a_page_are_compared(tab: Watched, tmp_path: Path) -> None:
    old = ARTICLES[0].read_text(encoding="utf-8")
    assert "what they love" in old
    new = old.replace("what they love", "what they fear")
    jobs = [Job("old", page=RawPage(old)), Job("new", page=RawPage(new))]
    session = session_of(jobs, tmp_path)
    session.against = 1
    with inspecting(session) as address:
        page = tab.open(address)
        page.wait_for_selector("#second[data-state=ready]")
        page.wait_for_selector(".difference .changed")
        assert ["love."] == page.locator(".difference del").all_text_contents()
        assert ["fear."] == page.locator(".difference ins").all_text_contents()
        assert ["1", "1"] == page.locator(".agreement :is(.lost, .extra) dd").all_text_contents()
    assert [] == tab.said


def test_both_versions_open_at_their_first_kept_section_and_the_new_title_is_shown(
    tab: Watched, tmp_path: Path
) -> None:
    menu = "".join(f"<p><a href=/{n}>Harbour {n}</a></p>" for n in range(60))
    old = ARTICLES[0].read_text(encoding="utf-8").replace("<body", f"<body><nav>{menu}</nav><div", 1)
    new = old.replace("Glossary of Mud", "Glossary of Sand")
    session = session_of([Job("old", page=RawPage(old)), Job("new", page=RawPage(new))], tmp_path)
    session.against = 1
    with inspecting(session) as address:
        page = tab.open(address)
        page.wait_for_selector(".difference .title")
        assert ["Mud"] == page.locator(".difference .title del").all_text_contents()
        until(page, "document.querySelector('#second .scroller').scrollTop > 0")
        tops = page.evaluate("['first', 'second'].map((id) => document.querySelector(`#${id} .scroller`).scrollTop)")
    assert 0 < tops[0] == tops[1]
    assert [] == tab.said


def test_on_a_narrow_screen_the_difference_comes_before_the_pages(browser: "Browser", tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES[:2]), tmp_path)
    session.against = 1
    narrow = Watched(browser, 400, 800)
    with inspecting(session) as address:
        page = narrow.open(address)
        page.wait_for_selector(".difference .extra")
        boxes = [page.locator(place).bounding_box() for place in (".difference", "#first", "#second")]
    narrow.close()
    tops = [box["y"] for box in boxes if box]
    assert (3, tops) == (len(tops), sorted(tops))


def test_a_report_compares_two_versions(tab: Watched, tmp_path: Path) -> None:
    session = session_of([Job("old", path=ARTICLES[0]), Job("new", path=ARTICLES[1])], tmp_path)
    session.against = 1
    path = tmp_path / "report.html"
    path.write_text(report(session), encoding="utf-8")
    page = tab.open(path.as_uri())
    page.wait_for_selector(".difference .extra")
    assert "new" == page.locator("#second .caption").text_content()
    assert 0 == page.locator("#panel > .hint").count()
    page.select_option("#method", "density")
    page.wait_for_selector("#panel > .hint >> text=cannot compare again")
    assert [] == tab.said


# ---------------------------------------------------------------------------------------------------------- reader


@pytest.fixture
def reading(tab: Watched, tmp_path: Path) -> Iterator[tuple["Page", InspectorSession]]:
    """The reader view of the first of three pages."""
    session = session_of(jobs_of(ARTICLES[:3]), tmp_path)
    with inspecting(session) as address:
        tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.page.goto(f"{address}#read")
        tab.page.wait_for_selector(".article .part")
        yield tab.page, session
        assert [] == tab.strangers(address)
        assert [] == tab.said


def test_the_article_stands_beside_the_page(reading: tuple["Page", InspectorSession]) -> None:
    page, _ = reading
    assert "A Glossary of Mud" == page.locator(".article > h1").text_content()
    assert "Théo Marchbank · 2025-02-07 · The Tidewater Almanac" == page.locator(".byline").text_content()
    text = page.locator(".article").inner_text()
    assert "people name what they love" in text
    assert "Chandlery" not in text
    assert 0 == page.locator(".article :is(a, img, script)").count()
    slide(page, "threshold", 0)
    page.wait_for_selector(".article .part >> text=Chandlery")


def test_a_gap_says_why_and_shows_where(reading: tuple["Page", InspectorSession]) -> None:
    page, _ = reading
    gap = page.locator(".gap").first
    gap.locator("summary").click()
    page.wait_for_selector(".gap li .reasons li >> text=is below")
    gap.locator("text=Show it").first.click()
    page.wait_for_selector("#first .mark.selected")


def test_a_click_on_the_page_leads_to_the_reason(reading: tuple["Page", InspectorSession]) -> None:
    page, _ = reading
    box = page.locator(".layer .mark", has=page.locator("text=header")).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 200, box["y"] + 20)
    page.wait_for_selector(".gap[open] li.chosen >> text=header")


def test_missing_words_are_found(reading: tuple["Page", InspectorSession]) -> None:
    page, _ = reading
    page.fill(".missing input", "chandlery")
    page.click(".missing button")
    page.wait_for_selector(".gap[open] li.chosen >> text=header")
    page.fill(".missing input", "people name what they  LOVE")
    page.click(".missing button")
    page.wait_for_selector(".part.chosen >> text=people name what they love")
    page.fill(".missing input", "no such words")
    page.click(".missing button")
    page.wait_for_selector("#message >> text=not in the text")


def test_a_section_is_kept_on_this_page_only_and_that_is_undone(reading: tuple["Page", InspectorSession]) -> None:
    page, session = reading
    page.fill(".missing input", "chandlery")
    page.click(".missing button")
    page.click(".gap li.chosen >> text=Keep on this page")
    page.wait_for_selector(".part.chosen >> text=Chandlery")
    assert () == session.store.sites()
    assert "Chandlery" not in session.render(ViewRequest(1), "text").decode()
    page.click("text=undo 1 decision about this page")
    until(page, "!document.querySelector('.article').textContent.includes('Chandlery')")


def test_a_section_is_kept_on_the_site(reading: tuple["Page", InspectorSession]) -> None:
    page, session = reading
    page.fill(".missing input", "chandlery")
    page.click(".missing button")
    page.click(".gap li.chosen >> text=Keep on this site")
    page.wait_for_selector(".part >> text=Chandlery")
    model = session.store.load("tidewater.example")
    assert model is not None
    assert ["keep"] == [edit.action for edit in model.edits]
    assert "Chandlery" in session.render(ViewRequest(1, "site"), "text").decode()


def test_the_article_is_copied_and_downloaded(reading: tuple["Page", InspectorSession]) -> None:
    page, _ = reading
    page.click(".reader-bar >> text=Copy")
    page.wait_for_selector("#message >> text=Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("# A Glossary of Mud")
    starts = {"Markdown": (".md", b"# A Gloss"), "HTML": (".html", b"<!DOCTYPE"), "EPUB": (".epub", b"PK\3\4")}
    for name, (suffix, start) in starts.items():
        with page.expect_download() as waiting:
            page.click(f".reader-bar >> text={name}")
        assert f"A-Glossary-of-Mud{suffix}" == waiting.value.suggested_filename
        assert waiting.value.path().read_bytes().startswith(start)


# ------------------------------------------------------------------------------------------------------------ site


def test_who_begins_with_the_site_sees_the_page_after_it(browser: "Browser", site: str) -> None:
    tab = Watched(browser)
    tab.page.goto(site + "#site")
    tab.page.wait_for_selector(".template .row")
    tab.page.click("[data-go=page]")
    tab.page.wait_for_selector("#first .mark")
    assert [] == tab.said
    tab.close()


def test_the_site_is_shown(page: "Page") -> None:
    page.click("[data-go=site]")
    page.wait_for_selector(".template .row")
    assert "tidewater.example" == page.locator(".site h2").text_content()
    assert 10 == page.locator(".page-list li").count()
    assert {"*", "?"} & set(page.locator(".template .operator").all_text_contents())
    assert 1 == page.locator("svg[aria-label^='Distance of fresh pages']").count()
    page.locator(".page-list .page").nth(3).click()
    page.wait_for_selector("#facts h2 >> text=Knots Return")
    assert "site" == page.locator("#method").input_value()


def test_a_page_is_shown_without_and_with_what_was_learned(page: "Page") -> None:
    page.click("[data-go=site]")
    page.wait_for_selector(".template .row")
    worth = page.locator(".page-list .worth").nth(3)
    assert re.fullmatch(r"[\d,]+ words removed, \d+ paragraphs? rescued", worth.text_content() or "")
    worth.click()
    page.wait_for_selector("#facts h2 >> text=Knots Return")
    page.wait_for_selector("#second[data-state=ready]")
    assert ["engine", "site"] == page.locator(".pane .caption").all_text_contents()


def test_a_click_decides_for_the_site_and_is_used_at_once(tab: Watched, tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES), tmp_path)
    with inspecting(session) as address:
        page = tab.open(address)
        page.locator(".row", has_text="Tagged").click()
        page.click("#why >> text=Keep")
        page.wait_for_selector("#why .verdict.yes")
        assert "matched by a keep selector" == page.locator("#why .reasons li").first.text_content()
        page.locator(".row", has_text="It is said that").first.click()
        page.keyboard.press("d")
        page.wait_for_selector("#why .verdict.no")
        page.locator(".row", has_text="Previous Songs").click()
        page.select_option("#why select", "related")
        page.wait_for_selector("#why h3 >> text=related")
        model = session.store.load("tidewater.example")
        assert model is not None
        assert ["keep", "drop", "role"] == [edit.action for edit in model.edits]
        page.click("[data-go=site]")
        page.wait_for_selector(".edits li")
        page.locator(".edits button").first.click()
        until(page, "document.querySelectorAll('.edits li').length === 2")
        assert [] == tab.said


def test_a_node_of_the_template_is_marked_with_a_click(tab: Watched, tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES), tmp_path)
    with inspecting(session) as address:
        page = tab.open(address)
        page.click("[data-go=site]")
        page.wait_for_selector(".template .row")
        page.locator(".template .row", has_text="header.site-header").first.click()
        path = page.locator(".template .node .path").text_content() or ""
        assert path.endswith("/header.site-header")
        page.click(".template .node >> text=Noise")
        page.wait_for_selector(".edits li")
        assert f"noise{path}undo" == page.locator(".edits li").text_content()
        model = session.store.load("tidewater.example")
        assert model is not None
        assert [("noise", path)] == [(edit.action, edit.node) for edit in model.edits]
        page.locator(".edits button").click()
        until(page, "document.querySelectorAll('.edits li').length === 0")
        assert [] == tab.said


def test_a_single_page_is_corrected_for_itself(tab: Watched, tmp_path: Path) -> None:
    with inspecting(session_of(jobs_of(ARTICLES[:1]), tmp_path)) as address:
        page = tab.open(address)
        before = page.locator("#facts b").text_content()
        page.locator(".row", has_text="It is said that").last.click()
        page.click("#why >> text=Drop")
        page.wait_for_selector("#why .verdict.no")
        assert "matched by a drop selector" == page.locator("#why .reasons li").first.text_content()
        page.click("#why >> text=Undo all")
        until(page, "share => document.querySelector('#facts b').textContent === share", before)
        assert [] == tab.said


# ---------------------------------------------------------------------------------------------------------- states


def test_states_are_said(tab: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neutral, "MAX_NODES", 100)
    jobs = [
        Job("nothing", page=RawPage(b"")),
        Job("large", page=RawPage("<p>a few words that take their room</p>\n" * 60)),
        Job("lost", path=tmp_path / "lost.html"),
        Job("fine", page=RawPage("<h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9)),
    ]
    with inspecting(session_of(jobs, tmp_path)) as address:
        page = tab.open(address)
        said = []
        for number in range(4):
            page.select_option("#page", str(number))
            page.wait_for_selector(f"#first[data-state={('empty', 'too-large', 'error', 'ready')[number]}]")
            said.append(
                (page.locator("#first").get_attribute("data-state"), page.locator("#first .state").text_content())
            )
    assert ["empty", "too-large", "error", "ready"] == [kind for kind, _ in said]
    assert "the page has no text" == said[0][1]
    assert "nodes: too many to draw" in (said[1][1] or "")
    assert "cannot read" in (said[2][1] or "")


def test_ten_thousand_sections_stay_smooth(tab: Watched, tmp_path: Path) -> None:
    # what is hidden is a section of its own, whatever the model thinks of the rest
    rows = "".join(f"<h2>Part {n}</h2><p>{'word ' * (n % 40 + 5)}</p><p hidden>Not seen</p>" for n in range(10_000))
    with inspecting(session_of([Job("long", page=RawPage(f"<title>Long</title>{rows}"))], tmp_path)) as address:
        page = tab.open(address)
        assert page.evaluate("parseFloat(document.querySelector('.space').style.height) / 34") >= 10_000
        took = page.evaluate("""() => {
            const box = document.querySelector('.tree'), took = [];
            for (let i = 0; i < 41; i++) {
                const from = performance.now();
                box.scrollTop += 2000;
                box.dispatchEvent(new Event('scroll'));
                took.push(performance.now() - from);
            }
            return Math.min(...took);  // one that nothing else on the machine held up
        }""")
        assert page.locator(".row").count() < 60
    assert took < 16  # milliseconds: sixty pictures a second


# --------------------------------------------------------------------------------------------------- out and in

TELLTALE = """<script>console.log('RAN')</script><img src=x onerror="console.log('RAN')">
<svg onload="console.log('RAN')"></svg><body onload="console.log('RAN')">
<iframe srcdoc="<script>parent.console.log('RAN')</script>"></iframe>
<a href="javascript:console.log('RAN')" autofocus onfocus="console.log('RAN')">words</a>"""


@pytest.mark.parametrize("view", ["page", "read"])
def test_no_script_runs_and_no_request_leaves(tab: Watched, tmp_path: Path, view: str) -> None:
    with Ears() as ears:
        pages = {**HOSTILE, "everything": everything(ears.port)}
        address = leafed_through(tab, pages, tmp_path, view, Options(keep=("body",) if view == "read" else ()))
    assert [] == ears.heard
    assert [] == tab.strangers(address)
    assert [] == tab.said
    assert 0 == tab.dialogs


def test_the_frames_hold_what_a_copy_that_is_not_neutral_would_let_through(
    tab: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "neutral_copy", lambda raw, page: raw.markup)
    with Ears() as ears:
        moves = f"<meta http-equiv=refresh content='0;url=http://127.0.0.1:{ears.port}/'><p>words"
        leafed_through(tab, {"everything": everything(ears.port), "moves": moves}, tmp_path)
        tab.page.wait_for_timeout(500)
    assert [] == ears.heard
    assert "RAN" not in tab.said
    assert 0 == tab.dialogs


def leafed_through(
    tab: Watched, pages: Mapping[str, str], folder: Path, view: str = "page", options: Options | None = None
) -> str:
    """Look at each of these pages, and click on the last."""
    jobs = [Job(name, page=RawPage(f"{markup}{TELLTALE}")) for name, markup in pages.items()]
    with inspecting(session_of(jobs, folder, options)) as address:
        page = tab.open(f"{address}#{view}")
        for number in range(1, len(jobs)):
            page.click("#next")
            until(page, "n => document.querySelector('#first').dataset.page == n", number)
            tab.settle()
        page.mouse.click(300, 400)
        return address


# ---------------------------------------------------------------------------------------------------------- report


def test_a_report_needs_no_server(tab: Watched, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report(session_of(jobs_of(ARTICLES[:4]), tmp_path)), encoding="utf-8")
    page = tab.open(path.as_uri())
    assert "title 1.00" in page.locator(".layer .label").all_text_contents()
    before = kept_share(page)
    slide(page, "threshold", 0)
    assert kept_share(page) > before
    page.click("#tab-text")
    page.wait_for_selector(".written.text >> text=Chandlery")
    page.select_option("#method", "density")
    until(page, "document.querySelector('#first .caption').textContent === 'density'")
    page.click("#tab-json")
    page.wait_for_selector(".written.json >> text=schema_version")
    page.click("[data-go=compare]")
    page.wait_for_selector("#second[data-state=ready]")
    page.click("[data-go=read]")
    page.wait_for_selector(".article .part >> text=people name what they love")
    page.click("[data-go=site]")
    page.wait_for_selector(".template .row")
    page.locator(".page-list .page").nth(3).click()
    page.wait_for_selector("#facts h2 >> text=Knots Return")
    assert [] == [url for url in tab.asked if not url.startswith(("file:", "data:", "about:"))]
    assert [] == tab.said


def test_a_report_says_what_it_has_no_room_for(tab: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "REPORT_PAGES", 3)
    jobs = jobs_of([ARTICLES[0], tmp_path / "lost.html", *ARTICLES[1:5]])
    path = tmp_path / "report.html"
    path.write_text(report(session_of(jobs, tmp_path)), encoding="utf-8")
    page = tab.open(path.as_uri())
    assert "3 more pages not in this report" == page.locator("#page option:disabled").text_content()
    page.click("#next")
    page.wait_for_selector("#first[data-state=error] >> text=cannot read")
    page.click("#next")
    page.wait_for_selector("#facts h2 >> text=Nine-Foot Skiff")
    page.click("#next")
    assert "2" == page.locator("#page").input_value()
    page.click("[data-go=site]")
    page.wait_for_selector(".page-list")
    assert 3 == page.locator(".page-list .page:disabled").count()


def test_a_report_holds_one_page_however_large_and_more_within_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_of(jobs_of(ARTICLES[:3]), tmp_path)
    sizes = []
    for room in (1, 10**9):
        monkeypatch.setattr(shell, "REPORT_BYTES", room)
        sizes.append(len(shell.report_data(session)["pages"]))
    assert [1, 3] == sizes


def test_a_report_of_pages_of_several_sites_has_no_site(tmp_path: Path) -> None:
    jobs = [Job(name, page=RawPage("<p>words", url=f"https://{name}.example/")) for name in ("a", "b")]
    assert shell.report_data(session_of(jobs, tmp_path))["site"] is None


# ------------------------------------------------------------------------------------------------------ the service


def test_within_the_service_pages_are_sent_by_who_looks(tab: Watched, service: Running) -> None:
    page = tab.page
    page.goto(service.address)
    page.set_input_files("#open-file", ARTICLES[0])
    page.click("#opener .main-button")
    tab.settle()
    assert "title 1.00" in page.locator(".layer .label").all_text_contents()
    slide(page, "threshold", 0)
    page.click("#tab-text")
    page.wait_for_selector(".written.text >> text=Chandlery")
    page.click("#tab-json")
    page.wait_for_selector(".written.json >> text=schema_version")
    page.click("[data-go=compare]")
    page.select_option("#other", "method repetition")
    page.wait_for_selector("#second[data-state=ready] .mark.differs")
    page.click("[data-go=read]")
    page.wait_for_selector(".article .part >> text=Chandlery")
    page.click("#open")
    page.locator("#open-file").evaluate("e => { e.value = '' }")
    page.fill("#open-url", "https://tidewater.example/")
    page.click("#opener .main-button")
    page.wait_for_selector(".article .reason >> text=does not fetch pages")
    assert [] == tab.strangers(service.address)


# --------------------------------------------------------------------------------------------------- accessibility


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 400)])
def test_axe_finds_nothing_serious(browser: "Browser", site: str, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python").Axe()
    tab = Watched(browser, width, scheme=scheme)
    page = tab.open(site)
    found = []
    for view in ("page", "read", "compare", "site"):
        page.click(f"[data-go={view}]")
        ready = {"page": ".row", "read": ".part", "compare": "#second .mark", "site": ".template .row"}
        page.wait_for_selector(ready[view])
        if view == "page":
            page.locator(".row").nth(2).click()
        if view == "read":
            page.locator(".gap summary").first.click()
        page.wait_for_selector(".side:not([aria-busy])", state="attached")
        page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished)).then(() => null)")
        # axe cannot look into a frame that runs nothing; what is in it is the page's, not ours
        answer = axe.run(page, options={"iframes": False})
        found += [
            (view, each["id"], each["nodes"][0]["html"][:120])
            for each in answer.response["violations"]
            if each["impact"] in ("serious", "critical")
        ]
    tab.close()
    assert [] == found
