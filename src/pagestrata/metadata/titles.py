"""The title of a page: a visible heading that the head confirms, or a title of the head, without the site name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pagestrata.page.text import words

MIN_SHARED_RATIO: Final = 0.5
"""The share of the words of a heading that a title of the head must contain to confirm it, since editors often write
one for readers and one for search engines. Swept over 0.2 to 1 on wcxb: 0.3 to 0.5 are best, and equal."""
MIN_COMPARED_WORDS: Final = 3
"""A shorter heading must be contained in full."""
MIN_SITE_NAME_LENGTH: Final = 4
"""Letters that the beginning of a name of a site needs to match the name."""
_PERMALINK_SIGNS = "¶ "
"""Characters that documentation generators add to headings as links to them."""
# Chinese sites write "title_channel_site", without blanks.
_SEPARATOR = re.compile(r"\s+[|–—·•»«:~‹›-]+\s+|\s*\|\s*|_(?=[\u3400-\u9fff])")
_BAR = re.compile(r"[|_]")


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
    headings: Sequence[str], head_titles: Sequence[tuple[str, str]], site: SiteNames, lower: Iterable[str] = ()
) -> tuple[str, str] | None:
    """Choose the title from the visible headings and the titles of the head; return it with its source.

    Both are in order of trust. The headings are of the first level; one of the `lower` levels counts only where a
    title of the head puts it before the heading.
    """
    distinct_titles = dict.fromkeys(title for title, _ in head_titles)
    headings = list(dict.fromkeys(_replace_book_names(headings, distinct_titles, lower)))
    bare = {title: without_site_name(title, site, headings) for title in distinct_titles}
    is_home = all(site.matches(title) for title in bare.values())
    for heading in headings:
        if (is_home or not site.matches(heading)) and any(confirms(title, heading) for title in bare.values()):
            return without_site_name(heading.rstrip(_PERMALINK_SIGNS), site), "visible"
    if head_titles:
        title, source = head_titles[0]
        return bare[title], source
    return next(((heading, "visible") for heading in headings), None)


def _replace_book_names(headings: Sequence[str], titles: Iterable[str], lower: Iterable[str]) -> Iterator[str]:
    """Replace each heading that is the name of a site or book by the lower heading that a title puts before it."""
    splits = [split for title in titles for split in _splits(title)]
    lower_headings: set[str] | None = None
    for heading in headings:
        letters = letters_of(heading) if splits else ""
        fronts = [front for front, behind in splits if letters in behind]
        if fronts and lower_headings is None:
            lower_headings = {letters_of(text) for text in lower}
        yield next((front for front in fronts if letters_of(front) in (lower_headings or ())), None) or heading


def _splits(title: str) -> Iterator[tuple[str, list[str]]]:
    """For each separator in a title, the part before it, and the letters of each part behind it."""
    separators = list(_SEPARATOR.finditer(title))
    if separators:
        ends = [separator.start() for separator in separators[1:]] + [len(title)]
        parts = [letters_of(title[separator.end() : end]) for separator, end in zip(separators, ends, strict=True)]
        for i, separator in enumerate(separators):
            yield title[: separator.start()], parts[i:]


def site_in_title(title: str, url: str) -> str | None:
    """The part of a title that matches the host, in the spelling of the title.

    >>> site_in_title("Mud - The Tide Water", "https://thetidewater.example/mud")
    'The Tide Water'
    """
    site = SiteNames.of("", url)
    parts = _SEPARATOR.split(title)
    return next((part for part in reversed(parts) if part and site.matches(part)), None) if len(parts) > 1 else None


def confirms(title: str, heading: str) -> bool:
    """Whether a title of the head contains enough words of a heading.

    >>> confirms("Why the tide is late", "The Tide Is Late"), confirms("Why the tide is late", "Our newsletter")
    (True, False)
    """
    wanted = _word_set(heading)
    shared = len(wanted & _word_set(title))
    return bool(wanted) and (
        shared == len(wanted) or (len(wanted) >= MIN_COMPARED_WORDS and shared >= MIN_SHARED_RATIO * len(wanted))
    )


def without_site_name(title: str, site: SiteNames, headings: Sequence[str] = ()) -> str:
    """Remove the names of the site before and behind a title.

    >>> without_site_name("A Glossary of Mud | Tidewater", SiteNames.of("Tidewater", ""))
    'A Glossary of Mud'
    """
    separators = list(_SEPARATOR.finditer(title))
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
    while separators and _BAR.search(separators[-1][0]) and len(_word_set(title[start : separators[-1].start()])) > 1:
        end = separators.pop().start()
    return title[start:end] or title


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower().removeprefix("www.")
    except ValueError:
        return ""


def _word_set(text: str) -> set[str]:
    return set(words(text.lower()))


def letters_of(text: str) -> str:
    """The letters and digits of a text in lower case, without blanks and punctuation."""
    return "".join(words(text.lower()))
