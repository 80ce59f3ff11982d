"""`Document` with the arguments and methods of readability-lxml, on top of pagestrata.

    from pagestrata.compat.readability import Document

What maps to what, and what cannot, is in docs/guide/switching.md. An argument without meaning here warns.
"""

from dataclasses import replace
from functools import cached_property
from typing import Final

from pagestrata import api
from pagestrata.compat.unused import warn_unused
from pagestrata.extraction import Extraction
from pagestrata.inputs.sources import Source, raw_page
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage

NO_TITLE: Final = "[no-title]"
NO_AUTHOR: Final = "[no-author]"
WITHOUT_TITLE: Final = Options(title_in_markdown=False)
EVERYTHING: Final = Options(title_in_markdown=False, comments="on", keep=("body",))
MIN_TEXT_LENGTH: Final = 25
RETRY_LENGTH: Final = 250
FAILURES: Final = "discard"
"""The last three are the defaults of readability-lxml, for which no warning is needed."""


class Document:
    """A page with the interface of readability-lxml.

    >>> Document("<title>Tea - A Guide</title><h1>Tea</h1><p>" + "Warm the pot, then wait. " * 9).title()
    'Tea - A Guide'
    """

    def __init__(
        self,
        input: Source,
        positive_keywords: object = None,
        negative_keywords: object = None,
        url: str | None = None,
        min_text_length: int = MIN_TEXT_LENGTH,
        retry_length: int = RETRY_LENGTH,
        xpath: bool = False,
        handle_failures: str | None = FAILURES,
        **unknown: object,
    ) -> None:
        self.input, self.url = input, url
        meaningless = {
            "positive_keywords": positive_keywords is not None,
            "negative_keywords": negative_keywords is not None,
            "min_text_length": min_text_length != MIN_TEXT_LENGTH,
            "retry_length": retry_length != RETRY_LENGTH,
            "xpath": xpath,
            "handle_failures": handle_failures != FAILURES,
        }
        warn_unused("Document", (*(name for name, is_set in meaningless.items() if is_set), *unknown))

    def title(self) -> str:
        """The text of `<title>`."""
        return self._page.title or NO_TITLE

    def short_title(self) -> str:
        """The title without the name of the site."""
        return self._extraction.metadata.title or ""

    def author(self) -> str:
        """The author of the page."""
        return ", ".join(self._extraction.metadata.authors) or NO_AUTHOR

    def content(self) -> str:
        """Everything visible on the page, as safe HTML."""
        return f"<body>{api.extract(self._raw, options=EVERYTHING).html}</body>"

    def summary(self, html_partial: bool = False, keep_all_images: bool = False, **unknown: object) -> str:
        """The main text as safe HTML: a complete page, or a `div`."""
        warn_unused("summary", (*(["keep_all_images"] if keep_all_images else []), *unknown))
        markup = self._extraction.html
        return f"<div>{markup}</div>" if html_partial else f"<html><body><div>{markup}</div></body></html>"

    @cached_property
    def _raw(self) -> RawPage:
        """The page as it came; a file can be read only once."""
        raw = raw_page(self.input)
        return replace(raw, url=self.url) if self.url else raw

    @cached_property
    def _page(self) -> Page:
        return api.parse(self._raw)

    @cached_property
    def _extraction(self) -> Extraction:
        return api.extract(self._page, options=WITHOUT_TITLE)
