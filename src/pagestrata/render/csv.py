"""CSV: a header and one row, for spreadsheets; no cell can be taken for a formula."""

from pagestrata.extraction import Extraction
from pagestrata.parts import to_csv

COLUMNS = ("source", "url", "title", "authors", "date_published", "language", "page_type", "reason", "text")


def render_csv(extraction: Extraction) -> str:
    """Write a page as a header and a row."""
    page, metadata = extraction.page, extraction.metadata
    row = (
        page.source,
        page.url or metadata.url,
        extraction.title,
        "; ".join(metadata.authors),
        metadata.date_published,
        metadata.language,
        extraction.page_type.value,
        extraction.reason,
        extraction.text,
    )
    return to_csv([COLUMNS, tuple(value or "" for value in row)])
