"""The tags and attributes that have numbers, and the effect of each tag on the text around it.

The kernel `native.scan` reads these tables, so this is the one place that defines what is a block, what is hidden, what
is never content. The display of an element follows the style sheet that the HTML standard recommends to browsers, with
the exceptions noted beside the sets.
"""

from typing import Final

TEXT: Final = 0
"""The tag number of a text node."""

# The behaviour of a tag, as bits; a tag may have several.
BLOCK: Final = 1
"""Begins and ends a line of its own."""
SILENT: Final = 2
"""Its text is never content: code, styles, fallbacks for what a browser loads, and the head."""
PRE: Final = 4
"""White space inside is kept unchanged."""
BREAK: Final = 8
"""Ends the line; two in a row end the block."""
LINK: Final = 16
"""Text inside is link text, if it has an href."""
DETAILS: Final = 32
"""Shows only its summary until it is opened."""
SUMMARY: Final = 64
DIALOG: Final = 128
"""Shown only when it has the attribute `open`."""
OPAQUE: Final = 256
"""Added by us, so no path leads into it: a shadow root, a tag whose name cannot be written in a path."""
SCRIPTLESS: Final = 512
"""Shown only to browsers without scripts."""
FALLBACK: Final = 1024
"""Shown only when something else cannot be shown."""

SHADOW_ROOT: Final = "pagestrata-shadow-root"
"""Wraps the content of a shadow root, which stands first in its host."""
ODD: Final = "pagestrata-odd"
"""Replaces an element whose name cannot be written in XML (`<a"b>`)."""
TEX: Final = "pagestrata-tex"
"""Replaces `<script type="math/tex">`; its text is the formula."""

_SECTIONING = "html body address article aside footer header hgroup main nav section search"
_GROUPING = (
    "blockquote center dd dir div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 hr legend li menu ol p ul"
)
_TABLES = "caption colgroup col table tbody td tfoot th thead tr"
_FORMS = "button input optgroup option select datalist textarea"  # inline boxes, but each is an item of its own
_PREFORMATTED = "listing plaintext pre xmp"
_INLINE = (
    "a abbr acronym area audio b bdi bdo big blink br canvas cite code data del dfn em embed font i img ins kbd label "
    "map mark math meter nobr object output param picture progress q rb rp rt rtc ruby s samp slot small source span "
    "strike strong sub sup svg time track tt u var video wbr"
)
_INTERACTIVE = "details dialog summary"
_HEAD = "head base link meta title"
_RAW = "script style template noscript iframe noembed noframes frameset frame"
_FOREIGN = (
    "annotation annotation-xml defs desc foreignObject g mfrac mi mn mo mrow msub msup msubsup mtext path semantics "
    "text"
)

TAGS: Final[tuple[str, ...]] = (
    "#text",
    *" ".join(
        (_SECTIONING, _GROUPING, _TABLES, _FORMS, _PREFORMATTED, _INLINE, _INTERACTIVE, _HEAD, _RAW, _FOREIGN)
    ).split(),
    SHADOW_ROOT,
    ODD,
    TEX,
)
TAG: Final[dict[str, int]] = {name: number for number, name in enumerate(TAGS)}


def numbers_of(names: str) -> tuple[int, ...]:
    """Return the numbers of some tags, whose names are separated by blanks."""
    return tuple(TAG[name] for name in names.split())


_TAGS_BY_BEHAVIOUR: Final[dict[int, str]] = {
    BLOCK: " ".join((_SECTIONING, _GROUPING, _TABLES, _FORMS, _PREFORMATTED, _INTERACTIVE, "frameset", SHADOW_ROOT)),
    SILENT: "head script style template iframe noembed noframes frame",
    PRE: f"{_PREFORMATTED} textarea {TEX}",
    BREAK: "br",
    LINK: "a",
    DETAILS: "details",
    SUMMARY: "summary",
    DIALOG: "dialog",
    OPAQUE: f"{SHADOW_ROOT} {ODD} {TEX}",
    SCRIPTLESS: "noscript",
    FALLBACK: "annotation annotation-xml audio canvas datalist desc object title video",
}
BEHAVIOUR: Final[tuple[int, ...]] = tuple(
    sum(bit for bit, names in _TAGS_BY_BEHAVIOUR.items() if tag in names.split()) for tag in TAGS
)
"""The bits of each tag, by its number; a tag without a number has none."""

ATTRIBUTES: Final[tuple[str, ...]] = (
    "#other",
    *(
        "class id href src style role hidden aria-hidden open title alt lang dir start reversed value colspan rowspan "
        "span type datetime rel content name property itemprop itemscope itemtype cite srcset data-src data-srcset "
        "data-lazy-src data-original data-lazy-srcset data-language data-lang encoding headers scope aria-label "
        "aria-labelledby http-equiv charset xml:lang width height poster for color face size popover"
    ).split(),
    "pagestrata-mark",
)
ATTRIBUTE: Final[dict[str, int]] = {name: number for number, name in enumerate(ATTRIBUTES)}
MARK: Final = "pagestrata-mark"
"""The attribute that `parse` sets on elements that a selector matches."""

# Why text is hidden, in the order of `HIDDEN_BY`. The outermost reason applies, except for closed details and
# aria-hidden: their text can be seen, so that a reason inside them is more specific.
HIDDEN_BY: Final[tuple[str, ...]] = (
    "",
    "style",
    "hidden attribute",
    "noscript",
    "fallback",
    "closed dialog",
    "closed details",
    "aria-hidden",
    "style, until scripts run",
    "hidden attribute, until scripts run",
    "noscript, where scripts run",
)
BY_STYLE, BY_ATTRIBUTE, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG, BY_DETAILS, BY_ARIA = range(1, 8)
SHOWN_BY_SCRIPTS: Final = {BY_STYLE: 8, BY_ATTRIBUTE: 9, BY_NOSCRIPT: 10}
"""Reasons, and their replacements where scripts are assumed to show the text; see `scriptless`."""
UNSEEN: Final = (BY_STYLE, BY_ATTRIBUTE, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG)
"""The reasons for which a browser shows nothing."""

# The formatting elements of the HTML standard that a parser opens again in every block until they are closed.
# `a` and `nobr` close themselves, so at most one of each is open.
FORMATTING: Final[tuple[str, ...]] = tuple("b big code em font i s small strike strong tt u".split())
