"""Golden pages: one folder each, with the page, its options if it has any, and what must come of it."""

import json
import tomllib
from pathlib import Path
from typing import Any

from pagestrata import Options, extract, read_file

FOLDER = Path(__file__).parent / "golden"
URL = "https://example.org/section/page.html"


def expected_files(folder: Path) -> dict[str, str]:
    """What comes of a golden page, by the name of the file that says what must."""
    settings: dict[str, Any] = {}
    if (folder / "options.toml").is_file():
        settings = tomllib.loads((folder / "options.toml").read_text(encoding="utf-8"))
    settings.update({name: tuple(value) for name, value in settings.items() if isinstance(value, list)})
    extraction = extract(read_file(folder / "source.html", URL), options=Options(**settings))
    facts = {
        "metadata": extraction.metadata.as_dict(),
        "sections": [[leaf.role, leaf.kept, leaf.text[:30]] for leaf in extraction.leaves()],
        "limits": [limit.name for limit in extraction.limits],
        "warnings": list(extraction.warnings),
    }
    return {
        "expected.md": extraction.markdown,
        "expected.txt": extraction.text,
        "expected.json": json.dumps(facts, indent=2, ensure_ascii=False) + "\n",
    }
