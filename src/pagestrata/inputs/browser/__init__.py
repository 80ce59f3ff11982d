"""Pages as a real browser draws them: boxes, fonts, colours, and what scripts made."""

from pagestrata.inputs.browser.browser import Browser, Fetched
from pagestrata.inputs.browser.launch import Launch
from pagestrata.inputs.browser.visit import DrawLimits, Visit

__all__ = ["Browser", "DrawLimits", "Fetched", "Launch", "Visit"]
