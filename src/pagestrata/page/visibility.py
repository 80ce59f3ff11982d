"""What of a page's text a visitor sees, and what counts as seen though it is hidden.

Most hidden text is hidden for good reasons: menus, dialogs, copies of visible text; or for bad ones, to be read by
programs only. But some pages send their content hidden, for scripts to show (React puts what it streams in `<div
hidden>`), or only in `<noscript>`, for search engines (forums do), or in parts that open when their label is clicked.
No script is run here, so such text counts as seen if there is much of it, and if either the page shows no text of its
own or the hidden element is one that scripts open. What is hidden once more inside such an element stays hidden, unless
it opens, too. Dialogs and consent notices are no text of the page's own, and what is hidden again and again counts
once. `Options(hidden="never")` leaves all of it out.
"""

import re
from dataclasses import replace
from typing import Final

import numpy as np

from pagestrata.options import Hidden
from pagestrata.page import columns, tags
from pagestrata.page.blocks import Blocks
from pagestrata.page.concealed import concealed, opens
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.style_rules import HidingRules
from pagestrata.page.text import words

MIN_HIDDEN_RATIO: Final = 0.5
"""Hidden words per visible word. Among ½, 1, 2 and 4, this was best in cross-validation of the engine on wcxb: word F1
.872, .871, .870, .869, and .851 if hidden text is never shown."""
MIN_HIDDEN_WORDS: Final = 100
"""Fewer hidden words may be a request to turn scripts on."""
MIN_PROSE_WORDS: Final = 30
"""A page that shows as many words of running text has content of its own. Of 46 pages of wcxb that show less and hide
much, 44 have their content in what is hidden."""
MIN_BLOCK_WORDS: Final = 10
MAX_LINK_SHARE: Final = 0.5
"""A block of running text has at least so many words, and at most this share of its characters in links."""
MIN_TITLE_SHARE: Final = 0.3
"""Words that a heading and the title share, of all words of both, from which the heading is that of the page."""
SHOWN_WARNING: Final = "much of the text is hidden until scripts run; it was treated as visible"
LEFT_OUT_WARNING: Final = "much of the text is hidden until scripts run; it was left out: see the option `hidden`"

_STREAMED_ID = re.compile(r"S:[0-9a-f]+")
"""React moves what it sends later from elements with such an `id` to where it belongs."""
_CONTROLLED = re.compile(r' (?:aria-controls|data-target|data-bs-target|href)="#?([^"\s]+)"')
_HIDES = re.compile(r"(?i)(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))")
_CONSENT: Final = ("cookie", "gdpr", "dsgvo", "rgpd", "ccpa")
_DIALOG_ROLES: Final = frozenset({"dialog", "alertdialog"})
_CLOSED_ROLES: Final = _DIALOG_ROLES | frozenset("menu menubar tooltip alert status search banner".split())


def with_visibility(page: Page, word_counts: tuple[int, ...], rules: HidingRules, hidden: Hidden) -> Page:
    """Return the page with everything hidden that nobody can read, and with what scripts show if `hidden` allows it.

    `word_counts` are those of the scan: words by the reason for which they are hidden. On a page that a browser has
    drawn, only what it drew decides what can be read.
    """
    strict = hidden == "never"
    is_concealed = concealed(page, rules, strict) if page.drawn is None else None
    if is_concealed is not None:
        page = page.with_hidden(np.where(is_concealed & ~page.nodes.is_unseen, tags.BY_STYLE, page.nodes.hidden_by))
    if strict and word_counts[tags.BY_ARIA]:
        reasons = page.nodes.hidden_by
        page = page.with_hidden(np.where(reasons == tags.BY_ARIA, tags.BY_ATTRIBUTE, reasons))
    if is_concealed is not None or page.drawn is not None:
        word_counts = _word_counts(page)
    waiting = sum([word_counts[reason] for reason in tags.SHOWN_BY_SCRIPTS])
    if waiting < MIN_HIDDEN_WORDS or not _hides_much(page):
        return page
    if strict:
        return replace(page, warnings=(*page.warnings, LEFT_OUT_WARNING))
    return _show(page)


def _word_counts(page: Page) -> tuple[int, ...]:
    counts = np.bincount(page.blocks.hidden_by, page.blocks.words, columns.REASONS)
    return tuple(counts.astype(np.int64).tolist())


