"""The recipe for Polars runs as it is written; those for pandas run with all other documentation."""

import re
from typing import Any

import pytest

from tests.build import ROOT

CODE = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/dataframes.md").read_text(encoding="utf-8"), re.DOTALL)


def test_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars", reason="Polars (180 MB) is not installed: pip install polars")
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for piece in CODE:
        if "pd." not in piece and "to_pandas" not in piece:
            exec(piece, names)  # noqa: S102 (our own documentation)
    assert ("A Glossary of Mud", 10) == (names["pages"]["title"][0], names["pages"].height)
