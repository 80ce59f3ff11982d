"""`pagestrata mcp`: the verbs as tools of language models, over standard input and output."""

import sys
from typing import Annotated

import typer

from pagestrata.cli import settings
from pagestrata.inputs.addresses import AddressPolicy


def mcp(
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Allow requests that give the URL of a page, which is then fetched.")
    ] = False,
    allow: settings.Allow = None,
    seconds: Annotated[float, typer.Option(min=0.5, help="The most seconds for one call.")] = 15.0,
    store: settings.StorePath = None,
    config: settings.Config = None,
) -> None:
    """Run an MCP server on standard input and output, for agents that start their servers themselves."""
    from pagestrata.serve.stdio import serve_stdio
    from pagestrata.serve.tasks import Setup
    from pagestrata.work.guard import GuardLimits

    setup = Setup(settings.find_store(store, config), fetch, seconds / 2, niceness=0)
    policy = AddressPolicy(allow=tuple(allow or ())) if fetch else None
    serve_stdio(sys.stdin.buffer, sys.stdout.buffer, setup, policy, GuardLimits(seconds=seconds))
