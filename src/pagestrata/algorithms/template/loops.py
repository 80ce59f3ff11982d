"""The inner loops of the template: compiled where `native` says so, in Python where not; tests hold the two equal."""

from pagestrata.algorithms.template import _columns, features
from pagestrata.algorithms.template import align as alignment
from pagestrata.algorithms.template import fit as fitting
from pagestrata.native import IS_COMPILED, kernel
from pagestrata.page import columns as scanned
from pagestrata.page import tags
from pagestrata.page.text import without_controls

__all__ = ["align", "columns", "fit", "likeness", "preorder", "recurring", "shapes"]

align = alignment.align
columns, preorder, shapes = _columns.columns, _columns.preorder, _columns.shapes
fit, likeness = fitting.fit, fitting.likeness
recurring = features.recurring
if IS_COMPILED:
    _kernel = kernel("template")
    _kernel.set_up(_columns, fitting, features, scanned, tags.ATTRIBUTE, scanned.unescape, without_controls)
    align, fit, likeness, recurring = _kernel.align, _kernel.fit, _kernel.likeness, _kernel.recurring
    columns, preorder, shapes = _kernel.columns, _kernel.preorder, _kernel.shapes
