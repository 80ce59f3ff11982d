"""Overlays: dialogs and consent notices, which lie over a page until a visitor closes them.

A dialog says so by its tag or role, or by a name and `aria-hidden`. A consent notice is recognised by three things
together: the name of an element, a text that speaks of consent, and something to press. One or two of them are not
enough: recipes for cookies, chapters about the GDPR and cookie policies have as much. And a page may be built as one
dialog: what holds the title, or much of the text, is the page itself.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks.words import buckets_of, name_words, overlay_words
from pagestrata.native.words import BUCKETS
from pagestrata.page import tags
from pagestrata.page.page import Page

MAX_SHARE: Final = 0.3
"""A dialog with a larger share of the words of the page is the page itself."""
MIN_WORDS_BESIDE: Final = 100
"""A page that shows fewer words beside its dialogs is made of them, unless they are a small share all together."""
MAX_NOTICE_SHARE: Final = 0.6
"""A larger share is the page itself for a consent notice with nothing to press but links. One with a button may be
longer than a short page, or all that a page shows."""
MAX_NOTICE_WORDS: Final = 600
"""A consent notice with its choices is shorter; a text about cookies is longer."""
MAX_LIST_WORDS: Final = 3000
WORDS_PER_CONSENT: Final = 40
"""A list of purposes and partners may be as long as that; it speaks of consent once in so many words."""
MAX_UNNAMED_WORDS: Final = 150
"""A notice is this short if its name does not say that it is one."""
CONSENT: Final = ("ookie", "GDPR", "DSGVO", "RGPD", "CCPA")
"""Pieces of words that the text of a consent notice has."""
_CONSENT: Final = re.compile("|".join((*CONSENT, "OOKIE", "onsent", "ONSENT")))
MAX_SEARCHED: Final = 6000
"""Characters of a notice that are searched: as many as its words have, unless they are very long."""
_SITE = re.compile(
    r"(?i)\b(?:web)?sites?\b|websei|\bsitio|\bsito\b|naviga|browser|privac|polic[yi]|consent|tracking|analyti"
    r"|datenschutz|zustimm|einwillig|confidential|GDPR|DSGVO|RGPD|CCPA|(?:we use|uses) (?:\w+ )?cookies"
    r"|(?:utili[sz]\w+|usamos|verwende\w*|gebruik\w*|använder|bruker|bruger) (?:des |les |i )?cookies?"
)
"""What a notice about cookies speaks of, and a recipe for cookies does not."""

_SURE, _COOKIE, _OVER, _FIXED, _ROLE, _MODAL, _PRESSED, _ENTRY, _POLICY = (1 << bit for bit in range(9))
_MAY_BE_OVERLAY: Final = _SURE | _COOKIE | _FIXED | _ROLE | _MODAL
_DIALOG_ROLES: Final = ("dialog", "alertdialog")
_NEVER: Final = tags.numbers_of("html body main article h1 h2 h3 h4 h5 h6 p a label button input")
"""Elements that are no notice whatever their name says: classes of a whole page, entries about cookies, anchors."""
_BUTTONS: Final = tags.numbers_of("button input")
_CODE: Final = tags.numbers_of("pre code")
_LINK: Final = (tags.TAG["a"],)


@cache
def _bits_of_bucket() -> npt.NDArray[np.uint16]:
    """Return, for each bucket, what its word says of an element, as bits."""
    words, bits = overlay_words(), np.zeros(BUCKETS, np.uint16)
    for bit, said in (
        (_SURE, words.consent),
        (_COOKIE, words.cookie),
        (_OVER, words.over_page),
        (_FIXED, words.fixed),
        (_ROLE, " ".join(_DIALOG_ROLES)),
        (_MODAL, words.modal),
        (_PRESSED, words.pressed),
        (_ENTRY, words.entry),
        (_POLICY, words.policy),
    ):
        bits[buckets_of(said)] |= bit
    return bits


def overlays_of(page: Page) -> list[int]:
    """Return the outermost overlays of a page, in document order."""
    return _Candidates(page).overlays()


@dataclass(frozen=True)
class _Candidates:
    """The elements of a page that may be overlays, and what decides about them; sums are over nodes or blocks."""

    page: Page

    def overlays(self) -> list[int]:
        """Return the outermost overlays: the consent notices, and the dialogs beside them."""
        nodes = self.nodes
        if not nodes:
            return []
        notices = outermost(self.page, nodes, self._is_notice) if self._consent_places else []
        own_words = self._all_words - sum(map(self._words_in, notices))
        dialogs = outermost(self.page, nodes, lambda node: self._is_dialog(node, own_words))
        in_dialogs = sum(map(self._words_in, dialogs))
        if in_dialogs > MAX_SHARE * own_words and own_words - in_dialogs < MIN_WORDS_BESIDE:
            dialogs = []
        return outermost(self.page, sorted({*notices, *dialogs}))

    @cached_property
    def nodes(self) -> list[int]:
        """The elements with a tag or a name of an overlay, in document order."""
        place, bits = self._words
        return sorted({*self.page.nodes_tagged("dialog").tolist(), *place[bits & _MAY_BE_OVERLAY > 0].tolist()})

    @cached_property
    def _words(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
        """The element of each word of a name that says something, and what it says."""
        names = self.page.once(name_words)
        bits = _bits_of_bucket().take(np.asarray(names.bucket[: names.count], np.int32))
        says_something = bits > 0
        return np.asarray(names.place[: names.count], np.int32)[says_something], bits[says_something]

    @cached_property
    def _bits(self) -> npt.NDArray[np.uint16]:
        """Per node, what its names say."""
        bits = np.zeros(len(self.page.nodes), np.uint16)
        np.bitwise_or.at(bits, *self._words)
        return bits

    @cached_property
    def _tags(self) -> memoryview:
        """Per node, its tag; reading a number from a view is cheap."""
        return self.page.nodes.tag.data

    def _is_notice(self, node: int) -> bool:
        """Return whether an element is a consent notice."""
        bits, end = int(self._bits[node]), int(self.page.nodes.end[node])
        consents, words = self._consents_in(node), self._words_in(node)
        if not consents or self._is_something_else(node, bits) or self._code[end] > self._code[node]:
            return False
        has_button = self._buttons[end] > self._buttons[node + 1]
        if bits & _SURE or self._is_named_dialog(node):
            is_short = words <= max(MAX_NOTICE_WORDS, min(MAX_LIST_WORDS, consents * WORDS_PER_CONSENT))
            return is_short if has_button else bool(bits & _SURE) and self._is_notice_with_links(node, words)
        return has_button and self._is_notice_by_text(node, bits, words)

    def _is_something_else(self, node: int, bits: int) -> bool:
        """Return whether an element is no notice whatever it says: an entry, a policy, or what holds the title."""
        is_policy = bits & _POLICY and not bits & _OVER
        return bool(bits & _ENTRY or is_policy or self._tags[node] in _NEVER) or self._holds_title(node)

    def _is_notice_with_links(self, node: int, words: int) -> bool:
        """Return whether an element whose class speaks of consent has links, and is not most of the page."""
        page = self.page
        has_link = self._links[page.nodes.end[node]] > self._links[node + 1]
        if not has_link or words > min(MAX_NOTICE_WORDS, MAX_NOTICE_SHARE * self._all_words):
            return False
        return bool((_bits_of_bucket()[buckets_of(page.attribute(node, "class") or "")] & _SURE).any())

    def _is_notice_by_text(self, node: int, bits: int, words: int) -> bool:
        """Return whether an element with a name that notices share with other things says what only they say."""
        page, is_named = self.page, bool(bits & _COOKIE and bits & _OVER)
        if words > (MAX_NOTICE_WORDS if is_named else MAX_UNNAMED_WORDS):
            return False
        is_named |= bool(bits & _FIXED) or "cookie" in (page.attribute(node, "class") or "").lower()
        start, end = page.text_span(node)
        return is_named and _SITE.search(page.text, start, min(end, start + MAX_SEARCHED)) is not None

    def _is_dialog(self, node: int, own_words: int) -> bool:
        """Return whether an element is a dialog, and a small part of the text of the page's own."""
        is_small = self._words_in(node) <= MAX_SHARE * own_words
        return is_small and self._is_named_dialog(node) and not self._holds_title(node)

    def _is_named_dialog(self, node: int) -> bool:
        page, bits = self.page, self._bits[node]
        if self._tags[node] == tags.TAG["dialog"]:
            return True
        if bits & _ROLE and (page.attribute(node, "role") or "").strip().lower() in _DIALOG_ROLES:
            return True
        is_modal = bits & _MODAL and self._tags[node] not in _NEVER
        return bool(is_modal) and (page.attribute(node, "aria-hidden") or "").strip().lower() == "true"

    def _holds_title(self, node: int) -> bool:
        title = self.page.title_heading
        return title is not None and node <= title < int(self.page.nodes.end[node])

    def _words_in(self, node: int) -> int:
        first, last = self.page.blocks_of(node)
        return self._word_sums[last] - self._word_sums[first]

    @property
    def _all_words(self) -> int:
        return self._word_sums[-1]

    @cached_property
    def _word_sums(self) -> memoryview:
        blocks = self.page.blocks
        return _sums(blocks.words * ~blocks.is_unseen)

    @cached_property
    def _buttons(self) -> memoryview:
        """Running sum of the elements that are pressed: buttons, and what is named as one."""
        return _sums(self.page.nodes.is_one_of(_BUTTONS) | (self._bits & _PRESSED > 0))

    @cached_property
    def _links(self) -> memoryview:
        return _sums(self.page.nodes.is_one_of(_LINK))

    @cached_property
    def _code(self) -> memoryview:
        return _sums(self.page.nodes.is_one_of(_CODE))

    def _consents_in(self, node: int) -> int:
        """Return how often the text of an element speaks of consent."""
        start, end = self.page.text_span(node)
        return bisect_left(self._consent_places, end) - bisect_left(self._consent_places, start)

    @cached_property
    def _consent_places(self) -> list[int]:
        """Where notices may speak of consent; found once, since elements with such names may be in each other."""
        spans = map(self.page.text_span, outermost(self.page, self.nodes, lambda node: self._tags[node] not in _NEVER))
        return [match.start() for start, end in spans for match in _CONSENT.finditer(self.page.text, start, end)]


def outermost(page: Page, nodes: Iterable[int], is_wanted: Callable[[int], bool] = lambda node: True) -> list[int]:
    """Return those of the elements that are wanted and in no other that is; the elements are in document order."""
    wanted: list[int] = []
    ends, end = page.nodes.end.data, 0
    for node in nodes:
        if node >= end and is_wanted(node):
            wanted.append(node)
            end = ends[node]
    return wanted


def _sums(counts: npt.NDArray[np.generic]) -> memoryview:
    """Return the sums up to each place."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums.data
