"""`pagestrata train`: makes an engine model from labelled pages."""

from pathlib import Path
from typing import Annotated

import typer

from pagestrata.cli.outputs import write_file
from pagestrata.cli.progress import steps


def train(
    data: Annotated[list[str], typer.Argument(help="Data sets with main text, or names under $PAGESTRATA_DATA.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The model is written here, its card beside it.")],
    seed: Annotated[int, typer.Option(help="For what is drawn while training.")] = 1,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Cross-validate on the first data set, five times as long; write here what it showed, an .svg beside."
        ),
    ] = None,
) -> None:
    """Train the engine; the same data and seed give the same bytes."""
    from pagestrata.evaluate.plot import check_plot
    from pagestrata.train.card import draw_report, write_card, write_report
    from pagestrata.train.cross import cross_validate
    from pagestrata.train.fit import Settings, fit
    from pagestrata.train.read import read_labelled

    settings = Settings(seed=seed)
    if report is not None:
        check_plot(report.with_suffix(".svg"))
    with steps(enabled=True) as step:
        sets = [read_labelled(name, step) for name in data]
        model = fit([page for _, pages in sets for page in pages], settings, step)
        if report is not None:
            (name, pages), *others = sets
            tested = cross_validate(pages, [page for _, more in others for page in more], settings, step)
            write_file(report, write_report(name, tested, model).encode())
            draw_report(tested, report.with_suffix(".svg"))
    content = model.to_bytes()
    write_file(output, content)
    write_file(output.with_suffix(".md"), write_card(sets, model, content, settings).encode())
    typer.echo(f"{output}: {len(content):,} bytes, {len(model.trees.leaf)} trees over {len(model.columns)} features")
