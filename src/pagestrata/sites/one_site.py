"""Whether pages that nobody vouches for are of one site, and what can be learned of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pagestrata.errors import UsageError
from pagestrata.page.page import Page
from pagestrata.sites.layouts import SAME_LAYOUT, group, layout_of, likeness
from pagestrata.sites.learn import check_one_site, host_of, learn, site_name
from pagestrata.sites.match import Fit
from pagestrata.sites.model import SiteModel

LEAST_PAGES: Final = 3
"""Of a layout, to be learned unasked: what two pages share may be chance, as a quotation or a date in both."""
MOST_TOLD: Final = 3
"""Hosts that are named when there are several."""


def learn_one_site(pages: Sequence[Page], name: str, day: str | None = None) -> SiteModel:
    """Learn the layouts that several of the pages have; says why if they are not one site, or too few.

    Pages are of one site if those that tell their host tell the same, or one below it. Where none does, they are of one
    site if most are laid out alike. `name` is for a site whose host is not known.
    """
    if len(pages) < LEAST_PAGES:
        raise UsageError(f"{len(pages)} pages are too few, {LEAST_PAGES} are needed")
    has_host = any(host_of(page.url) for page in pages)
    if has_host:
        check_hosts(pages)
    frequent = [members for members in groups_of(pages) if len(members) >= LEAST_PAGES]
    if not frequent:
        raise UsageError(f"no {LEAST_PAGES} of {len(pages)} pages are laid out alike")
    if not has_host and 2 * len(frequent[0]) <= len(pages):
        raise UsageError("the pages do not say where they are from, and are laid out in several ways")
    chosen = sorted(place for members in (frequent if has_host else frequent[:1]) for place in members)
    return learn([pages[place] for place in chosen], site=site_name(pages) if has_host else name, day=day)


def groups_of(pages: Sequence[Page]) -> list[list[int]]:
    """The pages by layout, the largest group first, whatever their addresses look like: on some sites all look alike.

    Groups form around the pages that are most like all others, so that none forms around the front page.
    """
    layouts = [replace(layout_of(page), shape="") for page in pages]
    centrality = [sum(likeness(one, other) for other in layouts) for one in layouts]
    order = sorted(range(len(pages)), key=lambda place: (-centrality[place], place))
    return [[order[place] for place in members] for members in group([layouts[place] for place in order])]


def check_hosts(pages: Sequence[Page]) -> None:
    """Refuse pages of several sites, and tell which."""
    try:
        check_one_site(pages)
    except UsageError as error:
        hosts = Counter(filter(None, (host_of(page.url) for page in pages)))
        told = ", ".join(f"{host} ({count})" for host, count in hosts.most_common(MOST_TOLD))
        more = ", …" if len(hosts) > MOST_TOLD else ""
        raise UsageError(f"the pages are of different sites: {told}{more}") from error


def surely_fits(fit: Fit) -> bool:
    """Whether a page is read with a model that nobody asked for: its layout must be one that was learned.

    What is merely near to one, as a thread beside articles, has its text elsewhere.
    """
    return fit.cluster is not None and fit.likeness >= SAME_LAYOUT
