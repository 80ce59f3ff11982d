"""The recipes of the guide run as they are written."""

import re
from typing import Any

import pytest

from tests.adapters.pages import FIRST_WORDS, HTML, URL
from tests.build import ROOT

CODE = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/dataframes.md").read_text(encoding="utf-8"), re.DOTALL)


def run(package: str) -> dict[str, Any]:
    """All pieces but those of the other package, one after the other."""
    names: dict[str, Any] = {"urls": [URL, None], "htmls": [HTML, "<p>"]}
    other = {"pandas": "pl.", "polars": "pd."}[package]
    for piece in CODE:
        if other not in piece:
            exec(piece, names)  # noqa: S102 (our own documentation)
    return names


def test_pandas() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install pandas")
    names = run("pandas")
    assert names["pages"]["text"][0].startswith(FIRST_WORDS)
    assert "Page 1" == names["pages"]["title"][0]
    assert any(FIRST_WORDS in text for text in names["best"]["text"])


def test_polars() -> None:
    pytest.importorskip("polars", reason="Polars (180 MB) is not installed: pip install polars")
    names = run("polars")
    assert names["pages"]["text"][0].startswith(FIRST_WORDS)
    assert ("unknown", 2) == (names["pages"]["page_type"][1], names["pages"].height)
