"""`pagestrata bench`: measures us and others on the same pages."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from pagestrata.cli.outputs import check_places, write_file
from pagestrata.cli.settings import split_names
from pagestrata.errors import UsageError
from pagestrata.native import SCANNER
from pagestrata.page.json_text import indented_json

bench = typer.Typer(help="Measure quality and speed, ours and those of other extractors.", no_args_is_help=True)


@bench.callback()
def _commands() -> None:
    """Measure quality and speed, ours and those of other extractors."""


@bench.command()
def speed(
    data: Annotated[str, typer.Argument(help="A folder of pages, or the name of one under $PAGESTRATA_DATA.")],
    pages: Annotated[int, typer.Option(min=1, help="The number of pages in the sample.")] = 300,
    repeat: Annotated[int, typer.Option(min=1, help="How often each page is read.")] = 3,
    seed: Annotated[int, typer.Option(help="The seed of the sample and of the order.")] = 20261115,
    peers: Annotated[
        str | None,
        typer.Option(
            help="trafilatura,resiliparse,main_content,readability-lxml,boilerpy3,justext,html-to-markdown; "
            "all that are installed if not given."
        ),
    ] = None,
    sites: Annotated[
        str | None,
        typer.Option(help="A data set of sites: also measure later pages of sites learned from eight of their pages."),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the results to this file.")] = None,
) -> None:
    """Measure time and memory per page. Compares the parser alone, our stages, and other extractors."""
    from rich.console import Console

    from pagestrata.cli.progress import progress
    from pagestrata.evaluate import datasets
    from pagestrata.evaluate.peers import load_all
    from pagestrata.evaluate.speed import measure
    from pagestrata.evaluate.speed_report import make_report, to_table
    from pagestrata.evaluate.stages import OWN, TEXT, learned_text

    check_places(json)
    calls = OWN + load_all(None if peers is None else split_names(peers))
    drawn = datasets.draw(datasets.samples_of(datasets.find_folder(data)), pages, seed)
    contents = [sample.read() for sample in drawn]
    learned = learned_text(sites, pages, seed) if sites else None
    with progress(enabled=True) as advance:
        rows = measure(calls, contents, repeat, seed, advance)
        if learned:
            rows.insert(len(OWN), measure((learned[0], TEXT), learned[1], repeat, seed, advance)[0])
    report = make_report(_command_line(), rows, [len(content) for content in contents], repeat, seed)
    Console(highlight=False, width=None if sys.stdout.isatty() else 160).print(to_table(report))
    if json is not None:
        write_file(json, indented_json(report))


@bench.command()
def quality(
    data: Annotated[str, typer.Argument(help="A data set with main text, or the name of one under $PAGESTRATA_DATA.")],
    peers: Annotated[
        str | None,
        typer.Option(
            help="trafilatura,resiliparse,main_content,readability-lxml,boilerpy3,justext; "
            "all that are installed if not given."
        ),
    ] = None,
    pages: Annotated[int | None, typer.Option(min=1, help="A sample of this many pages.")] = None,
    seed: Annotated[
        int, typer.Option(help="The seed of the sample, and of the order when speed is measured.")
    ] = 20261115,
    plot: Annotated[
        Path | None, typer.Option(help="Also measure speed, and draw quality against it: FILE.png or FILE.svg.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="How often each page is read for its time.")] = 1,
    json: Annotated[Path | None, typer.Option(help="Also write the results to this file.")] = None,
) -> None:
    """Measure quality by page type. Compares the engine and other extractors on the same pages."""
    from rich.console import Console

    from pagestrata.cli.progress import progress
    from pagestrata.evaluate import comparison
    from pagestrata.evaluate.peers import installed
    from pagestrata.evaluate.plot import check_plot

    check_places(plot, json)
    if plot is not None:
        check_plot(plot)
    names = installed() if peers is None else split_names(peers)
    with progress(enabled=True) as advance:
        report = comparison.compare(_command_line(), data, names, pages, seed, repeat if plot else 0, advance)
    is_terminal = sys.stdout.isatty()
    Console(highlight=False, width=None if is_terminal else 160).print(
        comparison.to_table(report, markdown=not is_terminal)
    )
    if json is not None:
        write_file(json, indented_json(report))
    if plot is not None:
        comparison.draw(report, plot)


@bench.command()
def table(
    data: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[data]...",
            help="Data sets, or one page type of a set, as in shops:product; those of the README if not given.",
        ),
    ] = None,
    peers: Annotated[
        str | None,
        typer.Option(
            help="trafilatura,readability-lxml,resiliparse,justext,boilerpy3,main_content,defuddle,readability-js; "
            "all that are installed if not given."
        ),
    ] = None,
) -> None:
    """Print the table of the README. The engine's figures are those of its model card; the others are measured."""
    from pagestrata.cli.progress import progress
    from pagestrata.evaluate.overview import README_ROWS, engine_score, heading_rows, overview_row
    from pagestrata.evaluate.peers import installed_texts

    names = installed_texts() if peers is None else split_names(peers)
    rows = data or list(README_ROWS)
    for name in rows:
        engine_score(name)  # an unknown one is an error before anything is measured
    for line in heading_rows(names):
        typer.echo(line)
    with progress(enabled=True) as advance:
        for name in rows:
            typer.echo(overview_row(name, names, advance))


@bench.command()
def sites(
    data: Annotated[str, typer.Argument(help="A data set of sites, or the name of one under $PAGESTRATA_DATA.")],
    siblings: Annotated[
        int, typer.Option("-k", "--siblings", min=2, help="The number of pages that a site is learned from.")
    ] = 8,
    turns: Annotated[int, typer.Option(min=1, help="How often each step is timed; the shortest time counts.")] = 3,
) -> None:
    """Measure the time to learn and use sites. Times are multiples of the time to parse the same pages."""
    from pagestrata.cli.progress import steps
    from pagestrata.evaluate.site_costs import measure_sites

    with steps(enabled=True) as step:
        costs = list(measure_sites(data, siblings, turns, lambda done, total: step("sites", done, total)))
    if not costs:
        raise UsageError(f"no site of {data} has more than {siblings} pages")
    parse = sum(cost.parse for cost in costs)
    each = 1000 * parse / siblings / len(costs)
    typer.echo(f"{len(costs)} sites, {siblings} pages each, {SCANNER}; parse {each:.2f} ms a page")
    learned = [(cost.learn, cost.parse) for cost in costs]
    cut = [(cost.segment, cost.parse_later) for cost in costs]
    for name, pairs in (("learn", learned), ("match and cut", cut)):
        ratios = sorted(own / parse for own, parse in pairs)
        mean = sum(own for own, _ in pairs) / sum(parse for _, parse in pairs)
        typer.echo(f"{name}: {mean:.1f} x parse; by site {ratios[0]:.1f} to {ratios[-1]:.1f}")


def _command_line() -> str:
    return shlex.join(["pagestrata", *sys.argv[1:]])
