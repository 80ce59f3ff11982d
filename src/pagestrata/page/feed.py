"""Feed: what a site says of its own pages, as data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry of a feed."""

    link: str
    title: str
    description: str = ""
    """As plain text; often the first lines only."""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """An RSS or Atom feed, read."""

    title: str
    items: tuple[FeedItem, ...]