def _hides_much(page: Page) -> bool:
    """Return whether a page hides many words, beside those that it shows of its own."""
    blocks, own = page.blocks, _own_blocks(page)
    own_words = int(blocks.words[own].sum())
    waits = np.flatnonzero(_REASON_IF_SHOWN[blocks.hidden_by] != blocks.hidden_by)
    if blocks.words[waits].sum() < MIN_HIDDEN_RATIO * own_words:
        return False
    starts, ends, counts = blocks.text_start[waits], blocks.text_end[waits], blocks.words[waits]
    texts = (page.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    once: int = sum(dict(zip(texts, counts.tolist(), strict=True)).values())
    return once >= max(MIN_HIDDEN_WORDS, MIN_HIDDEN_RATIO * own_words)


def _own_blocks(page: Page) -> Bools:
    """Return which blocks a page shows of its own: they are in no dialog, and do not ask for consent."""
    blocks = page.blocks
    is_own = ~blocks.is_unseen & ~_in_dialogs(page)
    starts, ends = blocks.text_start.data, blocks.text_end.data
    for place in np.flatnonzero(is_own & _is_prose(blocks)).tolist():
        text = page.text[starts[place] : ends[place]].lower()
        is_own[place] = not any(word in text for word in _CONSENT)
    return is_own


def _show(page: Page) -> Page:
    """Show all that scripts may show if the page has no text of its own, else the elements that scripts open."""
    reasons = page.nodes.hidden_by
    heading = _hidden_heading(page)
    outermost = _outermost_hidden(page)
    if not _waits_for_scripts(page, heading):
        outermost = _opened_by_scripts(page, outermost, heading)
    if not outermost:
        return page
    is_shown = page.nodes.inside(outermost)
    is_shown &= ~page.nodes.inside(_hidden_again(page, is_shown, heading))
    shown = np.where(is_shown, _REASON_IF_SHOWN[reasons], reasons)
    return replace(page.with_hidden(shown), warnings=(*page.warnings, SHOWN_WARNING))


def _waits_for_scripts(page: Page, heading: int | None) -> bool:
    """Return whether a page shows no running text, and something else says that its content is in what it hides.

    That is: more is hidden than seen, or the heading of the page is hidden, or it has text for readers without scripts,
    or a framework has sent elements to be moved elsewhere.
    """
    reasons, count = page.blocks.hidden_by, page.blocks.normalised_words
    is_visible = _own_blocks(page)
    if count[is_visible & _is_prose(page.blocks)].sum() >= MIN_PROSE_WORDS:
        return False
    return bool(
        heading is not None
        or count[_REASON_IF_SHOWN[reasons] != reasons].sum() > count[is_visible].sum()
        or (reasons == tags.BY_NOSCRIPT).any()
        or any(_STREAMED_ID.fullmatch(name) for _, name in page.values_of("id"))
    )


def _in_dialogs(page: Page) -> Bools:
    """Return which blocks are in a dialog, such as a consent notice, and so no text of the page's own."""
    roles = (node for node, role in page.values_of("role") if role.strip().lower() in _DIALOG_ROLES)
    return page.nodes.inside([*page.nodes_tagged("dialog").tolist(), *roles])[page.blocks.node_start]


def _is_prose(blocks: Blocks) -> Bools:
    is_prose: Bools = blocks.normalised_words >= MIN_BLOCK_WORDS
    return is_prose & (blocks.link_characters <= MAX_LINK_SHARE * blocks.characters)


def _hidden_heading(page: Page) -> int | None:
    """Return the heading that shares most words with the title of the page, if it is hidden, or None."""
    wanted = set(words(page.title.lower()))
    best, heading = MIN_TITLE_SHARE, None
    is_unseen = page.nodes.is_unseen
    for node in page.nodes_tagged("h1", "h2").tolist():
        spelled = set(words(page.text_of(node).lower()))
        share = len(spelled & wanted) / max(1, len(spelled | wanted))
        if share > best or (share == best and not is_unseen[node]):
            best, heading = share, node
    return heading if heading is not None and is_unseen[heading] else None


def _outermost_hidden(page: Page) -> list[int]:
    """Return the outermost elements that are hidden for a reason for which scripts may show them."""
    reasons, parents = page.nodes.hidden_by, page.nodes.parent
    may_be_shown = _REASON_IF_SHOWN[reasons] != reasons
    is_outermost = may_be_shown & ~(may_be_shown[parents] & (parents >= 0)) & ~page.nodes.is_text
    outermost: list[int] = np.flatnonzero(is_outermost).tolist()
    return outermost


def _opened_by_scripts(page: Page, elements: list[int], heading: int | None) -> list[int]:
    """Return those of the elements that a framework moves, that a label opens, or that hold the heading."""
    targets = set(_CONTROLLED.findall(page.markup))
    return [node for node in elements if _is_opened(page, node, targets, heading)]


def _hidden_again(page: Page, is_shown: Bools, heading: int | None) -> list[int]:
    """Return the elements inside of those shown that are hidden themselves, and that nothing opens."""
    parents = page.nodes.parent
    styled = [node for node, style in page.values_of("style") if _HIDES.search(style)]
    hidden = sorted({*styled, *page.nodes_with("hidden").tolist()})
    inside = [node for node in hidden if is_shown[node] and is_shown[parents[node]] and parents[node] >= 0]
    opened = set(_opened_by_scripts(page, inside, heading)) if inside else set()
    return [node for node in inside if node not in opened]


def _is_opened(page: Page, node: int, targets: set[str], heading: int | None) -> bool:
    attributes = dict(page.attributes_of(node))
    if attributes.get("role") in _CLOSED_ROLES or attributes.get("aria-modal") == "true":
        return False
    if heading is not None and node <= heading < page.nodes.end[node]:
        return True
    name = attributes.get("id", "")
    return bool(_STREAMED_ID.fullmatch(name) or name in targets or "aria-labelledby" in attributes) or opens(page, node)


_REASON_IF_SHOWN = np.arange(columns.REASONS, dtype=np.int32)
for _hidden, _shown in tags.SHOWN_BY_SCRIPTS.items():
    _REASON_IF_SHOWN[_hidden] = _shown
