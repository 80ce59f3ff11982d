"""Article, comments or many areas, from one styled and weighted tree: the SD Algorithm (Pappas et al., 2012).

The densest region of a page that has a title is its article; regions beside it that speak of comments are comments;
several alike make a page of multiple areas. Steps and words are the paper's. What it leaves open, and our answers:

- A region's density is the text merged into it, not that of its subtree, or the outermost node would always win.
  Lists, tables and code amid running text are merged into that text.
- What is mostly links, or in a form, is never the article.
- Regions whose titles lead to other pages of the site are teasers: multiple areas, and never the article.
- The paper's keywords find the word "user" in any article, and "Leave a reply" where nobody did. So a comment is also
  signed: a short line beside it says when it was written. Then one further sign will do: a keyword in its names or
  those around it, in its title or in a line beside it; a box to write in; another comment like it. Names are a help,
  not a need.
- A comment may be denser than the article, and does not compete with it.
- Article and comments have a common parent below `body`, or are children of `body` both.
- The strong tags are those named in `page.content_blocks`: the paper's table, tr, div, ul, tbody, and today's likes.
- Several candidates are multiple areas if they are on one level and of one group.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from pagestrata.algorithms.base import DEFAULTS, Part, section_tree
from pagestrata.landmarks import landmarks_of
from pagestrata.options import Options
from pagestrata.page import columns, tags
from pagestrata.page.content_blocks import ORGANISING, TABULAR
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.results import PageType, Role, SectionTree, Segmentation

KEYWORDS: Final = ("comment", "reply", "response", "user", "wrote:", "said:")
"""The paper's keywords of comment regions."""
T1: Final = 50.0
"""The middle of the paper's range for all three kinds (40 to 60); `fit` learns it from labelled pages."""
T2: Final = 20
"""The paper's optimum; 0 to 100 do equally well, above 200 too much is noise."""

MAJORITY_SHARE: Final = 0.5
"""From this share on, most of a region is link text, a heading is linked, and a form is around the whole page."""
MAX_LINE_LENGTH: Final = 100
"""The limit on the characters of a byline: within the range in which the paper found T2 to change nothing."""
MAX_LIST_RATIO: Final = 20
"""A list is merged into the text around it unless it has more than this many times as many characters."""
MAX_SIGNATURE_LINES: Final = 3
"""The number of lines beside a comment that may be its signature: name, date, "permalink"."""


def has_keyword(text: str) -> bool:
    """Return whether a text contains one of the keywords.

    >>> has_keyword("3 Comments"), has_keyword("3 Kommentare")
    (True, False)
    """
    lowered = text.lower()
    return any(keyword in lowered for keyword in KEYWORDS)


def _numbers(names: str) -> frozenset[int]:
    return frozenset(tags.TAG[name] for name in names.split())


_HEADINGS = _numbers("h1 h2 h3 h4 h5 h6")
_BODY, _FORM, _TEXTAREA = (tags.TAG[name] for name in ("body", "form", "textarea"))


class PageKind(StrEnum):
    """The kinds of pages that the paper distinguishes."""

    ARTICLE = "article"
    ARTICLE_WITH_COMMENTS = "article with comments"
    MULTIPLE = "multiple"


