"""The scan of a page: compiled if `native.IS_COMPILED`, otherwise the numpy reference."""

from pagestrata.native import IS_COMPILED, kernel
from pagestrata.page import columns, tags
from pagestrata.page.columns import Scan
from pagestrata.page.text import UNSPACED_RANGES

__all__ = ["decode_utf8", "is_utf8", "places_of", "scan", "skim", "survey"]

if IS_COMPILED:
    _scanner = kernel("scan")
    _scanner.set_up(tags, columns, UNSPACED_RANGES)
else:
    from pagestrata.page import _reference as _scanner

skim = kernel("skim").skim
decode_utf8, is_utf8 = _scanner.decode_utf8, _scanner.is_utf8
places_of, survey = _scanner.places_of, _scanner.survey


def scan(markup: str, max_depth: int, max_attributes: int) -> Scan:
    """Read the parser's XML form of a page into arrays; see `_reference.scan`."""
    return Scan(*_scanner.scan(markup, max_depth, max_attributes))
