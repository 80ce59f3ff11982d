"""Regions that lead to other pages: teasers of a listing, which are never the article (ours)."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from pagestrata.algorithms.density.regions import MAJORITY_SHARE, Region
from pagestrata.algorithms.density.tree import HEADINGS, SDTree


def readable(tree: SDTree, teasers_by_place: Mapping[int, Sequence[Region]]) -> list[Region]:
    """Return all texts except teasers."""
    is_teaser = {region.node for regions in teasers_by_place.values() for region in regions}
    return [region for region in tree.regions if is_text(tree, region) and region.node not in is_teaser]


def is_text(tree: SDTree, region: Region) -> bool:
    """Return whether a region is text: not mostly links, not in a form, not headings alone."""
    return (
        region.link_share < MAJORITY_SHARE
        and not tree.in_form[region.node]
        and not all(tree.is_heading(block) for block in region.blocks)
    )


def teasers(tree: SDTree) -> dict[int, list[Region]]:
    """Return regions with one or more titles that link to other pages of the site, by the tag path of the title."""
    titles = linked_titles(tree)
    inside: defaultdict[int, list[int]] = defaultdict(list)
    for title in sorted(titles):
        inside[tree.strong[title]].append(title)
    by_path: defaultdict[int, list[Region]] = defaultdict(list)
    for region in tree.regions:
        if region.title in titles:
            by_path[tree.path[region.title]].append(region)
        elif len(inside[region.node]) > 1:
            by_path[tree.path[inside[region.node][0]]].append(region)
    return by_path


def linked_titles(tree: SDTree) -> frozenset[int]:
    """Return headings with equal tag paths that link to at least two other pages of the site."""
    links = dict(tree.page.links)
    places, here = sorted(links), _host_and_path(tree.page.url or "")
    site = here[0] or _site_most_linked_to(links.values())
    paths_of_titles: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for heading in (node for node, tag in enumerate(tree.tag) if tag in HEADINGS and tree.size(node)):
        link = _link_of(tree, heading, links, places)
        host, path = ("", "") if link is None else _host_and_path(tree.page.resolve(links[link]))
        if host in ("", site) and path not in ("", here[1]):
            paths_of_titles[tree.path[heading]][heading] = path
    return frozenset(title for titles in paths_of_titles.values() if len(set(titles.values())) > 1 for title in titles)


def _link_of(tree: SDTree, heading: int, links: Mapping[int, str], places: Sequence[int]) -> int | None:
    """Return the link that holds most of a heading, or that is around it."""
    place = bisect_left(places, heading)
    if place < len(places) and places[place] < tree.end[heading]:
        return places[place] if tree.size(places[place]) >= MAJORITY_SHARE * tree.size(heading) else None
    around = tree.parent[heading]
    return around if around in links else None


def _site_most_linked_to(links: Iterable[str]) -> str:
    """Return the host with the most links, used as the page's own site when its address is not known."""
    hosts = Counter(host for host, _ in map(_host_and_path, links) if host)
    return hosts.most_common(1)[0][0] if hosts else ""


def _host_and_path(address: str) -> tuple[str, str]:
    """Return host and path of an address, without the parts that do not distinguish pages.

    >>> _host_and_path("https://Example.org/a/?p=1#top")
    ('example.org', '/a?p=1')
    """
    try:
        parts = urlsplit(address)
    except ValueError:  # "http://[": no address
        return "", ""
    if parts.scheme not in ("", "http", "https"):
        return "", ""
    return parts.netloc.lower(), parts.path.rstrip("/") + (f"?{parts.query}" if parts.query else "")


def by_title(tree: SDTree, areas: Iterable[Region]) -> list[Region]:
    """Join the areas of each title to one, from the title to the end of its last region."""
    joined: dict[int | None, Region] = {}
    for region in areas:
        start, end, density = _start_with_title(tree, region), region.end, region.density
        earlier = joined.get(region.title)
        if earlier:
            start, end, density = earlier.start, max(earlier.end, end), earlier.density + density
        joined[region.title] = replace(earlier or region, start=start, end=end, density=density)
    return list(joined.values())


def _start_with_title(tree: SDTree, region: Region) -> int:
    """Return the start of the title before a region, including elements that hold only the title."""
    if region.title is None or region.title >= region.node:
        return region.node
    start = region.title
    while tree.end[tree.parent[start]] <= region.node:
        start = tree.parent[start]
    return start
