"""Overlays: dialogs and consent notices, which lie over a page until a visitor closes them.

They are recognised by their role, or by names and words that speak of consent. A page may also be built as one dialog:
what holds the title, or much of the running text, is the page itself.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from pagestrata.landmarks.words import buckets_of, group_of_bucket, name_groups, name_words
from pagestrata.page import tags
from pagestrata.page.page import Page

MAX_SHARE: Final = 0.3
"""A dialog with a larger share of the words of the page is the page itself."""
MAX_NOTICE_SHARE: Final = 0.6
"""Likewise for a consent notice, which may be longer than a short page."""
MAX_NOTICE_WORDS: Final = 600
"""A consent notice with its choices is shorter; a text about cookies is longer."""
ROLES: Final = frozenset({"dialog", "alertdialog"})
CONSENT: Final = ("ookie", "GDPR", "DSGVO", "RGPD", "CCPA")
"""Pieces of words that the text of a consent notice has."""
_BUTTONS: Final = tuple(tags.TAG[name] for name in ("button", "input"))
_LINKS: Final = (tags.TAG["a"],)
_CONSENT_GROUP: Final = name_groups().index("consent") + 1
_AMBIGUOUS: Final = "cookie cookies"
"""Names that a recipe or a chapter of a manual may have, too."""


def overlays_of(page: Page) -> list[int]:
    """Return the outermost overlays of a page, in document order."""
    overlays: list[int] = []
    end = 0
    for node in sorted({*_dialogs(page), *_consent_named(page)}):
        if node >= end and _lies_over(page, node):
            overlays.append(node)
            end = int(page.nodes.end[node])
    return overlays


def _dialogs(page: Page) -> Iterator[int]:
    yield from page.nodes_tagged("dialog").tolist()
    yield from (node for node, role in page.values_of("role") if role.strip().lower() in ROLES)


def _consent_named(page: Page) -> Iterator[int]:
    """The consent notices among the elements that are named so."""
    names = page.once(name_words)
    place, bucket = (np.asarray(column[: names.count], np.int32) for column in (names.place, names.bucket))
    is_named = np.asarray(group_of_bucket())[bucket] == _CONSENT_GROUP
    is_sure = ~np.isin(bucket[is_named], buckets_of(_AMBIGUOUS))
    sure = set(place[is_named][is_sure].tolist())
    for node in np.unique(place[is_named]).tolist():
        if _is_notice(page, node, (*_BUTTONS, *_LINKS) if node in sure else _BUTTONS):
            yield node


def _is_notice(page: Page, node: int, choices: tuple[int, ...] = _BUTTONS) -> bool:
    """Return whether the text of an element speaks of consent, and offers a choice by an element of these tags."""
    first, last = page.blocks_of(node)
    offers_choice = np.isin(page.nodes.tag[node : page.nodes.end[node]], choices).any()
    if not offers_choice or page.blocks.words[first:last].sum() > MAX_NOTICE_WORDS:
        return False
    text = page.text_of(node)
    return any(piece in text for piece in CONSENT)


def _lies_over(page: Page, node: int) -> bool:
    """Return whether an element is not the page itself: it holds neither the title nor much of the text."""
    title, (first, last) = page.title_heading, page.blocks_of(node)
    if title is not None and node <= title < page.nodes.end[node]:
        return False
    words = page.blocks.words * ~page.blocks.is_unseen
    limit = MAX_NOTICE_SHARE if _is_notice(page, node) else MAX_SHARE
    return bool(words[first:last].sum() <= limit * words.sum())
