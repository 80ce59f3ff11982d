"""The data of a site for the inspector: its layouts as trees, the noise confidence of each node, the learning curve."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from pagestrata.algorithms.template import TemplateLearner
from pagestrata.page.page import Page
from pagestrata.sites.drift import MORE_DISTANCE
from pagestrata.sites.match import Fit, choose_cluster
from pagestrata.sites.model import Cluster, SiteModel, Slot
from pagestrata.sites.node_edits import node_paths
from pagestrata.sites.worth import page_worth

HELD_OUT: Final = 3
"""Pages that the learning curve is measured on; they are not learned from."""
MIN_CURVE_PAGES: Final = 3
"""Pages to learn from that a curve requires, besides those held out."""


class EditRecord(msgspec.Struct, frozen=True):
    """An edit, which is a decision of a person."""

    action: str
    selector: str
    """Or, for an edit of the template, the path of its node."""
    role: str
    note: str
    date: str


class Fitting(msgspec.Struct, frozen=True):
    """How well a page fits the layouts of the site."""

    page: int
    layout: str
    """Empty if it fits none."""
    distance: float
    worth: str
    """What the model removes and rescues, compared with the page read alone."""


class CurvePoint(msgspec.Struct, frozen=True):
    """One point of the learning curve: the state after this number of pages."""

    pages: int
    nodes: int
    distance: float
    """Mean distance of the pages that were held out."""


class TemplateTree(msgspec.Struct, frozen=True):
    """The template in document order: one row per node in each list."""

    label: list[str]
    path: list[str]
    """What an edit names a node by; empty for choices and sequences."""
    operator: list[str]
    parent: list[int]
    support: list[int]
    noise: list[float]
    """Mean noise confidence over the pages that have the node; -1 if no page of the session has it."""
    words: list[int]
    records: list[int]
    says: list[str]
    """The text, link or image that most pages have there."""


class LayoutRecord(msgspec.Struct, frozen=True):
    """A cluster of pages and its learned template."""

    name: str
    pages: int
    shapes: list[str]
    language: str
    distances: list[float]
    recent: list[float]
    article: list[str]
    """CSS paths that lead to the article, best first."""
    expression: str
    tree: TemplateTree


class SiteView(msgspec.Struct, frozen=True):
    """All data of a site."""

    name: str
    learned: str
    updated: str
    stored: bool
    """Whether the model is in the store; otherwise it was learned for this session, and the first edit saves it."""
    where: str
    notes: list[str]
    edits: list[EditRecord]
    drift_from: float
    drift: str
    """Why the site should be learned again; empty if it need not."""
    layouts: list[LayoutRecord]
    fits: list[Fitting]
    curve: list[CurvePoint]


def site_view(model: SiteModel, pages: Sequence[tuple[int, Page]], stored: bool, where: str) -> SiteView:
    """Collect the data of a model, and how well these pages fit it."""
    fits = [(number, page, choose_cluster(model, page)) for number, page in pages]
    members = {cluster.name: [page for _, page, fit in fits if fit.cluster is cluster] for cluster in model.clusters}
    return SiteView(
        name=model.site,
        learned=model.learned,
        updated=model.updated,
        stored=stored,
        where=where,
        notes=list(model.notes),
        edits=[EditRecord(e.action, e.selector or e.node, e.role or "", e.note, e.date) for e in model.edits],
        drift_from=MORE_DISTANCE,
        drift=model.drift() or "",
        layouts=[_layout(cluster, members[cluster.name]) for cluster in model.clusters],
        fits=[_fitting(model, number, page, fit) for number, page, fit in fits],
        curve=learning_curve(members[model.clusters[0].name]),
    )


def _fitting(model: SiteModel, number: int, page: Page, fit: Fit) -> Fitting:
    layout = fit.cluster.name if fit.cluster else ""
    return Fitting(number, layout, fit.match.distance, str(page_worth(model, page, fit)))


def _layout(cluster: Cluster, pages: Sequence[Page]) -> LayoutRecord:
    return LayoutRecord(
        name=cluster.name,
        pages=cluster.pages,
        shapes=list(cluster.shapes),
        language=cluster.language,
        distances=list(cluster.distances),
        recent=list(cluster.recent),
        article=[wrapper.css for wrapper in cluster.wrappers[:3]],
        expression=str(cluster.template),
        tree=TemplateTree(
            label=[slot.label for slot in cluster.slots],
            path=node_paths(cluster.slots),
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
    """The mean noise confidence of each node of a template over the pages that have it."""
    sums, counts = np.zeros(len(cluster.slots)), np.zeros(len(cluster.slots))
    for page in pages:
        match = cluster.template.match(page)
        placed = np.flatnonzero(match.template_node >= 0)
        noise = cluster.template.noise(page, match)
        np.add.at(sums, match.template_node[placed], noise[placed])
        np.add.at(counts, match.template_node[placed], 1)
    means: list[float] = np.round(np.where(counts > 0, sums / np.maximum(counts, 1), -1), 3).tolist()
    return means


def learning_curve(pages: Sequence[Page]) -> list[CurvePoint]:
    """The mean distance of held-out pages after each learned page; empty if there are too few pages."""
    learned, held_out = pages[:-HELD_OUT], pages[-HELD_OUT:]
    if len(learned) < MIN_CURVE_PAGES:
        return []
    builder = TemplateLearner().builder()
    points = []
    for count, page in enumerate(learned, start=1):
        builder.add(page)
        template = builder.template()
        distances = [template.match(other).distance for other in held_out]
        points.append(CurvePoint(count, len(template), round(sum(distances) / len(distances), 4)))
    return points
