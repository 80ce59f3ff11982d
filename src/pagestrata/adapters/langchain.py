"""LangChain: a loader and a transformer that return one document per chunk of a page (`Extraction.chunks`).

    documents = PagestrataLoader(["https://tidewater.example/mud.html", "saved/page.html"]).load()
    documents = PagestrataTransformer().transform_documents(html_documents)

The metadata of each document have the headings that the chunk stands under, its address with the anchor, author and
time of a post, importance, role, and place (an XPath). `Options(chunk_words=…)` sets the size.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pagestrata.adapters.chunks import chunks_of, read_source
from pagestrata.api import DEFAULTS, extract
from pagestrata.errors import needs
from pagestrata.extraction import Extraction
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, is_address
from pagestrata.options import Options

with needs("langchain-core", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document


class PagestrataLoader(BaseLoader):
    """Loads pages from paths and addresses, with one document per chunk."""

    def __init__(
        self, sources: Sequence[str], options: Options = DEFAULTS, policy: AddressPolicy = PUBLIC_ONLY
    ) -> None:
        self.sources = sources
        self.options = options
        self.policy = policy

    def lazy_load(self) -> Iterator[Document]:
        """Load page by page; a page that cannot be read raises an error with the reason."""
        for source in self.sources:
            yield from _documents(extract(read_source(source, self.policy), options=self.options), source)


class PagestrataTransformer(BaseDocumentTransformer):
    """Cuts HTML documents into chunks of their kept content; `source` or `url` in the metadata is the address."""

    def __init__(self, options: Options = DEFAULTS) -> None:
        self.options = options

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """Return the chunks of all documents; each keeps the metadata of its document."""
        sections = []
        for document in documents:
            source = document.metadata.get("source") or document.metadata.get("url")
            url = source if is_address(str(source)) else None
            extraction = extract(document.page_content, url, self.options)
            sections += [
                Document(page_content=each.page_content, metadata=document.metadata | each.metadata)
                for each in _documents(extraction, source)
            ]
        return sections


def _documents(extraction: Extraction, source: str | None) -> Iterator[Document]:
    return (Document(page_content=chunk.text, metadata=chunk.metadata) for chunk in chunks_of(extraction, source))
