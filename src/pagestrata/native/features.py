"""The loops that fill the engine's features: one row a feature, one number per block, in one flat table.

Row `r` of block `b` is `table[r * count + b]`. The table comes with zeros; a loop that would only write
zeros leaves them, since on pages of many blocks what is not written takes no memory.

Compiled with the types in `_features.pxd` where there is a compiler, interpreted unchanged where there is none.
"""

IS_STRICT = "is_strict"
"""The feature that is no measure: which convention the answer follows."""
LEVELS = 5
"""Containers around a block that are measured, from the nearest on."""
MAX_STEPS = 24
"""Steps up from a block within which names are looked for."""
NAME_GROUPS = 44
"""Groups of words of names; see `landmarks.words`."""
SHINGLE = 4
"""Words in a row that are compared with those of other lines."""
FOUR_WORDS = (1 << 52) - 1
"""The bits of a run of words, 13 each. As a literal, C would compute with Python's integers."""
STEP = 0.03125
"""Weights of words are whole numbers of this."""
HIDDEN = 2
"""Value of `hidden` for what is not shown; see `native.landmarks`."""

OWN = ("words", "link_share", "prose", "texts", "hidden_by", "usable", "ends_sentence")
REGIONS = tuple(
    f"in_{name}" for name in "nav header footer aside main article form table list figure quote section code".split()
)
KINDS = tuple(f"is_{name}" for name in "paragraph item cell code caption control container".split())
CONTAINER = ("words", "share", "links", "prose", "long", "blocks")
CONTAINERS = tuple(f"{what}_{level}" for level in range(LEVELS) for what in CONTAINER)
CORE = (
    "in_core",
    "after_core",
    "blocks_from_core",
    "core_share",
    "core_share_1",
    "core_steps",
    "core_words",
    "core_links",
    "records",
    "signed",
    "records_beside",
    "record_words",
    "record_links",
)
BRANCH = tuple(f"branch_{what}" for what in ("words", "share", "links", "prose", "blocks", "signed"))
PATH = ("path_blocks", "path_words", "path_share", "path_prose", "path_links")
COPIES = ("copies", "copied_2", "copied_4", "copied_branch", "shingles_elsewhere")
NEIGHBOURS = ("words_at_-1", "words_at_1", "words_at_2", "words_at_3", "links_next_3", "prose_next_3")
WINDOWS = tuple(f"{what}_window_{width}" for width in (4, 12) for what in ("prose", "long", "links"))
PLACE = ("place", "words_before", "prose_before", "prose_after", "blocks_from_title", "words_from_title")
BYLINES = (
    "stamps_before",
    "stamps_after",
    "prose_since_stamp",
    "prose_until_stamp",
    "text_before_second_byline",
    "text_after_second_byline",
    "after_longest",
    "byline_gap_share",
)
HEADINGS = ("heading_level", "since_heading", "words_since_heading", "last_level", "headed_words", "headed_links")
TITLED = ("title_share", "title_links", "title_prose", "title_blocks")
ARTICLE = ("article_share", "article_links", "article_prose")
RANK = ("path_prose_rank", "path_parents", "record_prose")
COMMENTS = (
    "comment_found_by",
    "comment_words",
    "comment_share",
    "comment_prose_before",
    "comment_prose_outside",
    "comments_on_page",
)
NEAR_NAMES = tuple(f"near_{group}" for group in range(NAME_GROUPS))
NAMES = ("names_sum", "names_low", "names_high", "names_near", "branch_names")
LINES = ("line_mean", "line_low", "line_high", "heading_mean", "heading_low", "branch_heading", "titled", "described")
PAGE = ("page_words", "page_blocks", "page_links", "page_prose", "page_long", "page_prices", "page_stamps")
SCHEMA_TYPES = ("product", "article", "forum", "itemlist", "collection")
OG_TYPES = ("article", "product", "website")
COUNTED_TAGS = ("p", "h2", "article", "li", "td", "img", "form", "a", "pre")
WHOLE_PAGE = (
    *PAGE,
    *(f"says_{name}" for name in SCHEMA_TYPES),
    *(f"og_{name}" for name in OG_TYPES),
    *("core_prose", "second_core", IS_STRICT),
    *(f"page_{name}" for name in COUNTED_TAGS),
)
"""Features that are equal for all blocks of a page."""
GROUPS = {
    "own": OWN,
    "tags": (*REGIONS, *KINDS),
    "containers": CONTAINERS,
    "core": CORE,
    "branch": BRANCH,
    "path": PATH,
    "copies": COPIES,
    "neighbours": (*NEIGHBOURS, *WINDOWS),
    "place": PLACE,
    "bylines": BYLINES,
    "headings": HEADINGS,
    "title": TITLED,
    "article": ARTICLE,
    "rank": RANK,
    "comments": COMMENTS,
    "near names": NEAR_NAMES,
    "names": NAMES,
    "lines": LINES,
    "page": WHOLE_PAGE,
}
COLUMNS = tuple(name for group in GROUPS.values() for name in group)
"""All features, in the order of their rows."""


