"""`pagestrata metadata`: the metadata of a page, each field with its source."""

from typing import Annotated

import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.cli.jobs import check_is_page, one_job
from pagestrata.cli.messages import report
from pagestrata.page.json_text import indented_json


def metadata(
    page: settings.OnePage,
    origin: settings.Origin,
    config: settings.Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")] = False,
) -> None:
    """Show title, authors, dates and so on, each with its source."""
    job, _ = one_job(page, origin.url, settings.policy_of(origin.allow))
    raw = job.read()
    extraction = api.extract(raw, options=settings.make_options(config))
    check_is_page(raw, extraction)
    metadata = extraction.metadata
    if as_json:
        sources, warnings = dict(metadata.sources), list(metadata.warnings)
        answer = {"metadata": metadata.as_dict(), "sources": sources, "warnings": warnings}
        typer.echo(indented_json(answer), nl=False)
        return
    for name, value in metadata.as_dict().items():
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        typer.echo(f"{name:<15} {shown}  ({metadata.sources.get(name, '')})")
    if not metadata.as_dict():
        report(f"{job.name}: the page says nothing about itself")
    for warning in metadata.warnings:
        report(warning)
