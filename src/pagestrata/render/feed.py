"""The cards of a listing as a feed: Atom (RFC 4287) and JSON Feed 1.1.

Both require what a listing may not have. An entry without a time has the newest time of the listing, or else the day of
the page, or else 1970: the same page always gives the same feed. A card without a link is no entry.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit
from xml.sax.saxutils import escape, quoteattr

import msgspec
import numpy as np

from pagestrata.errors import InputError
from pagestrata.extraction import Extraction
from pagestrata.metadata.dates import read_date
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page
from pagestrata.page.text import collapse, without_controls
from pagestrata.render.images import image_source
from pagestrata.results import Item, ItemKind, items_in

JSON_FEED: Final = "https://jsonfeed.org/version/1.1"
UNKNOWN_TIME: Final = "1970-01-01T00:00:00+00:00"
MAX_TIME_LINE: Final = 60
"""The most characters of a line that contains only a time and a name."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A card of a listing as the entry of a feed; texts are clean and on one line."""

    link: str
    title: str
    time: str | None
    """The time in the format of RFC 3339; None if the card has none that can be parsed."""
    author: str
    summary: str
    """The text of the card without title, author, time and links."""
    image: str | None


def entries_of(extraction: Extraction) -> list[FeedEntry]:
    """Return the cards of a listing that link to a page, in the order of the page, each address once."""
    cards = [item for item in items_in(extraction.sections) if item.kind is ItemKind.CARD]
    if not cards:
        raise InputError("the page has no cards: a feed is made from a listing, such as a front page")
    images = extraction.page.nodes_tagged("img")
    entries = [_entry(extraction.page, card, images) for card in cards if card.link]
    linked = {entry.link: entry for entry in reversed(entries) if _is_absolute(entry.link)}
    if not linked:
        hint = "give the address of the page with --url" if entries else "no card has a link"
        raise InputError(f"the cards of the page do not lead to an address: {hint}")
    return [*reversed(linked.values())]


def render_atom(extraction: Extraction) -> str:
    """Write the cards of a listing as an Atom feed."""
    entries, address = entries_of(extraction), _address(extraction)
    updated = _updated(extraction, entries)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', '<feed xmlns="http://www.w3.org/2005/Atom">']
    lines += [_element("title", _title(extraction)), _element("id", address or _root(entries[0].link))]
    lines += [f"<link href={quoteattr(_line(address))}/>"] if address else []
    lines += [_element("updated", updated), f"<author>{_element('name', _publisher(extraction, entries))}</author>"]
    for entry in entries:
        lines += ["<entry>", *_entry_lines(entry, updated), "</entry>"]
    return "\n".join([*lines, "</feed>"]) + "\n"


def _address(extraction: Extraction) -> str | None:
    """The address of the listing: where it is from, or else the one that it states."""
    return extraction.page.url or extraction.metadata.url


def render_json_feed(extraction: Extraction) -> str:
    """Write the cards of a listing as a JSON Feed."""
    entries = entries_of(extraction)
    feed = {
        "version": JSON_FEED,
        "title": _title(extraction),
        **_given(home_page_url=_address(extraction), language=extraction.metadata.language),
        "authors": [{"name": _publisher(extraction, entries)}],
        "items": [_json_item(entry) for entry in entries],
    }
    return msgspec.json.format(msgspec.json.encode(feed), indent=2).decode() + "\n"


def _entry(page: Page, card: Item, images: Ints) -> FeedEntry:
    return FeedEntry(
        link=_line(card.link),
        title=_line(card.title) or _line(card.link),
        time=_time(card.time),
        author=_line(card.author),
        summary=_summary(page, card),
        image=_image(page, card, images),
    )


