"""The heading that is the title of the page."""

from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.page.scan import places_of
from pagestrata.page.text import words

_H1 = tags.TAG["h1"]


def find_title(page: Page) -> int | None:
    """The heading that says what `<title>` says, or the only `<h1>` when none does."""
    headings = [node for node in places_of(page.nodes.tag, _H1) if page.text_of(node).strip()]
    if len(headings) < 2:
        return headings[0] if headings else None
    wanted = set(words(page.title.lower()))
    shared = [len(wanted.intersection(words(page.text_of(node).lower()))) for node in headings]
    return headings[shared.index(max(shared))] if any(shared) else None