@dataclass(frozen=True, slots=True)
class Region:
    """A strong node with the text merged into it, and its features."""

    node: int
    start: int
    """Its first node: of itself, or of the title before it."""
    end: int
    density: int
    """Characters."""
    link_share: float
    dfr: int
    """Distance from root."""
    title: int | None
    """The nearest ancestor title, a heading."""
    title_diff: int | None
    """How many levels its title is away."""
    cardinality: int
    class_name: str
    id: str
    style: str
    group: int
    """Regions of the same group have the same CSS class and the same tags above them."""
    blocks: tuple[int, ...]
    dfm: float = 0.0
    """Distance from the region of maximum density: 0 for itself, 100 for nothing."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The kind of a page, its regions and their relations."""

    kind: PageKind
    article: Region | None = None
    comments: tuple[Region, ...] = ()
    """Comments on the article."""
    area: tuple[int, int] | None = None
    """The first node, and one past the last, of the comments with their names, dates and heading."""
    multiple: tuple[Region, ...] = ()
    """Areas of equal rank."""
    common_parent: int | None = None
    """The node that holds the article and its comments, or all areas."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Density:
    """The SD Algorithm with its two thresholds."""

    t1: float = T1
    """How far a candidate may be from the region of maximum density, in [0, 100]."""
    t2: int = T2
    """Blocks with at most this many characters are noise."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return sections for the article, its comments or the multiple areas; all other regions are noise."""
        tree = SDTree(page, self.t2)
        regions = decide(tree, self.t1)
        page_type = PageType.LISTING if regions.kind is PageKind.MULTIPLE else PageType.ARTICLE
        sections = section_tree(page, _parts(tree, regions), options=options)
        notes = (f"{regions.kind}: {regions.reason}",)
        return SectionTree(sections, _confidence(tree, regions), page_type, notes)

    def regions(self, page: Page) -> Regions:
        """Return the regions of a page and their relations."""
        return decide(SDTree(page, self.t2), self.t1)


def fit(samples: Iterable[tuple[Page, PageKind]], t2: int = T2) -> Density:
    """Learn T1 from labelled pages: the value with the best mean recall of the kinds, of equals that closest to 50."""
    trees = [(SDTree(page, t2), kind) for page, kind in samples]
    scores = [_mean_recall([(decide(tree, t1).kind, kind) for tree, kind in trees]) for t1 in range(101)]
    best = [t1 for t1, score in enumerate(scores) if score == max(scores)]
    return Density(float(min(best, key=lambda t1: abs(t1 - T1))), t2)


def _mean_recall(pairs: Sequence[tuple[PageKind, PageKind]]) -> float:
    totals = Counter(truth for _, truth in pairs)
    hits = Counter(truth for answer, truth in pairs if answer is truth)
    return sum(hits[kind] / total for kind, total in totals.items()) / max(1, len(totals))


