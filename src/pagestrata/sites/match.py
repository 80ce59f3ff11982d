"""Assign a page to a cluster of its site, measure how well it fits, and cut it accordingly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, EDITED, Override, Part, is_in_line
from pagestrata.algorithms.template import Match
from pagestrata.engine.sections import DecidedSections
from pagestrata.landmarks import landmarks_of
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.results import Section, Segmentation
from pagestrata.sites.cluster import Cluster, Edit, LearnedSite
from pagestrata.sites.drift import drift
from pagestrata.sites.layouts import MIN_LAYOUT_LIKENESS, layout_of, likeness
from pagestrata.sites.node_edits import noise_parts, section_parts

MAX_DISTANCE: Final = 0.4
"""A page at a larger distance is not close to the template, whatever the distances of the pages learned from."""
TOLERANCE: Final = 0.1
"""How much farther from the template than the pages learned from a page may be and still be close to it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a page fits a site."""

    cluster: Cluster | None
    """The cluster that the page fits, or None."""
    nearest: Cluster
    """The cluster whose layout is most like the page's, whether the page fits it or not."""
    match: Match

    @property
    def likeness(self) -> float:
        """The likeness of the layouts, in [0, 1]; computed on request, as a page that fits well does not need it."""
        return likeness(self.nearest.layout, layout_of(self.match.structure.page))

    @property
    def layout_distance(self) -> float:
        """The distance from the template without the nodes of the page's core, since an article may hold anything.

        It is the distance of the whole page where that is smaller: some pages have little but their core.
        """
        structure = self.match.structure
        core, missing = landmarks_of(structure.page).core, self.match.missing
        end = int(structure.page.nodes.end[core]) if len(structure) else 0
        is_outside = (structure.nodes < core) | (structure.nodes >= end)
        lost = int((is_outside & (np.array(self.match.places, np.intp) < 0)).sum()) + missing
        return min(self.match.distance, lost / max(1, int(is_outside.sum()) + missing))

    @property
    def reason(self) -> str:
        """A sentence that describes the fit."""
        figures = f"likeness of the layout {self.likeness:.2f}, distance from the template {self.match.distance:.2f}"
        return f"fits {self.cluster.name}: {figures}" if self.cluster else f"fits no layout that was learned: {figures}"


def choose_cluster(model: LearnedSite, page: Page) -> Fit:
    """Choose the cluster whose layout is most like the page's, if the page fits its template.

    A layout of a single page says nothing of what recurs: before it, one of several pages is tried.
    """
    nearest = find_nearest(model.clusters, page)
    several = [cluster for cluster in model.clusters if cluster.pages > 1]
    if nearest.pages == 1 and several:
        fit = fit_to(model, find_nearest(several, page), page)
        if fit.cluster is not None:
            return fit
    return fit_to(model, nearest, page)


def fit_to(model: LearnedSite, cluster: Cluster, page: Page) -> Fit:
    """Return how well a page fits a cluster.

    A page fits if it is close to the template, or if it is laid out alike and, without its core, no farther from the
    template than it is alike. On the development sites, pages of a layout that are not close have a likeness
    of .64 or more and a distance of .53 or less; pages of the same site some years later have at most .48.
    """
    fit = Fit(cluster, cluster, model.templates[cluster.name].match(page))
    if fit.match.distance <= min(MAX_DISTANCE, max_learned_distance(cluster)):
        return fit
    alike = fit.likeness
    fits = alike >= MIN_LAYOUT_LIKENESS and fit.layout_distance <= alike
    return fit if fits else Fit(None, cluster, fit.match)


def find_nearest(clusters: Sequence[Cluster], page: Page) -> Cluster:
    """Return the cluster whose layout is most like the page's."""
    if len(clusters) == 1:
        return clusters[0]
    layout = layout_of(page)
    return max(clusters, key=lambda cluster: likeness(cluster.layout, layout))


def max_learned_distance(cluster: Cluster) -> float:
    """Return the largest distance of the pages that the cluster was learned from, also later, plus the tolerance."""
    return max((*cluster.distances, *cluster.recent), default=0.0) + TOLERANCE


def segment(model: LearnedSite, page: Page, options: Options = DEFAULTS, fit: Fit | None = None) -> Segmentation:
    """Cut a page with the model of its layout; if it fits none, the model only removes texts that recur on the site."""
    fit = fit or choose_cluster(model, page)
    roles = role_parts(model, page, options)
    segmentation = fit.nearest.segmenter.segment(page, options, fit.match, fit.cluster is not None, roles)
    if fit.cluster is None:
        notes = (f"{fit.reason}; read by itself, without what recurs on the site",)
        return replace(segmentation, trust=segmentation.trust / 2, notes=notes)
    drift_note = drift(model)
    parts = node_parts(model, fit.cluster, fit.match, segmentation)
    return replace(segmentation, notes=(drift_note,) if drift_note else (), edits=(*roles, *parts))


def node_parts(model: LearnedSite, cluster: Cluster, match: Match, segmentation: DecidedSections) -> list[Part]:
    """Return the parts of the page at nodes of the template that a person marked."""
    edits = [edit for edit in model.edits if edit.action in ("noise", "section")]
    if not edits:  # sections need the decision, which is otherwise made when it is first read
        return []
    page, options = segmentation.page, segmentation.options
    return [
        *noise_parts(cluster, edits, page, match),
        *section_parts(cluster, edits, match, segmentation.decision, options),
    ]


def role_parts(model: LearnedSite, page: Page, options: Options) -> list[Part]:
    """Return the parts of the page that an edit gives a role to; what holds only a piece of a line is no part."""
    return [
        Part(node, int(page.nodes.end[node]), float(kept), edit.role, override=Override(kept, _edit_reason(edit)))
        for edit in model.edits
        if edit.role is not None
        for kept in [edit.keeps(options)]
        for node in page.marks.get(edit.selector, ())
        if kept or not is_in_line(page, node)
    ]


def _edit_reason(edit: Edit) -> str:
    note = f" ({edit.note})" if edit.note else ""
    return f"{EDITED}: {edit.selector} is {edit.role}{note}"


def explain(model: LearnedSite, page: Page, options: Options = DEFAULTS) -> str:
    """Describe for a person how a page is read."""
    segmentation = segment(model, page, options)
    fit = choose_cluster(model, page).reason
    lines = [f"{page.url or page.source or 'page'} as a page of {model.site}", fit, *segmentation.notes]
    for root in segmentation.sections:
        lines += [_section_line(leaf) for leaf in root.leaves()]
    return "\n".join(lines)


def _section_line(leaf: Section) -> str:
    sign = "+" if leaf.kept else "-"
    beginning = " ".join(leaf.text[:80].split())[:48]
    return f"{sign} {leaf.importance:.2f} {leaf.role:<10} {leaf.xpath}  {beginning}\n    {'; '.join(leaf.reasons)}"
