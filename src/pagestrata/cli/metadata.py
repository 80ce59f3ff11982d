"""`pagestrata metadata`: what a page says about itself, and where it says it."""

from typing import Annotated

import msgspec
import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.cli.jobs import one_job
from pagestrata.inputs.addresses import AddressPolicy


def metadata(
    page: Annotated[str, typer.Argument(help="A file, an address, or - for standard input.")],
    url: settings.Url = None,
    allow: settings.Allow = None,
    config: settings.Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")] = False,
) -> None:
    """Show title, authors, dates and so on, each with its source."""
    job, _ = one_job(page, url, AddressPolicy(allow=tuple(allow or ())))
    found = api.extract(job.read(), options=settings.make_options(config)).metadata
    if as_json:
        whole = {"metadata": found.as_dict(), "sources": dict(found.sources), "warnings": list(found.warnings)}
        typer.echo(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())
        return
    for name, value in found.as_dict().items():
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        typer.echo(f"{name:<15} {shown}  ({found.sources.get(name, '')})")
    if not found.as_dict():
        typer.echo(f"{job.name}: the page says nothing about itself", err=True)
    for warning in found.warnings:
        typer.echo(warning, err=True)
