"""Cuts web pages into sections, says how important each one is and why, and gives back the clean content."""

from pagestrata.api import extract, learn, parse, segment
from pagestrata.errors import PagestrataError
from pagestrata.extraction import Extraction
from pagestrata.inputs.files import read_file
from pagestrata.options import Options
from pagestrata.page.feed import Feed, FeedItem
from pagestrata.page.limits import Limit
from pagestrata.page.page import Encoding, Page
from pagestrata.page.raw import RawPage
from pagestrata.results import Chunk, PageType, Role, Section

__all__ = [
    "Chunk",
    "Encoding",
    "Extraction",
    "Feed",
    "FeedItem",
    "Limit",
    "Options",
    "Page",
    "PageType",
    "PagestrataError",
    "RawPage",
    "Role",
    "Section",
    "extract",
    "learn",
    "parse",
    "read_file",
    "segment",
]
