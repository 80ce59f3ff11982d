"""Cuts web pages into sections, says how important each one is and why, and returns the clean content."""

from pagestrata.api import aextract, afetch, diff, extract, fetch, learn, parse, segment
from pagestrata.changes.compare import Change, ChangeKind, PageDiff
from pagestrata.errors import PagestrataError
from pagestrata.extraction import Extraction
from pagestrata.inputs.files import read_file
from pagestrata.options import Options
from pagestrata.page.feed import Feed, FeedItem
from pagestrata.page.limits import Limit
from pagestrata.page.page import Encoding, Page
from pagestrata.page.raw import RawPage
from pagestrata.parts import Image, Link, Table
from pagestrata.results import Chunk, PageType, Role, Section

__all__ = [
    "Change",
    "ChangeKind",
    "Chunk",
    "Encoding",
    "Extraction",
    "Feed",
    "FeedItem",
    "Image",
    "Limit",
    "Link",
    "Options",
    "Page",
    "PageDiff",
    "PageType",
    "PagestrataError",
    "RawPage",
    "Role",
    "Section",
    "Table",
    "aextract",
    "afetch",
    "diff",
    "extract",
    "fetch",
    "learn",
    "parse",
    "read_file",
    "segment",
]
