"""Authors, as far as markup and links identify them, and links to other pages."""

import re
from functools import lru_cache
from typing import Final

import numpy as np

from pagestrata.engine.nesting import Places
from pagestrata.engine.roles.keyword_marks import class_marks, keyword_marks
from pagestrata.native.keywords import FRAGMENT, NO_PAGE, PERSON_LINK, PERSON_NAME
from pagestrata.page.page import Page

_PERSON: Final = ("author", "username", "user-name", "user_name", "user-_name", "poster", "nickname", "byline")
_PERSON_WORD: Final = ("user", "nick", "member")
_PERSON_ALONE = re.compile(r"(?<![\w-])(?:user|nick|member)(?![\w-])")
# But not where one logs in, or chooses among all.
_PERSON_PAGE = re.compile(
    r"(?:^|/)(?:u|users?|members?|profiles?|authors?|people)/(?!log|sign|regist|[?#]|$)|[?&;](?:u|uid|user|member)=|member\.php|/[@~]",
    re.IGNORECASE,
)
_SEARCH = re.compile(r"/search|action=find", re.IGNORECASE)
"""Where one looks for what a person wrote."""
_REPLY: Final = r"[?&](?:pid|cid|msg|comment|reply)=\d"
_POST = re.compile(rf"#[a-z]*[-_]?\d+$|/posts?[/-]\d|[?&]p=\d|{_REPLY}", re.IGNORECASE)
_ELSEWHERE = re.compile(r"(?!#|javascript:|mailto:|tel:|data:)\S", re.IGNORECASE)


def people_in(page: Page) -> Places:
    """Return the elements that are marked up or named as who wrote something, in document order."""
    marked = (*class_marks(page).values(page, "class", PERSON_NAME), *_marked_values(page))
    return np.array(sorted({node for node, value in marked if names_person(value)}), np.intp)


def _marked_values(page: Page) -> list[tuple[int, str]]:
    marks = keyword_marks(page)
    return [*marks.values(page, "rel", PERSON_NAME), *marks.values(page, "itemprop", PERSON_NAME)]


def links_to_people(page: Page) -> Places:
    """Return the links that lead to the page of a person, in document order."""
    links = keyword_marks(page).links
    values = page.values_at(links.places[links.marks & PERSON_LINK > 0])
    return np.array([node for node, target in values if leads_to_person(target)], np.intp)


def links_to_posts(page: Page) -> Places:
    """Return the links that lead to a single post of a thread, in document order."""
    links = keyword_marks(page).links
    return np.array([node for node, target in page.values_at(links.places) if leads_to_post(target)], np.intp)


def links_elsewhere(page: Page) -> Places:
    """Return the links that lead to another page, in document order."""
    links = keyword_marks(page).links
    leads = links.marks & (PERSON_LINK | NO_PAGE | FRAGMENT) == 0
    doubtful = np.flatnonzero(~leads & ((links.marks & FRAGMENT == 0) | (links.marks & NO_PAGE > 0)))
    leads[doubtful] = [leads_elsewhere(target) for _, target in page.values_at(links.places[doubtful])]
    return np.asarray(links.nodes[leads])


@lru_cache(maxsize=50_000)
def names_person(value: str) -> bool:
    """Whether a class or similar name marks an author.

    >>> [names_person(value) for value in ("post-Author", "is user", "user-menu", "members", "byline__text")]
    [True, True, False, False, True]
    """
    names = value[:200].lower()
    if any(word in names for word in _PERSON):  # nearly three times as fast as a pattern
        return True
    return any(word in names for word in _PERSON_WORD) and bool(_PERSON_ALONE.search(names))


def leads_to_person(target: str) -> bool:
    """Whether a link leads to the page of a person.

    >>> leads_to_person("/users/nessa"), leads_to_person("members/nessa.7/"), leads_to_person("/users/login")
    (True, True, False)
    >>> leads_to_person("/members/?group=3"), leads_to_person("/search.php?uid=7")
    (False, False)
    """
    return _PERSON_PAGE.search(target) is not None and _SEARCH.search(target) is None


def leads_to_post(target: str) -> bool:
    """Whether a link leads to a single post of a thread, by its number.

    >>> leads_to_post("viewtopic.php?p=2088#2088"), leads_to_post("/tides#post-7"), leads_to_post("/tides#harbour")
    (True, True, False)
    """
    return _POST.search(target) is not None


def leads_to_reply(target: str) -> bool:
    """Whether a link leads to a reply, by its number: not to what may as well be an article, such as `?p=7`.

    >>> leads_to_reply("/comments.pl?sid=5&cid=64"), leads_to_reply("/?p=7")
    (True, False)
    """
    return re.search(_REPLY, target) is not None


def leads_elsewhere(target: str) -> bool:
    """Whether a link leads to another page: not to a place on one, as those to single posts do, nor to who wrote it."""
    return bool(_ELSEWHERE.match(target)) and "#" not in target and not leads_to_person(target)
