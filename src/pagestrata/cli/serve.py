"""`pagestrata serve`: the same over HTTP, for programs, language models and people."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from pagestrata.cli import settings
from pagestrata.errors import MissingExtra, UsageError, raising

TOKEN_VARIABLE: Final = "PAGESTRATA_TOKEN"  # noqa: S105 (its name)


def serve(
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on; all but loopback addresses require a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free one.")] = 8070,
    workers: Annotated[
        int | None, typer.Option(min=2, help="The number of worker processes; some are reserved for short requests.")
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(help=f"A file with a token per line, one for each client; or set ${TOKEN_VARIABLE} to one token."),
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Allow requests that give the URL of a page, which is then fetched.")
    ] = False,
    allow: settings.Allow = None,
    seconds: Annotated[float, typer.Option(min=0.5, help="The most seconds for one request.")] = 6.0,
    queue: Annotated[int, typer.Option(min=1, help="The most requests that may wait.")] = 256,
    environment: settings.Environment,
) -> None:
    """Run the HTTP service until a signal stops it; running requests are finished first."""
    check_server()
    from pagestrata.serve.run import run
    from pagestrata.serve.settings import ServeLimits, ServeSettings

    limits = ServeLimits(seconds=seconds, queue=queue)
    chosen = ServeSettings(
        store=environment.find_store(),
        host=host,
        tokens=read_tokens(token_file, os.environ.get(TOKEN_VARIABLE, "")),
        fetch=settings.policy_of(allow) if fetch else None,
        limits=limits,
        **({} if workers is None else {"workers": workers}),
    )
    run(chosen, port, typer.echo)


def check_server() -> None:
    """Raise an error if the packages that serving needs are not installed."""
    missing = [name for name in ("fastapi", "uvicorn") if find_spec(name) is None]
    if missing:
        raise MissingExtra(missing[0], "server")


def read_tokens(file: Path | None, token: str) -> tuple[str, ...]:
    """The tokens in a file, or the one of the environment: a command line can be read by every user of a machine."""
    if file is None:
        return (token,) if token else ()
    with raising(UsageError, f"cannot read the tokens in {file}", UnicodeDecodeError):
        lines = file.read_text(encoding="utf-8").split()
    if not lines:
        raise UsageError(f"there is no token in {file}")
    return tuple(lines)
