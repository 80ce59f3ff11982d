"""Renders pages in Chromium: boxes, fonts, colours, and the document as scripts have changed it."""

from pagestrata.inputs.browser.browser import Browser, Fetched
from pagestrata.inputs.browser.launch import Launch
from pagestrata.inputs.browser.visit import DrawLimits, Visit

__all__ = ["Browser", "DrawLimits", "Fetched", "Launch", "Visit"]
