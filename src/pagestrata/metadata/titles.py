"""The title of the page: what it shows as its heading, confirmed by what its head says, without the site's name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pagestrata.page.text import words

SHARED: Final = 0.5
"""A heading of at least `FEW_WORDS` need only share this part of its words with a title of the head, since editors
write one for readers and one for search engines. Swept over 0.2 to 1 on wcxb: 0.3 to 0.5 are best, and alike."""
FEW_WORDS: Final = 3
SHORTEST_SITE: Final = 4
"""Letters from which on the beginning of a site's name stands for the whole."""
_ANCHORS = "¶ "
"""What generators of documentation put behind headings, to link to them."""
# Chinese sites write "title_channel_site", without blanks.
_MARK = re.compile(r"\s+[|–—·•»«:~‹›-]+\s+|\s*\|\s*|_(?=[\u3400-\u9fff])")
_BAR = re.compile(r"[|_]")


@dataclass(frozen=True, slots=True)
class Site:
    """What a site is called, by itself and by its host; only letters and digits, in lower case."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, site_name: str, url: str) -> "Site":
        """The site with this name and a page at this address, either of which may be empty."""
        host = _host(url)
        names = (_squeezed(name) for name in (site_name, host, *host.split(".")[:-1]))
        return cls(tuple(name for name in names if name))

    def is_called(self, text: str) -> bool:
        """Whether the text is a name of the site, or the beginning of one, or begins with one and adds little."""
        text = _squeezed(text)
        return any(
            text == name
            or (len(text) >= SHORTEST_SITE and name.startswith(text))
            or (len(text) <= 2 * len(name) and len(name) >= SHORTEST_SITE and text.startswith(name))
            for name in self.names
        )


def choose_title(
    headings: Sequence[str], told: Sequence[tuple[str, str]], site: Site, lower: Sequence[str] = ()
) -> tuple[str, str] | None:
    """The title and its source, from the headings that are shown and what the head tells, best first, with sources.

    The headings are of the first level; of those of `lower` levels only one that the head names as the title counts.
    """
    headings = [_before(heading, told, lower) or heading for heading in headings]
    bare = [(without_site(title, site, headings), source) for title, source in told]
    titles = [title for title, _ in bare]
    is_home = all(site.is_called(title) for title in titles)
    for heading in headings:
        if (is_home or not site.is_called(heading)) and any(confirms(title, heading) for title in titles):
            return without_site(heading.rstrip(_ANCHORS), site), "visible"
    return bare[0] if bare else next(((heading, "visible") for heading in headings), None)


def _before(heading: str, told: Sequence[tuple[str, str]], lower: Sequence[str]) -> str | None:
    """The lower heading that a title of the head puts before this one, which then is the name of a site or a book."""
    heading, shown = _squeezed(heading), {_squeezed(text) for text in lower}
    for title, _ in told:
        for mark in _MARK.finditer(title):
            front, behind = title[: mark.start()], _MARK.split(title[mark.end() :])
            if _squeezed(front) in shown and heading in map(_squeezed, behind):
                return front
    return None


def site_in_title(title: str, url: str) -> str | None:
    """The part of a title that is called like the host, spelled as the title spells it.

    >>> site_in_title("Mud - The Tide Water", "https://thetidewater.example/mud")
    'The Tide Water'
    """
    site = Site.of("", url)
    parts = _MARK.split(title)
    return next((part for part in reversed(parts) if part and site.is_called(part)), None) if len(parts) > 1 else None


def confirms(title: str, heading: str) -> bool:
    """Whether a title of the head says enough of what a heading says.

    >>> confirms("Why the tide is late", "The Tide Is Late"), confirms("Why the tide is late", "Our newsletter")
    (True, False)
    """
    wanted = _word_set(heading)
    shared = len(wanted & _word_set(title))
    return bool(wanted) and (shared == len(wanted) or (len(wanted) >= FEW_WORDS and shared >= SHARED * len(wanted)))


def without_site(title: str, site: Site, headings: Sequence[str] = ()) -> str:
    """A title without the names of the site before and behind it.

    >>> without_site("A Glossary of Mud | Tidewater", Site.of("Tidewater", ""))
    'A Glossary of Mud'
    """
    marks = list(_MARK.finditer(title))
    shown = {_squeezed(heading) for heading in headings}
    for mark in marks:
        if _squeezed(title[: mark.start()]) in shown:
            return title[: mark.start()]
    for mark in marks:
        before, behind = title[: mark.start()], title[mark.end() :]
        # A heading that says more than what stands before it; else it may be the name of the site.
        if _squeezed(behind) in shown and len(words(behind)) > len(words(before)) and not site.is_called(behind):
            return behind
    start, end = 0, len(title)
    while marks and site.is_called(title[marks[-1].end() : end]):
        end = marks.pop().start()
    while marks and site.is_called(title[start : marks[0].start()]):
        start = marks.pop(0).end()
    # What stands behind a bar is about the site too, whatever it is called, unless too little stands before it.
    while marks and _BAR.search(marks[-1][0]) and len(_word_set(title[start : marks[-1].start()])) > 1:
        end = marks.pop().start()
    return title[start:end] or title


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower().removeprefix("www.")
    except ValueError:
        return ""


def _word_set(text: str) -> set[str]:
    return set(words(text.lower()))


def _squeezed(text: str) -> str:
    return "".join(words(text.lower()))
