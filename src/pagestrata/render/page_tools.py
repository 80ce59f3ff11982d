"""Tools of a page that are not part of its text: permalinks, and the line numbers and language names beside code."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.permalinks import permalinks
from pagestrata.page.scan import places_of
from pagestrata.render.code_language import code_language

_MAX_LABEL: Final = 20
"""Characters of the name of a language."""
_MAX_BESIDE: Final = 8
"""Elements beside code that are looked at: a wrapper of code holds few others."""
_NUMBERS = re.compile(r"[\d\s]+")
# The spans before each line: Pygments, Chroma, Rouge, Hexo, highlightjs-line-numbers, pandoc.
_NUMBER_CLASSES: Final = frozenset("linenos lineno ln lnt line-number linenumber hljs-ln-n line-num".split())
_LABEL_CLASSES: Final = frozenset("lang language code-lang code-language".split())
_TD, _PRE = tags.TAG["td"], tags.TAG["pre"]


def page_tools(page: Page) -> list[int]:
    """Return the elements that are tools, in document order."""
    return sorted({*page.once(permalinks), *_code_marks(page)})


def _code_marks(page: Page) -> Iterator[int]:
    for code in places_of(page.nodes.tag, _PRE):
        if _is_gutter(page, code):
            yield code
        else:
            yield from _line_numbers(page, code)
            yield from _labels(page, code)


def _is_gutter(page: Page, code: int) -> bool:
    """Whether it is the column of line numbers that highlighters put beside code, in a table."""
    if _NUMBERS.fullmatch(page.text_of(code)) is None:
        return False
    return any(page.nodes.tag[around] == _TD for around in page.nodes.ancestors(code))


def _line_numbers(page: Page, code: int) -> Iterator[int]:
    for node, classes in page.values_of("class", among=range(code + 1, int(page.nodes.end[code]))):
        if not _NUMBER_CLASSES.isdisjoint(classes.split()) and _NUMBERS.fullmatch(page.text_of(node)):
            yield node


def _labels(page: Page, code: int) -> Iterator[int]:
    """The elements beside code that only name its language, or number its lines."""
    around = int(page.nodes.parent[code])
    for node in islice(page.nodes.children(around), _MAX_BESIDE):
        text = page.text_of(node).strip()
        if page.nodes.tag[node] in (tags.TEXT, _PRE) or not 0 < len(text) <= _MAX_LABEL or " " in text:
            continue
        is_label = not _LABEL_CLASSES.isdisjoint((page.attribute(node, "class") or "").split())
        if is_label or text.casefold() == code_language(page, code):
            yield node
