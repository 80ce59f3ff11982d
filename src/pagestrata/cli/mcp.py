"""`pagestrata mcp`: the verbs as tools of language models, over standard input and output."""

import sys
from typing import Annotated

import typer

from pagestrata.cli import settings


def mcp(
    *,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch pages that are given by their URL.")] = False,
    allow: settings.Allow = None,
    seconds: Annotated[float, typer.Option(min=0.5, help="Wall time for one call.")] = 15.0,
    environment: settings.Environment,
) -> None:
    """Serve the Model Context Protocol over standard input and output, for programs that start their servers."""
    from pagestrata.serve.stdio import serve_stdio
    from pagestrata.serve.tasks import Setup
    from pagestrata.work.guard import GuardLimits

    setup = Setup(environment.find_store(), fetch, seconds / 2, niceness=0)
    policy = settings.policy_of(allow) if fetch else None
    serve_stdio(sys.stdin.buffer, sys.stdout.buffer, setup, policy, GuardLimits(seconds=seconds))
