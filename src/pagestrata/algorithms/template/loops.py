"""Picks how the inner loops are run: by the compiled kernel where it was built, in Python where not.

`PAGESTRATA_PURE=1` in the environment asks for Python; tests hold the two equal.
"""

import os

__all__ = ["align", "columns", "fit", "likeness", "preorder", "recurring", "shapes"]

try:
    if os.environ.get("PAGESTRATA_PURE") == "1":
        raise ImportError("Python was asked for")
    from pagestrata.algorithms.template._kernel import align, columns, fit, likeness, preorder, recurring, shapes
except ImportError:
    from pagestrata.algorithms.template._columns import columns, preorder, shapes
    from pagestrata.algorithms.template.align import align
    from pagestrata.algorithms.template.features import recurring
    from pagestrata.algorithms.template.fit import fit, likeness
