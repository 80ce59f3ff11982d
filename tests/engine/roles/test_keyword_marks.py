"""Marks promise that what is not marked holds no keyword, compiled or interpreted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of, real_pages

from pagestrata import Page, parse
from pagestrata.engine.people import (
    leads_elsewhere,
    leads_to_person,
    links_elsewhere,
    links_to_people,
    names_person,
    people_in,
)
from pagestrata.engine.roles import keyword_marks as marks
from pagestrata.engine.roles import links as role_links
from pagestrata.engine.roles.headings import LABEL_LENGTH
from pagestrata.engine.roles.words import role_words
from pagestrata.landmarks import texts_of
from pagestrata.native import kernel, keywords
from pagestrata.page import tags
from pagestrata.page.hosts import host_in, own_host

TARGETS = [
    "",
    " /mud",
    "#",
    "#top",
    "/mud#sand",
    "javascript:void(0)",
    "mailto:a@b.example",
    "/users/nessa",
    "/users/login",
    "/~nessa",
    "?u=9",
    "/member.php",
    "https://www.facebook.com/sharer.php?u=x",
    "https://x.com/intent/post",
    "https://new.example/add?u=https%3A%2F%2Falmanac.example",
    "https://new.example/add?u=1&amp;v=HTTP://a.example",
    "//ad.doubleclick.net/x",
    "/adclick?x",
    "/a/adserver",
    "HTTPS://WWW.Mud.example",
    "http://mud.example/a",
    "//mud.example:80",
    "https://möwe.example/",
    "data:text/plain,x",
    "tel:1",
    "&#35;top",
]


def assert_marks_hold(page: Page) -> None:
    """What is found through marks is what is found by reading all links and names."""
    assert [node for node, target in page.links if leads_elsewhere(target)] == links_elsewhere(page).tolist()
    assert [node for node, target in page.links if leads_to_person(target)] == links_to_people(page).tolist()
    named = [pair for name in ("class", "rel", "itemprop") for pair in page.values_of(name)]
    assert sorted({node for node, value in named if names_person(value)}) == people_in(page).tolist()
    host = own_host(page, [host_in(target) for _, target in page.links])
    assert host == role_links.own_host(page)
    kinds = [(role_links._kind_of(target, False, page), place) for place, (_, target) in enumerate(page.links)]
    links = marks.keyword_marks(page).links
    is_paid = np.zeros(len(links.nodes), np.bool_)
    assert [pair for pair in kinds if pair[0] is not None] == list(role_links._kinds(page, links, is_paid))
    home = {node for node, target in page.links if role_links._is_home(target, page)}
    assert home <= set(links.nodes[links.marks & keywords.HOME > 0].tolist())


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(TARGETS)),
    st.lists(st.sampled_from(["post-Author", "userName", "is user", "nick", "bylines", "imposters", "x", "é member"])),
)
def test_nothing_is_missed(targets: list[str], names: list[str]) -> None:
    links = "".join(f'<a href="{target}">x</a>' for target in targets)
    assert_marks_hold(page_of(links + "".join(f'<p class="{name}" rel="{name}">x</p>' for name in names)))


def test_nothing_is_missed_on_real_pages() -> None:
    for path in real_pages(40):
        assert_marks_hold(parse(path.read_bytes()))


LINES = [
    "About the author",
    "3 Comments",
    "(12) Kommentare:",
    "Über den Autor",
    "作者简介",
    "12条评论",
    "_x",
    "İx",
    "٣ التعليقات",
]


@settings(deadline=None)
@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=20))))
def test_every_line_that_is_a_phrase_is_marked(lines: list[str]) -> None:
    page = page_of("".join(f"<p>{line}</p>" for line in lines if "<" not in line))
    assert_lines_are_marked(page)


def test_every_line_of_real_pages_that_is_a_phrase_is_marked() -> None:
    for path in real_pages(40):
        assert_lines_are_marked(parse(path.read_bytes()))


def assert_lines_are_marked(page: Page) -> None:
    everything = np.arange(len(page.blocks))
    marked = set(marks.lines_with_role_words(page, np.ones(len(page.blocks), np.bool_)).tolist())
    for block, line in zip(everything.tolist(), texts_of(page, everything), strict=True):
        if role_words().role_of_heading(line[: 2 * LABEL_LENGTH]) or role_words().role_of_line(line):
            assert block in marked


def test_each_piece_of_a_target_is_found_by_a_word_or_by_four_characters() -> None:
    words, windows = marks._value_tables()
    for piece in (*role_words().share_targets, *role_words().advertisers):
        word = marks._longest_whole_word(piece)
        assert words[kernel("keywords").word_bucket(word)] & keywords.ROLE_LINK if word else windows.any(), piece


@pytest.mark.parametrize("name", ["keywords", "nesting"])
def test_kernels_are_found(name: str) -> None:
    assert kernel(name).__name__.endswith(name)


def test_interpreted_and_compiled_mark_alike() -> None:
    compiled = kernel("keywords")
    values = "".join(f'<a href="{target}" class="{target}">{target}</a>' for target in TARGETS)
    page = page_of(values)
    names, _, starts, ends = page.attributes
    wanted = np.zeros(len(tags.ATTRIBUTES), np.uint8)
    wanted[tags.ATTRIBUTE["href"]], wanted[tags.ATTRIBUTE["class"]] = 0xFE, keywords.PERSON_NAME
    found = []
    for loops in (compiled, keywords):
        column, hosts = np.zeros(len(names), np.uint8), np.zeros(len(names), np.int32)
        loops.mark_values(page.markup, names, starts, ends, wanted, *marks._value_tables(), column)
        loops.hash_hosts(page.markup, starts, ends, hosts)
        found.append((column.tolist(), hosts.tolist()))
    assert found[0] == found[1]
