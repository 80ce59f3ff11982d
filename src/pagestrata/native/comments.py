"""The loop that finds comment regions: runs of blocks that names or headings say are comments.

Compiled with the types in `_comments.pxd` where there is a compiler, interpreted unchanged where there is none.
"""

NAMED, HEADED = 1, 2
"""How a region was found: by the name of an element, by a heading."""
MAX_HEADING_WORDS = 8
"""A heading of comments has at most this many words."""
MAX_LINE_WORDS = 3
"""Likewise for a line that is no `<h1>` to `<h6>`."""
MIN_PROSE_BEFORE = 50.0
"""Words of running text that stand above such a line."""


def find_named_regions(names, group_of_bucket, group, end, first_block, may_be_region, title, is_named, regions):
    """Fill the regions of the outermost elements that a word of the group names.

    `names` has place, bucket and count of the words of names. An element that contains the block `title` is none: it
    is the page with its comments. `is_named` has room for a byte per node.
    """
    place, bucket, size = names
    start, stop, found_by = regions
    for k in range(size):
        if group_of_bucket[bucket[k]] == group:
            is_named[place[k]] = 1
    reached = 0
    for i in range(len(end)):
        if not is_named[i] or i < reached or not may_be_region[i]:
            continue
        first, last = first_block[i], first_block[end[i]]
        if first == last or first <= title < last:
            continue
        reached = end[i]
        for b in range(first, last):
            start[b], stop[b], found_by[b] = first, last, NAMED


def find_headed_regions(lines, is_word, level, blocks, prose, parent, end, first_block, regions):
    """Fill the regions below headings of comments: from the heading to the end of the element that it heads.

    `lines` has place, bucket and count of the words of lines, `is_word` whether a bucket is such a word. A line that is
    no `<h1>` to `<h6>` is a heading if it is very short, no link, and below running text.
    """
    place, bucket, size = lines
    _, _, holder, word_count, _, link_characters = blocks
    start, stop, found_by = regions
    for k in range(size):
        b = place[k]
        if not is_word[bucket[k]] or found_by[b] or word_count[b] > MAX_HEADING_WORDS:
            continue
        is_line = word_count[b] <= MAX_LINE_WORDS and link_characters[b] == 0 and prose[b] >= MIN_PROSE_BEFORE
        if level[b] == 0 and not is_line:
            continue
        node = holder[b]
        while parent[node] >= 0 and first_block[end[node]] <= b + 1:
            node = parent[node]
        last = first_block[end[node]]
        for inside in range(b, last):
            if found_by[inside]:
                break
            start[inside], stop[inside], found_by[inside] = b, last, HEADED
