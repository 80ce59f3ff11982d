"""The SD-Tree: a page with style and density, and its regions (steps 1 to 4 of the paper)."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from pagestrata.algorithms.density.regions import MAJORITY_SHARE, Region, has_keyword
from pagestrata.landmarks import landmarks_of
from pagestrata.page import columns, tags
from pagestrata.page.content_blocks import ORGANISING, TABULAR
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

T2: Final = 20
"""The paper's optimum; 0 to 100 do equally well, above 200 too much is noise."""
MAX_LINE_LENGTH: Final = 100
"""The limit on the characters of a byline: within the range in which the paper found T2 to change nothing."""
MAX_LIST_RATIO: Final = 20
"""A list is merged into the text around it unless it has more than this many times as many characters."""


HEADINGS: Final = tags.numbers_of("h1 h2 h3 h4 h5 h6")
BODY: Final = tags.TAG["body"]
_FORM, _TEXTAREA = tags.TAG["form"], tags.TAG["textarea"]


class SDTree:
    """The page with style and density: steps 1 to 4 of the paper, each one pass over the nodes or the blocks."""

    def __init__(self, page: Page, t2: int = T2, merge_lists: bool = True) -> None:
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
        self.body_depth = next((self.depth[node] for node, tag in enumerate(self.tag) if tag == BODY), 0)
        self.boxes = [node for node, tag in enumerate(self.tag) if tag == _TEXTAREA]
        """The nodes of text areas."""
        homes = {block: self.strong[node] for block, node in enumerate(self.container) if self.is_valid(block)}
        self.home = self._merge_lists(homes) if merge_lists else homes
        """The strong node that each valid block is merged into (steps 2 and 3)."""
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
            self.named[node] = node if node in keyword_nodes and tag != BODY else self.named[parent]
            self.title_above[node] = last_title.get(parent, self.title_above[parent])
            if tag in HEADINGS:
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

    def _merge_lists(self, homes: dict[int, int]) -> dict[int, int]:
        """Move the blocks of lists, tables and code inside running text to the strong node of that text (ours)."""
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
