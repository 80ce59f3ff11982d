"""The items of an author's Markdown that are on the page made from it, and further ones in its main part.

A generator leaves out parts of the source, adds its own, and changes addresses and levels. So only those items are
wanted whose text the page has; their attributes are those of the page; and what else stands in its main part with the
same kind is neither wanted nor wrong.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import msgspec

from pagestrata.api import parse
from pagestrata.errors import InputError
from pagestrata.evaluate.datasets.page_folders import find_folder
from pagestrata.evaluate.markdown_items import Item, code_key, image_name, items_of, key_of
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.render.images import largest_first
from pagestrata.render.tables import code_listing

MAIN_SHARE: Final = 0.9
"""The main part is the innermost element that holds this share of the paragraphs that are wanted."""
MIN_CODE_LINES: Final = 0.9
"""The share of the lines of code that one element must have: line numbers may be between them."""
_TAGS: Final = {
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "item": ("li",),
    "code": ("pre",),
    "inline-code": ("code", "kbd", "samp", "tt"),
    "link": ("a",),
    "cell": ("td", "th"),
    "table": ("table",),
    "strong": ("b", "strong"),
    "emphasis": ("i", "em"),
    "quote": ("blockquote",),
    "term": ("dt",),
    "definition": ("dd",),
}


_HOLD_OTHERS: Final = ("item", "quote", "definition", "cell", "table", "code")
"""Kinds whose elements may hold more than the text of the item: lists in lists, line numbers in code."""

_FORMULA = re.compile(r"(?s)\\\((?P<a>.*?)\\\)|\\\[(?P<b>.*?)\\\]|\$\$(?P<c>.*?)\$\$|<span>\$(?P<d>[^<$]*)\$<")

_NO_LANGUAGE: Final = frozenset(("", "default", "none", "text", "plaintext", "code"))


class _Meta(msgspec.Struct, frozen=True):
    site: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True)
class MarkdownPage:
    """A page with the Markdown it was made from."""

    id: str
    site: str
    url: str
    data: bytes
    source: str
    title: str = ""
    _keys: dict[tuple[str, int], str] = field(default_factory=dict)
    """The keys of all elements of a kind inside of a node, each between zeros."""

    @cached_property
    def page(self) -> Page:
        """The parsed page."""
        return parse(RawPage(self.data, self.url or None))

    @cached_property
    def wanted(self) -> list[Item]:
        """The items of the source that the page has, without headings that repeat its title."""
        return [item for item in items_of(self.source) if self._has(item) and not self.is_free(item)]

    def is_free(self, item: Item) -> bool:
        """Whether an item is a heading with the title of the page, which may be given or not."""
        return item.kind == "heading" and item.key in self._titles

    def is_in_main_part(self, item: Item) -> bool:
        """Whether the main part of the page has an item of this kind with this text."""
        if item.kind in ("paragraph", "link") and item.key in self._embedded:
            return True
        if item.kind in ("paragraph", "footnote"):
            return all(piece in self._main_text for piece in item.pieces)
        if item.kind in ("image", "maths"):
            return self._has(item)
        return self._has_element(item, self._main_node)

    def is_attribute_right(self, wanted: Item, answer: Item) -> bool:
        """Whether an answer has the language that the source and the page name, or target and level of the page."""
        if wanted.kind == "code":
            return wanted.attribute not in self._names - _NO_LANGUAGE or wanted.attribute == answer.attribute
        if wanted.kind == "link":
            targets = self._targets[wanted.key]
            return not targets or _plain_target(answer.attribute) in targets
        if wanted.kind == "heading":
            levels = self._levels[wanted.key]
            return not levels or answer.attribute in levels
        return True

    def _has(self, item: Item) -> bool:
        if item.kind == "image":
            return item.key in self._images
        if item.kind == "maths":
            return item.key in self._formulas
        if item.kind == "code":
            wanted = MIN_CODE_LINES * len(item.pieces)
            return any(sum(line in code for line in item.pieces) >= wanted for code in self._codes)
        if item.kind in _TAGS:
            return self._has_element(item, 0)
        return all(piece in self._text for piece in item.pieces)

    def _has_element(self, item: Item, around: int) -> bool:
        """Whether an element of the kind of an item, inside of another element, has its text."""
        place = (item.kind, around)
        if place not in self._keys:
            self._keys[place] = "\0".join(("", *self._keys_inside(item.kind, around), ""))
        if item.kind in _HOLD_OTHERS:
            return all(piece in self._keys[place] for piece in item.pieces)
        return f"\0{item.key}\0" in self._keys[place]

    @cached_property
    def _text(self) -> str:
        return key_of(self.page.text)

    @cached_property
    def _codes(self) -> set[str]:
        """The keys of all code that is shown: a notebook may have its whole source in a window that scripts open."""
        page = self.page
        hidden = [node for node, value in page.values_of("aria-hidden") if value == "true"]
        lists = [node for node in page.nodes_tagged("table").tolist() if code_listing(page, node)]
        shown = (
            node
            for node in (*page.nodes_tagged("pre").tolist(), *lists)
            if not any(around <= node < page.nodes.end[around] for around in hidden)
        )
        return {code_key(page.text_of(node)) for node in shown}

    @cached_property
    def _formulas(self) -> set[str]:
        """The TeX of the page: dollars in a source may be money, and pair with others in between."""
        page = self.page
        marked = (page.text_of(node) for node in page.nodes_tagged(tags.TEX).tolist())
        between = (match.lastgroup and match[match.lastgroup] for match in _FORMULA.finditer(unescape(page.markup)))
        return {code_key(formula or "") for formula in (*marked, *between)}

    @cached_property
    def _titles(self) -> set[str]:
        names = [self.page.text_of(int(node)) for node in self.page.nodes_tagged("h1", "title")]
        return {key_of(name) for name in (*names, self.title)} - {""}

    @cached_property
    def _names(self) -> set[str]:
        """The words in classes and attributes that may name a language."""
        values = re.findall(r"""(?:class|data-lang|data-language)=["']?([^"'>]*)""", self.page.markup)
        words = {word for value in values for word in re.split(r"\s+", value.casefold())}
        return words | {word.partition("-")[2] for word in words}

    @cached_property
    def _images(self) -> set[str]:
        sets = (largest_first(value) for _, value in self.page.values_of("srcset"))
        sources = (value for _, value in self.page.values_of("src"))
        return {image_name(source) for source in (*sources, *chain.from_iterable(sets))}

    @cached_property
    def _embedded(self) -> set[str]:
        """The names of films and frames: no source has them as Markdown, and a link is the best that can be made."""
        nodes = self.page.nodes_tagged("iframe", "video", "audio").tolist()
        return {key_of(self.page.attribute(node, name) or "") for node in nodes for name in ("title", "src")}

    @cached_property
    def _targets(self) -> dict[str, set[str]]:
        targets: defaultdict[str, set[str]] = defaultdict(set)
        for node in self.page.nodes_tagged("a").tolist():
            href = self.page.attribute(node, "href")
            if href:
                targets[key_of(self.page.text_of(node))].add(_plain_target(self.page.resolve(href.strip())))
        return targets

    @cached_property
    def _levels(self) -> dict[str, set[str]]:
        levels: defaultdict[str, set[str]] = defaultdict(set)
        for level in "123456":
            for node in self.page.nodes_tagged(f"h{level}").tolist():
                levels[key_of(self.page.text_of(node))].add(level)
        return levels

    @cached_property
    def _main_node(self) -> int:
        """The innermost element with most of the paragraphs that are wanted."""
        nodes, wanted = self.page.nodes, [item for item in self.wanted if item.kind in ("paragraph", "item")]
        node = 0
        while True:
            inside = [child for child in nodes.children(node) if self._share(child, wanted) >= MAIN_SHARE]
            if not inside or not wanted:
                return node
            node = inside[0]

    def _share(self, node: int, wanted: list[Item]) -> float:
        text = key_of(self.page.text_of(node))
        lengths = [(len(piece), piece in text) for item in wanted for piece in item.pieces]
        return sum(length for length, is_inside in lengths if is_inside) / max(1, sum(length for length, _ in lengths))

    @cached_property
    def _main_text(self) -> str:
        return key_of(self.page.text_of(self._main_node))

    def _keys_inside(self, kind: str, around: int) -> Iterator[str]:
        key = code_key if kind == "code" else key_of
        for node in self.page.nodes_tagged(*_TAGS[kind]).tolist():
            if around <= node < self.page.nodes.end[around]:
                yield key(self.page.text_of(node))


def _plain_target(target: str) -> str:
    return unquote(unescape(target)).rstrip("/").casefold()


def read_markdown_pages(name: str) -> list[MarkdownPage]:
    """Read a data set of folders with `page.html`, `truth.md` and `meta.json`."""
    folders = sorted(path.parent for path in find_folder(name).glob("*/truth.md"))
    if not folders:
        raise InputError(f"there is no Markdown in {name}: folders with page.html, truth.md and meta.json are wanted")
    return [_read(folder) for folder in folders]


def _read(folder: Path) -> MarkdownPage:
    meta = msgspec.json.decode((folder / "meta.json").read_bytes(), type=_Meta)
    source = (folder / "truth.md").read_text(encoding="utf-8")
    return MarkdownPage(folder.name, meta.site, meta.url, (folder / "page.html").read_bytes(), source, meta.title)
