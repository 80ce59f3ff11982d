"""`pagestrata fit`: learn the thresholds of a method from pages that a person has sorted."""

from pathlib import Path
from typing import Annotated

import typer

from pagestrata import api
from pagestrata.errors import InputError, UsageError
from pagestrata.inputs.files import read_file, walk


def fit(
    method: Annotated[str, typer.Argument(help="density")],
    folder: Annotated[Path, typer.Argument(help="Holds the folders `article`, `article with comments`, `multiple`.")],
) -> None:
    """Learn T1 of density from pages sorted into folders, and print it."""
    from pagestrata.algorithms import density

    if method != "density":
        raise UsageError(f"nothing to learn for {method!r}; only density has a threshold that is learned")
    samples = [(api.parse(read_file(path)), kind) for kind in density.PageKind for path in walk(folder / kind.value)]
    if not samples:
        raise InputError(f"no pages in {', '.join(str(folder / kind.value) for kind in density.PageKind)}")
    learned = density.fit(samples)
    typer.echo(f"t1 = {learned.t1:g}, t2 = {learned.t2}, from {len(samples):,} pages: Density(t1={learned.t1:g})")
