"""The title of the page: what it shows as its heading, confirmed by what its head says, without the site's name."""

import re
from collections.abc import Sequence
from typing import Final

from pagestrata.metadata.clean import TITLE_LENGTH, clean
from pagestrata.page.text import words

_MARK = re.compile(r"\s+[|–—·•»«:~\-‹›]+\s+|\s*\|\s*|:\s+")


def choose_heading(headings: Sequence[str], titles: Sequence[str]) -> str | None:
    """The first shown heading whose words all stand in one of the titles of the head."""
    for heading in headings:
        wanted = set(words(heading.lower()))
        if wanted and any(wanted <= set(words(title.lower())) for title in titles):
            return heading
    return None


def without_site(title: str, site_name: str | None, headings: Sequence[str]) -> str:
    """A title without the name of the site behind or before it.

    >>> without_site("A Glossary of Mud | Tidewater", "Tidewater", [])
    'A Glossary of Mud'
    """
    marks = list(_MARK.finditer(title))
    shown = {_plain(heading) for heading in headings}
    site = _plain(site_name or "")
    for mark in marks:
        front, back = title[: mark.start()], title[mark.end() :]
        if _plain(front) and (_plain(front) in shown or (site and _plain(back) == site)):
            return front
        if site and _plain(front) == site and back:
            return back
    return title


def _plain(text: str) -> str:
    return " ".join(words(text.lower()))
