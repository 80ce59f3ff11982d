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
) -> None:
    """Train the engine; the same data and seed give the same bytes."""
    from pagestrata.train.card import write_card
    from pagestrata.train.fit import fit
    from pagestrata.train.read import read_labelled

    with steps(enabled=True) as step:
        sets = [read_labelled(name, step) for name in data]
        model = fit([page for _, pages in sets for page in pages], seed, step)
    content = model.to_bytes()
    write_file(output, content)
    write_file(output.with_suffix(".md"), write_card(sets, model, content, seed).encode())
    typer.echo(f"{output}: {len(content):,} bytes, {len(model.trees.root)} trees over {len(model.columns)} features")
