"""`pagestrata evaluate`: how good methods are, on pages with a truth."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata.cli.messages import report
from pagestrata.cli.outputs import check_places, write_file
from pagestrata.cli.settings import split_names
from pagestrata.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

FILE_TABLE_WIDTH = 400
"""The width of a table that is not shown in a terminal, so that its lines are not wrapped."""


def evaluate(
    dataset: Annotated[
        str, typer.Argument(help="A data set with correct texts: a folder, or its name under $PAGESTRATA_DATA.")
    ],
    method: Annotated[str, typer.Option(help="Our methods to measure, separated by commas.")] = "",
    peers: Annotated[
        str,
        typer.Option(
            help="Other extractors: trafilatura,readability-lxml,boilerpy3,resiliparse,main_content,justext,defuddle,"
            "readability-js,whole-text."
        ),
    ] = "",
    siblings: Annotated[
        str, typer.Option("--siblings", "-k", help="The numbers of pages of the site that a method learns from.")
    ] = "1,2,3,5,8",
    names_removed: Annotated[
        bool, typer.Option("--names-removed", help="Measure a second time with every class and id removed.")
    ] = False,
    feed: Annotated[
        bool,
        typer.Option("--feed", help="Let methods use the feed of the site; only sites that have one are measured."),
    ] = False,
    same_sites: Annotated[
        bool, typer.Option("--same-sites", help="Only sites with enough pages for every number of siblings.")
    ] = False,
    output: Annotated[
        str, typer.Option("--format", "-f", help="What is measured: text, or md for the items of Markdown by kind.")
    ] = "text",
    roles: Annotated[bool, typer.Option("--roles", help="Measure the roles of sections, and nothing else.")] = False,
    metadata: Annotated[
        bool, typer.Option("--metadata", help="Measure metadata by field, beside trafilatura and htmldate.")
    ] = False,
    items: Annotated[
        bool, typer.Option("--items", help="Measure posts and cards by platform, and nothing else.")
    ] = False,
    noisy_sections: Annotated[
        bool,
        typer.Option("--noisy-sections", help="Add a table of sections classified as noise, as in the template paper."),
    ] = False,
    percentiles: Annotated[
        bool, typer.Option("--percentiles", help="Add a table with percentiles of the 2-gram F1 of pages.")
    ] = False,
    pages: Annotated[
        int | None, typer.Option(min=1, help="Test a sample of this many pages, drawn from all sites.")
    ] = None,
    jsonl: Annotated[Path | None, typer.Option(help="Also write the results of every page to this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Also draw F1 by number of siblings: FILE.png or FILE.svg.")] = None,
) -> None:
    """Measure methods on pages whose correct text is known: means over the pages of a site, then over sites."""
    import msgspec

    from pagestrata.cli.progress import progress
    from pagestrata.evaluate import quality, summary
    from pagestrata.evaluate.contenders import contender, peer
    from pagestrata.evaluate.datasets import find_folder, read_dataset
    from pagestrata.evaluate.metadata_scores import is_metadata_set
    from pagestrata.evaluate.plot import check_plot, draw_lines
    from pagestrata.evaluate.training_note import training_note

    if roles:
        _roles(dataset, names_removed)
        return
    if items:
        _items(dataset, pages)
        return
    check_places(jsonl, plot)
    if plot is not None:
        check_plot(plot)
    if metadata or is_metadata_set(find_folder(dataset)):
        _metadata(dataset, split_names(peers))
        return
    if output == "md":
        _markdown(dataset, split_names(peers), pages)
        return
    if output != "text":
        raise UsageError(f"--format is {output!r}, but text and md can be measured")
    contenders = [*map(contender, split_names(method)), *map(peer, split_names(peers))]
    if not contenders:
        raise UsageError("nothing to measure: name a --method, or some --peers")
    data = read_dataset(dataset)
    counts = _counts(siblings)
    rows: list[quality.PageResult] = []
    with progress(enabled=True) as advance:
        for removed in (False, True) if names_removed else (False,):
            plan = quality.Plan(counts, removed, feed, same_sites, pages)
            rows.extend(quality.evaluate(data, contenders, plan, advance))
    lines = summary.summarise(rows)
    title = f"{data.name}: {summary.describe([page.site for site in data.sites for page in site.pages])}"
    _print(summary.to_table, title, lines)
    if noisy_sections:
        _print(summary.to_section_table, "Sections called noise", lines)
    if percentiles:
        _print(summary.to_percentile_table, "2-gram F1 of pages", lines)
    note = training_note(data.name, [each.name for each in contenders])
    if note:
        report(note)
    if jsonl is not None:
        write_file(jsonl, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    if plot is not None:
        draw_lines(lines, title, plot)


def _print(to_table: Callable[..., "Table"], title: str, scores: object) -> None:
    """Print a table for a terminal, or in Markdown if it goes elsewhere."""
    from rich.console import Console

    is_terminal = sys.stdout.isatty()
    console = Console(highlight=False, width=None if is_terminal else FILE_TABLE_WIDTH)
    console.print(to_table(title, scores, markdown=not is_terminal))


def _roles(dataset: str, names_removed: bool) -> None:
    """Print the scores of roles."""
    from pagestrata.cli.progress import progress
    from pagestrata.evaluate.datasets import read_dataset
    from pagestrata.evaluate.role_scores import evaluate_roles, to_table

    data = read_dataset(dataset)
    with progress(enabled=True) as advance:
        each = [evaluate_roles(data, removed, advance) for removed in ((False, True) if names_removed else (False,))]
    _print(to_table, data.name, [line for lines in each for line in lines])


def _items(dataset: str, pages: int | None) -> None:
    """Print the scores of posts and cards by platform."""
    from pagestrata.cli.progress import progress
    from pagestrata.evaluate.datasets import draw, find_folder, samples_of
    from pagestrata.evaluate.item_scores import ALL, score_items, to_table

    samples = samples_of(find_folder(dataset))
    with progress(enabled=True) as advance:
        scores = score_items(draw(samples, pages or len(samples), seed=7), advance)
    _print(to_table, f"{Path(dataset).name}: {scores[ALL].pages} pages", scores)


def _metadata(dataset: str, peers: list[str]) -> None:
    """Print the scores of metadata by field; beside the peers that are installed if none is named."""
    from pagestrata.cli.progress import progress
    from pagestrata.evaluate.datasets import find_folder
    from pagestrata.evaluate.metadata_scores import evaluate_metadata, methods_of, read_metadata_set, to_table

    pages = read_metadata_set(find_folder(dataset))
    with progress(enabled=True) as advance:
        scores = evaluate_metadata(pages, methods_of(peers), advance)
    _print(to_table, f"{Path(dataset).name}: {len(pages)} pages", scores)


def _markdown(dataset: str, peers: list[str], pages: int | None) -> None:
    """Print how much of the authors' Markdown comes back, by kind, beside the peers of these names or all installed."""
    from pagestrata.cli.progress import progress
    from pagestrata.evaluate.datasets import draw
    from pagestrata.evaluate.markdown_score import score_writer, to_table, writers
    from pagestrata.evaluate.markdown_truth import read_markdown_pages

    every = read_markdown_pages(dataset)
    chosen = draw(every, pages or len(every), seed=7)
    with progress(enabled=True) as advance:
        lines = [score_writer(name, write, chosen, advance) for name, write in writers(peers or None).items()]
    _print(to_table, f"{dataset}: {len(chosen)} pages of {len({page.site for page in chosen})} sites", lines)


def _counts(siblings: str) -> tuple[int, ...]:
    """Parse the numbers of siblings."""
    try:
        counts = tuple(sorted({int(name) for name in split_names(siblings)}))
    except ValueError as error:
        raise UsageError(f"-k is {siblings!r}, but wants numbers with commas between") from error
    if not counts or counts[0] < 1:
        raise UsageError(f"-k is {siblings!r}, but a method learns from one page or more")
    return counts
