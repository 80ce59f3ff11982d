"""CSV: a header and one row for the page or for each of its items; no cell can be taken for a formula."""

from pagestrata.extraction import Extraction
from pagestrata.parts import ITEM_COLUMNS, to_csv

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


ROWS_OF_ITEMS = ("source", "url", *ITEM_COLUMNS)


def render_items(extraction: Extraction, source: str) -> str:
    """Write a header and a row for each item, with the page that it is from."""
    of_page = (source, extraction.page.url or extraction.metadata.url or "")
    return to_csv([ROWS_OF_ITEMS, *(of_page + row for row in extraction.items.rows())])
