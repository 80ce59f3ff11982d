"""The heading that is the title of the page."""

from pagestrata.page.page import Page
from pagestrata.page.text import words


def find_title(page: Page) -> int | None:
    """The heading that says what `<title>` says, or the only `<h1>` when none does."""
    headings = [int(node) for node in page.nodes_tagged("h1") if page.text_of(int(node)).strip()]
    wanted = {word.lower() for word in words(page.title)}
    shared = [len(wanted & {word.lower() for word in words(page.text_of(node))}) for node in headings]
    if headings and max(shared) > 0:
        return headings[shared.index(max(shared))]
    return headings[0] if len(headings) == 1 else None
