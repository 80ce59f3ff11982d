"""The tags and attributes we know by number, and what each tag does to the text around it.

Both scanners read these tables, so this is the one place that says what is a block, what is hidden, what is never
content. The display of an element follows the style sheet that the HTML standard recommends to browsers, with the
exceptions said beside the sets.
"""

from typing import Final

TEXT: Final = 0
"""The tag number of a text node."""

# What a tag does, as bits; one tag may do several.
BLOCK: Final = 1
"""Begins and ends a line of its own."""
SILENT: Final = 2
"""Its text is never content: code, styles, fallbacks for what a browser loads, and the head."""
PRE: Final = 4
"""White space inside is kept as it stands."""
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
"""Put in by us, so no path can lead into it: a shadow root, a tag whose name no path can spell."""
SCRIPTLESS: Final = 512
"""Shown only to browsers without scripts."""
FALLBACK: Final = 1024
"""Shown only when something else cannot be."""

SHADOW_ROOT: Final = "pagestrata-shadow-root"
"""Wraps the content of a shadow root, which stands first in its host."""
ODD: Final = "pagestrata-odd"
"""Stands for an element whose name could not be written as XML (`<a"b>`)."""
TEX: Final = "pagestrata-tex"
"""Stands for `<script type="math/tex">`; its text is the formula."""

_SECTIONING = "html body address article aside footer header hgroup main nav section search"
_GROUPING = (
    "blockquote center dd dir div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 hr legend li menu ol p ul"
)
_TABLES = "caption colgroup col table tbody td tfoot th thead tr"
_FORMS = "button input optgroup option select datalist textarea"  # inline boxes, but each is a thing of its own
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

_DOES: Final[dict[int, str]] = {
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
    sum(bit for bit, names in _DOES.items() if tag in names.split()) for tag in TAGS
)
"""What each tag does, by its number; a tag without a number does nothing."""

ATTRIBUTES: Final[tuple[str, ...]] = (
    "#other",
    *(
        "class id href src style role hidden aria-hidden open title alt lang dir start reversed value colspan rowspan "
        "span type datetime rel content name property itemprop itemscope itemtype cite srcset data-src data-srcset "
        "data-lazy-src data-original data-lazy-srcset data-language data-lang encoding headers scope aria-label "
        "aria-labelledby http-equiv charset xml:lang width height poster for color face size"
    ).split(),
    "pagestrata-mark",
)
ATTRIBUTE: Final[dict[str, int]] = {name: number for number, name in enumerate(ATTRIBUTES)}
MARK: Final = "pagestrata-mark"
"""Set by `parse` on what a selector found."""

# Why text is not seen, in the order of `HIDDEN_BY`. The outermost reason holds, but for the last two: what is in closed
# details or only hidden from screen readers can be seen, so that a reason inside of it says more.
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
"""Reasons, and what stands for them where scripts are taken to show the text; see `scriptless`."""
UNSEEN: Final = (BY_STYLE, BY_ATTRIBUTE, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG)
"""The reasons for which a browser shows nothing."""

# The formatting elements of the HTML standard that a parser opens again in every block until they are closed.
# `a` and `nobr` close themselves, so at most one of each is open.
FORMATTING: Final[tuple[str, ...]] = tuple("b big code em font i s small strike strong tt u".split())
