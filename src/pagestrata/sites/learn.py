"""Learning a site: near-duplicates out, grouped by layout, then a template and its slots for each group.

Pages are read twice, since slots stand on the finished template. What stays are sums and counts, no pages.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np

from pagestrata.algorithms.forest import Forest
from pagestrata.algorithms.template import Match, Template, TemplateBuilder, TemplateLearner
from pagestrata.algorithms.template.structure import structure_of
from pagestrata.algorithms.template.tree import Tree
from pagestrata.errors import UsageError
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.sites.clusters import (
    SAME_LAYOUT,
    Layout,
    drop_near_duplicates,
    group,
    layout_of,
    likeness,
    title_number,
)
from pagestrata.sites.model import Cluster, SiteModel, Slot, Wrapper
from pagestrata.sites.reading import read
from pagestrata.sites.slots import FIELDS, Slots, slots_of

Progress = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""

LOOSE_LAYOUT: Final = SAME_LAYOUT / 2
"""A page alone in its layout joins the largest group if it is at least this like it."""
MOST_ONCE: Final = 4_000
"""Features of one page only that a model remembers, newest first."""
MOST_SHAPES: Final = 5
MOST_WRAPPERS: Final = 8
MOST_TITLES: Final = 500
RECENT: Final = 20
"""Later pages whose fit is remembered."""


@dataclass(frozen=True, slots=True)
class SiteLearner:
    """Learns all that can be learned of a site."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> SiteModel:
        """The model of the site these pages are from; the caller vouches that it is one."""
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
    different, left_out = drop_near_duplicates(pages)
    notes = [f"{left_out} pages say the same as another and were left out"] if left_out else []
    layouts = [layout_of(page) for page in different]
    groups = join_loners(group(layouts), layouts)
    steps = _Steps(2 * len(different), progress)
    clusters = []
    for number, members in enumerate(groups, start=1):
        chosen, forms = [different[place] for place in members], [layouts[place] for place in members]
        clusters.append(learn_cluster(f"layout-{number}", chosen, forms, steps, feed))
        if len(members) == 1:
            notes.append(f"layout-{number} was learned from one page: nothing can recur")
    today = day or datetime.now(UTC).date().isoformat()
    return SiteModel(site=site or site_name(pages), learned=today, notes=tuple(notes), clusters=tuple(clusters))


class _Steps:
    def __init__(self, total: int, progress: Progress) -> None:
        self.done, self.total, self.progress = 0, total, progress

    def step(self) -> None:
        self.done += 1
        self.progress(self.done, self.total)


def check_one_site(pages: Sequence[Page]) -> None:
    """Refuse pages of different hosts: what recurs on two sites is not the template of either."""
    hosts = sorted(set(filter(None, (host_of(page.url) for page in pages))))
    shortest = min(hosts, key=len, default="")
    strangers = [host for host in hosts if host != shortest and not host.endswith("." + shortest)]
    if strangers:
        raise UsageError(
            f"pages of {shortest} and {strangers[0]} are not one site; name the site if they belong together"
        )


def site_name(pages: Sequence[Page]) -> str:
    """The host that most pages are from, or `site` if none has an address."""
    hosts = Counter(filter(None, (host_of(page.url) for page in pages)))
    return min(hosts, key=lambda host: (-hosts[host], host)) if hosts else "site"


def host_of(url: str | None) -> str:
    """The host of an address, without `www.`; nothing if there is none.

    >>> host_of("https://www.tidewater.example/mud.html"), host_of(None)
    ('tidewater.example', '')
    """
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def join_loners(groups: list[list[int]], layouts: Sequence[Layout]) -> list[list[int]]:
    """Let pages that are alone join the largest group if they are somewhat like it; two pages alone join anyway."""
    if len(layouts) == 2:
        return [[0, 1]]
    first = groups[0]
    loners = [members[0] for members in groups[1:] if len(members) == 1 and len(first) > 1]
    joining = [place for place in loners if likeness(layouts[first[0]], layouts[place]) >= LOOSE_LAYOUT]
    rest = [members for members in groups[1:] if members[0] not in joining or len(members) > 1]
    return [sorted(first + joining), *rest]


def learn_cluster(
    name: str, pages: Sequence[Page], layouts: Sequence[Layout], steps: _Steps, feed: Feed | None = None
) -> Cluster:
    """The template of pages of one layout, its slots, and the paths that lead to the article."""
    builder = TemplateLearner().builder()
    structures = [structure_of(page) for page in pages]
    for page, structure in zip(pages, structures, strict=True):
        builder.add(page, structure)
        steps.step()
    template = builder.template()
    slots, distances = Slots.empty(len(template)), []
    known_shapes = frozenset(layout.shape for layout in layouts if layout.shape)
    for page, structure in zip(pages, structures, strict=True):
        reading = read(template, page, template.match(page, structure), inside=True)
        slots += slots_of(reading, len(template), known_shapes)
        distances.append(round(reading.match.distance, 4))
        steps.step()
    shapes = Counter(layout.shape for layout in layouts if layout.shape)
    languages = Counter(layout.language for layout in layouts)
    middle = max(layouts, key=lambda one: sum(likeness(one, other) for other in layouts))
    return Cluster(
        name=name,
        pages=len(pages),
        shapes=tuple(shape for shape, _ in shapes.most_common(MOST_SHAPES)),
        language=languages.most_common(1)[0][0],
        sketch=middle.numbers,
        distances=tuple(sorted(distances)),
        titles=tuple(sorted({title_number(title_of(page)) for page in pages} - {0}))[:MOST_TITLES],
        wrappers=find_wrappers(pages, feed),
        cut=template.cut,
        slots=_rows(template, slots, _once(builder.tree, {})),
    )


