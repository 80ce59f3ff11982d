"""What sections are for: each kind of sign speaks, none decides alone, and the reason is said."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import EXAMPLES, page_of, real_pages
from tests.growth import assert_linear

from pagestrata import Page, Role, extract, parse
from pagestrata.engine.roles import RoleReader, RoleVerdict
from pagestrata.landmarks import landmarks_of

PROSE = "<p>The tide turned before the boats were in, and nobody on the quay had seen it coming at all.</p>" * 3
TEXT = f"<div id=text>{PROSE}</div>"
MENU = "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(6))
HEADLINES = "".join(f"<li><a href=/{n}>Why the tide was late again in harbour {n}</a></li>" for n in range(6))
SHARE = (
    "<a href='https://www.facebook.com/sharer/sharer.php?u=x'>Like</a> "
    "<a href='https://twitter.com/intent/tweet?url=x'>Post</a> <a href='mailto:?body=x'>Mail</a>"
)


def verdict(body: str, selector: str = "#x", kept: str = "#text", comments: str = "") -> RoleVerdict:
    """The verdict on the first element that the selector finds, when the text of another is kept."""
    selectors = tuple(filter(None, (selector, kept, comments)))
    page = page_of(body, keep=selectors)
    reader = RoleReader(page, marked(page, kept), marked(page, comments) if comments else None)
    node = page.marks[selector][0]
    return reader.role(node, int(page.nodes.end[node]))


def marked(page: Page, selector: str) -> np.ndarray:
    found = np.zeros(len(page.blocks), np.bool_)
    for node in page.marks.get(selector, ()):
        (first,), (last,) = landmarks_of(page).blocks_of(np.array([node]))
        found[first:last] = True
    return found


STRUCTURE = {
    Role.NAVIGATION: f"<ul id=x>{MENU}</ul>{PROSE}{TEXT}{PROSE}",
    Role.HEADER: f"<header id=x><b>The Almanac</b> of <i>Marrow Sound</i></header>{TEXT}",
    Role.FOOTER: f"{TEXT}<footer id=x><p>Marrow Sound</p></footer>",
    Role.SIDEBAR: f"{TEXT}<aside id=x><p>High water at nine, low water at three today.</p></aside>{PROSE}",
    Role.RELATED: f"{TEXT}<ul id=x>{HEADLINES}</ul>{PROSE}",
    Role.SHARE: f"{TEXT}<div id=x>{SHARE}</div>{PROSE}",
    Role.ADVERTISEMENT: f"{TEXT}<div id=x><a rel=sponsored href=/go>Buy a new anchor now</a></div>{PROSE}",
    Role.AUTHOR: f"{TEXT}<div id=x>Told by <a rel=author href=/nessa>Nessa K.</a></div>{PROSE}",
    Role.CONTENTS: "<ul id=x>" + "".join(f"<li><a href=#p{n}>Part {n}</a>" for n in range(4)) + f"</ul>{TEXT}",
    Role.CONSENT: f"{TEXT}<div id=x><p>Cookies help us.</p><button>Fine</button></div>{PROSE}",
    Role.OTHER: f"{PROSE}<div id=x><p>Some words that nothing is known of, amid it all.</p></div>{TEXT}{PROSE}",
}


@pytest.mark.parametrize("role", STRUCTURE)
def test_structure_decides_without_names(role: Role) -> None:
    actual = verdict(STRUCTURE[role])
    assert role == actual.role, actual


def test_the_title_is_the_heading_or_the_line_that_the_page_is_called() -> None:
    page = parse(f"<title>Why the tide is late - Almanac</title><h1>Almanac</h1><b>Why the tide is late</b>{PROSE}")
    reader = RoleReader(page, page.blocks.words > 10)
    spans = zip(page.blocks.node_start[:2].tolist(), page.blocks.node_end[:2].tolist(), strict=True)
    assert [Role.HEADER, Role.TITLE] == [reader.role(*span).role for span in spans]
    page = parse(f"<title>Mud</title><h1>Mud and more</h1>{PROSE}")
    assert Role.TITLE == RoleReader(page, page.blocks.words > 10).role(0, int(page.blocks.node_end[0])).role


def test_a_line_near_the_title_says_who_or_when_but_not_what_it_costs() -> None:
    lines = {"By Nessa K.": Role.AUTHOR, "9 May 2024": Role.AUTHOR, "Von Nessa": Role.AUTHOR, "$ 335.00": Role.OTHER}
    body = "<title>x</title><p>{0}</p><h1>Mud and what it is good for</h1><p id=x>{1}</p>" + PROSE + TEXT
    assert lines == {line: verdict(body.format(PROSE, line)).role for line in lines}


def test_signed_records_are_comments_unless_they_lead_elsewhere_or_come_first() -> None:
    records = (
        "<div id=x>" + "<div><p>Nessa, 9 May 2024</p><p>I saw it too, from the other quay.</p></div>" * 3 + "</div>"
    )
    links = f"<div id=x><ul>{HEADLINES}</ul></div>"
    assert Role.COMMENTS == verdict(TEXT + records, comments="#x").role
    assert Role.COMMENTS != verdict(records + TEXT, comments="#x").role
    assert Role.RELATED == verdict(TEXT + links + PROSE, comments="#x").role


def test_headings_speak_for_what_stands_below_them_and_for_no_more() -> None:
    below = "<p id=x>Nessa wrote four books on mud.</p>"
    for heading in (
        "<h3>About the author</h3>",
        "<p>About the author:</p>",
        "<h4>Über den Autor</h4>",
        "<p>作者简介</p>",
    ):
        assert Role.AUTHOR == verdict(f"{TEXT}<div>{heading}{below}</div>{PROSE}").role, heading
        assert Role.OTHER == verdict(f"{TEXT}<div>{heading}<p>Nessa K.</p></div><div>{below}</div>{PROSE}").role
    assert Role.OTHER == verdict(f"{TEXT}<h3>About the author</h3><p>A</p><h3>Mud</h3>{below}{PROSE}").role


def test_a_kept_text_is_main_whatever_one_name_or_tag_says() -> None:
    for around in ("<div class=sidebar>", "<aside>", "<div id=share>", "<nav>"):
        assert Role.MAIN == verdict(f"{PROSE}{TEXT}{around}{PROSE}", "#text").role
        assert (
            Role.MAIN == verdict(f"<div>{TEXT}</div>{around}<p id=x>Only a few words of it.</p>", kept="#text, #x").role
        )


def test_an_element_around_most_of_the_text_tells_nothing() -> None:
    assert (
        Role.OTHER == verdict(f"<div class=sidebar>{TEXT}<p id=x>A few words more, about boats.</p>{PROSE}</div>").role
    )


def test_the_element_around_all_of_it_says_more_than_those_inside() -> None:
    assert Role.FOOTER == verdict(f"{TEXT}<footer id=x><nav><ul>{MENU}</ul></nav><p>© Almanac</p></footer>").role
    assert Role.NAVIGATION == verdict(f"{TEXT}<footer><nav id=x><ul>{MENU}</ul></nav><p>© Almanac</p></footer>").role


def test_a_header_in_an_article_is_not_that_of_the_page() -> None:
    line = "<header id=x><p>Mud, in all its forms</p></header>"
    assert Role.HEADER == verdict(f"{line}{TEXT}").role
    assert Role.HEADER != verdict(f"{PROSE}<article>{line}{TEXT}</article>").role


def test_a_menu_beside_the_logo_is_part_of_the_header() -> None:
    menu, logo = f"<ul>{MENU}</ul>", "<a href=/><img src=logo.png></a>"
    assert [Role.NAVIGATION, Role.HEADER] == [verdict(f"<div id=x>{top}{menu}</div>{TEXT}").role for top in ("", logo)]


def test_share_pages_are_known_by_their_parameter_too() -> None:
    link = "<div id=x><a href='https://new.example/add?u=https%3A%2F%2Falmanac.example%2Fmud'>Add it</a></div>"
    own = "<p>See <a href=https://almanac.example/sand>sand</a> and <a href=https://almanac.example/silt>silt</a>.</p>"
    assert (Role.SHARE, "its links lead to share pages") == verdict(f"{TEXT}{link}{PROSE}{own}")
    assert Role.SHARE != verdict(f"{TEXT}{link.replace('new.', 'almanac.')}{PROSE}{own}").role


def test_a_link_to_a_share_page_amid_text_says_nothing() -> None:
    assert Role.MAIN == verdict(f"<div id=text>{PROSE}<p>See {SHARE} for more of that.</p></div>", "#text").role


def test_what_recurs_over_the_site_leads_around_in_it() -> None:
    page = page_of(f"{TEXT}<ul id=x>{HEADLINES}</ul>{PROSE}", keep=("#x", "#text"))
    node = page.marks["#x"][0]
    for noise, role in ((1.0, Role.NAVIGATION), (0.0, Role.RELATED)):
        reader = RoleReader(page, marked(page, "#text"), noise=np.full(len(page.blocks), noise))
        assert role == reader.role(node, int(page.nodes.end[node])).role


def test_one_by_one_and_all_at_once_are_the_same() -> None:
    for path in EXAMPLES:
        leaves = list(extract(path.read_bytes()).leaves())
        page = leaves[0].page
        kept = np.array([leaf.kept for leaf in leaves for _ in range(leaf.block_start, leaf.block_end)], np.bool_)
        reader = RoleReader(page, kept)
        starts, ends = (
            np.array(edge) for edge in zip(*((leaf.node_start, leaf.node_end) for leaf in leaves), strict=True)
        )
        together = reader.roles(starts, ends)
        assert together == [reader.role(leaf.node_start, leaf.node_end) for leaf in leaves]


def test_an_empty_page_and_no_sections() -> None:
    nothing = np.zeros(0, np.intp)
    for markup in ("", "<p></p>", "<p>Some text"):
        page = parse(markup)
        reader = RoleReader(page, np.zeros(len(page.blocks), np.bool_))
        assert [] == reader.roles(nothing, nothing)
        assert Role.OTHER == reader.role(0, 0).role


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["<nav>", "</nav>", "<div class=ad>", "</div>", "<h2>Related", "<a href=#x>x</a>", "<p>by"])
    )
)
def test_any_page_has_an_answer_for_any_range(pieces: list[str]) -> None:
    page = page_of("".join(pieces))
    reader = RoleReader(page, np.arange(len(page.blocks)) % 3 == 0)
    starts = np.arange(len(page.nodes))
    assert all(one.role in Role and one.reason for one in reader.roles(starts, page.nodes.end.astype(np.intp)))


def block_roles(page: Page) -> list[RoleVerdict]:
    """The verdict on each block, where every third one is kept."""
    starts, ends = page.blocks.node_start.astype(np.intp), page.blocks.node_end.astype(np.intp)
    return RoleReader(page, np.arange(len(page.blocks)) % 3 == 0).roles(starts, ends)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*STRUCTURE.values(), "<h2>Related</h2>", "<p>by Nessa</p>", f"<ul>{MENU}</ul>"])))
def test_what_draws_nothing_changes_no_role(pieces: list[str]) -> None:
    assert block_roles(page_of("".join(pieces))) == block_roles(page_of("<script></script>".join(pieces)))


def test_a_page_without_absolute_links_has_no_home_but_the_relative_ones() -> None:
    logo = PROSE + "<div id=x><a href={}><img src=a.png></a><p>Mud</p></div>" + TEXT
    assert [Role.HEADER, Role.OTHER] == [verdict(logo.format(target)).role for target in ("/", "/mud")]


def test_real_pages_do_not_raise() -> None:
    for path in real_pages(20):
        page = parse(path.read_bytes())
        reader = RoleReader(page, page.blocks.words > 20)
        assert len(page.nodes) == len(reader.roles(np.arange(len(page.nodes)), page.nodes.end.astype(np.intp)))


@pytest.mark.parametrize(
    "piece",
    [
        "<div class=nav><p>text</p></div>",
        "<h2>Related</h2><p>text</p>",
        "<a href='https://t.me/share?x'>x</a>",
        "<div role=navigation>x</div>",
        "<div class=nav>",
        "<p>Cookie © by",
    ],
)
def test_twice_the_page_is_twice_the_work(piece: str) -> None:
    def work(size: int) -> object:
        page = page_of(piece * size)
        kept = np.zeros(len(page.blocks), np.bool_)
        starts, ends = page.blocks.node_start.astype(np.intp), page.blocks.node_end.astype(np.intp)
        return lambda: RoleReader(page, kept).roles(starts, ends)

    assert_linear(work)  # type: ignore[arg-type]
