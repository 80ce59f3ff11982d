"""Pages in a line, and where to find more of them."""

import os
import random
from pathlib import Path

import pytest

from pagestrata import Extraction, Options, Page, extract, parse
from pagestrata.landmarks import Landmarks, landmarks_of

NO_WEB_ADDRESSES = (
    *("notaurl", "example.org/tea", "/tea.html", "javascript://x", "javascript:alert(1)", "file:///etc/passwd"),
    *("http://", "http:///path", "https:// example.org", "https://[::1", "https://[:::]/", "http://a:99999/"),
    *("http://a:b/", "mailto:a@b", "data:text/html,x", "about:blank"),
    *("https://a<b>.example/", "//example.org/", "https:\\\\a.example"),
)
"""What somebody may give as the URL of a page, though no page has it."""
WEB_ADDRESSES = (
    *("http://a", "HTTPS://A.example", "https://a.example?q", "https://a.example:8000/", "http://[::1]:8000/x"),
    *("https://user:word@a.example/", "https://b\u00fccher.example/\u00fc?q=a b", "https://a_b.example/#c"),
)
"""Unusual addresses of pages."""
ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples" / "site").rglob("*.html"))


def page_of(body: str, **options: object) -> Page:
    """A page with this body."""
    return parse(f"<!DOCTYPE html><title>Test</title><body>{body}", options=Options(**options))  # type: ignore[arg-type]


def kept(body: str, **options: object) -> Extraction:
    """An extraction that keeps everything in this body."""
    settings = Options(keep=("body",), **options)  # type: ignore[arg-type]
    return extract(f"<!DOCTYPE html><title>Test</title><body>{body}", "https://example.org/a/b.html", settings)


def held_landmarks(page: Page) -> Landmarks:
    """The landmarks of a page that nothing else holds; by themselves they do not hold it."""
    landmarks = landmarks_of(page)
    landmarks.__dict__["held"] = page
    return landmarks


def block_texts(page: Page) -> list[str]:
    spans = zip(page.blocks.text_start, page.blocks.text_end, strict=True)
    return [page.text[start:end] for start, end in spans]


def real_pages(count: int, seed: int = 7) -> list[Path]:
    """Pages of the wcxb set; the test is skipped where it is not."""
    folder = Path(os.environ.get("PAGESTRATA_DATA", "")) / "wcxb" / "html"
    if not os.environ.get("PAGESTRATA_DATA") or not folder.is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds wcxb/")
    files = sorted(folder.glob("*.html"))
    return random.Random(seed).sample(files, min(count, len(files)))
