"""`pagestrata bench`: measures us and others on the same pages."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from pagestrata.cli.outputs import write_file

bench = typer.Typer(help="Measure speed beside other extractors.", no_args_is_help=True)


@bench.callback()
def _commands() -> None:
    """Measure speed beside other extractors."""


@bench.command()
def speed(
    data: Annotated[str, typer.Argument(help="A folder of pages, or the name of one under $PAGESTRATA_DATA.")],
    pages: Annotated[int, typer.Option(min=1, help="How many pages are drawn.")] = 300,
    repeat: Annotated[int, typer.Option(min=1, help="How often each is read.")] = 3,
    seed: Annotated[int, typer.Option(help="For the draw and the order.")] = 20261115,
    peers: Annotated[
        str | None, typer.Option(help="trafilatura,resiliparse,main_content; all that are installed if not given.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.")] = None,
) -> None:
    """Processor time and memory for a page: the parser alone, our stages, and other extractors."""
    from rich.console import Console

    from pagestrata.cli.progress import progress
    from pagestrata.evaluate import datasets
    from pagestrata.evaluate import peers as all_peers
    from pagestrata.evaluate.bench import measure
    from pagestrata.evaluate.report import make_report, to_json, to_table

    methods = all_peers.OWN + all_peers.load_all(None if peers is None else [name for name in peers.split(",") if name])
    drawn = datasets.draw(datasets.samples_of(datasets.find_folder(data)), pages, seed)
    contents = [sample.read() for sample in drawn]
    with progress(enabled=True) as advance:
        rows = measure(methods, contents, repeat, seed, advance)
    report = make_report(_command_line(), rows, [len(content) for content in contents], repeat, seed)
    Console(highlight=False, width=None if sys.stdout.isatty() else 160).print(to_table(report))
    if json is not None:
        write_file(json, to_json(report))


def _command_line() -> str:
    return shlex.join(["pagestrata", *sys.argv[1:]])
