"""LlamaIndex: documents of llama-index-core."""

from pathlib import Path

import pytest

pytest.importorskip(
    "llama_index.core",
    reason="llama-index-core (130 MB with what it needs) is not installed: pip install 'pagestrata[llama-index]'",
)

from llama_index.core.schema import MetadataMode

from pagestrata.adapters.llama_index import PagestrataReader
from tests.adapters.pages import FIRST_WORDS, saved


def test_a_section_is_a_document(tmp_path: Path) -> None:
    path = saved(tmp_path)
    documents = PagestrataReader().load_data([path])
    [first, *_] = [document for document in documents if FIRST_WORDS in document.text]
    assert (str(path), "main") == (first.metadata["source"], first.metadata["role"])
    assert first.metadata["path"].startswith("/html[1]/body[1]/main[1]")
    assert f"title: {first.metadata['title']}\n\n{first.text.strip()}" == first.get_content(MetadataMode.EMBED)
    assert documents[0].text == PagestrataReader().load_data(path, extra_info={"mine": 1})[0].text
