"""`pagestrata train`: makes the engine's models from labelled pages."""

from pathlib import Path
from typing import Annotated

import typer

from pagestrata.cli.outputs import check_places, write_file
from pagestrata.cli.progress import steps
from pagestrata.errors import UsageError


def train(
    data: Annotated[
        list[str],
        typer.Argument(
            help="Data sets with main text, or names under $PAGESTRATA_DATA. What each counts is in `training_sets`."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The file for the model; its card is written beside it.")
    ],
    seed: Annotated[int, typer.Option(help="The seed of the random numbers.")] = 1,
    page_types: Annotated[
        bool, typer.Option("--page-types", help="Train the model of page types instead, on pages with a known type.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(help="Cross-validate, five times as long; write here what it showed, an .svg beside."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="With --report: a data set that is not trained on, to measure the model with. Repeatable."),
    ] = None,
) -> None:
    """Train the engine, or the model of page types; the same data and seed give the same bytes."""
    check_places(output, output.with_suffix(".md"), report)
    if page_types and report is not None:
        raise UsageError("--report is for the engine: the accuracy of page types stands on the card")
    if page_types:
        train_page_types(data, output, seed)
    else:
        train_engine(data, output, seed, report, measure or [])


def train_page_types(data: list[str], output: Path, seed: int) -> None:
    """Write a model of page types, and its card."""
    from pagestrata.train.fit_page_types import fit
    from pagestrata.train.model_card import write_type_card
    from pagestrata.train.training_pages import read_typed

    with steps(enabled=True) as step:
        sets = [read_typed(name, step) for name in dict.fromkeys(data)]
        learned = fit([page for _, pages in sets for page in pages], seed, step)
    content = learned.model.to_bytes()
    write_file(output, content)
    write_file(output.with_suffix(".md"), write_type_card(sets, learned, content, seed).encode())
    accuracies = ", ".join(f"{name} {accuracy:.3f}" for name, accuracy in learned.accuracy.items())
    typer.echo(f"{output}: {len(content):,} bytes; accuracy on sites left out: {accuracies}")


def train_engine(data: list[str], output: Path, seed: int, report: Path | None, measure: list[str]) -> None:
    """Write an engine model, its card and, if requested, the report."""
    from pagestrata.evaluate.plot import check_plot
    from pagestrata.train.cross_validation import HeldOutPage, cross_validate
    from pagestrata.train.fit_engine import Settings, fit
    from pagestrata.train.gate import GateRow, transfer_row
    from pagestrata.train.model_card import draw_report, write_card, write_report
    from pagestrata.train.training_pages import read_labelled

    settings, tested, transfer = Settings(seed=seed), list[HeldOutPage](), list[GateRow]()
    if report is not None:
        check_plot(report.with_suffix(".svg"))
    with steps(enabled=True) as step:
        sets = [read_labelled(name, step) for name in dict.fromkeys(data)]
        pages = [page for _, some in sets for page in some]
        model = fit(pages, settings, step)
        if report is not None:
            tested = cross_validate(pages, settings, step)
            transfer = [transfer_row(*read_labelled(name, step), model, step) for name in measure]
            write_file(report, write_report(sets[0][0], tested, model, transfer).encode())
            draw_report(tested, report.with_suffix(".svg"))
    content = model.to_bytes()
    write_file(output, content)
    write_file(output.with_suffix(".md"), write_card(sets, model, content, settings, tested, transfer).encode())
    typer.echo(f"{output}: {len(content):,} bytes, {len(model.trees.leaf)} trees over {len(model.columns)} features")
