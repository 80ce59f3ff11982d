"""Choose the encoding of a page from its bytes and headers, and report why.

The order of attempts is the HTML standard's, with steps after it (two UTF-8 tests and the detector) where the
standard would fall back at once, or where the bytes contradict what HTTP or a `<meta>` declares. Labels are looked up
in the WHATWG table, never in Python's registry of codecs, where `hex` and `rot13` are encodings too. Nothing here
fails: if no attempt succeeds, a default is used.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import turbohtml
from turbohtml.detect import Detection, detect

from pagestrata.page.page import Encoding
from pagestrata.page.raw import RawPage
from pagestrata.page.scan import is_utf8

PRESCAN_BYTES: Final = (1_024, 16_384)
"""The standard searches 1,024 bytes for a `<meta>` and starts over when one comes later; we search more bytes then."""

MIN_VALID_PER_BROKEN: Final = 20
"""Valid characters of several bytes that are required for each broken one."""
MIN_VALID_PER_BROKEN_DECLARED: Final = 1
"""Fewer if UTF-8 is declared: such a page may quote some text in another encoding."""
MIN_CONTINUATION_BYTES: Final = 5
"""Bytes of valid UTF-8 beyond the first of each character that outweigh another declaration. A character of GBK is
valid UTF-8 by chance in about one of seven cases, so that a few characters prove nothing."""

# The standard has no UTF-32 and would take its mark for that of UTF-16, but such pages exist.
_BOMS = (
    (b"\xef\xbb\xbf", "UTF-8"),
    (b"\xff\xfe\0\0", "UTF-32LE"),
    (b"\0\0\xfe\xff", "UTF-32BE"),
    (b"\xfe\xff", "UTF-16BE"),
    (b"\xff\xfe", "UTF-16LE"),
)
_BOM_BYTES = tuple(mark for mark, _ in _BOMS)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_META = re.compile(rb"<(?i:meta[\s/]([^>]*charset[^>]*))")  # a literal "<" in front is searched for much faster
_ATTRIBUTE = re.compile(rb"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_CHARSET = re.compile(rb"""(?i)charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""")
_WIDE_TAG = re.compile(rb"\A(?:\s\0)*<\0[!?/A-Za-z]\0|\A(?:\0\s)*\0<\0[!?/A-Za-z]", re.DOTALL)

Attempt = Callable[[bytes, RawPage], str | None]
"""Reads the bytes or the headers; returns a canonical name, or None to leave it to the next attempt."""
Attempts = tuple[tuple[str, Attempt], ...]
"""Attempts by the name of what they read, in their order."""


def choose_encoding(data: bytes, raw: RawPage) -> Encoding:
    """Return the encoding of the bytes: the result of the first attempt that succeeds.

    >>> choose_encoding(b'<meta charset="latin1">', RawPage(b""))
    Encoding(name='windows-1252', source='meta', overruled='')
    >>> choose_encoding(b'<meta charset="rot13">caf\\xc3\\xa9', RawPage(b""))
    Encoding(name='UTF-8', source='utf-8 test', overruled='')
    """
    declared = _first(DECLARATIONS, data, raw)
    if declared is not None and not is_contradicted(declared, data):
        return declared
    guess = _first(GUESSES, data, raw) or Encoding("windows-1252", "default")
    return guess if declared is None else replace(guess, overruled=f"{declared.name} ({declared.source})")


def _first(attempts: Attempts, data: bytes, raw: RawPage) -> Encoding | None:
    names = ((attempt(data, raw), source) for source, attempt in attempts)
    return next((Encoding(name, source) for name, source in names if name is not None), None)


def is_contradicted(declared: Encoding, data: bytes) -> bool:
    """Whether the bytes are in another encoding than declared: UTF-8 is recognised with certainty, or its absence.

    >>> is_contradicted(Encoding("UTF-8", "meta"), b"Gr\\xf6\\xdfe"), is_contradicted(Encoding("UTF-8", "meta"), b"Mud")
    (True, False)
    """
    if declared.source == "bom" or data.isascii():
        return False
    if declared.name == "UTF-8":
        return not is_utf8(data) and not _is_mostly_utf8(data, MIN_VALID_PER_BROKEN_DECLARED)
    return is_utf8(data) and len(data) - len(data.decode("utf-8", "ignore")) >= MIN_CONTINUATION_BYTES


@lru_cache(maxsize=256)
def look_up(label: str) -> str | None:
    """Return the canonical name of a WHATWG label, or None if there is none.

    Labels of encodings that the standard refuses to decode (`iso-2022-kr` → `replacement`) count as unknown: the
    bytes are better evidence, and the standard would replace the page by one U+FFFD.

    >>> look_up(" SJIS "), look_up("hex"), look_up("iso-2022-kr")
    ('Shift_JIS', None, None)
    """
    try:
        name = turbohtml.parse(b"", encoding=label.strip("\t\n\f\r ")).encoding
    except (LookupError, ValueError):
        return None
    return None if name == "replacement" else name


def by_bom(data: bytes, raw: RawPage) -> str | None:
    """Read the byte-order mark."""
    return next((name for mark, name in _BOMS if data.startswith(mark)), None) if data.startswith(_BOM_BYTES) else None


def by_http(data: bytes, raw: RawPage) -> str | None:
    """Read the charset of the HTTP `Content-Type`."""
    match = _CHARSET.search(raw.content_type.encode("latin-1", "replace")) if raw.content_type else None
    return look_up(_first_group(match)) if match else None


def by_meta(data: bytes, raw: RawPage) -> str | None:
    """Read a `<meta charset>` or `<meta http-equiv=content-type>` near the start."""
    for size in PRESCAN_BYTES:
        start = data[:size]
        for meta in _META.finditer(_COMMENT.sub(b"", start) if b"<!--" in start else start):
            name = _declared_by(meta[1])
            if name is not None:
                return name
    return None


def by_wide_tag(data: bytes, raw: RawPage) -> str | None:
    """Recognise UTF-16 without a mark by a first tag in two-byte characters."""
    match = _WIDE_TAG.match(data[:256])
    return None if match is None else "UTF-16BE" if match[0].startswith(b"\0") else "UTF-16LE"


def by_utf8_test(data: bytes, raw: RawPage) -> str | None:
    """Test whether the bytes are UTF-8; a character that is cut off at the end is ignored."""
    return "UTF-8" if is_utf8(data) else None


def by_utf8_share(data: bytes, raw: RawPage) -> str | None:
    """Test whether the bytes are UTF-8 except for a few: text in other encodings is hardly ever valid by chance."""
    return "UTF-8" if _is_mostly_utf8(data, MIN_VALID_PER_BROKEN) else None


def _is_mostly_utf8(data: bytes, valid_per_broken: int) -> bool:
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = len(text) - len(text.encode("ascii", "ignore")) - broken
    return valid >= valid_per_broken * broken


def by_detector(data: bytes, raw: RawPage) -> str | None:
    """Detect the encoding by the frequencies of character pairs, with the top-level domain as a hint.

    What a `<meta>` declares is withheld from it: it would believe that, and here it is unknown or refuted.
    """
    detection = detect(_META.sub(b"", data), Detection(tld=_top_level_domain(raw.url)))
    return detection.encoding if detection.confidence > 0 else None


DECLARATIONS: Final[Attempts] = (("bom", by_bom), ("http", by_http), ("meta", by_meta))
GUESSES: Final[Attempts] = (
    ("wide tag", by_wide_tag),
    ("utf-8 test", by_utf8_test),
    ("most is utf-8", by_utf8_share),
    ("detector", by_detector),
)


@lru_cache(maxsize=256)
def _declared_by(meta: bytes) -> str | None:
    """Return the encoding that the attributes of a `<meta>` declare; cached, as most pages use one of a few."""
    label = _declared_label({match[1].lower(): _first_group(match, 2) for match in _ATTRIBUTE.finditer(meta)})
    name = look_up(label) if label else None
    return _as_declared_in_ascii(name) if name is not None else None


def _declared_label(attributes: dict[bytes, str]) -> str | None:
    if attributes.get(b"charset"):
        return attributes[b"charset"]
    if attributes.get(b"http-equiv", "").lower() == "content-type":
        match = _CHARSET.search(attributes.get(b"content", "").encode("latin-1"))
        return _first_group(match) if match else None
    return None


def _as_declared_in_ascii(name: str) -> str:
    """Correct a declaration of a two-byte encoding, which could not be read as ASCII (HTML standard, prescan)."""
    if name.startswith("UTF-16"):
        return "UTF-8"
    return "windows-1252" if name == "x-user-defined" else name


def _first_group(match: re.Match[bytes], start: int = 1) -> str:
    return next((group for group in match.groups()[start - 1 :] if group is not None), b"").decode("latin-1")


def _top_level_domain(url: str | None) -> str | None:
    try:
        label = (urlsplit(url or "").hostname or "").rpartition(".")[2]
    except ValueError:
        return None
    return label if re.fullmatch(r"[a-z][a-z0-9-]*", label) else None
