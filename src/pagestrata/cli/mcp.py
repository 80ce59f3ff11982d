"""`pagestrata mcp`: the verbs as tools of language models, over standard input and output."""

import sys
from typing import Annotated

import typer

from pagestrata.cli import settings


def mcp(
    *,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Allow requests that give the URL of a page, which is then fetched.")
    ] = False,
    allow: settings.Allow = None,
    seconds: Annotated[float, typer.Option(min=0.5, help="The most seconds for one call.")] = 15.0,
    environment: settings.Environment,
) -> None:
    """Run an MCP server on standard input and output, for agents that start their servers themselves."""
    from pagestrata.serve.stdio import serve_stdio
    from pagestrata.serve.tasks import Setup
    from pagestrata.work.guard import GuardLimits

    setup = Setup(environment.find_store(), fetch, seconds / 2, niceness=0)
    policy = settings.policy_of(allow) if fetch else None
    serve_stdio(sys.stdin.buffer, sys.stdout.buffer, setup, policy, GuardLimits(seconds=seconds))