def rows_of(names):
    """Return the rows of these features, which are consecutive.

    >>> rows_of(PATH) == tuple(COLUMNS.index(name) for name in PATH)
    True
    """
    first = COLUMNS.index(names[0])
    return tuple(range(first, first + len(names)))


ROW_WORDS, ROW_LINK_SHARE, ROW_PROSE, ROW_TEXTS, ROW_HIDDEN_BY, ROW_USABLE, ROW_ENDS_SENTENCE = rows_of(OWN)
ROW_REGIONS, ROW_KINDS, ROW_CONTAINERS = (COLUMNS.index(group[0]) for group in (REGIONS, KINDS, CONTAINERS))
(
    ROW_IN_CORE,
    ROW_AFTER_CORE,
    ROW_BLOCKS_FROM_CORE,
    ROW_CORE_SHARE,
    ROW_CORE_SHARE_1,
    ROW_CORE_STEPS,
    ROW_CORE_WORDS,
    ROW_CORE_LINKS,
    ROW_RECORDS,
    ROW_SIGNED,
    ROW_RECORDS_BESIDE,
    ROW_RECORD_WORDS,
    ROW_RECORD_LINKS,
) = rows_of(CORE)
(
    ROW_BRANCH_WORDS,
    ROW_BRANCH_SHARE,
    ROW_BRANCH_LINKS,
    ROW_BRANCH_PROSE,
    ROW_BRANCH_BLOCKS,
    ROW_BRANCH_SIGNED,
) = rows_of(BRANCH)
ROW_PATH_BLOCKS, ROW_PATH_WORDS, ROW_PATH_SHARE, ROW_PATH_PROSE, ROW_PATH_LINKS = rows_of(PATH)
ROW_COPIES, ROW_COPIED_2, ROW_COPIED_4, ROW_COPIED_BRANCH, ROW_SHINGLES_ELSEWHERE = rows_of(COPIES)
ROW_NEIGHBOURS, ROW_WINDOWS = COLUMNS.index(NEIGHBOURS[0]), COLUMNS.index(WINDOWS[0])
(
    ROW_PLACE,
    ROW_WORDS_BEFORE,
    ROW_PROSE_BEFORE,
    ROW_PROSE_AFTER,
    ROW_BLOCKS_FROM_TITLE,
    ROW_WORDS_FROM_TITLE,
) = rows_of(PLACE)
(
    ROW_STAMPS_BEFORE,
    ROW_STAMPS_AFTER,
    ROW_PROSE_SINCE_STAMP,
    ROW_PROSE_UNTIL_STAMP,
    ROW_TEXT_BEFORE_SECOND,
    ROW_TEXT_AFTER_SECOND,
    ROW_AFTER_LONGEST,
    ROW_GAP_SHARE,
) = rows_of(BYLINES)
(
    ROW_HEADING_LEVEL,
    ROW_SINCE_HEADING,
    ROW_WORDS_SINCE_HEADING,
    ROW_LAST_LEVEL,
    ROW_HEADED_WORDS,
    ROW_HEADED_LINKS,
) = rows_of(HEADINGS)
ROW_TITLED_CONTAINER, ROW_ARTICLE = COLUMNS.index(TITLED[0]), COLUMNS.index(ARTICLE[0])
ROW_PATH_PROSE_RANK, ROW_PATH_PARENTS, ROW_RECORD_PROSE = rows_of(RANK)
(
    ROW_COMMENT_FOUND_BY,
    ROW_COMMENT_WORDS,
    ROW_COMMENT_SHARE,
    ROW_COMMENT_PROSE_BEFORE,
    ROW_COMMENT_PROSE_OUTSIDE,
    ROW_COMMENTS_ON_PAGE,
) = rows_of(COMMENTS)
ROW_NEAR_NAMES = COLUMNS.index(NEAR_NAMES[0])
ROW_NAMES_SUM, ROW_NAMES_LOW, ROW_NAMES_HIGH, ROW_NAMES_NEAR, ROW_BRANCH_NAMES = rows_of(NAMES)
(
    ROW_LINE_MEAN,
    ROW_LINE_LOW,
    ROW_LINE_HIGH,
    ROW_HEADING_MEAN,
    ROW_HEADING_LOW,
    ROW_BRANCH_HEADING,
    ROW_TITLED,
    ROW_DESCRIBED,
) = rows_of(LINES)
ROW_PAGE = COLUMNS.index(PAGE[0])
PAGE_WORDS, PAGE_BLOCKS, PAGE_LINKS, PAGE_PROSE, PAGE_LONG, PAGE_PRICES, PAGE_STAMPS = range(len(PAGE))
PAGE_CORE_PROSE, PAGE_SECOND_CORE = WHOLE_PAGE.index("core_prose"), WHOLE_PAGE.index("second_core")


