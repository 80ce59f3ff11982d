"""What the inspector shows of a site: its layouts as trees, how sure each node is noise, and how it was learned."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from pagestrata.algorithms.template import TemplateLearner
from pagestrata.page.page import Page
from pagestrata.sites.match import DRIFT, choose_cluster, drift
from pagestrata.sites.model import Cluster, SiteModel, Slot

HELD_OUT: Final = 3
"""Pages that the learning curve is measured on: they are not learned from."""
SHORTEST_CURVE: Final = 3
"""Pages to learn from, besides those, for a curve."""


class EditRecord(msgspec.Struct, frozen=True):
    """What a person decided."""

    action: str
    selector: str
    role: str
    note: str
    date: str


class Fitting(msgspec.Struct, frozen=True):
    """How a page fits the site."""

    page: int
    layout: str
    """Empty if it fits none."""
    distance: float


class CurvePoint(msgspec.Struct, frozen=True):
    """What so many pages teach."""

    pages: int
    nodes: int
    distance: float
    """Of pages that were not learned from, on the mean."""


class TemplateTree(msgspec.Struct, frozen=True):
    """The template in document order: one row a node in each list."""

    label: list[str]
    operator: list[str]
    parent: list[int]
    support: list[int]
    noise: list[float]
    """Mean noise confidence over the pages that have the node; -1 where none of those here has it."""
    words: list[int]
    records: list[int]
    says: list[str]
    """The text, link or image that most pages have there."""


class LayoutRecord(msgspec.Struct, frozen=True):
    """A cluster of pages and what was learned of them."""

    name: str
    pages: int
    shapes: list[str]
    language: str
    distances: list[float]
    recent: list[float]
    drift: str
    article: list[str]
    """CSS paths that lead to the article, best first."""
    expression: str
    tree: TemplateTree


class SiteView(msgspec.Struct, frozen=True):
    """Everything of a site."""

    name: str
    learned: str
    updated: str
    stored: bool
    """Whether the model is in the store; else it was learned for this look and is kept with the first edit."""
    where: str
    notes: list[str]
    edits: list[EditRecord]
    drift_from: float
    layouts: list[LayoutRecord]
    fits: list[Fitting]
    curve: list[CurvePoint]


def site_view(model: SiteModel, pages: Sequence[tuple[int, Page]], stored: bool, where: str) -> SiteView:
    """A model, and how the given pages fit it."""
    fits = [(number, page, choose_cluster(model, page)) for number, page in pages]
    members = {cluster.name: [page for _, page, fit in fits if fit.cluster is cluster] for cluster in model.clusters}
    return SiteView(
        name=model.site,
        learned=model.learned,
        updated=model.updated,
        stored=stored,
        where=where,
        notes=list(model.notes),
        edits=[EditRecord(e.action, e.selector, e.role or "", e.note, e.date) for e in model.edits],
        drift_from=DRIFT,
        layouts=[_layout(cluster, members[cluster.name]) for cluster in model.clusters],
        fits=[Fitting(number, fit.cluster.name if fit.cluster else "", fit.match.distance) for number, _, fit in fits],
        curve=learning_curve(members[model.clusters[0].name]),
    )


def _layout(cluster: Cluster, pages: Sequence[Page]) -> LayoutRecord:
    return LayoutRecord(
        name=cluster.name,
        pages=cluster.pages,
        shapes=list(cluster.shapes),
        language=cluster.language,
        distances=list(cluster.distances),
        recent=list(cluster.recent),
        drift=drift(cluster) or "",
        article=[wrapper.css for wrapper in cluster.wrappers[:3]],
        expression=str(cluster.template),
        tree=TemplateTree(
            label=[slot.label for slot in cluster.slots],
            operator=[slot.operator for slot in cluster.slots],
            parent=[slot.parent for slot in cluster.slots],
            support=[slot.support for slot in cluster.slots],
            noise=mean_noise(cluster, pages),
            words=[slot.words for slot in cluster.slots],
            records=[slot.records for slot in cluster.slots],
            says=[_strongest(slot) for slot in cluster.slots],
        ),
    )


def _strongest(slot: Slot) -> str:
    """The feature with the greatest support, without the word for its kind."""
    strongest = max(slot.features, key=lambda feature: slot.features[feature], default="")
    return strongest.partition(" ")[2]


def mean_noise(cluster: Cluster, pages: Sequence[Page]) -> list[float]:
    """How sure each node of a template is noise, over the pages that have it."""
    sums, counts = np.zeros(len(cluster.slots)), np.zeros(len(cluster.slots))
    for page in pages:
        match = cluster.template.match(page)
        placed = np.flatnonzero(match.template_node >= 0)
        noise = cluster.template.noise(page, match)
        np.add.at(sums, match.template_node[placed], noise[placed])
        np.add.at(counts, match.template_node[placed], 1)
    found: list[float] = np.round(np.where(counts > 0, sums / np.maximum(counts, 1), -1), 3).tolist()
    return found


def learning_curve(pages: Sequence[Page]) -> list[CurvePoint]:
    """How well pages that were not learned from fit, after each page; none if there are too few."""
    learned, held_out = pages[:-HELD_OUT], pages[-HELD_OUT:]
    if len(learned) < SHORTEST_CURVE:
        return []
    builder = TemplateLearner().builder()
    points = []
    for count, page in enumerate(learned, start=1):
        builder.add(page)
        template = builder.template()
        distances = [template.match(other).distance for other in held_out]
        points.append(CurvePoint(count, len(template), round(sum(distances) / len(distances), 4)))
    return points
