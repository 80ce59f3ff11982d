"""Pages in a line, and where to find more of them."""

import os
import random
from pathlib import Path

import pytest

from pagestrata import Extraction, Options, Page, extract, parse
from pagestrata.landmarks import Landmarks, landmarks_of

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
