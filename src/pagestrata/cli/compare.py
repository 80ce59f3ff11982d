"""`pagestrata compare`: other extractors, or our methods, side by side on one page."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from pagestrata import api, registry
from pagestrata.algorithms.base import Learner
from pagestrata.cli import compare_truth, settings
from pagestrata.cli.compare_peers import compare_peers
from pagestrata.cli.compare_peers import show as show_peers
from pagestrata.cli.jobs import one_job
from pagestrata.cli.messages import report
from pagestrata.cli.site_pages import MAX_PAGES, feed_in
from pagestrata.errors import InputError, UsageError
from pagestrata.evaluate.metrics import word_score
from pagestrata.evaluate.peers import TEXT_PEERS
from pagestrata.extraction import Extraction
from pagestrata.inputs.files import read_file, walk
from pagestrata.inputs.site_addresses import spread
from pagestrata.options import Options
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.registry import METHODS
from pagestrata.results import Role

_FIRST_WORDS = 8
_HEADINGS = ("method", "words", "share", "sections", "confidence", "page type", "agreement", "learned from", "begins")
_COLUMN_PRIORITY = (0, 1, 2, 6, 4, 3, 5, 7, 8)
"""The columns in the order in which a narrow terminal keeps them."""
_BEGINS_COLUMN = 8
_MIN_BEGINS_WIDTH = 12


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """The result of one method on the page."""

    method: str
    words: int
    """Words of kept sections, without the title and without what a browser does not show."""
    share: float
    """Their share in all words that are shown."""
    sections: int
    confidence: float
    page_type: str
    agreement: float
    """Word F1 with the first method."""
    learned_from: str
    begins: str
    notes: tuple[str, ...]
    """Notes of the method on its result."""

    def cells(self) -> tuple[str, ...]:
        """The values as text for the table."""
        return (
            self.method,
            f"{self.words:,}",
            f"{self.share:.0%}",
            f"{self.sections:,}",
            f"{self.confidence:.2f}",
            self.page_type,
            f"{self.agreement:.3f}",
            self.learned_from,
            self.begins,
        )


def compare(
    *,
    page: Annotated[
        str, typer.Argument(help="A file, an address, or - for standard input; with --truth a folder of pages.")
    ],
    siblings: Annotated[
        Path | None, typer.Option(help="A folder with other pages of the site, for methods that learn.")
    ] = None,
    feed: Annotated[str | None, typer.Option(help="A feed of the site, for methods that use one.")] = None,
    peers: Annotated[
        str | None,
        typer.Option(help=f"Extractors to compare with: {','.join(TEXT_PEERS)}. Default: all that are installed."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Print differing blocks in full.")] = False,
    truth: Annotated[
        Path | None, typer.Option(help="Score against a folder of correct texts: a/b.txt for the page a/b.html.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option(help=f"Compare our own methods instead: all, or some of {', '.join(METHODS)}.")
    ] = None,
    count: Annotated[int, typer.Option("--pages", "-k", min=1, help="The most siblings to learn from.")] = MAX_PAGES,
    origin: settings.Origin,
    config: settings.Config = None,
) -> None:
    """Compare with other extractors on your page: what each of them loses or keeps in addition."""
    if methods is None and (siblings is not None or feed is not None):
        raise UsageError("--siblings and --feed are for methods that learn: give --methods all, or some of them")
    if methods is not None and peers is not None:
        raise UsageError("give one of --peers and --methods")
    if truth is not None and (methods is not None or not Path(page).is_dir()):
        raise UsageError("--truth scores a folder of pages, with --peers: pagestrata compare PAGES --truth TEXTS")
    options = settings.make_options(config)
    peer_names = settings.split_names(peers) if peers is not None else None
    if truth is not None:
        compare_truth.show(compare_truth.score_folder(Path(page), truth, peer_names, options))
        return
    policy = settings.policy_of(origin.allow)
    raw = one_job(page, origin.url, policy)[0].read()
    if methods is None:
        show_peers(compare_peers(raw, peer_names, options), full)
        return
    feed_items = feed_in(one_job(feed, None, policy)[0].read()) if feed is not None else None
    others = read_siblings(siblings, raw, count, options) if siblings is not None else []
    names = list(METHODS) if methods == "all" else settings.split_names(methods)
    show(compare_methods(api.parse(raw, options=options), others, feed_items, names, options))


def read_siblings(folder: Path, raw: RawPage, count: int, options: Options) -> list[Page]:
    """Other pages of the folder; never the page itself, also under another name."""
    paths = list(walk(folder))
    if not paths:
        raise InputError(f"no pages in {folder}")
    others = [other for other in map(read_file, spread(paths, count + 1)) if other.markup != raw.markup]
    return [api.parse(other, options=options) for other in others[:count]]


def compare_methods(
    page: Page, siblings: Sequence[Page], feed: Feed | None, names: Sequence[str], options: Options
) -> list[ComparisonRow]:
    """Run each method; those that learn do so from the siblings, or from the page alone if there are none."""
    rows: list[ComparisonRow] = []
    first: Extraction | None = None
    for name in names:
        method = registry.method(name)
        learned_from = ""
        if isinstance(method, Learner):
            method = method.learn(list(siblings) or [page], feed)
            learned_from = f"{len(siblings)} pages" if siblings else "this page only"
        extraction = Extraction(page, options, method.segment(page, options), name, page.limits)
        first = first or extraction
        rows.append(_row(extraction, first, learned_from))
    return rows


def _row(extraction: Extraction, first: Extraction, learned_from: str) -> ComparisonRow:
    blocks = extraction.page.blocks
    shown = np.where(blocks.is_unseen, 0, blocks.words)
    leaves = [leaf for leaf in extraction.leaves() if leaf.kept and leaf.role is not Role.TITLE]
    words = sum(int(shown[leaf.block_start : leaf.block_end].sum()) for leaf in leaves)
    return ComparisonRow(
        method=extraction.method,
        words=words,
        share=words / max(1, int(shown.sum())),
        sections=sum(1 for _ in extraction.leaves()),
        confidence=extraction.confidence,
        page_type=extraction.page_type,
        agreement=word_score(extraction.text, first.text).f1,
        learned_from=learned_from,
        begins=" ".join(extraction.text[:500].split()[:_FIRST_WORDS]),
        notes=extraction.segmentation.notes,
    )


def show(rows: Sequence[ComparisonRow]) -> None:
    """Print a table on a terminal, otherwise tab-separated lines; notes of methods go to standard error."""
    if sys.stdout.isatty():
        _draw(rows)
    else:
        for cells in (_HEADINGS, *(row.cells() for row in rows)):
            typer.echo("\t".join(cells))
    for row in rows:
        for note in row.notes:
            report(f"{row.method}: {note}")


def _draw(rows: Sequence[ComparisonRow]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    shown = fitting_columns([_HEADINGS, *(row.cells() for row in rows)], console.width)
    table = Table(*(_HEADINGS[column] for column in shown), box=None, header_style="bold")
    for row in rows:
        cells = row.cells()
        table.add_row(*(Text(cells[column], no_wrap=True, overflow="ellipsis") for column in shown))
    console.print(table)


def fitting_columns(table: Sequence[Sequence[str]], width: int) -> list[int]:
    """The columns that fit in a terminal, chosen by priority; the last one may be truncated.

    >>> fitting_columns([_HEADINGS], 100) == list(range(9))
    True
    >>> [_HEADINGS[column] for column in fitting_columns([_HEADINGS], 42)]
    ['method', 'words', 'share', 'agreement']
    """
    shown: list[int] = []
    for column in _COLUMN_PRIORITY:
        width -= (_MIN_BEGINS_WIDTH if column == _BEGINS_COLUMN else max(len(cells[column]) for cells in table)) + 2
        if width < 0:
            break
        shown.append(column)
    return sorted(shown)
