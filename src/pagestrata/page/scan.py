"""Picks the scanner: the compiled kernel where it was built, the pure reference where not.

The two are modules of different names (not `_scan.py` beside `_scan.pyx`), so that both can be imported and compared.
`PAGESTRATA_PURE=1` in the environment asks for the reference; tests run with both.
"""

import os
from typing import Final

from pagestrata.page import _reference

__all__ = ["SCANNER", "cut", "scan", "survey"]

SCANNER: Final[str]
"""`kernel` or `pure`."""

if os.environ.get("PAGESTRATA_PURE") == "1":
    SCANNER = "pure"
    cut, scan, survey = _reference.cut, _reference.scan, _reference.survey
else:
    try:
        from pagestrata.page import _kernel
    except ImportError:
        SCANNER = "pure"
        cut, scan, survey = _reference.cut, _reference.scan, _reference.survey
    else:
        SCANNER = "kernel"
        cut, scan, survey = _kernel.cut, _kernel.scan, _kernel.survey
