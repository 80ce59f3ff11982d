"""Learning a site: near-duplicates out, grouped by layout, then a template and its slots for each group."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pagestrata.errors import UsageError
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.sites.cluster_learning import learn_cluster
from pagestrata.sites.layouts import SAME_LAYOUT, Layout, drop_near_duplicates, group, layout_of, likeness
from pagestrata.sites.model import SiteModel, today

Progress = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""

LOOSE_LAYOUT: Final = SAME_LAYOUT / 2
"""A page alone in its layout joins the largest group if it is at least this like it."""


@dataclass(frozen=True, slots=True)
class SiteLearner:
    """Learns all that can be learned of a site."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> SiteModel:
        """The model of the site these pages are from; the caller vouches that it is one."""
        return learn(pages, feed, site_name(pages))


def learn(
    pages: Sequence[Page],
    feed: Feed | None = None,
    site: str | None = None,
    day: str | None = None,
    progress: Progress = lambda done, total: None,
) -> SiteModel:
    """Learn a site from some of its pages."""
    if not pages:
        raise UsageError("there are no pages to learn from")
    if site is None:
        check_one_site(pages)
    different, left_out = drop_near_duplicates(pages)
    notes = [f"{left_out} pages say the same as another and were left out"] if left_out else []
    layouts = [layout_of(page) for page in different]
    groups = join_loners(group(layouts), layouts)
    steps = _Steps(2 * len(different), progress)
    clusters = []
    for number, members in enumerate(groups, start=1):
        chosen, forms = [different[place] for place in members], [layouts[place] for place in members]
        clusters.append(learn_cluster(f"layout-{number}", chosen, forms, feed, steps.step))
        if len(members) == 1:
            notes.append(f"layout-{number} was learned from one page: nothing can recur")
    return SiteModel(
        site=site or site_name(pages), learned=day or today(), notes=tuple(notes), clusters=tuple(clusters)
    )


class _Steps:
    def __init__(self, total: int, progress: Progress) -> None:
        self.done, self.total, self.progress = 0, total, progress

    def step(self) -> None:
        self.done += 1
        self.progress(self.done, self.total)


def check_one_site(pages: Sequence[Page]) -> None:
    """Refuse pages of different hosts: what recurs on two sites is not the template of either."""
    hosts = sorted(set(filter(None, (host_of(page.url) for page in pages))))
    shortest = min(hosts, key=len, default="")
    strangers = [host for host in hosts if host != shortest and not host.endswith("." + shortest)]
    if strangers:
        raise UsageError(
            f"pages of {shortest} and {strangers[0]} are not one site; name the site if they belong together"
        )


def site_name(pages: Sequence[Page]) -> str:
    """The host that most pages are from, or `site` if none has an address."""
    hosts = Counter(filter(None, (host_of(page.url) for page in pages)))
    return min(hosts, key=lambda host: (-hosts[host], host)) if hosts else "site"


def host_of(url: str | None) -> str:
    """The host of an address, without `www.`; nothing if there is none.

    >>> host_of("https://www.tidewater.example/mud.html"), host_of(None)
    ('tidewater.example', '')
    """
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def join_loners(groups: list[list[int]], layouts: Sequence[Layout]) -> list[list[int]]:
    """Let pages that are alone join the largest group if they are somewhat like it; two pages alone join anyway."""
    if len(layouts) == 2:
        return [[0, 1]]
    first = groups[0]
    loners = [members[0] for members in groups[1:] if len(members) == 1 and len(first) > 1]
    joining = [place for place in loners if likeness(layouts[first[0]], layouts[place]) >= LOOSE_LAYOUT]
    rest = [members for members in groups[1:] if members[0] not in joining or len(members) > 1]
    return [sorted(first + joining), *rest]
