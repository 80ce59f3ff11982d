"""`pagestrata sections`: the section tree of a page, to look at in a terminal."""

from typing import Annotated

import typer

from pagestrata.cli import settings
from pagestrata.cli.extract import notes_of
from pagestrata.cli.jobs import check_is_page, one_job
from pagestrata.extraction import Extraction
from pagestrata.render.scale import colour, ink
from pagestrata.results import Section

_BAR_WIDTH = 10
_PARTIAL_BLOCKS = " ▏▎▍▌▋▊▉█"


def sections(
    page: settings.OnePage,
    cut: settings.MethodOrSite,
    content: settings.Content,
    origin: settings.Origin,
    environment: settings.Environment,
    reasons: Annotated[
        bool, typer.Option("--reasons", help="Print the reasons and the full path of each section.")
    ] = False,
) -> None:
    """Show how a page is cut: importance, role, place and first words of every section."""
    options = settings.make_options(environment.config, **vars(content))
    job, _ = one_job(page, origin.url, settings.policy_of(origin.allow))
    raw = job.read()
    extraction = cut.read(raw, options, environment.choose(cut.site))
    check_is_page(raw, extraction)
    show(extraction, reasons)


def show(extraction: Extraction, reasons: bool) -> None:
    """Print the tree."""
    from rich.console import Console, Group
    from rich.text import Text
    from rich.tree import Tree

    console = Console(highlight=False)
    page = extraction.page
    heading = f"{page.source or page.url or 'page'}: {page.title or 'no title'}  [{extraction.method}]"
    tree = Tree(Text(heading, "bold"), guide_style="dim")
    waiting = [(section, tree) for section in reversed(extraction.sections)]
    while waiting:
        section, around = waiting.pop()
        label = Text.assemble(
            (bar(section.importance), "" if section.kept else "dim"),
            (f" {section.importance:.2f} ", chip_style(section.importance)),
            (f"{section.role:<10}", "bold" if section.kept else "dim"),
            " ",
            (section.xpath.rpartition("/")[2], "cyan"),
            " ",
            (first_words(section), "" if section.kept else "dim"),
            no_wrap=True,
            overflow="ellipsis",
        )
        why = [Text("; ".join(section.reasons), "italic"), Text(section.xpath, "cyan dim", overflow="fold")]
        branch = around.add(Group(label, *why) if reasons else label)
        waiting.extend((child, branch) for child in reversed(section.children))
    console.print(tree)
    for note in notes_of(extraction):
        console.print(Text(note, "yellow"))


def bar(importance: float) -> str:
    """Importance as a bar of ten cells.

    >>> bar(0.55)
    '█████▌    '
    """
    eighths = round(importance * _BAR_WIDTH * 8)
    full_cells, remaining = divmod(eighths, 8)
    return ("█" * full_cells + (_PARTIAL_BLOCKS[remaining] if remaining else "")).ljust(_BAR_WIDTH)


def chip_style(importance: float) -> str:
    """The style of a number on the colour of an importance, as in the inspector.

    >>> chip_style(1.0)
    'rgb(255,255,255) on rgb(46,42,110)'
    """
    letters, ground = (",".join(map(str, parts)) for parts in (ink(importance), colour(importance)))
    return f"rgb({letters}) on rgb({ground})"


def first_words(section: Section, max_length: int = 48) -> str:
    """The beginning of the text of a section, or a summary of its children if it has any."""
    if section.children:
        return f"({len(section.children)} sections, {section.words:,} words)"
    text = " ".join(section.text[: 2 * max_length].split())
    return text if len(text) <= max_length else text[: max_length - 1] + "…"
