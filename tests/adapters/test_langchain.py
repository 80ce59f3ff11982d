"""LangChain: documents of langchain-core."""

from pathlib import Path

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed: pip install 'pagestrata[langchain]'")

from langchain_core.documents import Document

from pagestrata.adapters.langchain import PagestrataLoader, PagestrataTransformer
from pagestrata.errors import InputError
from tests.adapters.pages import FIRST_WORDS, HTML, URL, saved
from tests.inputs.web import serving_pages


def test_the_loader_reads_files_and_addresses(tmp_path: Path) -> None:
    path = str(saved(tmp_path))
    with serving_pages({"/1.html": HTML.encode()}) as web:
        documents = PagestrataLoader([path, web.url("/1.html")], policy=web.policy).load()
        assert {path, web.url("/1.html")} == {document.metadata["source"] for document in documents}
    texts = [document.page_content for document in documents]
    assert texts[: len(texts) // 2] == texts[len(texts) // 2 :]
    assert any(FIRST_WORDS in text for text in texts)
    with pytest.raises(InputError):
        PagestrataLoader([str(tmp_path / "none.html")]).load()


def test_the_transformer_cuts_pages_into_sections() -> None:
    given = [Document(page_content=HTML, metadata={"source": URL, "mine": 1})]
    documents = PagestrataTransformer().transform_documents(given)
    assert any(FIRST_WORDS in document.page_content for document in documents)
    for document in documents:
        assert 1 == document.metadata["mine"]
        assert 0 < document.metadata["importance"] <= 1
        assert document.metadata["path"].startswith("/html[1]/body[1]/main[1]")
