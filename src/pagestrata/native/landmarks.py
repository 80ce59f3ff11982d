"""The loops that find landmarks: a few passes over the nodes and the blocks of a page.

Compiled with the types in `_landmarks.pxd` where there is a compiler, interpreted unchanged where there is none.
Both give identical results, since sums are of integers or of doubles in a fixed order.

Elements that draw nothing (scripts, styles, templates, hidden elements) are not counted as children or steps.
"""

LONG_LINE = 12
"""Words from which a line is a sentence or more."""
TEXT_LINE = 8
"""Words from which a line counts as part of a text."""
SHORT_LINE_SHARE = 0.3
"""Weight of the words of a shorter line as running text."""
RECORD_SHARE = 0.4
"""Weight of text inside repeated records for its container; once for each level of records."""
LETTER_WORDS = 3
"""Words outside links from which a line counts as a text of its own."""
LONGEST_ITEM = 60
"""A table or list with a block of more words is layout, and is cut like any container."""
LINKED = 0.3
"""A list with a larger share of links is not kept or dropped as one."""
LABEL = 7
"""Level in an outline of a line that heads what follows without being a heading element."""
LABEL_CLIMB = 4
"""Elements around a label that may hold nothing behind it."""

CONTROL = 1 << 13
"""Bit of `region`: part of a form control."""
MAY_CORE, MAY_RECORD = 1 << 14, 1 << 15
"""Bits of a tag alone: it may be the main container; it may be a record."""
INHERITED = (1 << 14) - 1
"""The bits that an element hands down to those inside it."""
LIST, TABLE, LAYOUT, UNDRAWN, CODE = 1, 2, 4, 8, 16
"""Bits of a tag: a list, a table, an element that pages are laid out with, one that is drawn only with text, code."""
HIDDEN, HIDDEN_IF_EMPTY = 2, 1
"""Values of `hidden`: a browser shows nothing of the element; scripts may show it, so it counts if it has text."""


