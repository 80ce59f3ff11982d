"""Tools of a page that are not part of its content.

These are permalinks, the line numbers and language names beside code, and the pictures that share a page.
"""

import re
from bisect import bisect_left
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
_TD, _PRE, _A = (tags.TAG[name] for name in ("td", "pre", "a"))
# Where the links of sharing buttons lead, and where those that stand beside them may lead. Both are matched from the
# beginning: a search would begin again at each "//" of an address that is made of them.
_SHARES = re.compile(
    r"(?i)(?:https?:)?//(?:wa\.me/|[^/?#]+/(?:[^?#]*/)?(?:share|sharer|sharearticle|sharing|intent|submit|pin/create)\b)"
    r"|mailto:\?|whatsapp:"
)
_BESIDE_SHARING = re.compile(
    r"(?i)mailto:|javascript:|#|whatsapp:|fb-messenger:|(?:https?:)?//(?:[\w-]+\.)*(?:facebook|twitter|x|instagram|linkedin"
    r"|pinterest|reddit|bsky|threads|tumblr|telegram|t|wa|whatsapp|youtube|tiktok|xing|vk|weibo|line|getpocket|flipboard)"
    r"\.[a-z]{2,3}(?:/|$)"
)


def page_tools(page: Page) -> list[int]:
    """Return the elements that are tools, in document order."""
    return sorted({*page.once(permalinks), *_code_marks(page)})


def sharing_signs(page: Page) -> list[int]:
    """Return the boxes without text of which all pictures are links to places where a page is shared.

    They have no text, so the engine does not decide about them, and below a title they would be kept with it.
    """
    links = _linked_pictures(page)
    others = [node for node, target in links.items() if not _BESIDE_SHARING.match(target)]
    boxes: list[int] = []
    for link, target in links.items():
        is_done = bool(boxes) and link < page.nodes.end[boxes[-1]]
        if not is_done and _SHARES.match(target) and _is_textless(page, link):
            boxes.append(_box_of(page, link, others))
    return boxes


def _linked_pictures(page: Page) -> dict[int, str]:
    """Return the links around pictures and where each leads, and the pictures without a link; in document order."""
    pictures = page.nodes_tagged("img")
    parents = page.nodes.parent[pictures]
    is_linked = page.nodes.tag[parents] == _A
    if not is_linked.any():
        return {}
    links = {node: (page.attribute(node, "href") or "").strip() for node in parents[is_linked].tolist()}
    return dict(sorted((links | dict.fromkeys(pictures[~is_linked].tolist(), "")).items()))


def _box_of(page: Page, link: int, others: list[int]) -> int:
    """Return the outermost element around a link that holds neither text nor other pictures."""
    box = link
    for around in page.nodes.ancestors(link):
        has_others = bisect_left(others, around) < bisect_left(others, int(page.nodes.end[around]))
        if has_others or not _is_textless(page, around):
            break
        box = around
    return box


def _is_textless(page: Page, node: int) -> bool:
    return bool(page.nodes.text_start[node] == page.nodes.text_end[node])


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
