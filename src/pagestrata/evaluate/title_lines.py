"""The title is no part of the score: sets differ in whether it belongs to the text, so both sides lose it."""

from collections.abc import Iterable

from pagestrata.evaluate.datasets.truth import MainText
from pagestrata.evaluate.metrics import tokens
from pagestrata.page.page import Page


def without_titles(text: str, titles: Iterable[str]) -> str:
    """Drop the first line that says one of the titles and nothing else, for each of them.

    >>> without_titles("On Tea\\nTea is good.\\nOn tea", ["On Tea!"])
    'Tea is good.\\nOn tea'
    """
    wanted = [tokens(title) for title in titles]
    lines = []
    for line in text.split("\n"):
        said = tokens(line)
        if said and said in wanted:
            wanted.remove(said)
        else:
            lines.append(line)
    return "\n".join(lines)


def titles_of(page: Page, truth: MainText) -> tuple[str, ...]:
    """The titles that the truth tells, or else the one that the page shows."""
    if truth.titles is not None:
        return truth.titles
    shown = shown_title(page)
    return (shown,) if shown else ()


def shown_title(page: Page) -> str | None:
    """The longest line on the page that is part of what `<title>` says, for sets that do not tell the title.

    >>> from pagestrata import parse
    >>> shown_title(parse("<title>On tea and pots - The Kettle</title><p>The Kettle<h2>On tea and pots</h2><p>Tea."))
    'On tea and pots'
    """
    whole = f" {' '.join(tokens(page.title))} "
    starts, ends = page.blocks.text_start.tolist(), page.blocks.text_end.tolist()
    lines = (page.text[start:end] for start, end in zip(starts, ends, strict=True) if end - start <= len(page.title))
    parts = [line for line in lines if len(said := tokens(line)) > 1 and f" {' '.join(said)} " in whole]
    return max(parts, key=len, default=None)