class SDTree:
    """The page with style and density: steps 1 to 4 of the paper, each one pass over the nodes or the blocks."""

    def __init__(self, page: Page, t2: int = T2) -> None:
        nodes, blocks = page.nodes, page.blocks
        self.page, self.t2 = page, t2
        self.parent, self.end, self.depth, self.tag = _lists(nodes.parent, nodes.end, nodes.depth, nodes.tag)
        self.text_start, self.text_end = _lists(nodes.text_start, nodes.text_end)
        self.container, self.characters, self.link_characters = _lists(
            blocks.container, blocks.characters, blocks.link_characters
        )
        self.block_node, self.block_start, self.block_end = _lists(
            blocks.node_start, blocks.text_start, blocks.text_end
        )
        landmarks = landmarks_of(page)
        self.is_stamp, self.is_usable, self.heading_level = _lists(
            landmarks.is_stamp, landmarks.is_usable, landmarks.heading_level
        )
        self.in_pre = ((nodes.flags[blocks.node_start] & columns.IN_PRE) > 0).tolist()
        self.class_of, self.id_of, self.style_of = (dict(page.values_of(name)) for name in ("class", "id", "style"))
        self.strong = [0] * len(self.tag)
        """The nearest strong node, itself included."""
        self.path = [0] * len(self.tag)
        """A number for the tags from the root to the node; equal paths have equal numbers."""
        self.in_form = [False] * len(self.tag)
        """Whether it is in a form, other than one around most of the page."""
        self.named = [0] * len(self.tag)
        """The nearest element below the body, itself included, whose class or id has a keyword."""
        self.title_above: list[int | None] = [None] * len(self.tag)
        self.title_inside: dict[int, int] = {}
        """The first heading among the children of a node, or in a child that has little else."""
        self._describe_nodes()
        self.boxes = [node for node, tag in enumerate(self.tag) if tag == _TEXTAREA]
        """The nodes of text areas."""
        self.home = self._merge()
        self.regions = self._describe_regions()

    def _describe_nodes(self) -> None:
        """Fill the columns that depend on the nodes above and before each node."""
        paths: dict[tuple[int, int], int] = {}
        last_title: dict[int, int] = {}
        names = [*self.class_of.items(), *self.id_of.items()]
        keyword_names = {name for name in {name for _, name in names} if has_keyword(name)}
        keyword_nodes = {node for node, name in names if name in keyword_names}
        for node in range(1, len(self.tag)):
            tag, parent = self.tag[node], self.parent[node]
            if tag == tags.TEXT:
                continue
            self.strong[node] = node if tag in ORGANISING else self.strong[parent]
            self.path[node] = paths.setdefault((self.path[parent], tag), len(paths) + 1)
            self.in_form[node] = self.in_form[parent] or (
                tag == _FORM and self.size(node) < MAJORITY_SHARE * self.size(0)
            )
            self.named[node] = node if node in keyword_nodes and tag != _BODY else self.named[parent]
            self.title_above[node] = last_title.get(parent, self.title_above[parent])
            if tag in _HEADINGS:
                for around in self._titled_by(node):
                    last_title[around] = node
                    self.title_inside.setdefault(around, node)

    def _titled_by(self, heading: int) -> Iterator[int]:
        """Yield the parent of a heading, and further ancestors that hold little more than the heading and a byline."""
        max_size = self.size(heading) + MAX_LINE_LENGTH
        around = self.parent[heading] if self.size(heading) else 0
        while around > 0:
            yield around
            around = self.parent[around] if self.size(around) <= max_size else 0

    def size(self, node: int) -> int:
        """Return the number of characters in the subtree."""
        return self.text_end[node] - self.text_start[node]

    def _merge(self) -> dict[int, int]:
        """Steps 2 and 3: prune invalid blocks, and map each valid one to the strong node that it is merged into."""
        homes = {block: self.strong[node] for block, node in enumerate(self.container) if self.is_valid(block)}
        running: defaultdict[int, int] = defaultdict(int)
        plain, linked = Counter[int](), Counter[int]()
        is_amid = dict.fromkeys(homes.values(), True)
        for block, home in homes.items():
            plain[home] += self.characters[block]
            linked[home] += self.link_characters[block]
            if self.tag[home] not in TABULAR and not self.in_pre[block]:
                is_amid[home] = False
                if not self.is_heading(block):
                    running[home] += self.characters[block] - self.link_characters[block]
        hosts = self._nearest_above(running)
        moved = {
            home: hosts[home]
            for home in is_amid
            if is_amid[home]
            and plain[home] <= MAX_LIST_RATIO * running.get(hosts[home], 0)
            and linked[home] < MAJORITY_SHARE * plain[home]
        }
        return {block: moved.get(home, home) for block, home in homes.items()}

    def is_valid(self, block: int) -> bool:
        """Return whether a block is longer than noise, visible and no part of a form control."""
        return self.characters[block] > self.t2 and bool(self.is_usable[block])

    def is_heading(self, block: int) -> bool:
        """Return whether a block is the text of a heading."""
        return self.heading_level[block] > 0

    def _nearest_above(self, sizes: dict[int, int]) -> list[int]:
        """Return for each node its nearest ancestor with a number over 0 in `sizes`."""
        nearest = [0] * len(self.tag)
        for node in range(1, len(self.tag)):
            parent = self.parent[node]
            nearest[node] = parent if sizes.get(parent) else nearest[parent]
        return nearest

    def _describe_regions(self) -> tuple[Region, ...]:
        """Step 4: the features of the regions, in the order of the page."""
        merged: defaultdict[int, list[int]] = defaultdict(list)
        for block, home in self.home.items():
            merged[home].append(block)
        cardinality = self.page.nodes.child_count.tolist()
        groups: dict[tuple[int, str], int] = {}
        regions = []
        for node in sorted(merged):
            density = sum(self.characters[block] for block in merged[node])
            title, name = self._title_of(node), self.class_of.get(node, "")
            regions.append(
                Region(
                    node=node,
                    start=node,
                    end=self.end[node],
                    density=density,
                    link_share=sum(self.link_characters[block] for block in merged[node]) / density,
                    dfr=self.depth[node],
                    title=title,
                    title_diff=None if title is None else abs(self.depth[title] - self.depth[node]),
                    cardinality=cardinality[node],
                    class_name=name,
                    id=self.id_of.get(node, ""),
                    style=self.style_of.get(node, ""),
                    group=groups.setdefault((self.path[node], name), len(groups)),
                    blocks=tuple(merged[node]),
                )
            )
        return tuple(regions)

    def _title_of(self, node: int) -> int | None:
        """Return the heading that a node begins with, or the nearest one above."""
        inside = self.title_inside.get(node)
        if inside is not None and bisect_left(self.block_node, inside) == bisect_left(self.block_node, node):
            return inside
        return self.title_above[node]

    def line(self, block: int) -> str:
        """Return the text of a block."""
        return self.page.text[self.block_start[block] : self.block_end[block]]

    def is_line(self, block: int) -> bool:
        """Return whether a block is short, and no heading."""
        return self.characters[block] <= MAX_LINE_LENGTH and not self.is_heading(block)

    def is_dated_line(self, block: int) -> bool:
        """Return whether a block is short, and contains a time."""
        return bool(self.is_stamp[block]) and self.is_line(block)

    def is_keyword_title(self, heading: int) -> bool:
        """Return whether a heading has a keyword; only the beginning of a long one is searched."""
        start = self.text_start[heading]
        return has_keyword(self.page.text[start : min(self.text_end[heading], start + 10 * MAX_LINE_LENGTH)])

    def common_parent(self, first: int, second: int) -> int:
        """Return the lowest node that holds both."""
        return self.common_parents(first, [second])[0]

    def common_parents(self, first: int, others: Iterable[int]) -> list[int]:
        """Return the lowest node that holds both, for each of the others, which come after the first."""
        line = [first, *self.page.nodes.ancestors(first)]
        ends = [self.end[node] for node in line]
        return [line[bisect_right(ends, other)] for other in others]

    def child_around(self, parent: int, node: int) -> int:
        """Return the child of `parent` that holds `node`."""
        while self.parent[node] != parent:
            node = self.parent[node]
        return node


