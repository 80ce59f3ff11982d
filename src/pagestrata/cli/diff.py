"""`pagestrata diff`: what changed between two versions of a page."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata.changes.compare import Change, ChangeKind, PageDiff, compare
from pagestrata.cli import settings
from pagestrata.cli.jobs import check_is_page, one_job
from pagestrata.errors import UsageError
from pagestrata.extraction import Extraction
from pagestrata.page.json_text import indented_json
from pagestrata.page.text import without_controls
from pagestrata.work.read_page import read_page

if TYPE_CHECKING:
    from rich.text import Text

FORMATS = ("text", "json")
DIFFERENT = 1
"""The exit code of `--exit-code` if the versions differ, as of `git diff`."""
_MARKS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.MOVED: ">", ChangeKind.CHANGED: "~"}
_STYLES = {ChangeKind.ADDED: "green", ChangeKind.REMOVED: "red", ChangeKind.MOVED: "cyan", ChangeKind.SAME: ""}
_OneVersion = typer.Argument(help="A file, an address, or - for standard input.")


def diff(
    *,
    old: Annotated[str, _OneVersion],
    new: Annotated[str, _OneVersion],
    format_name: Annotated[str, typer.Option("--format", "-f", help="text or json.")] = "text",
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if the versions differ.")] = False,
    site: settings.Site = None,
    content: settings.Content,
    origin: settings.Origin,
    environment: settings.Environment,
) -> None:
    """Show what changed in the content of a page; layout and recurring text do not count."""
    if format_name not in FORMATS:
        raise UsageError(f"there is no format {format_name!r}; there are {', '.join(FORMATS)}")
    if old == new == "-":
        raise UsageError("only one of the two versions can be standard input")
    options = settings.make_options(environment.config, **vars(content))
    choice = environment.choose(site)
    policy = settings.policy_of(origin.allow)

    def read(argument: str) -> Extraction:
        raw = one_job(argument, origin.url, policy)[0].read()
        extraction, _ = read_page(raw, options, choice)
        check_is_page(raw, extraction)
        return extraction

    found = compare(read(old), read(new))
    if format_name == "json":
        typer.echo(indented_json(found.as_dict()), nl=False)
    else:
        show(found)
    if exit_code and not found.is_same:
        raise typer.Exit(DIFFERENT)


def show(found: PageDiff) -> None:
    """Print the changes, under the headings that they stand under; colours are used on a terminal."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines_of(found):
        console.print(line)


def lines_of(found: PageDiff) -> "list[Text]":
    """Return the lines that describe the changes: `+` added, `-` removed, `>` moved, `~` changed."""
    from rich.text import Text

    lines = []
    if found.old_title != found.new_title:
        titles = ((ChangeKind.REMOVED, found.old_title), (ChangeKind.ADDED, found.new_title))
        lines += [Text("title", "bold")]
        lines += [Text(without_controls(f"{_MARKS[kind]} {title or ''}"), _STYLES[kind]) for kind, title in titles]
    for path, changes in groupby(found.changes, key=_heading_path):
        lines += [Text(without_controls(" › ".join(path)), "bold")] if path else []
        lines += [_line(change) for change in changes]
    counts = found.word_counts
    figures = ", ".join(f"{counts[kind]:,} {kind}" for kind in counts if kind is not ChangeKind.SAME)
    return [*lines, Text("no change" if found.is_same else f"words: {figures}", "dim")]


def _heading_path(change: Change) -> tuple[str, ...]:
    passage = change.new or change.old
    return passage.heading_path if passage else ()


def _line(change: Change) -> "Text":
    from rich.text import Text

    mark = _MARKS[change.kind]
    if change.kind is not ChangeKind.CHANGED:
        passage = change.new or change.old
        return Text(without_controls(f"{mark} {passage.text if passage else ''}"), _STYLES[change.kind])
    # without colours, brackets tell what was removed and added
    brackets = {ChangeKind.REMOVED: "[-{}-]", ChangeKind.ADDED: "{{+{}+}}", ChangeKind.SAME: "{}"}
    pieces = [(brackets[each.kind].format(without_controls(each.text)), _STYLES[each.kind]) for each in change.pieces]
    return Text(" ").join([Text(mark), *(Text(text, style) for text, style in pieces)])
