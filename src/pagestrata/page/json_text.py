"""JSON: what comes from elsewhere, which may contain one half of a surrogate pair, and what people read."""

import re
from typing import Any, TypeVar

import msgspec

_Type = TypeVar("_Type")

# An escaped backslash and a whole pair come first, so that their ends are not taken for a lone half.
_HIGH, _LOW = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPES = re.compile(rb"\\\\|" + _HIGH + _LOW + rb"|(?P<lone>" + _HIGH + rb"|" + _LOW + rb")")


def decode_json(data: bytes, kind: type[_Type]) -> _Type:
    r"""Decode and validate JSON; each lone surrogate becomes U+FFFD.

    JavaScript writes `"\ud83d"` for a page that was cut inside an emoji, and msgspec refuses that.

    >>> decode_json(rb'"half \ud83d, whole \ud83d\ude00, no escape \\ud83d"', str)
    'half �, whole 😀, no escape \\ud83d'
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        paired = _ESCAPES.sub(lambda match: rb"\ufffd" if match["lone"] else match[0], data)
        if paired == data:
            raise
        return msgspec.json.decode(paired, type=kind)


def indented_json(value: Any) -> bytes:
    """Write JSON that a person can read, with a line feed at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
