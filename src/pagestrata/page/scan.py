"""Picks the scanner: the compiled kernel where it was built, the pure reference where not.

The two are modules of different names (not `_scan.py` beside `_scan.pyx`), so that both can be imported and compared.
`PAGESTRATA_PURE=1` in the environment asks for the reference; tests run with both.
"""

import os
from typing import Final

__all__ = ["SCANNER", "decode_utf8", "is_utf8", "places_of", "scan", "skim", "survey"]

try:
    if os.environ.get("PAGESTRATA_PURE") == "1":
        raise ImportError("the reference was asked for")
    from pagestrata.page import _kernel as _scanner
    from pagestrata.page._skim import skim
except ImportError:
    from pagestrata.page import _reference as _scanner  # type: ignore[no-redef]
    from pagestrata.page._reference import skim

SCANNER: Final = "kernel" if _scanner.__name__.endswith("_kernel") else "pure"
"""Which of the two it is; benchmarks and `--version` say so."""

decode_utf8, is_utf8 = _scanner.decode_utf8, _scanner.is_utf8
places_of, scan, survey = _scanner.places_of, _scanner.scan, _scanner.survey
