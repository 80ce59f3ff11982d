"""The items of a Markdown text, as markdown-it reads them: paragraphs, headings, list items, code, links and so on.

Truth and answers are read alike. Texts are compared without blanks and signs, so that escapes, dashes and quotes of
another kind make no difference; code is compared without blanks only.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize
from urllib.parse import unquote

from pagestrata.errors import MissingExtra

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

KINDS: Final = (
    "paragraph heading item code inline-code link image table cell strong emphasis quote footnote term definition maths"
).split()
"""All kinds of items, in the order of the table."""
_SIGNS = re.compile(r"[\W_]+")
_BLANKS = re.compile(r"\s+")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_STYLES: Final = {"strong_open": "strong", "em_open": "emphasis"}
_CONTAINERS: Final = {
    "list_item_open": "item",
    "blockquote_open": "quote",
    "footnote_open": "footnote",
    "dd_open": "definition",
}
_LINES: Final = {"heading_open": "heading", "dt_open": "term", "th_open": "cell", "td_open": "cell"}


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a Markdown text."""

    kind: str
    key: str
    """The key by which it is compared."""
    attribute: str = ""
    """The language of code, the target of a link, the level of a heading; empty for others."""
    pieces: tuple[str, ...] = ()
    """The keys of its texts between formulas and notes, which the page draws in other ways."""


def key_of(text: str) -> str:
    """Return a text in lower case without blanks and punctuation; unchanged if it is only punctuation.

    >>> key_of("Tea -- “hot” & _wet_"), key_of("10⁶"), key_of("{ }")
    ('teahotwet', '106', '{}')
    """
    plain = normalize("NFKC", text)
    return _SIGNS.sub("", plain).casefold() or code_key(plain)


def code_key(text: str) -> str:
    """Code without blanks."""
    return _BLANKS.sub("", text)


def items_of(markdown: str) -> list[Item]:
    """Read all items of a Markdown text that have a text, in their order.

    >>> [(item.kind, item.key) for item in items_of("## Tea\\n\\n- `pot` and *cup*")]
    [('heading', 'tea'), ('inline-code', 'pot'), ('emphasis', 'cup'), ('item', 'potandcup')]
    """
    tokens = _reader().parse(_FRONT_MATTER.sub("", markdown))
    return [item for item in _Reading().read(tokens) if item.key]


@cache
def _reader() -> "MarkdownIt":
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.deflist import deflist_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.footnote import footnote_plugin
    except ImportError as error:
        raise MissingExtra.by(error, "bench") from error
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    plugins: tuple[Any, ...] = (footnote_plugin, deflist_plugin, dollarmath_plugin)
    for plugin in plugins:
        reader.use(plugin)
    return reader


@dataclass(slots=True)
class _Open:
    """A container that is open: an item, a quote, a note, a definition or a table."""

    kind: str
    texts: list[str] = field(default_factory=list)


class _Reading:
    """Reads tokens with a stack of the containers that are open."""

    def __init__(self) -> None:
        self.opened: list[_Open] = []

    def read(self, tokens: "Sequence[Token]") -> Iterator[Item]:
        for place, token in enumerate(tokens):
            if token.type in _CONTAINERS:
                self.opened.append(_Open(_CONTAINERS[token.type]))
            elif token.type == "table_open":
                self.opened.append(_Open("table"))
            elif token.type == "table_close" or token.type.replace("_close", "_open") in _CONTAINERS:
                yield from self.close()
            elif token.type == "inline":
                yield from self.line(tokens[place - 1], token)
            elif token.type in ("fence", "code_block"):
                lines = tuple(filter(None, map(code_key, token.content.split("\n"))))
                yield Item("code", "".join(lines), _language(token.info), lines)
            elif token.type in ("math_block", "math_block_label"):
                yield Item("maths", code_key(token.content))

    def close(self) -> Iterator[Item]:
        container = self.opened.pop()
        pieces = tuple(filter(None, map(key_of, container.texts)))
        yield Item(container.kind, "".join(pieces), pieces=pieces)
        if self.opened and container.kind not in ("item", "footnote"):
            self.opened[-1].texts += container.texts

    def line(self, opening: "Token", token: "Token") -> Iterator[Item]:
        """Read a line of text and its content. Inside an item, a note or a definition it is not a paragraph."""
        children = token.children or []
        yield from _inside(children)
        texts = _texts(children)
        if self.opened:
            self.opened[-1].texts += texts
        pieces = tuple(filter(None, map(key_of, texts)))
        kind = _LINES.get(opening.type, "paragraph")
        if kind != "paragraph" or all(container.kind == "quote" for container in self.opened):
            level = opening.tag[1:] if kind == "heading" else ""
            yield Item(kind, "".join(pieces), level, pieces)


def _inside(children: "Sequence[Token]") -> Iterator[Item]:
    """Links, images, styles, code and formulas in a line."""
    opened: list[tuple[str, str, list[str]]] = []
    for token in children:
        if token.type == "link_open":
            opened.append(("link", str(token.attrs.get("href", "")), []))
        elif token.type in _STYLES:
            opened.append((_STYLES[token.type], "", []))
        elif token.type in ("link_close", "strong_close", "em_close") and opened:
            kind, attribute, texts = opened.pop()
            yield Item(kind, key_of("".join(texts)), attribute, (key_of("".join(texts)),))
        elif token.type == "image":
            yield Item("image", image_name(str(token.attrs.get("src", ""))))
        elif token.type == "code_inline":
            yield Item("inline-code", key_of(token.content))
        elif token.type.startswith("math_inline"):
            yield Item("maths", code_key(token.content))
        for _, _, texts in opened:
            texts.append(_text_of(token))


def _texts(children: "Sequence[Token]") -> list[str]:
    """The texts of a line between its formulas and notes."""
    texts = [""]
    for token in children:
        if token.type.startswith("math") or token.type == "footnote_ref":
            texts.append("")
        else:
            texts[-1] += _text_of(token)
    return texts


def _text_of(token: "Token") -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content if token.type in ("text", "text_special", "code_inline") else ""


def _language(info: str) -> str:
    """The language behind a fence: the first word, without the braces and dots of R Markdown and pandoc."""
    return next(iter(re.findall(r"[\w+#-]+", info.casefold())), "")


def image_name(source: str) -> str:
    """The file name of an image: where it lies differs between a source and the site made from it.

    >>> image_name("img/Red%20tea.png?v=2"), image_name("/static/Red tea.png")
    ('red tea.png', 'red tea.png')
    """
    return unquote(source.partition("?")[0]).rpartition("/")[2].casefold()
