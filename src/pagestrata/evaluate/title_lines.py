"""Removes titles from texts before scoring: data sets differ in whether the title belongs to the main text."""

from collections.abc import Iterable, Sequence

from pagestrata.evaluate.metrics import tokens
from pagestrata.page.page import Page


def without_titles(text: str, titles: Iterable[str]) -> str:
    """Remove, for each title, the first line that consists of it.

    >>> without_titles("On Tea\\nTea is good.\\nOn tea", ["On Tea!"])
    'Tea is good.\\nOn tea'
    """
    wanted = [tokens(title) for title in titles]
    lines = []
    for line in text.split("\n"):
        line_tokens = tokens(line)
        if line_tokens and line_tokens in wanted:
            wanted.remove(line_tokens)
        else:
            lines.append(line)
    return "\n".join(lines)


def titles_of(page: Page, titles: Sequence[str] | None) -> Sequence[str]:
    """The titles that the truth states, or the title that the page shows if it states none."""
    if titles is not None:
        return titles
    shown = shown_title(page)
    return (shown,) if shown else ()


def shown_title(page: Page) -> str | None:
    """The longest line of the page that is part of its `<title>`, for data sets without titles.

    >>> from pagestrata import parse
    >>> shown_title(parse("<title>On tea and pots - The Kettle</title><p>The Kettle<h2>On tea and pots</h2><p>Tea."))
    'On tea and pots'
    """
    title = f" {' '.join(tokens(page.title))} "
    lines = (line for line in page.block_texts() if len(line) <= len(page.title))
    candidates = [line for line in lines if len(parts := tokens(line)) > 1 and f" {' '.join(parts)} " in title]
    return max(candidates, key=len, default=None)