def _lists(*columns: Ints | Bools) -> tuple[list[int], ...]:
    return tuple(column.tolist() for column in columns)


# ------------------------------------------------------------------------------------------------------- the decision


def decide(tree: SDTree, t1: float) -> Regions:
    """Steps 5 to 7: the region of maximum density, the candidates, and the kind of the page."""
    teasers_by_place = teasers(tree)
    texts = readable(tree, teasers_by_place)
    competing = competitors(tree, texts)
    maximum = max((region.density for region in competing), default=0)
    candidates = find_candidates(competing, maximum, t1)
    areas = max(teasers_by_place.values(), key=total, default=[])
    if total(areas) > maximum:
        return multiple(tree, by_title(tree, areas), "titles that lead to other pages have the most text")
    article = find_article(candidates)
    if article is None:
        return multiple(tree, candidates, "no candidate has a title")
    comments = find_comments(tree, article, texts)
    if comments:
        return article_with_comments(tree, article, comments)
    if are_alike(candidates):
        return multiple(tree, candidates, f"{len(candidates)} candidates alike on one level")
    return Regions(PageKind.ARTICLE, article, reason="no other region speaks of comments")


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
    reason = f"regions below the article that speak of comments: {len(comments)}"
    return Regions(PageKind.ARTICLE_WITH_COMMENTS, article, tuple(comments), area, common_parent=parent, reason=reason)


# ------------------------------------------------------------------------------------------- competing regions (ours)


def competitors(tree: SDTree, texts: Sequence[Region]) -> Sequence[Region]:
    """Return the texts that may be the article: no comments, unless there is nothing else."""
    signed = [region for region in texts if signature(tree, region)]
    group_sizes = Counter(region.group for region in signed)
    comments = {region.node for region in signed if group_sizes[region.group] > 1 or tree.named[region.node]}
    return [region for region in texts if region.node not in comments] or texts


