"""Regions as sections: the article, its comments or the areas, and the noise outside of them."""

from collections.abc import Iterable, Iterator

from pagestrata.algorithms.base import Part
from pagestrata.algorithms.density.regions import Region, Regions
from pagestrata.algorithms.density.tree import SDTree
from pagestrata.results import Role


def parts_of(tree: SDTree, regions: Regions) -> Iterator[Part]:
    """Yield the informative regions, and the noise outside of them."""
    maximum = max((region.density for region in tree.regions), default=1)
    chosen = list(_informative(regions))
    for region, role, why in chosen:
        yield _part(region, role, 0.5 + 0.5 * min(1.0, region.density / maximum), why)
    if regions.area:
        yield Part(*regions.area, 0.5, Role.COMMENTS, ("stands with the comments",))
    spans = [(region.start, region.end) for region, _, _ in chosen] + ([regions.area] if regions.area else [])
    for region in _outside(tree.regions, spans):
        yield _part(region, None, 0.5 * (1 - region.link_share) * region.density / (maximum + 1), "noise")


def _informative(regions: Regions) -> Iterator[tuple[Region, Role, str]]:
    if regions.article:
        yield regions.article, Role.MAIN, "the article region"
    for region in regions.comments:
        yield region, Role.COMMENTS, "a comment region, below a parent that it shares with the article"
    for region in regions.multiple:
        yield region, Role.MAIN, f"one of {len(regions.multiple)} areas"


def _part(region: Region, role: Role | None, importance: float, why: str) -> Part:
    title = "no title" if region.title_diff is None else f"title {region.title_diff} levels away"
    reasons = why, f"{region.density:,} characters, {region.dfr} levels below the root, {title}"
    signals = {"density": float(region.density), "dfr": float(region.dfr), "link share": round(region.link_share, 4)}
    return Part(region.start, region.end, importance, role, reasons, signals)


def _outside(regions: Iterable[Region], spans: Iterable[tuple[int, int]]) -> Iterator[Region]:
    """Yield the regions that begin in none of these spans, which may contain each other."""
    waiting = sorted(spans)
    place = reached = 0
    for region in regions:
        while place < len(waiting) and waiting[place][0] <= region.node:
            reached = max(reached, waiting[place][1])
            place += 1
        if region.node >= reached:
            yield region


def confidence_of(tree: SDTree, regions: Regions) -> float:
    """Return the share of all text that is in the informative regions."""
    spans = [(region.start, region.end) for region, _, _ in _informative(regions)]
    noise = sum(region.density for region in _outside(tree.regions, spans))
    total = sum(region.density for region in tree.regions)
    return 1 - noise / total if total else 0.0
