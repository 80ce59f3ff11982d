"""The options that commands share, and how they come together: command line over configuration file over defaults."""

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from pagestrata.errors import UsageError
from pagestrata.options import Options

CONFIG_NAME = "pagestrata.toml"
_OPTION_NAMES = frozenset(field.name for field in fields(Options))

Pages = Annotated[list[str], typer.Argument(help="Files, folders, addresses, or - for standard input.")]
Url = Annotated[str | None, typer.Option("--url", help="Where the page is from: links are resolved against it.")]
Config = Annotated[Path | None, typer.Option("--config", help=f"A TOML file; ./{CONFIG_NAME} is read if it is there.")]
Bias = Annotated[float | None, typer.Option(min=-1, max=1, help="From -1 (precision) to 1 (recall).")]
Keep = Annotated[list[str] | None, typer.Option(help="CSS or XPath of what is content; may be given again.")]
Drop = Annotated[list[str] | None, typer.Option(help="CSS or XPath of what is not; may be given again.")]
Comments = Annotated[str | None, typer.Option(help="Reader comments: off, on or only.")]
Allow = Annotated[
    list[str] | None, typer.Option("--allow-address", help="An address that may be fetched though it is not public.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but the result and errors.")]


def make_options(config: Path | None, **given: Any) -> Options:
    """Options from the file and from what was given on the command line (None: not given)."""
    settings = read_config(config)
    settings.update({name: value for name, value in given.items() if value is not None})
    for name in ("keep", "drop"):
        if name in settings:
            settings[name] = tuple(settings[name])
    try:
        return Options(**settings)
    except TypeError as error:
        raise UsageError(f"an option has a value of the wrong kind: {error}") from error


def read_config(path: Path | None) -> dict[str, Any]:
    """The settings of a TOML file; unknown names are errors, so that a misspelt one is not lost."""
    place = path or Path(CONFIG_NAME)
    if path is None and not place.is_file():
        return {}
    try:
        settings = tomllib.loads(place.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot read {place}: {error}") from error
    unknown = sorted(set(settings) - _OPTION_NAMES)
    if unknown:
        raise UsageError(f"{place} has the unknown option {unknown[0]!r}; there are {', '.join(sorted(_OPTION_NAMES))}")
    return settings
