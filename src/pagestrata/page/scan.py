"""The kernels that read a page, with the tables of this package."""

from pagestrata.native import kernel
from pagestrata.page import columns, tags
from pagestrata.page.columns import Scan
from pagestrata.page.nodes import Ints
from pagestrata.page.text import UNSPACED_RANGES

__all__ = ["decode_utf8", "is_utf8", "places_of", "scan", "skim", "survey"]

_kernel, _utf8 = kernel("scan"), kernel("utf8")
_kernel.set_up(tags, columns, UNSPACED_RANGES)
decode_utf8, is_utf8 = _utf8.decode_utf8, _utf8.is_utf8
skim, survey = kernel("skim").skim, _kernel.survey


def scan(markup: str, max_depth: int, max_attributes: int) -> Scan:
    """Read the parser's XML form of a page into arrays."""
    return Scan(*_kernel.scan(markup, max_depth, max_attributes))


def places_of(column: Ints, number: int) -> list[int]:
    """Return the places where a column has this number."""
    places: list[int] = (column == number).nonzero()[0].tolist()
    return places
