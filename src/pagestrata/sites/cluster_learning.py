"""Learning one cluster: the template of pages of one layout, its slots, and one more page at a time.

Pages are read twice, since slots need the finished template. The result holds sums and counts, no pages.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final
from zlib import crc32

import numpy as np

from pagestrata.algorithms.forest import Forest
from pagestrata.algorithms.template import Match, Template, TemplateBuilder, TemplateLearner
from pagestrata.algorithms.template.structure import structure_of
from pagestrata.algorithms.template.tree import Tree
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.sites.article_paths import MAX_PATHS, count_path
from pagestrata.sites.cluster import Cluster, Slot, Wrapper
from pagestrata.sites.layouts import MIN_LAYOUT_LIKENESS, Layout, layout_of, likeness, title_number, title_of, url_shape
from pagestrata.sites.match import Fit
from pagestrata.sites.reading import read
from pagestrata.sites.slots import FIELDS, Slots, slots_of

MAX_UNIQUE_FEATURES: Final = 4_000
"""The limit on features of a single page that a model stores, newest first."""
MAX_SHAPES: Final = 5
MAX_TITLES: Final = 500
RECENT_PAGES: Final = 20
"""The number of later pages whose distances are stored."""


def learn_cluster(
    name: str,
    pages: Sequence[Page],
    layouts: Sequence[Layout],
    feed: Feed | None = None,
    advance: Callable[[], None] = lambda: None,
) -> Cluster:
    """Learn the template of pages of one layout, its slots, and the paths that lead to the article."""
    builder = TemplateLearner().builder()
    structures = [structure_of(page) for page in pages]
    for page, structure in zip(pages, structures, strict=True):
        builder.add(page, structure)
        advance()
    template = builder.template()
    slots, distances, wrappers = Slots.empty(len(template)), [], tuple[Wrapper, ...]()
    learned_shapes = frozenset(layout.shape for layout in layouts if layout.shape)
    for number, (page, structure) in enumerate(zip(pages, structures, strict=True), start=1):
        reading = read(template, page, template.match(page, structure), inside=True)
        slots += slots_of(reading, len(template), learned_shapes)
        wrappers = count_path(wrappers, reading, number)
        distances.append(round(reading.match.distance, 4))
        advance()
    shapes = Counter(layout.shape for layout in layouts if layout.shape)
    languages = Counter(layout.language for layout in layouts)
    medoid = max(layouts, key=lambda one: sum(likeness(one, other) for other in layouts))
    return Cluster(
        name=name,
        pages=len(pages),
        shapes=tuple(shape for shape, _ in shapes.most_common(MAX_SHAPES)),
        language=languages.most_common(1)[0][0],
        sketch=medoid.numbers,
        distances=tuple(sorted(distances)),
        titles=tuple(sorted({title_number(title_of(page)) for page in pages} - {0}))[:MAX_TITLES],
        wrappers=forest_wrappers(pages, feed) if feed else wrappers,
        cut=template.cut,
        slots=_slot_rows(template, slots, _unique_features(builder.tree, {})),
    )


def forest_wrappers(pages: Sequence[Page], feed: Feed) -> tuple[Wrapper, ...]:
    """Return the best paths to the article as FOREST ranks them, by the words of the feed."""
    ranked = Forest(source="feed").ranked(pages, feed)
    return tuple(
        Wrapper(xpath=wrapper.xpath, css=wrapper.css, relevance=round(wrapper.relevance, 4), pages=wrapper.pages)
        for wrapper in ranked[:MAX_PATHS]
    )


def _slot_rows(template: Template, slots: Slots, once: dict[int, tuple[int, ...]]) -> tuple[Slot, ...]:
    """Build one row for each node from the template and the sums."""
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


def _unique_features(tree: Tree, earlier: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Map slots to checksums of the features that only one page has; `earlier` holds those of earlier pages by node."""
    room, unique = MAX_UNIQUE_FEATURES, {}
    for place, node in enumerate(tree.preorder()[0]):
        new_numbers = [feature_number(feature) for feature, count in tree.features[node].items() if count == 1]
        numbers = tuple(dict.fromkeys((*sorted(new_numbers), *earlier.get(node, ()))))[:room]
        if numbers:
            unique[place] = numbers
            room -= len(numbers)
    return unique


def feature_number(feature: str) -> int:
    """Return the checksum of a feature."""
    return crc32(feature.encode("utf-8", "surrogatepass"))


def add_page(clusters: tuple[Cluster, ...], fit: Fit, page: Page) -> tuple[tuple[Cluster, ...], str]:
    """Return the clusters after learning from one more page, and the name of its own: the one it fits, or a new one.

    The result equals learning from all pages at once, with three exceptions: pages were assigned to clusters without
    this one, a text that only one earlier page had is recognised by its checksum, and the sums of earlier pages use
    the noise that was computed then.
    """
    if fit.cluster is None and fit.likeness < MIN_LAYOUT_LIKENESS:
        begun = learn_cluster(f"layout-{len(clusters) + 1}", [page], [layout_of(page)])
        return (*clusters, replace(begun, begun_later=True)), begun.name
    grown = grow(fit.nearest, page, fit)
    return tuple(grown if cluster is fit.nearest else cluster for cluster in clusters), grown.name


def grow(cluster: Cluster, page: Page, fit: Fit) -> Cluster:
    """Return the cluster after learning from one more page that fits it."""
    tree = cluster.template.tree()
    once = {place: slot.once for place, slot in enumerate(cluster.slots) if slot.once}
    _promote_repeated_features(tree, once, fit.match)
    builder = TemplateBuilder(TemplateLearner(), tree, cluster.cut)
    builder.add(page)
    template = builder.template()
    order, _ = tree.preorder()
    places = np.full(len(cluster.slots), -1, np.intp)
    for place, node in enumerate(order):
        if node < len(places):
            places[node] = place
    reading = read(template, page, inside=True)
    shapes = tuple(dict.fromkeys(filter(None, (*cluster.shapes, url_shape(page.url)))))[:MAX_SHAPES]
    slots = cluster.segmenter.slots.moved(places, len(template))
    slots += slots_of(reading, len(template), frozenset(shapes))
    return replace(
        cluster,
        pages=cluster.pages + 1,
        shapes=shapes,
        recent=(*cluster.recent, round(fit.layout_distance, 4))[-RECENT_PAGES:],
        titles=tuple(sorted({*cluster.titles, title_number(title_of(page))} - {0}))[:MAX_TITLES],
        wrappers=count_path(cluster.wrappers, reading, cluster.pages + 1),
        cut=template.cut,
        slots=_slot_rows(template, slots, _unique_features(tree, once)),
    )


def _promote_repeated_features(tree: Tree, once: dict[int, tuple[int, ...]], match: Match) -> None:
    """Count the earlier page for each feature that it shares with this page, and drop the stored checksum."""
    for leaf, features in match.leaves:
        node = match.places[leaf]
        for feature in features if node in once else ():
            number = feature_number(feature)
            if number in once[node] and feature not in tree.features[node]:
                tree.features[node][feature] = 1
                once[node] = tuple(other for other in once[node] if other != number)
