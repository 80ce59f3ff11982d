"""What a page is known by, to tell whether a description is about it or about one of the pages it links to."""

from collections.abc import Iterable
from dataclasses import dataclass

from pagestrata.metadata.addresses import comparable
from pagestrata.metadata.markup import related
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
        wanted = _lower_words(name)
        return bool(wanted) and self.title[: len(wanted)] == wanted


def subject_of(page: Page) -> Subject:
    """What the page with this head is known by."""
    canonical = [page.resolve(page.attribute(node, "href") or "") for node in related(page).get("canonical", [])]
    addresses = [comparable(address) for address in [page.url or "", *canonical]]
    return Subject(frozenset(address for address in addresses if address), _lower_words(page.title))


def _lower_words(text: str) -> tuple[str, ...]:
    return tuple(words(text.lower()))
