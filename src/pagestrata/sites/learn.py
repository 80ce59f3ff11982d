"""Learn a site: drop near-duplicates, group pages by layout, then learn a template and its slots for each group."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.errors import UsageError
from pagestrata.metadata.merge import read_address
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.web_address import is_web_address
from pagestrata.sites.cluster_learning import learn_cluster
from pagestrata.sites.known_pages import with_known
from pagestrata.sites.layouts import MIN_LAYOUT_LIKENESS, Layout, drop_near_duplicates, group, layout_of, likeness
from pagestrata.sites.model import SiteModel, today

Progress = Callable[[int, int], None]
"""Called with the number of steps done and the total number of steps."""

MIN_JOIN_LIKENESS: Final = MIN_LAYOUT_LIKENESS / 2
"""A page that is alone in its layout joins the largest group from this likeness on."""


@dataclass(frozen=True, slots=True)
class SiteLearner:
    """Learns the model of a site."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> SiteModel:
        """Learn the model of the site; the caller is responsible that all pages are from one site."""
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
    unique_pages, left_out = drop_near_duplicates(pages)
    notes = [f"{left_out} pages have the same text as another and were left out"] if left_out else []
    layouts = [layout_of(page) for page in unique_pages]
    groups = join_single_pages(group(layouts), layouts)
    steps = _Steps(2 * len(unique_pages), progress)
    clusters = []
    for number, members in enumerate(groups, start=1):
        group_pages, group_layouts = [unique_pages[place] for place in members], [layouts[place] for place in members]
        clusters.append(learn_cluster(f"layout-{number}", group_pages, group_layouts, feed, steps.step))
        if len(members) == 1:
            notes.append(f"layout-{number} was learned from one page: nothing can recur")
    return SiteModel(
        site=site or site_name(pages),
        learned=day or today(),
        notes=tuple(notes),
        known=with_known((), pages),
        clusters=tuple(clusters),
    )


class _Steps:
    def __init__(self, total: int, progress: Progress) -> None:
        self.done, self.total, self.progress = 0, total, progress

    def step(self) -> None:
        self.done += 1
        self.progress(self.done, self.total)


def check_one_site(pages: Sequence[Page]) -> None:
    """Raise an error for pages of different hosts: texts that recur on two sites are the template of neither."""
    hosts = sorted(set(filter(None, (host_of(page.url) for page in pages))))
    shortest = min(hosts, key=len, default="")
    other_hosts = [host for host in hosts if host != shortest and not host.endswith("." + shortest)]
    if other_hosts:
        raise UsageError(
            f"pages of {shortest} and {other_hosts[0]} are not one site; name the site if they belong together"
        )


def site_name(pages: Sequence[Page]) -> str:
    """Return the host that most pages are from, or `site` if none has an address.

    Pages without an address, such as files, are from the host that they state themselves.
    """
    hosts = Counter(filter(None, (host_of(page.url) for page in pages)))
    hosts = hosts or Counter(filter(None, (host_of(read_address(page, DEFAULTS)) for page in pages)))
    return min(hosts, key=lambda host: (-hosts[host], host)) if hosts else "site"


def host_of(url: str | None) -> str:
    """Return the host of a page's address without `www.`, or an empty string if there is none.

    >>> host_of("https://www.tidewater.example/mud.html"), host_of("javascript://tidewater.example/"), host_of(None)
    ('tidewater.example', '', '')
    """
    if not url or not is_web_address(url):
        return ""
    return (urlsplit(url.strip()).hostname or "").removeprefix("www.")


def join_single_pages(groups: list[list[int]], layouts: Sequence[Layout]) -> list[list[int]]:
    """Add pages that are alone in their group to the largest group if they are similar to it; two pages always join."""
    if len(layouts) == 2:
        return [[0, 1]]
    largest = groups[0]
    single_pages = [members[0] for members in groups[1:] if len(members) == 1 and len(largest) > 1]
    joining = [place for place in single_pages if likeness(layouts[largest[0]], layouts[place]) >= MIN_JOIN_LIKENESS]
    other_groups = [members for members in groups[1:] if members[0] not in joining or len(members) > 1]
    return [sorted(largest + joining), *other_groups]
