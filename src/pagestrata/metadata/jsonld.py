"""JSON-LD: scripts that describe the page with the schema.org vocabulary, often malformed, sometimes hostile."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import msgspec
import numpy as np

from pagestrata.metadata.schema_org import Item, SchemaItems, read_items, type_names
from pagestrata.options import Options
from pagestrata.page.page import Page

MAX_ITEMS: Final = 5_000
"""Objects that are read. The page with most in wcxb has 104."""
_WRAPPERS = re.compile(r"<!--|-->|(?:/[/*] ?)?<!\[CDATA\[(?: ?\*/)?|(?:/[/*] ?)?\]\]>(?: ?\*/)?")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_BETWEEN_VALUES = re.compile(r"[\s,;]*")
_NESTED_UNDER = ("mainEntityOfPage", "mainEntity", "@graph")
"""The properties whose values may be the object that describes the page; the last is searched first."""
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
"""Accepts line breaks in strings, and keeps numbers as strings, since converting long ones is slow."""

_BRACKET_DEPTHS = np.zeros(256, np.int8)
_BRACKET_DEPTHS[list(b"[{")] = 1
_BRACKET_DEPTHS[list(b"]}")] = -1


def read(page: Page, options: Options) -> SchemaItems:
    """The items in the JSON-LD of the page."""
    values, warnings = read_values(page, options)
    items = _items(values)
    if len(items) == MAX_ITEMS:
        warnings.append(f"JSON-LD: {MAX_ITEMS:,} objects are allowed; the rest was not read")
    return read_items(items, page, tuple(warnings))


def read_values(page: Page, options: Options) -> tuple[list[Any], list[str]]:
    """The values in the JSON-LD of the page, and warnings."""
    scripts, warnings = _within_limits(page.json_ld, options)
    return [value for text in scripts for value in decode(text)], warnings


def _within_limits(scripts: tuple[str, ...], options: Options) -> tuple[list[str], list[str]]:
    """The scripts that may be decoded, and a warning for each of the others."""
    allowed, warnings = [], []
    left = options.json_ld_bytes
    for number, text in enumerate(scripts, 1):
        left -= len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        if left < 0:
            limit = f"{options.json_ld_bytes:,} bytes are allowed"
            warnings.append(f"JSON-LD: {limit}; from script {number} of {len(scripts)} on it was not read")
            break
        depth = nesting(text) if text.count("{") + text.count("[") > options.json_ld_depth else 0
        if depth > options.json_ld_depth:
            limit = f"nested {depth:,} deep where {options.json_ld_depth} are allowed"
            warnings.append(f"JSON-LD: {limit}; script {number} was not read")
        else:
            allowed.append(text)
    return allowed, warnings


def nesting(text: str) -> int:
    """The nesting depth of a JSON text, measured without decoding it.

    >>> nesting('{"a": [1, "[[[", "\\\\"["]}')
    2
    """
    outside_strings = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    steps = _BRACKET_DEPTHS[np.frombuffer(outside_strings.encode("latin-1", "replace"), np.uint8)]
    return int(np.cumsum(steps, dtype=np.int32).max(initial=0))


def decode(text: str) -> list[Any]:
    """The values in a script: one if it is well-formed, otherwise those that can be decoded."""
    try:
        return [msgspec.json.decode(text)]
    except (ValueError, RecursionError):
        plain = _TRAILING_COMMA.sub("", _WRAPPERS.sub("", text)).strip()
        return list(islice(_decode_leniently(plain), MAX_ITEMS))


def _decode_leniently(text: str) -> Iterator[Any]:
    """Decode one value after another until one fails."""
    place = 0
    while place < len(text):
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        yield value
        between = _BETWEEN_VALUES.match(text, place)
        place = between.end() if between else place


def _items(values: list[Any]) -> list[Item]:
    """The objects that may describe the page, in order; those deep inside others describe something else."""
    waiting, items = values[::-1], list[Item]()
    while waiting and len(items) < MAX_ITEMS:
        value = waiting.pop()
        if isinstance(value, dict):
            items.append(value)
            waiting.extend(value[name] for name in _NESTED_UNDER if name in value and not _is_faq(value))
        elif isinstance(value, list):
            waiting.extend(reversed(value[:MAX_ITEMS]))
    return items


def _is_faq(item: Item) -> bool:
    """Whether the main entities of the item are questions, none of which describes the page."""
    return "faqpage" in type_names(item)
