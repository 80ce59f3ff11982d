"""Which cluster of a site a page belongs to, how well it fits, and when the site has changed."""

from dataclasses import dataclass, replace
from typing import Final

from pagestrata.algorithms.base import DEFAULTS, Part
from pagestrata.algorithms.template import Match
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.results import Section, Segmentation
from pagestrata.sites.cluster import Cluster, LearnedSite
from pagestrata.sites.layouts import SAME_LAYOUT, layout_of, likeness

WORST_FIT: Final = 0.4
"""From this distance on a page fits no template, whatever its layout looks like."""
DRIFT: Final = 0.1
"""By how much later pages must fit worse than those learned from."""
ENOUGH_RECENT: Final = 5
"""Later pages from which drift can be told."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a page fits a site."""

    cluster: Cluster | None
    """None if it fits none."""
    likest: Cluster
    """The one whose layout is most like the page's, whether it fits or not."""
    match: Match

    @property
    def likeness(self) -> float:
        """Of the layout, in [0, 1]; told when asked for, since a page that fits well needs it no more."""
        return likeness(self.likest.layout, layout_of(self.match.structure.page))

    @property
    def reason(self) -> str:
        """In words."""
        found = f"likeness of the layout {self.likeness:.2f}, distance from the template {self.match.distance:.2f}"
        return f"fits {self.cluster.name}: {found}" if self.cluster else f"fits no layout that was learned: {found}"


def choose_cluster(model: LearnedSite, page: Page) -> Fit:
    """The cluster whose layout is most like the page's, if the page fits its template."""
    likest = find_likest(model, page)
    fit = Fit(likest, likest, likest.template.match(page))
    distance = fit.match.distance
    fits = distance <= WORST_FIT and (distance <= worst_known(likest) or fit.likeness >= SAME_LAYOUT)
    return fit if fits else Fit(None, likest, fit.match)


def find_likest(model: LearnedSite, page: Page) -> Cluster:
    """The cluster whose layout is most like the page's."""
    if len(model.clusters) == 1:
        return model.clusters[0]
    layout = layout_of(page)
    return max(model.clusters, key=lambda cluster: likeness(cluster.layout, layout))


def worst_known(cluster: Cluster) -> float:
    """The largest distance that pages of the cluster had when it was learned, with some room."""
    return max(cluster.distances, default=0.0) + DRIFT


def segment(model: LearnedSite, page: Page, options: Options = DEFAULTS, fit: Fit | None = None) -> Segmentation:
    """Cut a page with what is known of its layout, or with nothing if it fits none."""
    fit = fit or choose_cluster(model, page)
    found = fit.likest.site.segment(page, options, fit.match, fit.cluster is not None, role_parts(model, page))
    if fit.cluster is None:
        notes = (f"{fit.reason}; cut by what the page itself tells, less what recurs on the site",)
        return replace(found, trust=found.trust / 2, notes=notes)
    changed = drift(fit.cluster)
    return replace(found, notes=(changed,) if changed else ())


def role_parts(model: LearnedSite, page: Page) -> list[Part]:
    """What a person gave a role to."""
    return [
        Part(node, int(page.nodes.end[node]), 0.0, edit.role, (f"a person said so: {edit.note or edit.selector}",))
        for edit in model.edits
        if edit.action == "role"
        for node in page.marks.get(edit.selector, ())
    ]


def drift(cluster: Cluster) -> str | None:
    """Why a cluster should be learned again, or None: later pages fit worse than those it was learned from."""
    if len(cluster.recent) < ENOUGH_RECENT or not cluster.distances:
        return None
    then = sum(cluster.distances) / len(cluster.distances)
    now = sorted(cluster.recent)[len(cluster.recent) // 2]
    if now <= max(then, cluster.distances[-1]) + DRIFT:
        return None
    return (
        f"relearn {cluster.name}: the last {len(cluster.recent)} pages are at a distance of {now:.2f} from its "
        f"template, those it was learned from at {then:.2f}"
    )


def explain(model: LearnedSite, page: Page, options: Options = DEFAULTS) -> str:
    """How a page is read, for people."""
    found = segment(model, page, options)
    fit = choose_cluster(model, page).reason
    lines = [f"{page.url or page.source or 'page'} as a page of {model.site}", fit, *found.notes]
    for root in found.sections:
        lines += [_told(leaf) for leaf in root.leaves()]
    return "\n".join(lines)


def _told(leaf: Section) -> str:
    sign = "+" if leaf.kept else "-"
    start = " ".join(leaf.text[:80].split())[:48]
    return f"{sign} {leaf.importance:.2f} {leaf.role:<10} {leaf.xpath}  {start}\n    {'; '.join(leaf.reasons)}"
