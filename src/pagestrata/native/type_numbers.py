"""Measures the blocks and records of a page for its type: sums over a range of blocks, lines, records."""

LONG_LINE = 12
"""Words from which a line is a sentence or more."""
VERY_LONG_LINE = 48
MAX_LINK_SHARE = 0.3
"""Share of link text below which a line is text; from this on, a record leads elsewhere."""
MAIN_LINK_SHARE = 0.5
"""Share of link text above which a line is a link."""

PARAGRAPH, ITEM, CELL, HEADING, CODE = 1, 2, 3, 4, 5
"""What the container of a block is."""

(
    LINKS,
    PARAGRAPHS,
    ITEMS,
    CELLS,
    HEADINGS,
    CODES,
    LONG,
    VERY_LONG,
    HEADS,
    LINKED_HEADS,
    PRICES,
    TIMES,
    STAMPS,
) = range(13)
"""The places of the sums over a range of blocks; see `RANGE_SUMS` in `page_type.numbers`."""

SIGNED, LINKED, PICTURED, LARGEST_GROUP, GROUP, GROUP_WORDS, GROUP_SIGNED, GROUP_LINKED, GROUP_PICTURED = range(9)
"""The places of the measures of records."""


class BlockReader:
    """Measures columns with one entry per block."""

    def __init__(self, words, is_usable, link_share, container, is_price, is_time, is_stamp):
        """Store the columns; `container` has the kind of the container of each block, 0 for a kind not named above."""
        self.words = words
        self.is_usable = is_usable
        self.link_share = link_share
        self.container = container
        self.is_price = is_price
        self.is_time = is_time
        self.is_stamp = is_stamp

    def add_up(self, first, last, sums):
        """Add up a range of blocks; return the number of its words."""
        total = 0
        for b in range(first, last):
            if not self.is_usable[b]:
                continue
            words, share, kind = self.words[b], self.link_share[b], self.container[b]
            total += words
            sums[LINKS] += words * share
            if kind == PARAGRAPH:
                if share < MAX_LINK_SHARE:
                    sums[PARAGRAPHS] += words
            elif kind == ITEM:
                sums[ITEMS] += words
            elif kind == CELL:
                sums[CELLS] += words
            elif kind == CODE:
                sums[CODES] += words
            elif kind == HEADING:
                sums[HEADINGS] += words
                sums[HEADS] += 1
                if share > MAIN_LINK_SHARE:
                    sums[LINKED_HEADS] += 1
            if share < MAX_LINK_SHARE and words >= LONG_LINE:
                sums[LONG] += words
                if words >= VERY_LONG_LINE:
                    sums[VERY_LONG] += words
            sums[PRICES] += self.is_price[b]
            sums[TIMES] += self.is_time[b]
            sums[STAMPS] += self.is_stamp[b]
        return total

    def list_lines(self, lines):
        """Write the words of each usable block one after another; return their number."""
        count = 0
        for b in range(len(self.words)):
            if self.is_usable[b]:
                lines[count] = self.words[b]
                count += 1
        return count

    def list_texts(self, texts):
        """Write the words of each long line of text one after another; return their number."""
        count = 0
        for b in range(len(self.words)):
            if self.is_text(b):
                texts[count] = self.words[b]
                count += 1
        return count

    def is_text(self, b):
        """Return whether a block is a long line of text."""
        return self.is_usable[b] and self.words[b] >= LONG_LINE and self.link_share[b] < MAX_LINK_SHARE

    def longest_run(self):
        """Return the words of the longest run of text; headings without links and single words do not end a run."""
        longest = run = 0
        for b in range(len(self.words)):
            if not self.is_usable[b] or self.words[b] < 2:
                continue
            if self.container[b] == HEADING and self.link_share[b] < MAX_LINK_SHARE:
                continue
            run = run + self.words[b] if self.is_text(b) else 0
            longest = max(longest, run)
        return longest


def measure_records(
    records,
    is_signed,
    node_end,
    parent,
    first_block,
    words,
    characters,
    link_characters,
    images,
    group_size,
    group_words,
    sizes,
    measures,
):
    """Measure the repeated records of a page, and the group of siblings among them that has most words.

    `words`, `characters` and `link_characters` are sums up to each block, `images` are counts up to each node.
    `group_size` and `group_words` have a zero for each node. The words of each record are written to `sizes`.
    """
    best = -1
    for place in range(len(records)):
        node = records[place]
        group = parent[node]
        sizes[place] = words[first_block[node_end[node]]] - words[first_block[node]]
        group_size[group] += 1
        group_words[group] += sizes[place]
        measures[LARGEST_GROUP] = max(measures[LARGEST_GROUP], group_size[group])
    for place in range(len(records)):
        group = parent[records[place]]
        if best < 0 or group_words[group] > group_words[best]:
            best = group
    for place in range(len(records)):
        node = records[place]
        end = node_end[node]
        first, last = first_block[node], first_block[end]
        size = max(1.0, characters[last] - characters[first])
        is_linked = link_characters[last] - link_characters[first] >= MAX_LINK_SHARE * size
        is_pictured = images[end] > images[node]
        measures[SIGNED] += is_signed[place]
        measures[LINKED] += is_linked
        measures[PICTURED] += is_pictured
        if parent[node] == best:
            measures[GROUP] += 1
            measures[GROUP_WORDS] += sizes[place]
            measures[GROUP_SIGNED] += is_signed[place]
            measures[GROUP_LINKED] += is_linked
            measures[GROUP_PICTURED] += is_pictured
