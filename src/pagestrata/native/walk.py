"""The loops behind `render.walk`: which nodes of a page are written, and the steps over them.

Compiled with the types in `_walk.pxd` where there is a compiler, interpreted unchanged where there is none.
"""

TEXT = 0
"""The tag number of a text."""
# What a tag means for the walk, as bits.
WRITES, MEDIA, ROW, CELL = 1, 2, 4, 8
SHOWN, VISITED = 1, 2
"""What `mark_shown` writes to the nodes, and what marks a node that is visited whatever its tag."""
NEW_BLOCK = "\n\n"


def mark_shown(tag, parent, flags, leaf_start, kept, kind_of_tag, unseen, shift, fallback, removed, shown):
    """Mark the nodes of kept leaves that write something themselves, and all elements around them.

    The flags hold in their bits from `shift` on why a node is hidden. It writes nothing if that reason is `unseen`; but
    a video or sound is hidden as a `fallback` only inside. `removed` marks nodes to leave out, and is empty for none.
    """
    last_kind, last_reason = len(kind_of_tag) - 1, len(unseen) - 1
    leaves, has_removed = len(leaf_start), len(removed) > 0
    for leaf in range(leaves):
        if not kept[leaf]:
            continue
        stop = leaf_start[leaf + 1] if leaf + 1 < leaves else len(tag)
        for node in range(leaf_start[leaf], stop):
            kind = kind_of_tag[min(tag[node], last_kind)]
            if not kind & WRITES or (has_removed and removed[node]):
                continue
            reason = (flags[node] >> shift) & last_reason
            if unseen[reason] and not (kind & MEDIA and reason == fallback):
                continue
            up = node
            while up >= 0 and not shown[up]:
                shown[up] = SHOWN
                up = parent[up]


def mark_cells(tag, parent, kind_of_tag, kind, shown):
    """Mark the elements of a kind (rows or cells) whose parents are shown: empty cells hold their place in a table."""
    last_kind = len(kind_of_tag) - 1
    for node in range(1, len(tag)):
        if kind_of_tag[min(tag[node], last_kind)] & kind and shown[parent[node]]:
            shown[node] = shown[node] or SHOWN


class Walk:
    """Steps over shown nodes, in document order."""

    def __init__(
        self, tag, end, flags, text_start, text_end, block_start, shown, is_visited, visited_flags, ends, text
    ):
        """Prepare a walk. `ends` has room for one number per node.

        Texts are visited, and of the elements those whose tag `is_visited`, or that have one of the `visited_flags`,
        or are marked as `VISITED`; the last entry of `is_visited` is for all tags without a number.
        """
        self.tag, self.end, self.flags, self.shown = tag, end, flags, shown
        self.text_start, self.text_end, self.block_start = text_start, text_end, block_start
        self.is_visited, self.visited_flags = is_visited, visited_flags
        self.ends = ends
        self.text = text
        self.node = self.open = self.block = 0
        self.last_end = -1

    def take(self, count):
        """Return up to `count` more steps (see `render.walk.Step`), none at the end."""
        steps = []
        nodes, last_tag = len(self.tag), len(self.is_visited) - 1
        node, open_elements, ended = self.node, self.open, 0
        while node < nodes and len(steps) < count:
            mark = self.shown[node]
            if not mark:
                node = self.end[node]
                continue
            tag = self.tag[node]
            if tag != TEXT:
                is_visited = mark & VISITED or self.is_visited[min(tag, last_tag)]
                if not (is_visited or self.flags[node] & self.visited_flags):
                    node += 1
                    continue
            ended = 0
            while open_elements > 0 and self.ends[open_elements - 1] <= node:
                open_elements -= 1
                ended += 1
            if tag == TEXT:
                steps.append((node, tag, ended, self.gap_before(node)))
            else:
                steps.append((node, tag, ended, ""))
                self.ends[open_elements] = self.end[node]
                open_elements += 1
            node += 1
        self.node, self.open = node, open_elements
        return steps

    def gap_before(self, node):
        """Return what stands between a text and the last one that was visited, whatever was left out there."""
        block, blocks = self.block, len(self.block_start)
        while block < blocks and self.block_start[block] <= node:
            block += 1
        start, last_end = self.text_start[node], self.last_end
        is_new_block = last_end < 0 or block != self.block
        self.block, self.last_end = block, self.text_end[node]
        if is_new_block:
            return NEW_BLOCK
        if start == last_end:
            return ""
        between = self.text[last_end:start]
        if between.isspace():
            return between
        return " " if between[0].isspace() or between[len(between) - 1].isspace() else ""
