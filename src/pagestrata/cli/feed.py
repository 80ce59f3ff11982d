"""`pagestrata feed`: the cards of a listing as a feed."""

from typing import Annotated

import typer

from pagestrata.cli import settings
from pagestrata.cli.jobs import check_is_page, one_job
from pagestrata.errors import InputError, UsageError
from pagestrata.render.feed import render_atom, render_json_feed
from pagestrata.work.read_page import read_page

FORMATS = {"atom": render_atom, "json": render_json_feed}


def feed(
    *,
    page: Annotated[str, typer.Argument(help="A listing: a file, an address, or - for standard input.")],
    format_name: Annotated[str, typer.Option("--format", "-f", help="atom, or json for JSON Feed.")] = "atom",
    site: settings.Site = None,
    origin: settings.Origin,
    environment: settings.Environment,
) -> None:
    """Write the cards of a listing as a feed: title, link, time, summary and image of each."""
    if format_name not in FORMATS:
        raise UsageError(f"there is no format {format_name!r}; there are {', '.join(FORMATS)}")
    job, _ = one_job(page, origin.url, settings.policy_of(origin.allow))
    raw = job.read()
    extraction, _ = read_page(raw, settings.make_options(environment.config), environment.choose(site))
    check_is_page(raw, extraction)
    try:
        written = FORMATS[format_name](extraction)
    except InputError as error:
        raise InputError(f"{job.name}: {error}") from error
    typer.echo(written, nl=False)