def readable(tree: SDTree, teasers_by_place: Mapping[int, Sequence[Region]]) -> list[Region]:
    """Return all texts except teasers."""
    is_teaser = {region.node for regions in teasers_by_place.values() for region in regions}
    return [region for region in tree.regions if is_text(tree, region) and region.node not in is_teaser]


def total(regions: Iterable[Region]) -> int:
    """Return the sum of their densities."""
    return sum(region.density for region in regions)


def is_text(tree: SDTree, region: Region) -> bool:
    """Return whether a region is text: not mostly links, not in a form, not headings alone."""
    return (
        region.link_share < MAJORITY_SHARE
        and not tree.in_form[region.node]
        and not all(tree.is_heading(block) for block in region.blocks)
    )


def teasers(tree: SDTree) -> dict[int, list[Region]]:
    """Return regions with one or more titles that link to other pages of the site, by the tag path of the title."""
    titles = linked_titles(tree)
    inside: defaultdict[int, list[int]] = defaultdict(list)
    for title in sorted(titles):
        inside[tree.strong[title]].append(title)
    by_path: defaultdict[int, list[Region]] = defaultdict(list)
    for region in tree.regions:
        if region.title in titles:
            by_path[tree.path[region.title]].append(region)
        elif len(inside[region.node]) > 1:
            by_path[tree.path[inside[region.node][0]]].append(region)
    return by_path


def linked_titles(tree: SDTree) -> frozenset[int]:
    """Return headings with equal tag paths that link to at least two other pages of the site."""
    links = dict(tree.page.links)
    places, here = sorted(links), _host_and_path(tree.page.url or "")
    site = here[0] or _site_most_linked_to(links.values())
    paths_of_titles: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for heading in (node for node, tag in enumerate(tree.tag) if tag in _HEADINGS and tree.size(node)):
        link = _link_of(tree, heading, links, places)
        host, path = ("", "") if link is None else _host_and_path(tree.page.resolve(links[link]))
        if host in ("", site) and path not in ("", here[1]):
            paths_of_titles[tree.path[heading]][heading] = path
    return frozenset(title for titles in paths_of_titles.values() if len(set(titles.values())) > 1 for title in titles)


def _link_of(tree: SDTree, heading: int, links: Mapping[int, str], places: Sequence[int]) -> int | None:
    """Return the link that holds most of a heading, or that is around it."""
    place = bisect_left(places, heading)
    if place < len(places) and places[place] < tree.end[heading]:
        return places[place] if tree.size(places[place]) >= MAJORITY_SHARE * tree.size(heading) else None
    around = tree.parent[heading]
    return around if around in links else None


def _site_most_linked_to(links: Iterable[str]) -> str:
    """Return the host with the most links, used as the page's own site when its address is not known."""
    hosts = Counter(host for host, _ in map(_host_and_path, links) if host)
    return hosts.most_common(1)[0][0] if hosts else ""


def _host_and_path(address: str) -> tuple[str, str]:
    """Return host and path of an address, without the parts that do not distinguish pages.

    >>> _host_and_path("https://Example.org/a/?p=1#top")
    ('example.org', '/a?p=1')
    """
    try:
        parts = urlsplit(address)
    except ValueError:  # "http://[": no address
        return "", ""
    if parts.scheme not in ("", "http", "https"):
        return "", ""
    return parts.netloc.lower(), parts.path.rstrip("/") + (f"?{parts.query}" if parts.query else "")


def by_title(tree: SDTree, areas: Iterable[Region]) -> list[Region]:
    """Join the areas of each title to one, from the title to the end of its last region."""
    joined: dict[int | None, Region] = {}
    for region in areas:
        start, end, density = _start_with_title(tree, region), region.end, region.density
        earlier = joined.get(region.title)
        if earlier:
            start, end, density = earlier.start, max(earlier.end, end), earlier.density + density
        joined[region.title] = replace(earlier or region, start=start, end=end, density=density)
    return list(joined.values())