def page_means(table, word_count, means):
    """Compute the mean of each row of the table, weighted by the words of each block and one more."""
    count, rows = len(word_count), len(means)
    words = 0.0
    for b in range(count):
        words += word_count[b] + 1
    words = max(1.0, words)
    for row in range(0, rows, 4):  # four sums at a time: each waits for its last addition
        second, third, fourth = min(row + 1, rows - 1), min(row + 2, rows - 1), min(row + 3, rows - 1)
        sum_1 = sum_2 = sum_3 = sum_4 = 0.0
        for b in range(count):
            weight = word_count[b] + 1
            sum_1 += table[row * count + b] * weight
            sum_2 += table[second * count + b] * weight
            sum_3 += table[third * count + b] * weight
            sum_4 += table[fourth * count + b] * weight
        means[row], means[second] = sum_1 / words, sum_2 / words
        means[third], means[fourth] = sum_3 / words, sum_4 / words


class FeatureLoops:
    """The columns of a page and its landmarks, and the table that each method fills some rows of."""

    def __init__(self, nodes, blocks, hidden, of_nodes, of_blocks, sums, core_share, core, table):
        self.tag, self.parent, self.end, self.container = nodes
        self.hidden = hidden
        (self.node_start, self.node_end, self.holder, self.word_count, self.characters, self.link_characters) = blocks
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
        self.is_stamp, self.is_usable, _, self.ends_sentence, self.first_copy = of_blocks
        self.words, self.all_characters, self.links, self.prose, self.long_lines, self.stamps = sums
        self.core_share, self.core, self.table = core_share, core, table
        self.node_count, self.count = len(self.tag), len(self.node_start)

    def own(self, hidden_by):
        """Fill OWN: the block itself; `texts` are the nodes from its first to its last text."""
        count, table = self.count, self.table
        for b in range(count):
            table[ROW_WORDS * count + b] = self.word_count[b]
            table[ROW_LINK_SHARE * count + b] = self.link_characters[b] / max(1.0, self.characters[b])
            table[ROW_PROSE * count + b] = self.prose[b + 1] - self.prose[b]
            table[ROW_TEXTS * count + b] = self.node_end[b] - self.node_start[b]
            table[ROW_HIDDEN_BY * count + b] = hidden_by[b]
            table[ROW_USABLE * count + b] = self.is_usable[b]
            table[ROW_ENDS_SENTENCE * count + b] = self.ends_sentence[b]

    def regions(self, regions, kind_of_tag, kinds):
        """Fill REGIONS, the kinds of elements around a block, and KINDS, that of its own tag."""
        count, table = self.count, self.table
        for b in range(count):
            holder = self.holder[b]
            region, kind = self.region[holder], kind_of_tag[self.tag[holder]]
            for bit in range(regions):
                if region >> bit & 1:
                    table[(ROW_REGIONS + bit) * count + b] = 1
            for bit in range(kinds):
                if kind >> bit & 1:
                    table[(ROW_KINDS + bit) * count + b] = 1

    def containers(self):
        """Fill CONTAINERS: six measures of the container of a block, the one around that, and so on."""
        for b in range(self.count):
            around = self.holder[b]
            for level in range(LEVELS):
                row = ROW_CONTAINERS + 6 * level
                self.measure(row, b, self.first_block[around], self.first_block[self.end[around]])
                around = self.around(around)

    def measure(self, row, b, first, last):
        """Fill CONTAINER for the blocks from `first` up to `last`."""
        count, table = self.count, self.table
        words = self.words[last] - self.words[first]
        table[row * count + b] = words
        table[(row + 1) * count + b] = words / max(1.0, self.words[count])
        table[(row + 2) * count + b] = self.link_share(first, last)
        table[(row + 3) * count + b] = (self.prose[last] - self.prose[first]) / max(1.0, words)
        table[(row + 4) * count + b] = (self.long_lines[last] - self.long_lines[first]) / max(1.0, last - first)
        table[(row + 5) * count + b] = last - first

    def link_share(self, first, last):
        """Return the share of link text in a run of blocks."""
        characters = self.all_characters[last] - self.all_characters[first]
        return (self.links[last] - self.links[first]) / max(1.0, characters)

    def around(self, node):
        """Return the container around an element; the outermost is its own."""
        up = self.parent[node]
        return self.container[up] if up >= 0 else node

    def around_core(self):
        """Fill CORE: the position of a block relative to the main container, and the records that contain it."""
        count, table, core = self.count, self.table, self.core
        if count == 0:
            return
        start, end = self.first_block[core], self.first_block[self.end[core]]
        words = (self.words[end] - self.words[start]) / max(1.0, self.words[count])
        links = self.link_share(start, end)
        for b in range(count):
            node, holder = self.node_start[b], self.holder[b]
            up, record = self.parent[holder], self.record[node]
            table[ROW_IN_CORE * count + b] = start <= b < end
            table[ROW_AFTER_CORE * count + b] = b >= end
            table[ROW_BLOCKS_FROM_CORE * count + b] = max(start - b, 0) if b < end else b - end + 1
            table[ROW_CORE_SHARE * count + b] = self.core_share[holder]
            table[ROW_CORE_SHARE_1 * count + b] = self.core_share[up] if up >= 0 else 0.0
            table[ROW_CORE_STEPS * count + b] = self.branch_steps[holder]
            table[ROW_CORE_WORDS * count + b] = words
            table[ROW_CORE_LINKS * count + b] = links
            table[ROW_RECORDS * count + b] = self.record_depth[node]
            table[ROW_SIGNED * count + b] = self.signed_depth[node]
            if record > 0:
                first, last = self.first_block[record], self.first_block[self.end[record]]
                table[ROW_RECORDS_BESIDE * count + b] = self.records_inside[self.parent[record]]
                table[ROW_RECORD_WORDS * count + b] = self.words[last] - self.words[first]
                table[ROW_RECORD_LINKS * count + b] = self.link_share(first, last)

    def branches(self):
        """Fill BRANCH: the branch of the core, or beside the core, that contains a block."""
        count, table = self.count, self.table
        for b in range(count):
            node = self.branch[self.holder[b]]
            first, last = self.first_block[node], self.first_block[self.end[node]]
            words, blocks = self.words[last] - self.words[first], max(1.0, last - first)
            table[ROW_BRANCH_WORDS * count + b] = words
            table[ROW_BRANCH_SHARE * count + b] = words / max(1.0, self.words[count])
            table[ROW_BRANCH_LINKS * count + b] = self.link_share(first, last)
            table[ROW_BRANCH_PROSE * count + b] = (self.prose[last] - self.prose[first]) / max(1.0, words)
            table[ROW_BRANCH_BLOCKS * count + b] = last - first
            table[ROW_BRANCH_SIGNED * count + b] = (self.stamps[last] - self.stamps[first]) / blocks

    def same_path(self, path_group, sums):
        """Fill PATH: sums over the blocks with the same tag path."""
        count, table = self.count, self.table
        groups = {}
        for b in range(count):
            path = self.tag_path[self.holder[b]]
            path_group[b] = groups.setdefault(path, len(groups))
            at = 5 * path_group[b]
            sums[at] += 1
            sums[at + 1] += self.word_count[b]
            sums[at + 2] += self.prose[b + 1] - self.prose[b]
            sums[at + 3] += self.link_characters[b]
            sums[at + 4] += self.characters[b]
        for b in range(count):
            at = 5 * path_group[b]
            table[ROW_PATH_BLOCKS * count + b] = sums[at]
            table[ROW_PATH_WORDS * count + b] = sums[at + 1] / sums[at]
            table[ROW_PATH_SHARE * count + b] = sums[at + 1] / max(1.0, self.words[count])
            table[ROW_PATH_PROSE * count + b] = sums[at + 2] / max(1.0, self.prose[count])
            table[ROW_PATH_LINKS * count + b] = sums[at + 3] / max(1.0, sums[at + 4])

    def copies(self, times, copied):
        """Fill COPIES: how often the page has the text of a block, and how much of the text around it is repeated.

        This recognises text that is laid out twice, for wide and narrow screens or in a carousel, and text that is
        repeated below each of many items.
        """
        count, table = self.count, self.table
        for b in range(count):
            times[self.first_copy[b]] += 1
        for b in range(count):
            copied[b + 1] = copied[b] + (self.word_count[b] if times[self.first_copy[b]] > 1 else 0)
            table[ROW_COPIES * count + b] = times[self.first_copy[b]]
        if copied[count] == 0:
            return
        for b in range(count):
            around = self.around(self.around(self.holder[b]))
            table[ROW_COPIED_2 * count + b] = self.copied_share(around, copied)
            table[ROW_COPIED_4 * count + b] = self.copied_share(self.around(self.around(around)), copied)
            table[ROW_COPIED_BRANCH * count + b] = self.copied_share(self.branch[self.holder[b]], copied)

    def copied_share(self, node, copied):
        """Return the share of an element's words that are repeated elsewhere."""
        first, last = self.first_block[node], self.first_block[self.end[node]]
        return (copied[last] - copied[first]) / max(1.0, self.words[last] - self.words[first])

    def shingles(self, place, bucket, size, seen):
        """Fill `shingles_elsewhere`: the share of the runs of words at the start of a line that another line has, too.

        Runs are known by 16 bits of a hash. `seen` has, for each, one more than the line that has it; -1 for several.
        """
        count, table = self.count, self.table
        for again in (False, True):
            key, line, run = 0, -1, 0
            elsewhere = total = 0.0
            for k in range(size):
                if place[k] != line:
                    key, line, run = 0, place[k], 0
                    elsewhere = total = 0.0
                key = ((key << 13) ^ bucket[k]) & FOUR_WORDS
                run += 1
                if run < SHINGLE:
                    continue
                at = (key ^ (key >> 16) ^ (key >> 32)) & 0xFFFF
                if again:
                    total += 1
                    elsewhere += seen[at] < 0
                    table[ROW_SHINGLES_ELSEWHERE * count + line] = elsewhere / total
                elif seen[at] == 0:
                    seen[at] = line + 1
                elif seen[at] != line + 1:
                    seen[at] = -1

    def neighbours(self):
        """Fill NEIGHBOURS, the blocks before and after, and WINDOWS, the blocks within a distance to both sides."""
        count, table = self.count, self.table
        for b in range(count):
            row = ROW_NEIGHBOURS
            for step in (-1, 1, 2, 3):
                beside = b + step
                if 0 <= beside < count:
                    table[row * count + b] = self.word_count[beside]
                row += 1
            first, last = min(count, b + 1), min(count, b + 4)
            table[row * count + b] = self.link_share(first, last)
            table[(row + 1) * count + b] = self.prose[last] - self.prose[first]
            row = ROW_WINDOWS
            for width in (4, 12):
                first, last = max(0, b - width), min(count, b + width + 1)
                words = max(1.0, self.words[last] - self.words[first])
                table[row * count + b] = (self.prose[last] - self.prose[first]) / words
                long_lines = self.long_lines[last] - self.long_lines[first]
                table[(row + 1) * count + b] = long_lines / max(1.0, last - first)
                table[(row + 2) * count + b] = self.link_share(first, last)
                row += 3

    def places(self, title):
        """Fill PLACE; `title` is the first block of the title, -1 without one."""
        count, table = self.count, self.table
        all_words, all_prose = max(1.0, self.words[count]), max(1.0, self.prose[count])
        for b in range(count):
            table[ROW_PLACE * count + b] = b / max(1.0, count)
            table[ROW_WORDS_BEFORE * count + b] = self.words[b] / all_words
            table[ROW_PROSE_BEFORE * count + b] = self.prose[b] / all_prose
            table[ROW_PROSE_AFTER * count + b] = 1.0 - self.prose[b + 1] / all_prose
            table[ROW_BLOCKS_FROM_TITLE * count + b] = min(200, max(-50, b - title)) if title >= 0 else -60
            from_title = (self.words[b] - self.words[title]) / all_words if title >= 0 else -1.0
            table[ROW_WORDS_FROM_TITLE * count + b] = from_title

    def bylines(self, title):
        """Fill BYLINES: the stamps from the title on, and the text between two of them.

        An article has one or two of them and its text in one stretch; then comments may follow, each with its own.
        """
        count, table, prose, is_stamp = self.count, self.table, self.prose, self.is_stamp
        start = max(0, title)
        total, last, second, long_start, long_end = 0, start, count, start, count
        longest = -1.0
        for b in range(start, count + 1):
            if b == count or is_stamp[b]:
                if b < count:
                    total += 1
                    if total == 2:
                        second = b
                if prose[b] - prose[last] > longest:
                    longest, long_start, long_end = prose[b] - prose[last], last, b
                last = b
        seen, last, following = 0, start, start
        for b in range(count):
            stamped = b >= start and is_stamp[b]
            if stamped:
                seen, last = seen + 1, b
            while following <= b or (following < count and not is_stamp[following]):
                following += 1
            table[ROW_STAMPS_BEFORE * count + b] = seen
            table[ROW_STAMPS_AFTER * count + b] = total - seen
            table[ROW_PROSE_SINCE_STAMP * count + b] = prose[b + 1] - (prose[last] if seen else 0.0)
            table[ROW_PROSE_UNTIL_STAMP * count + b] = 0.0 if stamped else prose[following] - prose[b]
            table[ROW_TEXT_BEFORE_SECOND * count + b] = prose[second] - prose[start]
            table[ROW_TEXT_AFTER_SECOND * count + b] = prose[count] - prose[second]
            table[ROW_AFTER_LONGEST * count + b] = -1 if b < long_start else 0 if b < long_end else 1
            table[ROW_GAP_SHARE * count + b] = (prose[following] - prose[last]) / max(1.0, longest)

    def headings(self, first_heading, last_heading):
        """Fill HEADINGS: the level of a heading, the last heading before each block, the text up to the next one."""
        count, table = self.count, self.table
        last, start = -1, 0
        for b in range(count + 1):
            tag = self.tag[self.holder[b]] if b < count else first_heading
            level = tag - first_heading + 1 if first_heading <= tag <= last_heading else 0
            if level:
                words, links = self.words[b] - self.words[start], self.link_share(start, b)
                for headed in range(start, b):
                    table[ROW_HEADED_WORDS * count + headed] = words
                    table[ROW_HEADED_LINKS * count + headed] = links
                last = start = b
            if b == count:
                break
            table[ROW_HEADING_LEVEL * count + b] = level
            if last >= 0:
                table[ROW_SINCE_HEADING * count + b] = min(b - last, 100)
                table[ROW_WORDS_SINCE_HEADING * count + b] = self.words[b] - self.words[last]
                table[ROW_LAST_LEVEL * count + b] = self.tag[self.holder[last]] - first_heading + 1
            else:
                table[ROW_SINCE_HEADING * count + b] = 101
                table[ROW_WORDS_SINCE_HEADING * count + b] = 10_000

    def titled_containers(self, title, anchor):
        """Fill TITLED: the lowest element around a block that contains the title, too; nothing without a title."""
        if title < 0:
            return
        for i in range(self.node_count):
            has_title = self.first_block[i] <= title < self.first_block[self.end[i]]
            anchor[i] = i if has_title or self.parent[i] < 0 else anchor[self.parent[i]]
        for b in range(self.count):
            node = anchor[self.holder[b]]
            first, last = self.first_block[node], self.first_block[self.end[node]]
            self.measure_part(ROW_TITLED_CONTAINER, b, first, last)
            self.table[(ROW_TITLED_CONTAINER + 3) * self.count + b] = last - first

    def articles(self, article, anchor):
        """Fill ARTICLE: the innermost `<article>` around a block, whose tag is `article`; nothing without one."""
        for i in range(self.node_count):
            up = self.parent[i]
            anchor[i] = i if self.tag[i] == article else anchor[up] if up >= 0 else -1
        for b in range(self.count):
            node = anchor[self.holder[b]]
            if node >= 0:
                self.measure_part(ROW_ARTICLE, b, self.first_block[node], self.first_block[self.end[node]])

    def measure_part(self, row, b, first, last):
        """Fill three rows for a part of the page: its share of all words, of links, and of all running text."""
        count, table = self.count, self.table
        table[row * count + b] = (self.words[last] - self.words[first]) / max(1.0, self.words[count])
        table[(row + 1) * count + b] = self.link_share(first, last)
        table[(row + 2) * count + b] = (self.prose[last] - self.prose[first]) / max(1.0, self.prose[count])

    def ranks(self, path_group, most, parents, last_parent):
        """Fill RANK: the running text of the element around a block, against the most of one with its tag path."""
        count, table = self.count, self.table
        groups = {}
        for b in range(count):
            node = self.around(self.holder[b])
            group = groups.setdefault(self.tag_path[node], len(groups))
            path_group[b] = group
            if last_parent[group] != node + 1:
                last_parent[group] = node + 1
                parents[group] += 1
            most[group] = max(most[group], self.prose_of(node))
        for b in range(count):
            group, record = path_group[b], self.record[self.node_start[b]]
            prose = self.prose_of(self.around(self.holder[b]))
            table[ROW_PATH_PROSE_RANK * count + b] = prose / max(1.0, most[group])
            table[ROW_PATH_PARENTS * count + b] = parents[group]
            if record > 0:
                table[ROW_RECORD_PROSE * count + b] = self.prose_of(record)

    def prose_of(self, node):
        """Return the running text in an element."""
        return self.prose[self.first_block[self.end[node]]] - self.prose[self.first_block[node]]

    def comments(self, start, stop, found_by):
        """Fill COMMENTS: the comment region around a block, and the running text before and outside of it."""
        count, table, prose = self.count, self.table, self.prose
        total = 0.0
        for b in range(count):
            if found_by[b]:
                total += self.word_count[b]
        if total == 0:
            return
        all_words, all_prose = max(1.0, self.words[count]), max(1.0, prose[count])
        for b in range(count):
            table[ROW_COMMENTS_ON_PAGE * count + b] = total / all_words
            if found_by[b]:
                first, last = start[b], stop[b]
                words = self.words[last] - self.words[first]
                table[ROW_COMMENT_FOUND_BY * count + b] = found_by[b]
                table[ROW_COMMENT_WORDS * count + b] = words
                table[ROW_COMMENT_SHARE * count + b] = words / all_words
                table[ROW_COMMENT_PROSE_BEFORE * count + b] = prose[first] / all_prose
                table[ROW_COMMENT_PROSE_OUTSIDE * count + b] = prose[count] - prose[last] + prose[first]

    def near_names(self, place, bucket, size, group_of_bucket, groups):
        """Fill NEAR_NAMES: how near above a block an element stands that a word of each group names.

        Only steps to an element with more blocks count, so that wrappers change nothing. `groups` has room for an
        integer of 64 bits per node.
        """
        count, table = self.count, self.table
        one = 1
        for k in range(size):
            group = group_of_bucket[bucket[k]]
            if group > 0:
                groups[place[k]] |= one << (group - 1)
        for b in range(count):
            node, steps, blocks, named = self.holder[b], 0, 0, 0
            while node >= 0 and steps < MAX_STEPS:
                fresh = groups[node] & ~named
                inside = self.first_block[self.end[node]] - self.first_block[node]
                steps += inside > blocks > 0
                blocks = inside
                if fresh:
                    named |= fresh
                    group = 0
                    while fresh:
                        if fresh & 1:
                            table[(ROW_NEAR_NAMES + group) * count + b] = MAX_STEPS - steps
                        fresh >>= 1
                        group += 1
                node = self.parent[node]

    def names(self, place, bucket, size, weights, name_weight, scratch):
        """Fill NAMES: weights of the names of the elements around each block: sum, lowest, highest, nearest."""
        count, table, nodes = self.count, self.table, self.node_count
        for k in range(size):
            name_weight[place[k]] += weights[bucket[k]] * STEP
        for i in range(nodes):
            own, up = name_weight[i], self.parent[i]
            if up < 0:
                scratch[i] = scratch[nodes + i] = scratch[2 * nodes + i] = scratch[3 * nodes + i] = own
                continue
            scratch[i] = scratch[up] + own
            scratch[nodes + i] = min(scratch[nodes + up], own)
            scratch[2 * nodes + i] = max(scratch[2 * nodes + up], own)
            scratch[3 * nodes + i] = own if own != 0 else scratch[3 * nodes + up]
        for b in range(count):
            node = self.holder[b]
            table[ROW_NAMES_SUM * count + b] = scratch[node]
            table[ROW_NAMES_LOW * count + b] = scratch[nodes + node]
            table[ROW_NAMES_HIGH * count + b] = scratch[2 * nodes + node]
            table[ROW_NAMES_NEAR * count + b] = scratch[3 * nodes + node]
            table[ROW_BRANCH_NAMES * count + b] = name_weight[self.branch[node]]

    def lines(self, place, bucket, size, line_weights, heading_weights, said):
        """Fill LINES: weights of the first words of each block and its heading; words of the title and description.

        `said` has, for each word, bit 0 if the title has it, bit 1 if the description has it.
        """
        count, table = self.count, self.table
        k = 0
        mean = low = branch_mean = 0.0
        last_branch = -1
        for b in range(count):
            weighted = words = titled = described = heads = 0
            total = head_total = least = head_least = most = 0.0
            while k < size and place[k] == b:
                weight, head = line_weights[bucket[k]] * STEP, heading_weights[bucket[k]] * STEP
                if weight != 0:
                    weighted += 1
                    total += weight
                    least, most = min(least, weight), max(most, weight)
                if head != 0:
                    heads += 1
                    head_total += head
                    head_least = min(head_least, head)
                titled += said[bucket[k]] & 1
                described += said[bucket[k]] >> 1
                words += 1
                k += 1
            table[ROW_LINE_MEAN * count + b] = total / max(1.0, weighted)
            table[ROW_LINE_LOW * count + b] = least
            table[ROW_LINE_HIGH * count + b] = most
            branch = self.branch[self.holder[b]]
            if branch != last_branch:
                last_branch, branch_mean = branch, 0.0
            if table[ROW_HEADING_LEVEL * count + b] > 0:
                mean, low = head_total / max(1.0, heads), head_least
                if branch_mean == 0:
                    branch_mean = mean
            table[ROW_HEADING_MEAN * count + b] = mean
            table[ROW_HEADING_LOW * count + b] = low
            table[ROW_BRANCH_HEADING * count + b] = branch_mean
            table[ROW_TITLED * count + b] = titled / max(1.0, words)
            table[ROW_DESCRIBED * count + b] = described / max(1.0, words)

    def whole_page(self, values, counter_of_tag):
        """Fill WHOLE_PAGE: `values` has the features so far, `counter_of_tag` the place in it to count a tag."""
        count, table = self.count, self.table
        for i in range(self.node_count):
            if self.hidden[i] != HIDDEN:
                values[counter_of_tag[self.tag[i]]] += 1
        words = max(1.0, self.words[count])
        values[PAGE_WORDS], values[PAGE_BLOCKS] = words, count  # the first has counted the tags without a counter
        values[PAGE_LINKS] = self.links[count] / max(1.0, self.all_characters[count])
        values[PAGE_PROSE] = self.prose[count] / words
        values[PAGE_LONG] = self.long_lines[count] / max(1.0, count)
        values[PAGE_STAMPS] = self.stamps[count]
        values[PAGE_CORE_PROSE] = self.prose_of(self.core) / max(1.0, self.prose[count]) if count else 0.0
        values[PAGE_SECOND_CORE] = self.second_core()
        for row in range(len(values)):
            if values[row] != 0:
                for b in range(count):
                    table[(ROW_PAGE + row) * count + b] = values[row]

    def second_core(self):
        """Return the core share of the best container that neither contains the main container nor is part of it."""
        best = 0.0
        core_end = self.end[self.core] if self.node_count else 0
        for i in range(self.node_count):
            is_beside = self.end[i] <= self.core or i >= core_end
            if is_beside and self.core_share[i] > best:
                best = self.core_share[i]
        return best
