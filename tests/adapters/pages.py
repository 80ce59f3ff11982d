"""Pages for the adapters: one that is read, and one that takes more memory than a worker may have."""

from pathlib import Path

from pagestrata.work.guard import GuardLimits
from tests.batch.corpus import article

URL = "https://tea.example/1"
HTML = article(1)
FIRST_WORDS = HTML.partition("<p>")[2].partition("<")[0][:40]
TIGHT = GuardLimits(memory=150 << 20)
POISON = "<b>" + "x<i>" * 2_000_000


def saved(folder: Path) -> Path:
    path = folder / "page.html"
    path.write_text(HTML)
    return path