def _start_with_title(tree: SDTree, region: Region) -> int:
    """Return the start of the title before a region, including elements that hold only the title."""
    if region.title is None or region.title >= region.node:
        return region.node
    start = region.title
    while tree.end[tree.parent[start]] <= region.node:
        start = tree.parent[start]
    return start


# ----------------------------------------------------------------------------------------------------------- comments


def find_comments(tree: SDTree, article: Region, texts: Iterable[Region]) -> list[Region]:
    """Return the texts below the article that share a parent with it, are signed, and have one more sign."""
    end = tree.block_node[article.blocks[-1]] + 1
    below = [region for region in texts if region.node >= end]
    signed = [(region, lines) for region in below if (lines := signature(tree, region, end))]
    group_sizes = Counter(region.group for region, _ in signed)
    parents = tree.common_parents(article.node, [region.node for region, _ in signed])
    comments: defaultdict[int, list[Region]] = defaultdict(list)
    for (region, lines), parent in zip(signed, parents, strict=True):
        if (tree.tag[parent] != _BODY or tree.parent[article.node] == parent) and (
            group_sizes[region.group] > 1
            or has_keyword_name(tree, region, article)
            or has_keyword_nearby(tree, region, lines, end)
            or has_text_box_below(tree, region, parent)
        ):
            comments[parent].append(region)
    return max(comments.values(), key=total, default=[])


def signature(tree: SDTree, region: Region, after: int = 0) -> list[int]:
    """Return the short lines beside a text if one of them contains a time, else an empty list."""
    lines = [*_lines_before(tree, region, after), *_lines_after(tree, region)]
    is_text = any(not tree.is_heading(block) and not tree.is_dated_line(block) for block in region.blocks)
    return lines if is_text and any(map(tree.is_dated_line, lines)) else []


def _lines_before(tree: SDTree, region: Region, after: int) -> Iterator[int]:
    first = region.blocks[0]
    if tree.is_line(first):
        yield first
    for block in range(first - 1, max(first - 1 - MAX_SIGNATURE_LINES, -1), -1):
        if tree.block_node[block] < after or not tree.is_line(block):
            return
        yield block


def _lines_after(tree: SDTree, region: Region) -> Iterator[int]:
    last = region.blocks[-1]
    for block in range(last + 1, min(last + MAX_SIGNATURE_LINES, len(tree.characters))):
        if not tree.is_line(block):
            return
        yield block


def has_keyword_name(tree: SDTree, region: Region, article: Region) -> bool:
    """Return whether a keyword is in its class or id, or in that of an ancestor that does not hold the article."""
    named = tree.named[region.node]
    return named != 0 and not named <= article.node < tree.end[named]


def has_keyword_nearby(tree: SDTree, region: Region, lines: Iterable[int], after: int) -> bool:
    """Return whether a keyword is in its title, below the article, or in a line beside it."""
    if region.title is not None and region.title >= after and tree.is_keyword_title(region.title):
        return True
    return any(has_keyword(tree.line(block)) for block in lines)


def has_text_box_below(tree: SDTree, region: Region, parent: int) -> bool:
    """Return whether a text box follows it below the parent that it shares with the article."""
    place = bisect_left(tree.boxes, region.end)
    return place < len(tree.boxes) and tree.boxes[place] < tree.end[parent]


# ----------------------------------------------------------------------------------------------------------- sections


def _parts(tree: SDTree, regions: Regions) -> Iterator[Part]:
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
        yield region, Role.COMMENTS, "a comment region: signed, below the article, under a common parent"
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


def _confidence(tree: SDTree, regions: Regions) -> float:
    """Return the share of all text that is in the informative regions."""
    spans = [(region.start, region.end) for region, _, _ in _informative(regions)]
    noise = sum(region.density for region in _outside(tree.regions, spans))
    total = sum(region.density for region in tree.regions)
    return 1 - noise / total if total else 0.0
