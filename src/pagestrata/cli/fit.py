"""`pagestrata fit`: learn the thresholds of a method from pages that a person has sorted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata import api
from pagestrata.errors import InputError, UsageError
from pagestrata.inputs.files import read_file, walk

if TYPE_CHECKING:
    from pagestrata.algorithms.density import PageKind
    from pagestrata.page.page import Page


def fit(
    method: Annotated[str, typer.Argument(help="density")],
    folder: Annotated[
        str,
        typer.Argument(
            help="A folder with `article`, `article with comments` and `multiple`; or a data set with these types."
        ),
    ],
    measure: Annotated[
        str, typer.Option(help="The measure that T1 maximises: precision, as in the paper, or recall.")
    ] = "precision",
    published: Annotated[bool, typer.Option("--published", help="Learn T1 of the method as published.")] = False,
    curves: Annotated[
        bool,
        typer.Option("--curves", help="Also print the measures for each T1, and by the number of pages learned from."),
    ] = False,
) -> None:
    """Learn T1 of density from labelled pages, and print it."""
    from pagestrata.algorithms import density

    if method != "density":
        raise UsageError(f"nothing to learn for {method!r}; only density has a threshold that is learned")
    if measure not in density.MEASURES:
        raise UsageError(f"--measure is {measure!r}, but T1 is learned for precision or recall")
    samples = _labelled_pages(folder)
    learned = density.fit(samples, measure=measure, published=published)
    written = f"Density(t1={learned.t1:g}{', published=True' if published else ''})"
    typer.echo(f"t1 = {learned.t1:g}, t2 = {learned.t2}, from {len(samples):,} pages: {written}")
    if curves:
        _print_curves(samples, published)


def _labelled_pages(folder: str) -> "list[tuple[Page, PageKind]]":
    """Read the pages of a folder by kind, or those of a data set."""
    from pagestrata.algorithms.density import PageKind
    from pagestrata.evaluate.datasets import read_dataset
    from pagestrata.evaluate.density_curves import labelled_pages

    folders = [(Path(folder, kind.value), kind) for kind in PageKind]
    if any(path.is_dir() for path, _ in folders):
        samples = [(api.parse(read_file(path)), kind) for inside, kind in folders for path in walk(inside)]
    else:
        samples = labelled_pages(read_dataset(folder))
    if not samples:
        raise InputError(f"no pages in {', '.join(str(path) for path, _ in folders)}")
    return samples


def _print_curves(samples: "list[tuple[Page, PageKind]]", published: bool) -> None:
    from pagestrata.evaluate.density_curves import RUNS, DensityCurves

    curves = DensityCurves(samples, published=published)
    typer.echo("T1   precision  recall  recall of each kind")
    for point in curves.by_t1():
        kinds = "  ".join(f"{kind}: {value:.3f}" for kind, value in point.recalls.items())
        typer.echo(f"{point.t1:<3}  {point.precision:.3f}      {point.recall:.3f}   {kinds}")
    typer.echo(f"pages of each kind learned from  precision on the others, {RUNS} random samples")
    for learned in curves.by_sample_size():
        typer.echo(f"{learned.pages:<31}  {learned.precision:.3f} +- {learned.deviation:.3f}")
