"""Plots: quality by number of siblings, quality against speed, calibration of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pagestrata.errors import InputError, UsageError, needs, raising
from pagestrata.evaluate.metrics import Mean
from pagestrata.evaluate.summary import COLUMNS, SummaryLine

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES: Final = (".png", ".svg")
PLOTTED_FIGURES: Final = ("word_f1", "gram_f1", "noise_r", "bcubed1_f1", "bcubed2_f1")
"""The first two of these that the lines have are plotted side by side."""


def check_plot(path: Path) -> None:
    """Raise an error for an unsupported file type or a missing package before a long measurement."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"{path} is no {' or '.join(SUFFIXES)}: other drawings are not made")
    with needs("matplotlib", "plot"):
        import matplotlib as _  # noqa: F401


def draw_lines(lines: Sequence[SummaryLine], title: str, path: Path) -> None:
    """Plot quality by number of siblings. Dashed lines are without names; bands are 95 % intervals."""
    check_plot(path)
    from matplotlib.figure import Figure

    names = [name for name in PLOTTED_FIGURES if any(name in line.figures for line in lines)][:2]
    counts = sorted({line.siblings for line in lines if line.siblings}) or [1]
    figure = Figure(figsize=(6 * len(names), 4.5), layout="constrained")
    figure.suptitle(title)
    colours = {method: f"C{place}" for place, method in enumerate(dict.fromkeys(line.method for line in lines))}
    for place, name in enumerate(names):
        axes = figure.add_subplot(1, len(names), place + 1)
        for (method, removed), points in _curves(lines, name, counts).items():
            ks, values, lows, highs = zip(*points, strict=True)
            label = f"{method}, names removed" if removed else method
            axes.plot(ks, values, "--" if removed else "-", marker="o", label=label, color=colours[method])
            axes.fill_between(ks, lows, highs, alpha=0.12, color=colours[method])
        axes.set(xlabel="siblings", ylabel=_name(name), xticks=counts)
        axes.legend(fontsize="small")
    _save(figure, path)


@dataclass(frozen=True, slots=True)
class Point:
    """The quality and the cost of one method."""

    label: str
    f1: Mean
    milliseconds: float
    is_caution: bool = False
    """Whether it is drawn hollow, because its figure must not be compared."""


def draw_points(points: Sequence[Point], title: str, path: Path) -> None:
    """Plot quality against processor time; bars are 95 % intervals."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.add_subplot()
    for point in points:
        below, above = point.f1.value - point.f1.low, point.f1.high - point.f1.value
        filled = "white" if point.is_caution else None
        axes.errorbar(
            point.milliseconds, point.f1.value, [[below], [above]], fmt="o", markerfacecolor=filled, capsize=3
        )
        place = (point.milliseconds, point.f1.value)
        axes.annotate(point.label, place, xytext=(7, 5), textcoords="offset points", fontsize="small")
    axes.set(xscale="log", xlabel="processor time for a page in ms (less is better)", ylabel="word F1")
    axes.set_title(title, loc="left", fontsize="small", wrap=True)
    axes.margins(x=0.25, y=0.1)
    axes.grid(alpha=0.3)
    _save(figure, path)


def draw_model(
    reliability: Sequence[tuple[float, float]], curve: Sequence[tuple[float, float, float]], path: Path
) -> None:
    """Plot the reliability diagram of the importance, and precision against recall for all biases."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    calibration, bias = figure.subplots(1, 2)
    calibration.plot([0, 1], [0, 1], "--", color="grey", linewidth=1)
    calibration.plot(*zip(*reliability, strict=True), marker="o")
    calibration.set(xlabel="importance", ylabel="share of words that are main text", aspect="equal")
    biases, precision, recall = zip(*curve, strict=True)
    bias.plot(recall, precision, marker="o")
    for name, *place in zip(biases, recall, precision, strict=True):
        bias.annotate(f"{name:+g}", place, xytext=(6, 4), textcoords="offset points", fontsize="small")
    bias.set(xlabel="recall", ylabel="precision", title="bias from -1 to +1")
    for axes in (calibration, bias):
        axes.grid(alpha=0.3)
    _save(figure, path)


def _save(figure: "Figure", path: Path) -> None:
    with raising(InputError, f"cannot write {path}"):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _curves(
    lines: Sequence[SummaryLine], name: str, counts: Sequence[int]
) -> dict[tuple[str, bool], list[tuple[int, float, float, float]]]:
    """The points of every method, with and without names: siblings, mean, low, high."""
    curves: dict[tuple[str, bool], list[tuple[int, float, float, float]]] = {}
    for line in lines:
        figure = line.figures.get(name)
        if figure is not None:
            places = counts if line.siblings is None else [line.siblings]
            points = [(k, figure.value, figure.low, figure.high) for k in places]
            curves.setdefault((line.method, line.names_removed), []).extend(points)
    return curves


def _name(figure: str) -> str:
    """The name of a figure in words.

    >>> _name("word_f1"), _name("noise_r")
    ('word F1', 'noise R')
    """
    kind, _, measure = figure.rpartition("_")
    return f"{COLUMNS[f'{kind}_p'].removesuffix(' P')} {measure.upper()}"
