"""The identity of a page: decides whether a description belongs to it or to one of the pages it links to."""

from collections.abc import Iterable
from dataclasses import dataclass

from pagestrata.metadata.addresses import absolute, address_key
from pagestrata.metadata.markup import MAX_HEADING_LENGTH, link_targets, title_of
from pagestrata.page.page import Page
from pagestrata.page.text import words


@dataclass(frozen=True, slots=True)
class Subject:
    """The addresses of a page, as `address_key` gives them, and the words of its title in lower case."""

    addresses: frozenset[str]
    title: tuple[str, ...]

    def has_address(self, links: Iterable[str]) -> bool:
        """Whether one of these addresses belongs to the page."""
        return any(address_key(link) in self.addresses for link in links)

    def is_titled(self, name: str) -> bool:
        """Whether the title of the page begins with this name; it may continue with the name of the site."""
        wanted = _lower_case_words(name[:MAX_HEADING_LENGTH])
        return bool(wanted) and self.title[: len(wanted)] == wanted


def subject_of(page: Page) -> Subject:
    """The addresses and the title of a page; computed once with `Page.once`."""
    addresses = [page.url, *(absolute(page, target) for target in link_targets(page, "canonical"))]
    comparables = (address_key(address) for address in addresses if address)
    return Subject(frozenset(address for address in comparables if address), _lower_case_words(title_of(page)))


def _lower_case_words(text: str) -> tuple[str, ...]:
    return tuple(words(text.lower()))
