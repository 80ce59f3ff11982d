"""The decision of the SD Algorithm: steps 5 to 7 of the paper, with our rules."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pagestrata.algorithms.density.comments import find_comments, signature
from pagestrata.algorithms.density.regions import PageKind, Region, Regions, total
from pagestrata.algorithms.density.teasers import by_title, readable, teasers
from pagestrata.algorithms.density.tree import MAX_LINE_LENGTH, SDTree


def decide(tree: SDTree, t1: float) -> Regions:
    """Steps 5 to 7: the region of maximum density, the candidates, and the kind of the page."""
    teasers_by_place = teasers(tree)
    texts = readable(tree, teasers_by_place)
    competing = competitors(tree, texts)
    maximum = max((region.density for region in competing), default=0)
    candidates = find_candidates(competing, maximum, t1)
    areas = max(teasers_by_place.values(), key=total, default=[])
    if areas and text_in(areas) >= maximum:
        return multiple(tree, by_title(tree, areas), "titles that lead to other pages have the most text")
    article = find_article(candidates)
    if article is None:
        return multiple(tree, candidates, "no candidate has a title")
    comments = find_comments(tree, article, texts)
    if comments:
        return article_with_comments(tree, article, comments)
    if are_alike(candidates):
        return multiple(tree, candidates, f"{len(candidates)} candidates alike on one level")
    return Regions(PageKind.ARTICLE, article, reason="no other region contains comments")


def find_candidates(regions: Sequence[Region], maximum: int, t1: float) -> list[Region]:
    """Return the regions at most T1 from the region of maximum density: dfm(r) = 100 - 100 d_r / d_max."""
    measured = [replace(region, dfm=100 - 100 * region.density / maximum) for region in regions]
    return [region for region in measured if region.dfm <= t1]


def find_article(candidates: Sequence[Region]) -> Region | None:
    """The candidate closest to the root, with an ancestor title on the closest level; the only one needs no title."""
    titled = [region for region in candidates if region.title_diff is not None or len(candidates) == 1]
    return min(titled, key=lambda region: (region.dfr, region.title_diff or 0, -region.density), default=None)


def are_alike(candidates: Sequence[Region]) -> bool:
    """Whether there are several, all on one level and of one group."""
    return len(candidates) > 1 and len({(region.dfr, region.group) for region in candidates}) == 1


def multiple(tree: SDTree, areas: Sequence[Region], reason: str) -> Regions:
    """Build the regions of a page of multiple areas."""
    parent = tree.common_parent(areas[0].node, areas[-1].node) if areas else None
    return Regions(PageKind.MULTIPLE, multiple=tuple(areas), common_parent=parent, reason=reason)


def article_with_comments(tree: SDTree, article: Region, comments: Sequence[Region]) -> Regions:
    """Build the regions of an article with comments; nodes between the comments below the common parent join them."""
    parent = tree.common_parent(article.node, comments[0].node)
    area = tree.child_around(parent, comments[0].node), tree.end[tree.child_around(parent, comments[-1].node)]
    reason = f"regions with comments below the article: {len(comments)}"
    return Regions(PageKind.ARTICLE_WITH_COMMENTS, article, tuple(comments), area, common_parent=parent, reason=reason)


def text_in(regions: Iterable[Region]) -> float:
    """Return the number of characters that are not link text: a list of headlines is no text of a listing."""
    return sum(region.density * (1 - region.link_share) for region in regions)


def competitors(tree: SDTree, texts: Sequence[Region]) -> Sequence[Region]:
    """Return the texts that may be the article: no comments, unless nothing else is longer than a byline."""
    signed = [region for region in texts if signature(tree, region)]
    group_sizes = Counter(region.group for region in signed)
    comments = {region.node for region in signed if group_sizes[region.group] > 1 or tree.named[region.node]}
    others = [region for region in texts if region.node not in comments]
    return others if any(region.density > MAX_LINE_LENGTH for region in others) else texts