def _entry_lines(entry: FeedEntry, updated: str) -> list[str]:
    lines = [_element("title", entry.title), _element("id", entry.link), f"<link href={quoteattr(entry.link)}/>"]
    lines += [_element("updated", entry.time or updated)]
    lines += [_element("published", entry.time)] if entry.time else []
    lines += [f"<author>{_element('name', entry.author)}</author>"] if entry.author else []
    lines += [_element("summary", entry.summary)] if entry.summary else []
    # Atom has no element for an image; readers show it as an enclosure
    lines += [f'<link rel="enclosure" href={quoteattr(entry.image)}/>'] if entry.image else []
    return lines


def _json_item(entry: FeedEntry) -> dict[str, Any]:
    return {
        "id": entry.link,
        "url": entry.link,
        "title": entry.title,
        "content_text": entry.summary or entry.title,  # the format demands a content
        **_given(summary=entry.summary, image=entry.image, date_published=entry.time),
        **({"authors": [{"name": entry.author}]} if entry.author else {}),
    }


def _given(**fields: str | None) -> dict[str, str]:
    return {name: _line(value) for name, value in fields.items() if value}


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(_line(text))}</{name}>"


def _line(text: str | None) -> str:
    return collapse(without_controls(text or ""))


def _is_absolute(link: str) -> bool:
    return link.startswith(("https://", "http://"))


def _root(link: str) -> str:
    """Return the address of the host: a feed and its entries cannot have the same id.

    >>> _root("https://tidewater.example/articles/mud.html")
    'https://tidewater.example/'
    """
    parts = urlsplit(link)
    return f"{parts.scheme}://{parts.netloc}/"


def _title(extraction: Extraction) -> str:
    return _line(extraction.metadata.title or extraction.page.title) or extraction.page.url or "Untitled"


def _publisher(extraction: Extraction, entries: Sequence[FeedEntry]) -> str:
    """Return the name of the site, or else its host."""
    return (
        _line(extraction.metadata.site_name) or urlsplit(extraction.page.url or entries[0].link).hostname or "unknown"
    )


def _updated(extraction: Extraction, entries: Sequence[FeedEntry]) -> str:
    """Return the newest time of the entries, or else the day of the page."""
    times = [entry.time for entry in entries if entry.time]
    if times:
        return max(times, key=datetime.fromisoformat)
    return _time(extraction.metadata.date_modified or extraction.metadata.date_published) or UNKNOWN_TIME


def _time(text: str | None) -> str | None:
    """Return a date or time in the format of RFC 3339; without a time zone, UTC is assumed."""
    iso = read_date(text) if text else None
    if iso is None:
        return None
    time = datetime.fromisoformat(iso)
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).isoformat()


def _summary(page: Page, card: Item) -> str:
    """Return the text of a card without its title, and without lines that are its author or time, or links.

    Some sites make a summary from the beginning of the page, so that it repeats the title. A line without a letter is a
    time or a number.
    """
    blocks = page.blocks
    first, last = np.searchsorted(blocks.node_start, (card.start, card.end)).tolist()
    stated = {_line(card.title), _line(card.author), _line(card.time)}
    lines = (
        _line(page.text[blocks.text_start[block] : blocks.text_end[block]])
        for block in range(first, last)
        if blocks.link_characters[block] < blocks.characters[block]
    )
    kept = (line for line in lines if line not in stated and any(map(str.isalpha, line)))
    text = " ".join(line for line in kept if not _is_time_line(line, card))
    rest = text.removeprefix(_line(card.title))
    return text if rest[:1].isalnum() else rest.strip()  # a word that only begins like the title stays whole


def _is_time_line(line: str, card: Item) -> bool:
    """Whether a line contains little more than the time of the card."""
    return card.time is not None and len(line) < MAX_TIME_LINE and _time(line) is not None


def _image(page: Page, card: Item, images: Ints) -> str | None:
    """Return the address of the first image of a card; `images` has all of the page."""
    first, last = np.searchsorted(images, (card.start, card.end))
    sources = (image_source(page, node, dict(page.attributes_of(node))) for node in images[first:last].tolist())
    return next((_line(source) for source in sources if source and _is_absolute(source)), None)