def title_of(page: Page) -> str:
    """The heading that is the title, or else what `<title>` says."""
    node = page.title_heading
    return page.title if node is None else page.text_of(node)


def find_wrappers(pages: Sequence[Page], feed: Feed | None) -> tuple[Wrapper, ...]:
    """The best paths to the article, as FOREST ranks them; by the words of the feed where there is one."""
    ranked = Forest(source="feed" if feed else "tf-idf").ranked(pages, feed)
    return tuple(
        Wrapper(xpath=found.xpath, css=found.css, relevance=round(found.relevance, 4), pages=found.pages)
        for found in ranked[:MOST_WRAPPERS]
    )


def _rows(template: Template, slots: Slots, once: dict[int, tuple[int, ...]]) -> tuple[Slot, ...]:
    """Template and sums as one row for each node."""
    sums = {name: np.round(slots[name], 4) for name in FIELDS}
    columns = {
        **{name: getattr(template, name) for name in ("label", "operator", "parent", "support", "features")},
        "once": [once.get(node, ()) for node in range(len(template))],
        **{name: getattr(template, name) for name in ("content", "votes")},
        **{
            name: (values if name in ("core", "main") else values.astype(np.int64)).tolist()
            for name, values in sums.items()
        },
    }
    return tuple(Slot(**dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True))


def _once(tree: Tree, known: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """By place: the features that one page has, new ones first; `known` are those of earlier pages by node."""
    room, found = MOST_ONCE, {}
    for place, node in enumerate(tree.preorder()[0]):
        fresh = [feature_number(feature) for feature, count in tree.features[node].items() if count == 1]
        numbers = tuple(dict.fromkeys((*sorted(fresh), *known.get(node, ()))))[:room]
        if numbers:
            found[place] = numbers
            room -= len(numbers)
    return found


def feature_number(feature: str) -> int:
    """A feature as a number."""
    return crc32(feature.encode("utf-8", "surrogatepass"))


def update(model: SiteModel, page: Page, day: str | None = None) -> SiteModel:
    """The model once this page is known too: the cluster it fits learns from it, or it begins a new one.

    Equal to learning from all pages at once but for three things: which pages share a cluster was decided without
    this one, a text that only one earlier page had is counted from its number, and sums of earlier pages stand on
    what was noise then.
    """
    from pagestrata.sites.match import choose_cluster

    fit = choose_cluster(model, page)
    today = day or datetime.now(UTC).date().isoformat()
    if fit.cluster is None:
        name = f"layout-{len(model.clusters) + 1}"
        fresh = learn_cluster(name, [page], [layout_of(page)], _Steps(2, lambda done, total: None))
        return replace(model, updated=today, clusters=(*model.clusters, fresh))
    grown = grow(fit.cluster, page, fit.match)
    clusters = tuple(grown if cluster is fit.cluster else cluster for cluster in model.clusters)
    return replace(model, updated=today, clusters=clusters)


def grow(cluster: Cluster, page: Page, match: Match) -> Cluster:
    """What the cluster knows after one more page."""
    tree = cluster.template.tree()
    once = {place: slot.once for place, slot in enumerate(cluster.slots) if slot.once}
    _promote(tree, once, match)
    builder = TemplateBuilder(TemplateLearner(), tree, cluster.cut)
    builder.add(page)
    template = builder.template()
    order, _ = tree.preorder()
    places = np.full(len(cluster.slots), -1, np.intp)
    for place, node in enumerate(order):
        if node < len(places):
            places[node] = place
    slots = cluster.site.slots.moved(places, len(template))
    slots += slots_of(read(template, page, inside=True), len(template), frozenset(cluster.shapes))
    return replace(
        cluster,
        pages=cluster.pages + 1,
        recent=(*cluster.recent, round(match.distance, 4))[-RECENT:],
        titles=tuple(sorted({*cluster.titles, title_number(title_of(page))} - {0}))[:MOST_TITLES],
        cut=template.cut,
        slots=_rows(template, slots, _once(tree, once)),
    )


def _promote(tree: Tree, once: dict[int, tuple[int, ...]], match: Match) -> None:
    """Features of this page that one earlier page had: count that page, and forget the number."""
    for leaf, features in match.leaves:
        node = match.places[leaf]
        for feature in features if node in once else ():
            number = feature_number(feature)
            if number in once[node] and feature not in tree.features[node]:
                tree.features[node][feature] = 1
                once[node] = tuple(other for other in once[node] if other != number)
