"""The title of a page: a visible heading that the head confirms, or a title of the head, without the site name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pagestrata.page.text import words
from pagestrata.page.titles import SEPARATOR, confirms, letters_of

MIN_SITE_NAME_LENGTH: Final = 4
"""Letters that the beginning of a name of a site needs to match the name."""
_GENERIC_TITLES = frozenset("home homepage index untitled startseite accueil inicio главная".split())
"""Titles that systems fill in by default."""
_PERMALINK_SIGNS = "¶ "
"""Characters that documentation generators add to headings as links to them."""
_BAR = re.compile(r"[|｜ㅣ│┃_]")


@dataclass(frozen=True, slots=True)
class SiteNames:
    """The names of a site, as declared and as in its host; only letters and digits, in lower case."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, site_name: str, url: str) -> "SiteNames":
        """The names of a site from its declared name and the address of a page, either of which may be empty."""
        host = _host(url)
        names = (letters_of(name) for name in (site_name, host, *host.split(".")[:-1]))
        return cls(tuple(name for name in names if name))

    def matches(self, text: str) -> bool:
        """Whether a text is a name of the site, the beginning of a name, or a name with a short addition."""
        text = letters_of(text)
        return any(
            text == name
            or (len(text) >= MIN_SITE_NAME_LENGTH and name.startswith(text))
            or (len(text) <= 2 * len(name) and len(name) >= MIN_SITE_NAME_LENGTH and text.startswith(name))
            for name in self.names
        )


def choose_title(
    headings: Sequence[str], head_titles: Sequence[tuple[str, str]], site: SiteNames, kickers: Iterable[str] = ()
) -> tuple[str, str] | None:
    """Choose the title from the visible headings and the titles of the head, both in order of trust.

    It is returned with its source. `kickers` are texts that may be written before a headline, in the same heading.
    """
    head_titles = [pair for pair in head_titles if letters_of(pair[0]) not in _GENERIC_TITLES] or head_titles
    distinct_titles = dict.fromkeys(title for title, _ in head_titles)
    bare = {title: without_site_name(title, site, headings) for title in distinct_titles}
    is_home = all(site.matches(title) for title in bare.values())
    for heading in headings:
        if (is_home or not site.matches(heading)) and _is_confirmed(heading, list(bare.values())):
            headline = _headline(heading.rstrip(_PERMALINK_SIGNS), list(bare.values()), site, kickers)
            return without_site_name(headline, site), "visible"
    if head_titles:
        title, source = head_titles[0]
        return bare[title], source
    return next(((heading, "visible") for heading in headings), None)


def _is_confirmed(heading: str, titles: Sequence[str]) -> bool:
    """Whether a title of the head confirms a heading, by words that the most trusted one does not leave out.

    A heading that only stands behind that title, as in "Mud | Tidewater", is the name of the site.
    """
    confirming = [title for title in titles if confirms(title, heading)]
    first = letters_of(titles[0]) if titles else ""
    return any(not letters_of(title).startswith(first) for title in confirming) or (
        bool(confirming) and not set(words(heading.lower())).isdisjoint(words(titles[0].lower()))
    )


def _headline(heading: str, titles: Sequence[str], site: SiteNames, kickers: Iterable[str]) -> str:
    """The title of the head in a heading that has a kicker before it, or the name of the site behind it."""
    letters = letters_of(heading)
    before = {letters_of(kicker) for kicker in kickers}
    for title in titles:
        own = letters_of(title)
        if own and own != letters:
            if letters.endswith(own) and letters[: -len(own)] in before:
                return title
            if letters.startswith(own) and site.matches(letters[len(own) :]):
                return title
    return heading


def site_in_title(title: str, url: str) -> str | None:
    """The part of a title that matches the host, in the spelling of the title.

    >>> site_in_title("Mud - The Tide Water", "https://thetidewater.example/mud")
    'The Tide Water'
    """
    site = SiteNames.of("", url)
    parts = SEPARATOR.split(title)
    return next((part for part in reversed(parts) if part and site.matches(part)), None) if len(parts) > 1 else None


def without_site_name(title: str, site: SiteNames, headings: Sequence[str] = ()) -> str:
    """Remove the names of the site before and behind a title.

    >>> without_site_name("A Glossary of Mud | Tidewater", SiteNames.of("Tidewater", ""))
    'A Glossary of Mud'
    """
    separators = list(SEPARATOR.finditer(title))
    if not separators:
        return title
    shown = {letters_of(heading) for heading in headings}
    for separator in separators:
        if letters_of(title[: separator.start()]) in shown:
            return title[: separator.start()]
    for separator in separators:
        before, behind = title[: separator.start()], title[separator.end() :]
        # Only if the heading is longer than the part before it; otherwise it may be the name of the site.
        if letters_of(behind) in shown and len(words(behind)) > len(words(before)) and not site.matches(behind):
            return behind
    start, end = 0, len(title)
    while separators and site.matches(title[separators[-1].end() : end]):
        end = separators.pop().start()
    while separators and site.matches(title[start : separators[0].start()]):
        start = separators.pop(0).end()
    # A part behind a bar usually names the site or a channel of it, unless too little would remain.
    while (
        separators
        and _BAR.search(separators[-1][0])
        and len(set(words(title[start : separators[-1].start()].lower()))) > 1
    ):
        end = separators.pop().start()
    return title[start:end] or title


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower().removeprefix("www.")
    except ValueError:
        return ""
