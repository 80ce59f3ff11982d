"""The title of the page: what it shows as its heading, confirmed by what its head says, without the site's name."""

import re
from collections.abc import Iterable, Iterator, Sequence
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
class SiteNames:
    """What a site is called, by itself and by its host; only letters and digits, in lower case."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, site_name: str, url: str) -> "SiteNames":
        """The site with this name and a page at this address, either of which may be empty."""
        host = _host(url)
        names = (letters_of(name) for name in (site_name, host, *host.split(".")[:-1]))
        return cls(tuple(name for name in names if name))

    def matches(self, text: str) -> bool:
        """Whether the text is a name of the site, or the beginning of one, or begins with one and adds little."""
        text = letters_of(text)
        return any(
            text == name
            or (len(text) >= SHORTEST_SITE and name.startswith(text))
            or (len(text) <= 2 * len(name) and len(name) >= SHORTEST_SITE and text.startswith(name))
            for name in self.names
        )


def choose_title(
    headings: Sequence[str], head_titles: Sequence[tuple[str, str]], site: SiteNames, lower: Iterable[str] = ()
) -> tuple[str, str] | None:
    """The title and its source, from the visible headings and from the titles of the head with their sources.

    Both are in order of trust. The headings are of the first level; one of the `lower` levels counts only where a
    title of the head puts it before the heading.
    """
    distinct_titles = dict.fromkeys(title for title, _ in head_titles)
    headings = list(dict.fromkeys(_replace_book_names(headings, distinct_titles, lower)))
    bare = {title: without_site(title, site, headings) for title in distinct_titles}
    is_home = all(site.matches(title) for title in bare.values())
    for heading in headings:
        if (is_home or not site.matches(heading)) and any(confirms(title, heading) for title in bare.values()):
            return without_site(heading.rstrip(_ANCHORS), site), "visible"
    if head_titles:
        title, source = head_titles[0]
        return bare[title], source
    return next(((heading, "visible") for heading in headings), None)


def _replace_book_names(headings: Sequence[str], titles: Iterable[str], lower: Iterable[str]) -> Iterator[str]:
    """The headings, with the lower heading that a title puts before one of them in its place.

    A heading behind a lower one in the title is the name of a site or of a book.
    """
    splits = [split for title in titles for split in _splits(title)]
    lower_headings: set[str] | None = None
    for heading in headings:
        letters = letters_of(heading) if splits else ""
        fronts = [front for front, behind in splits if letters in behind]
        if fronts and lower_headings is None:
            lower_headings = {letters_of(text) for text in lower}
        yield next((front for front in fronts if letters_of(front) in (lower_headings or ())), None) or heading


def _splits(title: str) -> Iterator[tuple[str, list[str]]]:
    """At each mark in a title, the part before it, and the letters of each part behind it."""
    marks = list(_MARK.finditer(title))
    if marks:
        ends = [mark.start() for mark in marks[1:]] + [len(title)]
        parts = [letters_of(title[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
        for i, mark in enumerate(marks):
            yield title[: mark.start()], parts[i:]


def site_in_title(title: str, url: str) -> str | None:
    """The part of a title that is called like the host, spelled as the title spells it.

    >>> site_in_title("Mud - The Tide Water", "https://thetidewater.example/mud")
    'The Tide Water'
    """
    site = SiteNames.of("", url)
    parts = _MARK.split(title)
    return next((part for part in reversed(parts) if part and site.matches(part)), None) if len(parts) > 1 else None


def confirms(title: str, heading: str) -> bool:
    """Whether a title of the head says enough of what a heading says.

    >>> confirms("Why the tide is late", "The Tide Is Late"), confirms("Why the tide is late", "Our newsletter")
    (True, False)
    """
    wanted = _word_set(heading)
    shared = len(wanted & _word_set(title))
    return bool(wanted) and (shared == len(wanted) or (len(wanted) >= FEW_WORDS and shared >= SHARED * len(wanted)))


def without_site(title: str, site: SiteNames, headings: Sequence[str] = ()) -> str:
    """A title without the names of the site before and behind it.

    >>> without_site("A Glossary of Mud | Tidewater", SiteNames.of("Tidewater", ""))
    'A Glossary of Mud'
    """
    marks = list(_MARK.finditer(title))
    if not marks:
        return title
    shown = {letters_of(heading) for heading in headings}
    for mark in marks:
        if letters_of(title[: mark.start()]) in shown:
            return title[: mark.start()]
    for mark in marks:
        before, behind = title[: mark.start()], title[mark.end() :]
        # A heading that says more than what stands before it; else it may be the name of the site.
        if letters_of(behind) in shown and len(words(behind)) > len(words(before)) and not site.matches(behind):
            return behind
    start, end = 0, len(title)
    while marks and site.matches(title[marks[-1].end() : end]):
        end = marks.pop().start()
    while marks and site.matches(title[start : marks[0].start()]):
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


def letters_of(text: str) -> str:
    """The letters and digits of a text in lower case, without what stands between them."""
    return "".join(words(text.lower()))
