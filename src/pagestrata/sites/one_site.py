"""Decide whether pages of unknown origin are of one site, and learn its layouts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pagestrata.errors import UsageError
from pagestrata.page.page import Page
from pagestrata.sites.layouts import MIN_LAYOUT_LIKENESS, group, layout_of, likeness
from pagestrata.sites.learn import check_one_site, host_of, learn, site_name
from pagestrata.sites.match import Fit
from pagestrata.sites.model import SiteModel

MIN_PAGES: Final = 3
"""The number of pages needed to learn a layout without a request: two pages may share a text by chance, as a date."""
MAX_HOSTS_NAMED: Final = 3
"""The number of hosts that an error message names."""


def learn_one_site(pages: Sequence[Page], name: str, day: str | None = None) -> SiteModel:
    """Learn the layouts that several of the pages share; raise `UsageError` if they are too few or not one site.

    Pages are of one site if all pages with an address have the same host, or subdomains of it. If no page has an
    address, they are of one site if most share a layout. `name` is the name of a site without a known host.
    """
    if len(pages) < MIN_PAGES:
        raise UsageError(f"{len(pages)} pages are too few, {MIN_PAGES} are needed")
    has_host = any(host_of(page.url) for page in pages)
    if has_host:
        check_hosts(pages)
    frequent = [members for members in groups_by_layout(pages) if len(members) >= MIN_PAGES]
    if not frequent:
        raise UsageError(f"no {MIN_PAGES} of {len(pages)} pages have the same layout")
    if not has_host and 2 * len(frequent[0]) <= len(pages):
        raise UsageError("the pages have no address, and several layouts")
    selected = sorted(place for members in (frequent if has_host else frequent[:1]) for place in members)
    return learn([pages[place] for place in selected], site=site_name(pages) if has_host else name, day=day)


def groups_by_layout(pages: Sequence[Page]) -> list[list[int]]:
    """Group the pages by layout, the largest group first. Addresses are ignored: on some sites all have the same form.

    Groups form around the pages that are most like all others, so that none forms around the front page.
    """
    layouts = [replace(layout_of(page), shape="") for page in pages]
    centrality = [sum(likeness(one, other) for other in layouts) for one in layouts]
    order = sorted(range(len(pages)), key=lambda place: (-centrality[place], place))
    return [[order[place] for place in members] for members in group([layouts[place] for place in order])]


def check_hosts(pages: Sequence[Page]) -> None:
    """Raise an error for pages of several sites; its message names some of them."""
    try:
        check_one_site(pages)
    except UsageError as error:
        hosts = Counter(filter(None, (host_of(page.url) for page in pages)))
        named = ", ".join(f"{host} ({count})" for host, count in hosts.most_common(MAX_HOSTS_NAMED))
        more = ", …" if len(hosts) > MAX_HOSTS_NAMED else ""
        raise UsageError(f"the pages are of different sites: {named}{more}") from error


def surely_fits(fit: Fit) -> bool:
    """Whether a page may be read with a model that was not requested: its layout must be one that was learned.

    A page that is only similar to a learned layout, as a thread among articles, has its text in other elements.
    """
    return fit.cluster is not None and fit.likeness >= MIN_LAYOUT_LIKENESS
