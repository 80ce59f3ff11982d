"""The decision of the SD Algorithm as published: keywords make comments, equal levels make multiple areas.

Left open by the paper: a region shares a common parent with the article if an element below the body holds both.
"""

from pagestrata.algorithms.density.decide import find_candidates, multiple
from pagestrata.algorithms.density.regions import PageKind, Region, Regions, has_keyword
from pagestrata.algorithms.density.tree import SDTree


def decide_as_published(tree: SDTree, t1: float) -> Regions:
    """Steps 5 to 7 of the paper, with no rule of ours."""
    maximum = max((region.density for region in tree.regions), default=0)
    candidates = find_candidates(tree.regions, maximum, t1)
    titled = [region for region in candidates if region.title_diff is not None]
    if not titled:
        return multiple(tree, candidates, "no candidate has a title")
    article = min(titled, key=lambda region: (region.dfr, region.title_diff or 0, -region.density))
    comments = tuple(region for region in tree.regions if _is_comment(tree, region, article))
    if comments:
        nodes = article.node, *(region.node for region in comments)
        parent = tree.common_parent(min(nodes), max(nodes))
        reason = f"regions with a keyword of comments: {len(comments)}"
        return Regions(PageKind.ARTICLE_WITH_COMMENTS, article, comments, common_parent=parent, reason=reason)
    if len(candidates) > 1 and len({region.dfr for region in candidates}) == 1:
        return multiple(tree, candidates, f"{len(candidates)} candidates on one level")
    return Regions(PageKind.ARTICLE, article, reason="no other region has a keyword of comments")


def _is_comment(tree: SDTree, region: Region, article: Region) -> bool:
    """Whether a region other than the article has a keyword in its text, class or id, and a common parent with it."""
    if region.node == article.node:
        return False
    texts = region.class_name, region.id, *map(tree.line, region.blocks)
    first, second = sorted((region.node, article.node))
    return any(map(has_keyword, texts)) and tree.depth[tree.common_parent(first, second)] > tree.body_depth
