"""Pages as a real browser draws them: boxes, fonts, colours, and what scripts made."""

from pagestrata.inputs.browser.browser import Browser, DrawLimits, Visit
from pagestrata.inputs.browser.launch import Launch

__all__ = ["Browser", "DrawLimits", "Launch", "Visit"]
