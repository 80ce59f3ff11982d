"""Messages to the person at the terminal, on standard error."""

import typer

from pagestrata.page.text import without_controls


def report(message: str) -> None:
    """Write a message without control characters: the name of a file or a title may contain terminal escapes.

    Bytes of a name that are not UTF-8 are shown as Python holds them, as in `caf\\udce9.html`.
    """
    typer.echo(without_controls(message.encode(errors="backslashreplace").decode()), err=True)
