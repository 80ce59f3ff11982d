"""JSON-LD: scripts that describe the page in schema.org's words, as they come: often broken, sometimes hostile."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from pagestrata.metadata.found import WARNING, Found
from pagestrata.metadata.schema_org import Item, describe, type_names
from pagestrata.metadata.subject import subject_of
from pagestrata.options import Options
from pagestrata.page.page import Page

SOURCE: Final = "json-ld"
_WRAPPERS = re.compile(r"<!--|-->|(?://|/\*)?\s*<!\[CDATA\[(?:\s*\*/)?|(?://|/\*)?\s*\]\]>(?:\s*\*/)?")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_BETWEEN_VALUES = re.compile(r"[\s,;]*")
_INTO = ("@graph", "mainEntity", "mainEntityOfPage")
"""Where the object that describes the page may stand inside another one."""
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
"""Takes line breaks in strings; leaves numbers alone, since long ones take long to read."""

_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1


def read(page: Page, options: Options) -> list[Found]:
    """What the JSON-LD of the page says of it."""
    warnings: list[str] = []
    values = [value for text in _within_limits(page.json_ld, options, warnings) for value in decode(text)]
    items = list(_items(values, options.json_ld_depth))
    return [*describe(items, subject_of(page), SOURCE), *(Found(WARNING, (text,), SOURCE) for text in warnings)]


def _within_limits(scripts: tuple[str, ...], options: Options, warnings: list[str]) -> Iterator[str]:
    left = options.json_ld_bytes
    for number, text in enumerate(scripts, 1):
        size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        if size > left:
            warnings.append(f"JSON-LD: {options.json_ld_bytes:,} bytes are allowed; from script {number} on it was not read")
            return
        left -= size
        depth = nesting(text)
        if depth > options.json_ld_depth:
            warnings.append(f"JSON-LD: nested {depth:,} deep where {options.json_ld_depth} are allowed; script {number} was not read")
            continue
        yield text


def nesting(text: str) -> int:
    """How deep the brackets of a JSON text go, counted without decoding it.

    >>> nesting('{"a": [1, "[[[", "\\\\"["]}')
    2
    """
    outside_strings = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    steps = _STEPS[np.frombuffer(outside_strings.encode("latin-1", "replace"), np.uint8)]
    return int(np.cumsum(steps, dtype=np.int32).max(initial=0))


def decode(text: str) -> list[Any]:
    """The values in a script: one if it is well-formed, those that can be read if it is not."""
    try:
        return [msgspec.json.decode(text)]
    except (ValueError, RecursionError):
        return list(_decode_leniently(_TRAILING_COMMA.sub("", _WRAPPERS.sub("", text)).strip()))


def _decode_leniently(text: str) -> Iterator[Any]:
    """Value after value, until one cannot be read."""
    place = 0
    while place < len(text):
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        yield value
        between = _BETWEEN_VALUES.match(text, place)
        place = between.end() if between else place


def _items(values: list[Any], most_depth: int) -> Iterator[Item]:
    """The objects that may describe the page, in order; those deep inside others describe something else."""
    waiting = [(value, 0) for value in reversed(values)]
    while waiting:
        value, depth = waiting.pop()
        inside: list[Any] = []
        if isinstance(value, dict):
            yield value
            inside = [value[name] for name in _INTO if name in value and not _is_list_of_questions(value)]
        elif isinstance(value, list):
            inside = value
        if depth < most_depth:
            waiting.extend((one, depth + 1) for one in reversed(inside))


def _is_list_of_questions(item: Item) -> bool:
    """Whether its main entities are many small things, none of which is the page."""
    return "faqpage" in type_names(item)
