"""`pagestrata`: the commands; without one, the arguments are those of `extract`."""

import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from pagestrata.cli.batch import batch
from pagestrata.cli.bench import bench
from pagestrata.cli.compare import compare
from pagestrata.cli.diff import diff
from pagestrata.cli.discover import feeds, links, sitemap
from pagestrata.cli.doctor import doctor
from pagestrata.cli.evaluate import evaluate
from pagestrata.cli.extract import extract
from pagestrata.cli.feed import feed
from pagestrata.cli.fit import fit
from pagestrata.cli.inspect import inspect
from pagestrata.cli.jobs import piped
from pagestrata.cli.learn import learn
from pagestrata.cli.mcp import mcp
from pagestrata.cli.messages import described, report
from pagestrata.cli.metadata import metadata
from pagestrata.cli.option_groups import GroupedTyper
from pagestrata.cli.screenshot import screenshot
from pagestrata.cli.sections import sections
from pagestrata.cli.serve import serve
from pagestrata.cli.sites import sites
from pagestrata.cli.spark import spark
from pagestrata.cli.train import train
from pagestrata.errors import PagestrataError, UsageError, suggestion

app = GroupedTyper(
    name="pagestrata",
    help="Cuts web pages into sections, says how important each is and why, and returns the clean content.",
    epilog="A page without a command is extracted: pagestrata page.html",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # boxes need wide terminals and leave less room for text
)
app.command()(extract)
app.command(short_help="Show how a page is cut, as a tree.")(sections)
app.command()(screenshot)
app.command()(metadata)
app.command(short_help="Show what changed between two versions of a page.")(diff)
app.command(short_help="Write the cards of a listing as a feed.")(feed)
app.command()(links)
app.command()(feeds)
app.command()(sitemap)
app.command()(batch)
app.command()(learn)
app.add_typer(sites, name="sites")
app.command(short_help="Look at a page and its sections in your browser.")(inspect)
app.add_typer(spark, name="spark")
app.command(short_help="Run the service over HTTP.")(serve)
app.command(short_help="Run an MCP server on standard input and output.")(mcp)
app.command(short_help="Compare with other extractors on your own page.")(compare)
app.command(short_help="Measure methods on pages whose correct text is known.")(evaluate)
app.command(short_help="Learn the threshold of the density method.")(fit)
app.command(short_help="Train the engine, or the model of page types.")(train)
app.add_typer(bench, name="bench")
app.command(short_help="Check this installation, and list what is missing.")(doctor)


def _print_version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version

        from pagestrata.native import SCANNER

        typer.echo(f"pagestrata {version('pagestrata')} ({SCANNER})")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and the scanner."),
    ] = False,
) -> None:
    """Cuts web pages into sections, says how important each is and why, and returns the clean content."""


_OWN_OPTIONS = ("--help", "--version", "--install-completion", "--show-completion")


def with_command(arguments: list[str]) -> list[str]:
    """A bare path, `-`, address or option means `extract`, and so does a page that is piped in.

    >>> with_command(["page.html"]), with_command(["sections", "page.html"]), with_command(["--version"])
    (['extract', 'page.html'], ['sections', 'page.html'], ['--version'])
    """
    if not arguments:
        return ["extract", *piped()] if piped() else []
    first, commands = arguments[0], command_names()
    if first in commands or first.startswith(_OWN_OPTIONS):
        return arguments
    if re.fullmatch(r"[a-z][a-z-]+", first) and not Path(first).exists():
        raise UsageError(f"there is no command or file {first!r}; {suggestion(first, commands)}")
    return ["extract", *arguments]


def command_names() -> list[str]:
    """The names of all commands."""
    own = (command.name or (command.callback and command.callback.__name__) for command in app.registered_commands)
    return [name for name in (*own, *(group.name for group in app.registered_groups)) if name]


def run() -> None:
    """The entry point: our own errors become one line and an exit code."""
    try:
        app(with_command(sys.argv[1:]))
    except PagestrataError as error:
        report(f"pagestrata: {described(error)}")
        raise SystemExit(error.exit_code) from None
    except BrokenPipeError:
        # the reader of our output is gone: exit silently, and keep Python from flushing it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except OSError as error:  # for example a full disk while output was written
        report(f"pagestrata: {': '.join(filter(None, (error.filename, error.strerror))) or error}")
        raise SystemExit(PagestrataError.exit_code) from None


if __name__ == "__main__":
    run()
