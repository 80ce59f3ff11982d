"""The heading that is the title of the page."""

from pagestrata.page.page import Page
from pagestrata.page.text import words


def find_title(page: Page) -> int | None:
    """The heading that says what `<title>` says, or the only `<h1>` when none does."""
    headings = [node for node in page.nodes_tagged("h1").tolist() if page.text_of(node).strip()]
    if len(headings) < 2:
        return headings[0] if headings else None
    wanted = {word.lower() for word in words(page.title)}
    shared = [len(wanted & {word.lower() for word in words(page.text_of(node))}) for node in headings]
    return headings[shared.index(max(shared))] if any(shared) else None
