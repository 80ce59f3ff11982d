"""A search index of pages in SQLite (FTS5), in which the words of important sections count for more.

    python examples/search.py index pages.db FOLDER     put the pages of a folder into the index
    python examples/search.py find pages.db WORDS       list the pages with these words, best first

The index has one row for each page, with the text of its sections in four columns by importance; `bm25` counts each
word with the weight of its column. The table `sections` has every section with its role, importance and weight, to show
the passage that matched, or to search only sections of some role. docs/guide/search.md explains both.
"""

import sqlite3
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pagestrata import Extraction, extract
from pagestrata.page.text import words

WEIGHTS = (1, 5 / 7, 3 / 7, 1 / 7)
"""The weights of the columns: the middle of the importance in each, .875 to .125, relative to the first."""
COLUMNS = ("main", "likely", "unlikely", "noise")
SCHEMA = f"""
CREATE VIRTUAL TABLE IF NOT EXISTS pages USING fts5(name UNINDEXED, {", ".join(COLUMNS)});
CREATE TABLE IF NOT EXISTS sections (name TEXT, number INTEGER, role TEXT, importance REAL, weight REAL, text TEXT);
"""


class SectionRow(NamedTuple):
    """A section as it stands in the index."""

    role: str
    importance: float
    text: str

    @property
    def column(self) -> int:
        """The number of the column that its words are in."""
        return 3 - min(3, int(self.importance * 4))

    @property
    def weight(self) -> float:
        """What each of its words counts."""
        return WEIGHTS[self.column]


def section_rows(extraction: Extraction) -> Iterator[SectionRow]:
    """Return all sections of a page that have text, also those that are not kept."""
    for leaf in extraction.leaves():
        if leaf.text.strip():
            yield SectionRow(leaf.role.value, leaf.importance, leaf.text)


def open_index(path: str) -> sqlite3.Connection:
    """Open an index, or create it."""
    index = sqlite3.connect(path)
    index.executescript(SCHEMA)
    return index


def add_page(index: sqlite3.Connection, name: str, rows: Iterable[SectionRow]) -> None:
    """Put a page into the index, in place of what is there of it."""
    rows = list(rows)
    index.execute("DELETE FROM pages WHERE name = ?", (name,))
    index.execute("DELETE FROM sections WHERE name = ?", (name,))
    index.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?)",
        [(name, number, row.role, row.importance, row.weight, row.text) for number, row in enumerate(rows)],
    )
    texts = ["\n".join(spaced(row.text) for row in rows if row.column == column) for column in range(len(COLUMNS))]
    index.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?)", (name, *texts))


def find(index: sqlite3.Connection, query: str, most: int = 10) -> list[str]:
    """Return the names of the pages that have any word of the query, best first."""
    weights = ", ".join(map(str, (0, *WEIGHTS)))
    found = index.execute(
        f"SELECT name FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, {weights}), name LIMIT ?",  # noqa: S608
        (any_word(query), most),
    )
    return [name for (name,) in found]


def any_word(query: str) -> str:
    """Write a query as FTS5 takes it; quotes keep words from being read as operators."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(words(query.lower()))) or '""'


def spaced(text: str) -> str:
    """Put blanks between the characters of scripts that have none between words, as FTS5 does not."""
    return " ".join(words(text.lower()))


def main(command: str, path: str, *arguments: str) -> None:
    """Run a command."""
    with open_index(path) as index:
        if command == "index":
            for file in sorted(Path(arguments[0]).rglob("*.html")):
                add_page(index, str(file), section_rows(extract(file.read_bytes())))
        else:
            print("\n".join(find(index, " ".join(arguments))))


if __name__ == "__main__":
    main(*sys.argv[1:])