class LandmarkLoops:
    """The columns of a page and of its landmarks; each method fills some of them."""

    def __init__(self, nodes, blocks, hidden, of_nodes, of_blocks, sums, core_share, region_of_tag, kind_of_tag):
        self.tag, self.parent, self.end, _ = nodes
        self.node_start, _, self.holder, self.word_count, self.characters, self.link_characters = blocks
        self.hidden = hidden
        self.region_of_tag, self.kind_of_tag = region_of_tag, kind_of_tag
        (
            self.region,
            self.first_block,
            self.tag_path,
            self.record_depth,
            self.signed_depth,
            self.record,
            self.records_inside,
            self.branch,
            self.branch_steps,
        ) = of_nodes
        self.is_stamp, self.is_usable, self.group, _, _ = of_blocks
        self.words, self.all_characters, self.links, self.prose, self.long_lines, self.stamps = sums
        self.core_share = core_share
        self.node_count, self.block_count = len(self.tag), len(self.node_start)
        self.core = 0

    def walk(self):
        """Compute what each node inherits (regions and tag path) and its first block."""
        block = 0
        for i in range(self.node_count):
            own, up = self.region_of_tag[self.tag[i]], self.parent[i]
            if up >= 0:
                self.region[i] = (self.region[up] & INHERITED) | own
                path = self.tag_path[up]
                self.tag_path[i] = (path * 1_000_003 + self.tag[i] + 7) % 2_147_483_629
            else:
                self.region[i], self.tag_path[i] = own, self.tag[i]
            while block < self.block_count and self.node_start[block] < i:
                block += 1
            self.first_block[i] = block
        self.first_block[self.node_count] = self.block_count

    def is_drawn(self, i):
        """Return whether a visitor could see something of an element."""
        if self.hidden[i] == HIDDEN:
            return False
        may_be_undrawn = self.hidden[i] == HIDDEN_IF_EMPTY or self.kind_of_tag[self.tag[i]] & UNDRAWN
        return not (may_be_undrawn and self.first_block[i] == self.first_block[self.end[i]])

    def sum_up(self):
        """Compute running sums over the blocks, and which blocks are usable: those outside of form controls."""
        for b in range(self.block_count):
            words = self.word_count[b]
            link_share = self.link_characters[b] / max(1.0, self.characters[b])
            prose = words * (1.0 - link_share) * (1.0 - link_share)
            if words < TEXT_LINE:
                prose = prose * SHORT_LINE_SHARE
            self.is_usable[b] = not self.region[self.node_start[b]] & CONTROL
            if not self.is_usable[b]:
                prose = 0.0
            self.words[b + 1] = self.words[b] + words
            self.all_characters[b + 1] = self.all_characters[b] + self.characters[b]
            self.links[b + 1] = self.links[b] + self.link_characters[b]
            self.prose[b + 1] = self.prose[b] + prose
            self.long_lines[b + 1] = self.long_lines[b] + (words >= LONG_LINE)
            self.stamps[b + 1] = self.stamps[b] + self.is_stamp[b]

    def find_records(self, child_tags, last_record):
        """Find records: elements of two or more blocks, each beside one with the same tag and child tags."""
        one = 1
        for i in range(self.node_count - 1, 0, -1):
            if self.tag[i] != 0 and self.is_drawn(i):
                child_tags[self.parent[i]] |= one << (self.tag[i] % 62)
        for i in range(1, self.node_count):
            if not self.region[i] & MAY_RECORD or self.first_block[self.end[i]] - self.first_block[i] < 2:
                continue
            up = self.parent[i]
            before = last_record[up]
            last_record[up] = i
            if before > 0 and self.tag[before] == self.tag[i] and child_tags[before] == child_tags[i]:
                self.record[i] = i
                if self.record[before] != before:
                    self.record[before] = before
                    self.records_inside[up] += 1
                self.records_inside[up] += 1

    def hand_down_records(self, says_something):
        """Count the records and signed records that contain each node, and find the innermost of them.

        A record is signed if one of its lines is a stamp (a short line with a time), and another has enough words.
        """
        for b in range(self.block_count):
            plain = self.word_count[b] * (1.0 - self.link_characters[b] / max(1.0, self.characters[b]))
            says_something[b + 1] = says_something[b] + (plain >= LETTER_WORDS)
        for i in range(1, self.node_count):
            up = self.parent[i]
            self.record_depth[i], self.signed_depth[i] = self.record_depth[up], self.signed_depth[up]
            if self.record[i] == i:
                first, last = self.first_block[i], self.first_block[self.end[i]]
                self.record_depth[i] += 1
                is_signed = self.stamps[last] > self.stamps[first] and says_something[last] > says_something[first]
                self.signed_depth[i] += is_signed
            else:
                self.record[i] = self.record[up]

    def find_core(self, weight):
        """Find the main container: the text of a block counts for its container, and less for those around it.

        `weight` scales the running text of each block; it is empty if all blocks count fully.
        """
        is_weighted = len(weight) > 0
        for b in range(self.block_count):
            prose = self.prose[b + 1] - self.prose[b]
            if is_weighted:
                prose = prose * weight[b]
            node = self.holder[b]
            for _ in range(self.record_depth[node]):
                prose = prose * RECORD_SHARE
            # Each step up keeps .9, .6, .4 of it.
            self.count_for_core(node, prose, 1.0)
            node = self.parent[node]
            self.count_for_core(node, prose, 0.9)
            node = self.parent[node] if node >= 0 else -1
            self.count_for_core(node, prose, 0.54)
            node = self.parent[node] if node >= 0 else -1
            self.count_for_core(node, prose, 0.216)
        most = 0.0
        for i in range(self.node_count):
            if self.core_share[i] > most:
                self.core, most = i, self.core_share[i]
        for i in range(self.node_count):
            self.core_share[i] = self.core_share[i] / most if most > 0 else 0.0

    def count_for_core(self, node, prose, share):
        """Add running text to an element if that element may be the main container."""
        if node >= 0 and self.region[node] & MAY_CORE:
            self.core_share[node] += prose * share

    def find_branches(self):
        """Find the child of the core, or of an element around it, that leads to each node, and the steps below it."""
        steps = self.branch_steps
        node = self.core
        while node >= 0:
            steps[node] = -1
            node = self.parent[node]
        for i in range(self.node_count):
            up = self.parent[i]
            if steps[i] < 0 or up < 0:
                self.branch[i], steps[i] = i, -1
            elif steps[up] < 0:
                self.branch[i], steps[i] = i, 0
            else:
                self.branch[i], steps[i] = self.branch[up], steps[up] + 1

    def find_groups(self, layout_before):
        """Find for each block the outermost plain list, data table or preformatted text that contains it; -1 for none.

        Lists and tables have neither long lines nor elements that pages are laid out with, and a list does not consist
        of links.
        """
        for i in range(self.node_count):
            is_layout = self.kind_of_tag[self.tag[i]] & LAYOUT and self.is_drawn(i)
            layout_before[i + 1] = layout_before[i] + (1 if is_layout else 0)
        for b in range(self.block_count):
            self.group[b] = -1
        for i in range(self.node_count - 1, -1, -1):  # an outer one comes after those inside it
            kind = self.kind_of_tag[self.tag[i]] & (LIST | TABLE | CODE)
            first, last = self.first_block[i], self.first_block[self.end[i]]
            if kind == 0 or first == last or layout_before[self.end[i]] > layout_before[i + 1]:
                continue
            longest = 0
            size = linked = 0.0
            for b in range(first, last):
                words = self.word_count[b] + 1
                longest = max(longest, words)
                size += words
                linked += words * (self.link_characters[b] / max(1.0, self.characters[b]))
            is_short = longest - 1 <= LONGEST_ITEM
            if kind == CODE or (is_short and (kind == TABLE or linked / size < LINKED)):
                for b in range(first, last):
                    self.group[b] = i


