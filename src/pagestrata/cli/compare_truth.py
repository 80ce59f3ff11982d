"""Extractors on the user's own pages, scored against texts that a person wrote down."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

import typer

from pagestrata import api
from pagestrata.cli.compare_peers import OURS, readers_of
from pagestrata.errors import InputError
from pagestrata.evaluate.metrics import Score, mean, word_score
from pagestrata.evaluate.peers import Text
from pagestrata.inputs.files import PAGE_SUFFIXES, read_file, walk
from pagestrata.options import Options
from pagestrata.page.raw import RawPage


def score_folder(folder: Path, truth: Path, names: Sequence[str] | None, options: Options) -> dict[str, list[Score]]:
    """Score ours and each peer on every page of a folder that has a text of the same name in the other."""
    pairs = list(pages_with_truth(folder, truth))
    if not pairs:
        raise InputError(f"no page in {folder} has a text in {truth}: a/b.txt is expected for a/b.html")
    peers = readers_of(names)
    scores: dict[str, list[Score]] = {name: [] for name in (OURS, *peers)}
    for path, text in pairs:
        raw, wanted = read_file(path), text.read_text(encoding="utf-8", errors="replace")
        scores[OURS].append(word_score(api.extract(raw, options=options).text, wanted))
        for name, read in peers.items():
            scores[name].append(word_score(_text_of_peer(name, read, raw), wanted))
    return scores


def pages_with_truth(folder: Path, truth: Path) -> Iterator[tuple[Path, Path]]:
    """The pages of a folder and their texts: the same path with `.txt` in place of the ending."""
    for path in walk(folder):
        ending = max((suffix for suffix in PAGE_SUFFIXES if path.name.lower().endswith(suffix)), key=len)
        text = truth / path.relative_to(folder).with_name(path.name[: -len(ending)] + ".txt")
        if text.is_file():
            yield path, text


def _text_of_peer(name: str, read: Text, raw: RawPage) -> str:
    """Return the text of a peer; if it fails, this is reported and its text is empty."""
    try:
        return read(raw.markup)
    except Exception as error:
        typer.echo(f"{name} failed on {raw.source}: {type(error).__name__}: {error}", err=True)
        return ""


def show(scores: dict[str, list[Score]]) -> None:
    """Print one line for each extractor, the best first."""
    from rich.console import Console
    from rich.table import Table

    table = Table("extractor", "pages", "precision", "recall", "F1", "95 % interval", box=None, header_style="bold")
    for name, each in sorted(scores.items(), key=lambda item: -fmean(score.f1 for score in item[1])):
        f1 = mean([score.f1 for score in each])
        if f1 is not None:
            values = (fmean(score.precision for score in each), fmean(score.recall for score in each), f1.value)
            interval = f"{f1.low:.3f} to {f1.high:.3f}"
            table.add_row(name, f"{len(each):,}", *(f"{value:.3f}" for value in values), interval)
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    console.print("Means over pages; words as multisets.")
