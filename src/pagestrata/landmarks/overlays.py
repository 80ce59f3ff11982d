"""Overlays: dialogs and consent notices, which lie over a page until a visitor closes them.

They are recognised by their tag or role, or by names and words that speak of consent. A page may also be built as one
dialog: what holds the title, or much of the text, is the page itself.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks.words import buckets_of, name_group, name_words
from pagestrata.native.words import BUCKETS
from pagestrata.page import tags
from pagestrata.page.page import Page

MAX_SHARE: Final = 0.3
"""A dialog with a larger share of the words of the page is the page itself."""
MAX_NOTICE_SHARE: Final = 0.6
"""The same limit for a consent notice without a button, which may be longer than a short page; one with a button may be
all that a page shows."""
MAX_NOTICE_WORDS: Final = 600
"""A consent notice with its choices is shorter; a text about cookies is longer."""
CONSENT: Final = ("ookie", "GDPR", "DSGVO", "RGPD", "CCPA")
"""Pieces of words that the text of a consent notice has."""
_BUTTONS: Final = (tags.TAG["button"], tags.TAG["input"])
_LINK: Final = tags.TAG["a"]
_DIALOG_ROLES: Final = "dialog alertdialog"
_AMBIGUOUS: Final = "cookie cookies"
"""Names that a recipe or a chapter of a manual may have, too; these need a button, where others need a link only."""
_SURE_NAME, _AMBIGUOUS_NAME, _ROLE = 1, 2, 3


@cache
def _kind_of_bucket() -> npt.NDArray[np.uint8]:
    """Return, for each bucket, what its word says of an element: `_SURE_NAME`, `_AMBIGUOUS_NAME`, `_ROLE` or 0."""
    kinds = np.zeros(BUCKETS, np.uint8)
    for kind, words in ((_SURE_NAME, name_group("consent")), (_AMBIGUOUS_NAME, _AMBIGUOUS), (_ROLE, _DIALOG_ROLES)):
        kinds[buckets_of(words)] = kind
    return kinds


def overlays_of(page: Page) -> list[int]:
    """Return the outermost overlays of a page, in document order."""
    overlays: list[int] = []
    end = 0
    for node in sorted({*page.nodes_tagged("dialog").tolist(), *_named(page)}):
        if node >= end and _lies_over(page, node):
            overlays.append(node)
            end = int(page.nodes.end[node])
    return overlays


def _named(page: Page) -> Iterator[int]:
    """The elements with the role of a dialog, and those whose names and text are about consent."""
    names = page.once(name_words)
    kinds = _kind_of_bucket()[np.asarray(names.bucket[: names.count], np.int32)]
    for word in kinds.nonzero()[0].tolist():
        node, kind = int(names.place[word]), kinds[word]
        if kind == _ROLE:
            is_overlay = (page.attribute(node, "role") or "").strip().lower() in _DIALOG_ROLES.split()
        else:
            is_overlay = _is_notice(page, node, (*_BUTTONS, _LINK) if kind == _SURE_NAME else _BUTTONS)
        if is_overlay:
            yield node


def _is_notice(page: Page, node: int, choices: tuple[int, ...] = _BUTTONS) -> bool:
    """Return whether the text of an element is about consent, and offers a choice by an element of these tags."""
    if _words_in(page, node, page.blocks.words) > MAX_NOTICE_WORDS:
        return False
    inside: npt.NDArray[Any] = page.nodes.tag[node : page.nodes.end[node]]
    if not any((inside == choice).any() for choice in choices):
        return False
    text = page.text_of(node)
    return any(piece in text for piece in CONSENT)


def _lies_over(page: Page, node: int) -> bool:
    """Return whether an element is not the page itself: it holds neither the title nor much of the text."""
    title = page.title_heading
    if title is not None and node <= title < page.nodes.end[node]:
        return False
    if _is_notice(page, node):
        return True
    words = page.blocks.words * ~page.blocks.is_unseen
    limit = MAX_NOTICE_SHARE if _is_notice(page, node, (_LINK,)) else MAX_SHARE
    return _words_in(page, node, words) <= limit * int(words.sum())


def _words_in(page: Page, node: int, words: npt.NDArray[Any]) -> int:
    first, last = page.blocks_of(node)
    return int(words[first:last].sum())
