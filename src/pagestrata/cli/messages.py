"""Messages to the person at the terminal, on standard error."""

import typer

from pagestrata.errors import AddressRefused, FetchError, PagestrataError
from pagestrata.page.text import without_controls

_ABOUT_ADDRESSES = "; only public addresses are fetched, --allow-address permits others"


def report(message: str) -> None:
    """Write a message without control characters: the name of a file or a title may contain terminal escapes.

    Bytes of a name that are not UTF-8 are shown as Python holds them, as in `caf\\udce9.html`.
    """
    typer.echo(without_controls(message.encode(errors="backslashreplace").decode()), err=True)


def described(error: PagestrataError) -> str:
    """An error with the address that could not be fetched, and what to do about it."""
    address = error.url if isinstance(error, FetchError) else ""
    name = f"{address}: " if address and address not in str(error) else ""
    return f"{name}{error}{hint_for(error)}"


def hint_for(error: PagestrataError) -> str:
    """What to do about an error, as an addition to its text; empty for most."""
    return _ABOUT_ADDRESSES if isinstance(error, AddressRefused) and not error.cause else ""
