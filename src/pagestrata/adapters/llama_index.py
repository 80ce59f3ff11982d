"""LlamaIndex: a reader that returns one document per chunk of a page (`Extraction.chunks`).

    documents = PagestrataReader().load_data(["https://tidewater.example/mud.html", "saved/page.html"])
    SimpleDirectoryReader("saved", file_extractor={".html": PagestrataReader()}).load_data()

Metadata as for LangChain. Only the title and the headings above a chunk are embedded and shown to the model.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pagestrata.adapters.chunks import chunks_of, read_source
from pagestrata.api import DEFAULTS, extract
from pagestrata.errors import needs
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy
from pagestrata.options import Options

with needs("llama-index-core", "llama-index"):
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document


class PagestrataReader(BaseReader):
    """Reads pages from paths and addresses."""

    def __init__(self, options: Options = DEFAULTS, policy: AddressPolicy = PUBLIC_ONLY) -> None:
        self.options = options
        self.policy = policy

    def lazy_load_data(
        self, sources: str | Path | Sequence[str | Path], extra_info: dict[str, Any] | None = None, **_: Any
    ) -> Iterable[Document]:
        """Load page by page; a page that cannot be read raises an error with the reason."""
        for source in [sources] if isinstance(sources, str | Path) else sources:
            name = str(source)
            for chunk in chunks_of(extract(read_source(source, self.policy), options=self.options), name):
                shown = [key for key in ("title", "heading_path") if chunk.metadata.get(key)]
                hidden = [key for key in chunk.metadata if key not in shown]
                yield Document(
                    text=chunk.text,
                    metadata={**(extra_info or {}), **chunk.metadata},
                    excluded_embed_metadata_keys=hidden,
                    excluded_llm_metadata_keys=hidden,
                )