def find_outline(level, texts_before, holder, parent, end, first_block, stack, heading, above, scope_end):
    """Find the outline that headings form: for each block the innermost heading whose scope it is in, -1 for none.

    A heading has a `level` above 0. It counts up to the next one of its level or a higher one, inside the element found
    by `scope_of`, and inside the scope of the heading above it. Of each heading, `above` is the heading above it, -1
    for none, and `scope_end` one past its last block. Further lines of a heading are not headings of their own.
    `texts_before` counts the blocks that a heading may head, `stack` has room for one number per block.
    """
    depth = 0
    for b in range(len(level)):
        above[b] = -1
        while depth > 0 and scope_end[stack[depth - 1]] <= b:
            depth -= 1
        if level[b] > 0 and not (depth > 0 and holder[stack[depth - 1]] == holder[b]):
            while depth > 0 and level[stack[depth - 1]] >= level[b]:
                depth -= 1
                scope_end[stack[depth]] = b
            scope_end[b] = scope_of(b, level[b], texts_before, holder, parent, end, first_block)
            if depth > 0:
                above[b] = stack[depth - 1]
                scope_end[b] = min(scope_end[b], scope_end[above[b]])
            stack[depth] = b
            depth += 1
        heading[b] = stack[depth - 1] if depth > 0 else -1


def scope_of(b, level, texts_before, holder, parent, end, first_block):
    """Return the end of the scope of a heading: that of the smallest element that has text after the heading.

    Only the last heading in an element leaves that element, so that all headings together visit each element once.
    """
    node = holder[b]
    after = b + 1 if level == LABEL else first_block[end[node]]
    steps = 0
    while parent[node] >= 0 and texts_before[first_block[end[node]]] == texts_before[after]:
        if level == LABEL and steps == LABEL_CLIMB:
            break
        node = parent[node]
        steps += 1
    return max(b + 1, first_block[end[node]])
