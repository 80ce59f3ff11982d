"""Titles: the parts of `<title>`, and the heading of the page that is its title.

That heading is not always the `<h1>`: blogs and forums put their own name there, and authors use an `<h1>` inside the
text. `<title>` begins with the name of the page in nearly all of these cases, and a lower heading repeats it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from pagestrata.page.text import words

MAX_TITLE_LENGTH: Final = 1_000
"""Characters of a title or heading that are compared."""
MAX_HEADINGS: Final = 200
"""Headings of one level that are compared."""
MAX_SEPARATORS: Final = 10
"""Separators of a title that are tried, from its start."""
MIN_SHARED_RATIO: Final = 0.5
"""The share of the words of a heading that a title of the head must contain to confirm it, since editors often write
one for readers and one for search engines. Swept over 0.2 to 1 on wcxb: 0.3 to 0.5 are best, and equal."""
MIN_COMPARED_WORDS: Final = 3
"""A shorter heading must be contained in full."""
# Chinese sites write "title_channel_site", without blanks; some forums write "topic / board / site". What a separator
# may begin with is said first: most letters are passed over by that alone.
SEPARATOR: Final = re.compile(r"(?=[\s|｜ㅣ│┃_])(?:\s+(?:[|–—·•»«:~‹›⋆-]+|/)\s+|\s*[|｜ㅣ│┃]\s*|_(?=[\u3400-\u9fff]))")

_WORD_CHARACTERS: Final = re.compile(r"\w+")
_HOME: Final = re.compile(r"(?:https?://[^/?#]+/?|//[^/?#]+/?|/)(?:index\.\w+)?", re.IGNORECASE)


def choose_heading(
    title: str, first_level: Mapping[int, str], lower_levels: Callable[[], Mapping[int, str]]
) -> int | None:
    """Choose the heading that is the title from the texts of the headings by node, in document order.

    This is the `<h1>` that `<title>` begins with, or else the one that shares most words with it, or the only one. A
    lower heading takes its place where `<title>` begins with exactly that, and not with words of the `<h1>`.

    >>> choose_heading("Tea | Blog", {9: "Previously, on Tea"}, lambda: {4: "Tea"})
    4
    >>> choose_heading("Sofas | Shop", {2: "Sofas and chairs"}, lambda: {7: "Sofas"})
    2
    """
    separators = list(islice(SEPARATOR.finditer(title), MAX_SEPARATORS))
    fronts = {letters_of(title), *(letters_of(title[: each.start()]) for each in separators)} - {""}
    tails = {letters_of(tail) for tail in _long_tails(title, separators)} - {""}
    letters = _letters_by_node(first_level)
    node = _longest_named(letters, fronts | tails)
    if node is None:
        node = _most_shared(title, first_level)
    elif letters[node] in fronts:
        return node
    lower = lower_levels() if fronts else {}
    lower_letters = _letters_by_node(lower)
    named = _first_named(lower_letters, fronts)
    if named is None:
        return _first_named(lower_letters, tails) if node is None else node
    return node if node is not None and _says_the_same(first_level[node], lower[named], named < node) else named


def _letters_by_node(headings: Mapping[int, str]) -> dict[int, str]:
    return {node: letters_of(text) for node, text in headings.items()}


def _first_named(letters: Mapping[int, str], names: set[str]) -> int | None:
    return next((node for node, own in letters.items() if own in names), None)


def _longest_named(letters: Mapping[int, str], names: set[str]) -> int | None:
    matches = [node for node, own in letters.items() if own in names]
    return max(matches, key=lambda node: len(letters[node]), default=None)


def _most_shared(title: str, headings: Mapping[int, str]) -> int | None:
    """The heading that shares most words with the title, of equal ones the one with fewest others; or the only one."""
    if len(set(headings.values())) < 2:
        return next(iter(headings), None)
    wanted, front = _word_set(title), SEPARATOR.split(title, maxsplit=1)[0]
    matches = {node: text for node, text in headings.items() if confirms(title, text) or confirms(text, front)}
    own_words = {node: _word_set(text) for node, text in matches.items()}
    return max(own_words, key=lambda node: (len(wanted & own_words[node]), -len(own_words[node])), default=None)


def _long_tails(title: str, separators: list[re.Match[str]]) -> Iterator[str]:
    """The parts of a title behind a separator that are longer than what is before it ("Forum • View topic - …")."""
    for separator in separators:
        if len(words(title[separator.end() :])) > len(words(title[: separator.start()])):
            yield title[separator.end() :]


def _says_the_same(heading: str, name: str, name_is_before: bool) -> bool:
    """Whether an `<h1>` says the name of the page in other words; one below the name must not say more than it."""
    return confirms(name, heading) or (not name_is_before and confirms(heading, name))


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


def is_home_link(target: str) -> bool:
    """Whether a link, absolute or relative, leads to the home page of a site.

    >>> is_home_link("/"), is_home_link("https://tidewater.example"), is_home_link("#top"), is_home_link("/mud")
    (True, True, False, False)
    """
    return bool(_HOME.fullmatch(target.strip()))


def letters_of(text: str) -> str:
    """The letters and digits of a text in lower case, without blanks and punctuation."""
    return "".join(_WORD_CHARACTERS.findall(text.lower()))


def _word_set(text: str) -> set[str]:
    return set(words(text.lower()))
