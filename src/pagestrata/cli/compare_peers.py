"""Other extractors on the user's own page: what each lost and kept beside, held against ours."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pagestrata import api
from pagestrata.errors import UsageError
from pagestrata.evaluate.differences import Comparison, Kind, compare_texts
from pagestrata.evaluate.metrics import tokens
from pagestrata.evaluate.peers import EXTRA, Text, installed_texts, load_text
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.page.text import without_controls

if TYPE_CHECKING:
    from rich.text import Text as ColouredText

OURS = "pagestrata"
_MARKS: dict[Kind, tuple[str, str]] = {"lost": ("-", "red"), "extra": ("+", "green")}
_LONGEST_LINE = 100


def compare_peers(raw: RawPage, names: Sequence[str] | None, options: Options) -> list[Comparison]:
    """Run each peer on the page, by default all that are installed; ours comes first, as the reference."""
    readers = readers_of(names)
    extraction = api.extract(raw, options=options)
    page, text = extraction.page, extraction.text
    ours = Comparison(OURS, len(tokens(text)), 1.0, ())
    return [ours, *(compare_texts(page, text, name, read(raw.markup)) for name, read in readers.items())]


def readers_of(names: Sequence[str] | None) -> dict[str, Text]:
    """The function of each peer that reads the text of a page, by default of all that are installed."""
    wanted = installed_texts() if names is None else names
    if not wanted:
        raise UsageError(f"no other extractor is installed: pip install 'pagestrata[{EXTRA}]'")
    return {name: load_text(name) for name in wanted}


def show(comparisons: Sequence[Comparison], is_long: bool) -> None:
    """Print a table of all, then for each peer the blocks that it lost and kept beside."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    table = Table("extractor", "words", "lost", "extra", "agreement", box=None, header_style="bold")
    for one in comparisons:
        counts = (one.words, one.words_of("lost"), one.words_of("extra"))
        table.add_row(one.name, *(f"{count:,}" for count in counts), f"{one.agreement:.3f}")
    console.print(table)
    console.print(f"Words; lost (-): {OURS} keeps them; extra (+): {OURS} does not.")
    for one in comparisons[1:]:
        console.print(Text(f"\n{one.name}", "bold"))
        for line in difference_lines(one, is_long):
            console.print(line)


def difference_lines(comparison: Comparison, is_long: bool) -> "list[ColouredText]":
    """The differences of one peer as coloured lines; a gap shows where blocks between two are treated alike."""
    from rich.text import Text

    if not comparison.differences:
        return [Text(f"  the same blocks as {OURS}", "dim")]
    lines, last = list["ColouredText"](), comparison.differences[0].place - 1
    for difference in comparison.differences:
        if difference.place > last + 1:
            lines.append(Text("  …", "dim"))
        mark, colour = _MARKS[difference.kind]
        text = without_controls(difference.text)
        is_cut = not is_long and len(text) > _LONGEST_LINE
        lines.append(Text(f"{mark} {text[: _LONGEST_LINE - 1] + '…' if is_cut else text}", colour))
        last = difference.place
    return lines
