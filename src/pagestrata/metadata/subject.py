"""What a page is known by, to tell whether a description is about it or about one of the pages it links to."""

from collections.abc import Iterable
from dataclasses import dataclass

from pagestrata.metadata.addresses import absolute, comparable
from pagestrata.metadata.markup import MAX_HEADING_LENGTH, link_targets, title_of
from pagestrata.page.page import Page
from pagestrata.page.text import words


@dataclass(frozen=True, slots=True)
class Subject:
    """The addresses of a page, comparable, and the words of its title, in lower case."""

    addresses: frozenset[str]
    title: tuple[str, ...]

    def is_at(self, links: Iterable[str]) -> bool:
        """Whether one of these addresses is its own."""
        return any(comparable(link) in self.addresses for link in links)

    def is_called(self, name: str) -> bool:
        """Whether its title begins with this name, as titles that end in the name of the site do."""
        wanted = _lower_words(name[:MAX_HEADING_LENGTH])
        return bool(wanted) and self.title[: len(wanted)] == wanted


def subject_of(page: Page) -> Subject:
    """The addresses and the title of a page; computed once with `Page.once`."""
    addresses = [page.url, *(absolute(page, target) for target in link_targets(page, "canonical"))]
    comparables = (comparable(address) for address in addresses if address)
    return Subject(frozenset(address for address in comparables if address), _lower_words(title_of(page)))


def _lower_words(text: str) -> tuple[str, ...]:
    return tuple(words(text.lower()))
