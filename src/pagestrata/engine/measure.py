"""The loops of the engine: a few passes over the nodes and the blocks of a page, for the features and for the choice.

One source, two ways to run: where a compiler was there at install it is compiled with the types in `_measure.pxd`, and
else Python runs it as it stands, on lists. It has no branch for either, so both give the same bits: sums are of whole
numbers or of doubles in one order.

Each method of `Measures` fills the rows of the table that its tuple of names lists; a row has one number per block.
"""

OWN = ("words", "link_share", "prose", "texts", "hidden_by", "usable", "stamp", "ends_sentence")
CONTAINER = ("words", "share", "links", "prose", "long", "blocks")
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
BRANCH = tuple(f"branch_{what}" for what in ("words", "share", "links", "prose", "blocks", "signed", "place"))
PATH = ("path_blocks", "path_words", "path_share", "path_prose", "path_links")
COPIES = ("copies", "copies_before", "copied_2", "copied_4", "copied_branch")
STEPS = (-1, 1)
WIDTHS = (4, 12)
NEIGHBOURS = tuple(f"{what}_at_{step}" for step in STEPS for what in ("words", "links"))
WINDOWS = tuple(f"{what}_window_{width}" for width in WIDTHS for what in ("prose", "long", "links"))
PLACE = ("place", "words_before", "prose_before", "prose_after", "blocks_from_title", "words_from_title")
TALK = (
    "stamps_before",
    "stamps_after",
    "prose_since_stamp",
    "prose_until_stamp",
    "talk_lead",
    "talk_rest",
    "stamps_near",
    "after_longest",
    "own_stretch",
)
HEADINGS = ("heading_level", "since_heading", "words_since_heading", "last_level", "last_linked")
NAMES = ("names_sum", "names_low", "names_high", "names_near", "branch_names")
LINES = ("line_mean", "line_low", "line_high", "heading_mean", "heading_low", "branch_heading", "titled", "described")

PAGE = ("page_words", "page_blocks", "page_links", "page_prose", "page_long", "page_prices", "page_stamps")
"""These and more, of the page as a whole, are in `features.PAGE`."""

LEVELS = 5
"""Containers around a block that are measured, from the nearest on."""
LONG_LINE = 12
"""Words from which a line is a sentence or more."""
TEXT_LINE = 8
"""Words from which a line is surely part of a text."""
SHORT_LINE_SHARE = 0.3
"""What the words of a shorter line count."""
RECORD_SHARE = 0.4
"""What text inside repeated records vouches for its container; once for each level of records."""
STAMP_WORDS = 16
"""A line of at most this many words may say who wrote something and when."""
LETTER_WORDS = 3
"""Words without links from which a line says something."""
LINE_START = 100
"""Characters of a line whose words are looked at one by one."""
NAME_START = 200
"""Characters of a class or id that are looked at."""
BUCKETS = 65_536
"""Words are known by 16 bits of a hash."""
STEP = 0.03125
"""What a word says is told in steps of 1 / 32."""
CONTROL = 1 << 13
"""In a bit set of meanings: part of a form's control."""
MAY_CORE, MAY_RECORD = 1 << 14, 1 << 15
"""In a bit set of meanings, of a tag alone: may hold the text of the page; may be a record."""
LIST, TABLE, LAYOUT = 1, 2, 4
"""In a bit set of parts: what a tag is to a list or table."""
LONGEST_ITEM = 60
"""A table or list with a block of more words is layout, and is cut like any container."""
LINKED = 0.3
"""A list with a larger share of links is not kept or dropped as one; such a block is not part of the text around it."""
FEWEST_PARAGRAPHS = 3
"""Lines of text side by side from which they are kept or left as one."""
WIDEST_HOLE = 3
"""Blocks that may be missing amid kept text before it counts as two texts."""
NEAR_STAMPS = 12
"""Blocks to each side among which stamps are counted."""
INHERITED = (1 << 14) - 1
"""What an element hands down to those inside of it."""


class Measures:
    """The columns of a page, running sums over its blocks, and what the passes over its nodes found."""

    def __init__(self, nodes, blocks, meaning_of_tag, scratch, sums, weights, table):
        self.tag, self.parent, self.end, self.container = nodes
        (self.node_start, self.node_end, self.holder, self.word_count, self.characters, self.link_characters) = blocks
        self.meaning_of_tag = meaning_of_tag
        (self.meaning, self.first, self.path, self.cover, self.signed, self.inner, self.beside, self.branch) = scratch
        (self.words, self.all_characters, self.links, self.prose, self.long, self.copied) = sums
        self.core_shares, self.name_weight = weights
        self.table = table
        self.nodes, self.count = len(self.tag), len(self.node_start)
        self.core = 0

    def walk(self):
        """What comes down to each node: meanings, tag path; and the first block at or after it."""
        block = 0
        for i in range(self.nodes):
            own = self.meaning_of_tag[self.tag[i]]
            up = self.parent[i]
            if up >= 0:
                self.meaning[i] = (self.meaning[up] & INHERITED) | own
                path = self.path[up]
                self.path[i] = (path * 1_000_003 + self.tag[i] + 7) % 2_147_483_629
            else:
                self.meaning[i], self.path[i] = own, self.tag[i]
            while block < self.count and self.node_start[block] < i:
                block += 1
            self.first[i] = block
        self.first[self.nodes] = self.count

    def add_up(self, at, is_unseen, hidden_by, stamped, ended):
        """The running sums; and OWN."""
        count, table = self.count, self.table
        for b in range(count):
            words = self.word_count[b]
            share = self.link_characters[b] / max(1.0, self.characters[b])
            prose = words * (1.0 - share) * (1.0 - share)
            if words < TEXT_LINE:
                prose = prose * SHORT_LINE_SHARE
            usable = not (is_unseen[b] or self.meaning[self.node_start[b]] & CONTROL)
            if not usable:
                prose = 0.0
            self.words[b + 1] = self.words[b] + words
            self.all_characters[b + 1] = self.all_characters[b] + self.characters[b]
            self.links[b + 1] = self.links[b] + self.link_characters[b]
            self.prose[b + 1] = self.prose[b] + prose
            self.long[b + 1] = self.long[b] + (words >= LONG_LINE)
            table[at + b] = words
            table[at + count + b] = share
            table[at + 2 * count + b] = prose
            table[at + 3 * count + b] = self.node_end[b] - self.node_start[b]
            table[at + 4 * count + b] = hidden_by[b]
            table[at + 5 * count + b] = usable
            table[at + 6 * count + b] = stamped[b]
            table[at + 7 * count + b] = ended[b]

    def find_records(self, stamped, kinds, last):
        """Elements that repeat next to each other: same tag, same kinds of children; and which of them are signed."""
        one = 1
        for i in range(self.nodes - 1, 0, -1):
            if self.tag[i] != 0:
                kinds[self.parent[i]] |= one << (self.tag[i] % 62)
        for i in range(1, self.nodes):
            if not self.meaning[i] & MAY_RECORD or self.first[self.end[i]] - self.first[i] < 2:
                continue
            up = self.parent[i]
            before = last[up]
            last[up] = i
            if before > 0 and self.tag[before] == self.tag[i] and kinds[before] == kinds[i]:
                self.inner[i] = i
                if self.inner[before] != before:
                    self.inner[before] = before
                    self.beside[up] += 1
                self.beside[up] += 1
        self.hand_down_records(stamped)

    def hand_down_records(self, stamped):
        """In how many records and signed records each node lies, and the innermost of them."""
        # How many stamps and how many texts there are up to each block: halves of one number.
        seen = stamped
        for b in range(self.count):
            plain = self.word_count[b] * (1.0 - self.link_characters[b] / max(1.0, self.characters[b]))
            seen[self.count + b + 1] = seen[self.count + b] + (plain >= LETTER_WORDS)
            seen[2 * self.count + b + 2] = seen[2 * self.count + b + 1] + stamped[b]
        for i in range(1, self.nodes):
            up = self.parent[i]
            self.cover[i], self.signed[i] = self.cover[up], self.signed[up]
            if self.inner[i] == i:
                first, last = self.first[i], self.first[self.end[i]]
                texts = seen[self.count + last] - seen[self.count + first]
                stamps = seen[2 * self.count + 1 + last] - seen[2 * self.count + 1 + first]
                self.cover[i] += 1
                self.signed[i] += stamps > 0 and texts > 0
            else:
                self.inner[i] = self.inner[up]

    def find_core(self):
        """The container of the running text: paragraphs vouch for it, and less and less for those around it."""
        for b in range(self.count):
            prose = self.prose[b + 1] - self.prose[b]
            node = self.holder[b]
            for _ in range(self.cover[node]):
                prose = prose * RECORD_SHARE
            # Each step up keeps .9, .6, .4 of it.
            self.vouch(node, prose, 1.0)
            node = self.parent[node]
            self.vouch(node, prose, 0.9)
            node = self.parent[node] if node >= 0 else -1
            self.vouch(node, prose, 0.54)
            node = self.parent[node] if node >= 0 else -1
            self.vouch(node, prose, 0.216)
        most = 0.0
        for i in range(self.nodes):
            if self.core_shares[i] > most:
                self.core, most = i, self.core_shares[i]
        for i in range(self.nodes):
            self.core_shares[i] = self.core_shares[i] / most if most > 0 else 0.0

    def vouch(self, node, prose, share):
        """Let text count for an element, if that may be the core."""
        if node >= 0 and self.meaning[node] & MAY_CORE:
            self.core_shares[node] += prose * share

    def find_branches(self, steps):
        """The child of the core or of an element around it that leads to each node, and how many steps below."""
        node = self.core
        while node >= 0:
            steps[node] = -1
            node = self.parent[node]
        for i in range(self.nodes):
            up = self.parent[i]
            if steps[i] < 0 or up < 0:
                self.branch[i], steps[i] = i, -1
            elif steps[up] < 0:
                self.branch[i], steps[i] = i, 0
            else:
                self.branch[i], steps[i] = self.branch[up], steps[up] + 1

    def containers(self, at):
        """CONTAINER, once for each level."""
        for b in range(self.count):
            around = self.holder[b]
            for level in range(LEVELS):
                self.stretch(at + level * 6 * self.count + b, self.first[around], self.first[self.end[around]])
                around = self.around(around)

    def stretch(self, place, first, last):
        """Six measures of a run of blocks."""
        count, table = self.count, self.table
        words = self.words[last] - self.words[first]
        table[place] = words
        table[place + count] = words / max(1.0, self.words[count])
        table[place + 2 * count] = (self.links[last] - self.links[first]) / max(
            1.0, self.all_characters[last] - self.all_characters[first]
        )
        table[place + 3 * count] = (self.prose[last] - self.prose[first]) / max(1.0, words)
        table[place + 4 * count] = (self.long[last] - self.long[first]) / max(1.0, last - first)
        table[place + 5 * count] = last - first

    def around_core(self, at, steps):
        """CORE."""
        count, table, core = self.count, self.table, self.core
        if count == 0:
            return
        start, end = self.first[core], self.first[self.end[core]]
        words = (self.words[end] - self.words[start]) / max(1.0, self.words[count])
        links = (self.links[end] - self.links[start]) / max(1.0, self.all_characters[end] - self.all_characters[start])
        for b in range(count):
            node, holder = self.node_start[b], self.holder[b]
            up = self.parent[holder]
            record = self.inner[node]
            table[at + b] = start <= b < end
            table[at + count + b] = b >= end
            table[at + 2 * count + b] = max(start - b, 0) if b < end else b - end + 1
            table[at + 3 * count + b] = self.core_shares[holder]
            table[at + 4 * count + b] = self.core_shares[up] if up >= 0 else 0.0
            table[at + 5 * count + b] = steps[holder]
            table[at + 6 * count + b] = words
            table[at + 7 * count + b] = links
            table[at + 8 * count + b] = self.cover[node]
            table[at + 9 * count + b] = self.signed[node]
            if record > 0:
                first, last = self.first[record], self.first[self.end[record]]
                table[at + 10 * count + b] = self.beside[self.parent[record]]
                table[at + 11 * count + b] = self.words[last] - self.words[first]
                table[at + 12 * count + b] = (self.links[last] - self.links[first]) / max(
                    1.0, self.all_characters[last] - self.all_characters[first]
                )

    def branches(self, at, stamped):
        """BRANCH."""
        count, table = self.count, self.table
        for b in range(count):
            node = self.branch[self.holder[b]]
            first, last = self.first[node], self.first[self.end[node]]
            words = self.words[last] - self.words[first]
            table[at + b] = words
            table[at + count + b] = words / max(1.0, self.words[count])
            table[at + 2 * count + b] = (self.links[last] - self.links[first]) / max(
                1.0, self.all_characters[last] - self.all_characters[first]
            )
            table[at + 3 * count + b] = (self.prose[last] - self.prose[first]) / max(1.0, words)
            table[at + 4 * count + b] = last - first
            table[at + 5 * count + b] = (stamped[2 * count + 1 + last] - stamped[2 * count + 1 + first]) / max(
                1.0, last - first
            )
            table[at + 6 * count + b] = (b - first) / max(1.0, last - first)

    def same_path(self, at, group, sums):
        """PATH: what the blocks of one tag path have together."""
        count, table = self.count, self.table
        groups = {}
        for b in range(count):
            path = self.path[self.holder[b]]
            group[b] = groups.setdefault(path, len(groups))
            place = 5 * group[b]
            sums[place] += 1
            sums[place + 1] += self.word_count[b]
            sums[place + 2] += self.prose[b + 1] - self.prose[b]
            sums[place + 3] += self.link_characters[b]
            sums[place + 4] += self.characters[b]
        for b in range(count):
            place = 5 * group[b]
            table[at + b] = sums[place]
            table[at + count + b] = sums[place + 1] / sums[place]
            table[at + 2 * count + b] = sums[place + 1] / max(1.0, self.words[count])
            table[at + 3 * count + b] = sums[place + 2] / max(1.0, self.prose[count])
            table[at + 4 * count + b] = sums[place + 3] / max(1.0, sums[place + 4])

    def copies(self, at, first, times):
        """COPIES: how often the page says what a block says, and how much around it is said elsewhere too.

        `first` has the first block with the same text. What is laid out twice, for wide and narrow screens or to slide
        by again and again, and what is said below each of many things, is told by it.
        """
        count, table = self.count, self.table
        for b in range(count):
            if times[first[b]] > 0:  # the table has zeros, and no room is taken where it is not written
                table[at + count + b] = times[first[b]]
            times[first[b]] += 1
        for b in range(count):
            self.copied[b + 1] = self.copied[b] + (self.word_count[b] if times[first[b]] > 1 else 0)
            table[at + b] = times[first[b]]
        if self.copied[count] == 0:
            return
        for b in range(count):
            around = self.around(self.around(self.holder[b]))
            table[at + 2 * count + b] = self.copied_share(around)
            table[at + 3 * count + b] = self.copied_share(self.around(self.around(around)))
            table[at + 4 * count + b] = self.copied_share(self.branch[self.holder[b]])

    def around(self, node):
        """The container around an element; the outermost is its own."""
        up = self.parent[node]
        return self.container[up] if up >= 0 else node

    def copied_share(self, node):
        """The share of an element's words that stand elsewhere too."""
        first, last = self.first[node], self.first[self.end[node]]
        return (self.copied[last] - self.copied[first]) / max(1.0, self.words[last] - self.words[first])

    def neighbours(self, at):
        """NEIGHBOURS, then WINDOWS."""
        count, table = self.count, self.table
        for b in range(count):
            place = at + b
            for step in (-1, 1):
                beside = b + step
                if 0 <= beside < count:
                    table[place] = self.word_count[beside]
                    table[place + count] = self.link_characters[beside] / max(1.0, self.characters[beside])
                else:
                    table[place + count] = 1.0
                place += 2 * count
            for width in (4, 12):
                first, last = max(0, b - width), min(count, b + width + 1)
                words = max(1.0, self.words[last] - self.words[first])
                table[place] = (self.prose[last] - self.prose[first]) / words
                table[place + count] = (self.long[last] - self.long[first]) / max(1.0, last - first)
                table[place + 2 * count] = (self.links[last] - self.links[first]) / max(
                    1.0, self.all_characters[last] - self.all_characters[first]
                )
                place += 3 * count

    def places(self, at, title):
        """PLACE; `title` is the first block of the title, -1 without one."""
        count, table = self.count, self.table
        all_words, all_prose = max(1.0, self.words[count]), max(1.0, self.prose[count])
        for b in range(count):
            table[at + b] = b / max(1.0, count)
            table[at + count + b] = self.words[b] / all_words
            table[at + 2 * count + b] = self.prose[b] / all_prose
            table[at + 3 * count + b] = 1.0 - self.prose[b + 1] / all_prose
            table[at + 4 * count + b] = min(200, max(-50, b - title)) if title >= 0 else -60
            table[at + 5 * count + b] = (self.words[b] - self.words[title]) / all_words if title >= 0 else -1.0

    def talk(self, at, stamped, title):
        """TALK: the lines, from the title on, that say who wrote something and when, and the text between two of them.

        An article has one or two of them and its text in one stretch; then comments may follow, each with its own.
        """
        count, table, prose = self.count, self.table, self.prose
        start = max(0, title)
        total, last, second, long_start, long_end = 0, start, count, start, count
        longest = -1.0
        for b in range(start, count + 1):
            if b == count or stamped[b]:
                if b < count:
                    total += 1
                    if total == 2:
                        second = b
                if prose[b] - prose[last] > longest:
                    longest, long_start, long_end = prose[b] - prose[last], last, b
                last = b
        stamps = 2 * count + 1  # where the running count of stamps begins
        seen, last, following = 0, start, start
        for b in range(count):
            is_stamp = b >= start and stamped[b]
            if is_stamp:
                seen, last = seen + 1, b
            while following <= b or (following < count and not stamped[following]):
                following += 1
            table[at + b] = seen
            table[at + count + b] = total - seen
            table[at + 2 * count + b] = prose[b + 1] - (prose[last] if seen else 0.0)
            table[at + 3 * count + b] = 0.0 if is_stamp else prose[following] - prose[b]
            table[at + 4 * count + b] = prose[second] - prose[start]
            table[at + 5 * count + b] = prose[count] - prose[second]
            first, end = max(start, b - NEAR_STAMPS), max(start, min(count, b + NEAR_STAMPS + 1))
            table[at + 6 * count + b] = stamped[stamps + end] - stamped[stamps + first]
            table[at + 7 * count + b] = -1 if b < long_start else 0 if b < long_end else 1
            table[at + 8 * count + b] = (prose[following] - prose[last]) / max(1.0, longest)

    def headings(self, at, first_heading, last_heading):
        """HEADINGS: the level of a heading, and the last one before each block."""
        count, table = self.count, self.table
        last = -1
        for b in range(count):
            tag = self.tag[self.holder[b]]
            level = tag - first_heading + 1 if first_heading <= tag <= last_heading else 0
            if level:
                last = b
            table[at + b] = level
            if last >= 0:
                table[at + count + b] = min(b - last, 100)
                table[at + 2 * count + b] = self.words[b] - self.words[last]
                table[at + 3 * count + b] = self.tag[self.holder[last]] - first_heading + 1
                table[at + 4 * count + b] = self.link_characters[last] / max(1.0, self.characters[last])
            else:
                table[at + count + b] = 101
                table[at + 2 * count + b] = 10_000

    def meanings(self, at, bits, kinds, kind_rows):
        """In elements of which meaning each block lies: a row for each bit; then the kind of its own tag, likewise."""
        count, table = self.count, self.table
        for b in range(count):
            holder = self.holder[b]
            meaning, kind = self.meaning[holder], kinds[self.tag[holder]]
            for bit in range(bits):
                if meaning >> bit & 1:
                    table[at + bit * count + b] = 1
            for bit in range(kind_rows):
                if kind >> bit & 1:
                    table[at + (bits + bit) * count + b] = 1

    def even_out(self, importance, part_of_tag, layout, whole):
        """Give each plain list and table of data one importance, the mean by words; `whole` gets what each block is in.

        They are no layout: no long lines, and none of the elements that pages are built of. A list is not of links.
        """
        for i in range(self.nodes):
            layout[i + 1] = layout[i] + (part_of_tag[self.tag[i]] & LAYOUT > 0)
        for b in range(self.count):
            whole[b] = -1
        for i in range(self.nodes - 1, -1, -1):  # one around another comes last
            part = part_of_tag[self.tag[i]] & (LIST | TABLE)
            first, last = self.first[i], self.first[self.end[i]]
            if part == 0 or first == last or layout[self.end[i]] > layout[i + 1]:
                continue
            longest = 0
            size = total = linked = 0.0
            for b in range(first, last):
                words = self.word_count[b] + 1
                longest = max(longest, words)
                size += words
                total += words * importance[b]
                linked += words * (self.link_characters[b] / max(1.0, self.characters[b]))
            if longest - 1 <= LONGEST_ITEM and (part == TABLE or linked / size < LINKED):
                for b in range(first, last):
                    importance[b], whole[b] = total / size, i

    def even_paragraphs(self, importance, usable, whole, group, sums):
        """Give lines of text that stand side by side one importance, the mean by words: no text ends in its middle."""
        groups = {}
        for b in range(self.count):
            group[b] = -1
            is_linked = self.link_characters[b] >= LINKED * max(1, self.characters[b])
            if self.word_count[b] < TEXT_LINE or is_linked or not usable[b] or whole[b] >= 0:
                continue
            holder = self.holder[b]
            key = self.parent[holder]
            key = key * 1024 + self.tag[holder]
            group[b] = groups.setdefault(key, len(groups))
            place = 3 * group[b]
            words = self.word_count[b] + 1
            sums[place] += 1
            sums[place + 1] += words
            sums[place + 2] += words * importance[b]
        for b in range(self.count):
            place = 3 * group[b]
            if place >= 0 and sums[place] >= FEWEST_PARAGRAPHS:
                importance[b] = sums[place + 2] / sums[place + 1]

    def leave_copies(self, importance, whole, first, best):
        """Take the importance of texts that stand elsewhere too, but where it is largest.

        Those in lists and tables stay, and those side by side in one element: a refrain is part of the song.
        """
        for b in range(self.count):
            best[b] = -1
        for b in range(self.count):
            if self.is_line_of_text(b, whole) and (best[first[b]] < 0 or importance[b] > importance[best[first[b]]]):
                best[first[b]] = b
        for b in range(self.count):
            if self.is_line_of_text(b, whole):
                kept = best[first[b]]
                if self.parent[self.holder[b]] != self.parent[self.holder[kept]]:
                    importance[b] = 0.0

    def is_line_of_text(self, b, whole):
        """Whether a block is long enough to be one, and in no list or table that is kept or left as one."""
        return self.word_count[b] >= TEXT_LINE and whole[b] < 0

    def fill_holes(self, importance, usable, whole, keep_from, lifted_to):
        """Lift the few blocks that are missing amid kept text of the same container: a formula, a caption, a table.

        What has no importance at all is a second copy of something, and stays so.
        """
        before = -1
        for b in range(self.count):
            if importance[b] < keep_from:
                continue
            if before >= 0 and b - before > 1 and self.is_hole(before, b, usable, whole):
                for missing in range(before + 1, b):
                    if importance[missing] > 0:
                        importance[missing] = max(importance[missing], lifted_to)
            before = b

    def is_hole(self, before, after, usable, whole):
        """Whether what stands between two kept blocks is part of the same text; tables and lists are not counted."""
        size = 0
        for b in range(before + 1, after):
            size += whole[b] < 0
            if not usable[b] or self.link_characters[b] >= LINKED * max(1, self.characters[b]):
                return False
        one = whole[before] if whole[before] >= 0 else self.holder[before]
        other = whole[after] if whole[after] >= 0 else self.holder[after]
        up, other_up = self.parent[one], self.parent[other]
        return size <= WIDEST_HOLE and (other in (one, up) or other_up in (one, up))

    def names(self, at, place, bucket, size, weights, scratch):
        """NAMES: what the names of the elements around each block tell: in sum, the worst, the best, the nearest."""
        count, table, nodes = self.count, self.table, self.nodes
        for k in range(size):
            self.name_weight[place[k]] += weights[bucket[k]] * STEP
        for i in range(nodes):
            own, up = self.name_weight[i], self.parent[i]
            if up < 0:
                scratch[i] = scratch[nodes + i] = scratch[2 * nodes + i] = scratch[3 * nodes + i] = own
                continue
            scratch[i] = scratch[up] + own
            scratch[nodes + i] = min(scratch[nodes + up], own)
            scratch[2 * nodes + i] = max(scratch[2 * nodes + up], own)
            scratch[3 * nodes + i] = own if own != 0 else scratch[3 * nodes + up]
        for b in range(count):
            node = self.holder[b]
            table[at + b] = scratch[node]
            table[at + count + b] = scratch[nodes + node]
            table[at + 2 * count + b] = scratch[2 * nodes + node]
            table[at + 3 * count + b] = scratch[3 * nodes + node]
            table[at + 4 * count + b] = self.name_weight[self.branch[node]]

    def lines(self, at, place, bucket, size, line_weights, heading_weights, said, heading_rows):
        """LINES: what the first words of each block and of the heading above tell, and whether others say them too.

        `said` has bit 0 for words of the title, bit 1 for those of the description.
        """
        count, table = self.count, self.table
        k = 0
        mean = low = branch_mean = 0.0
        last_branch = -1
        for b in range(count):
            known = words = titled = described = heads = 0
            total = head_total = least = head_least = most = 0.0
            while k < size and place[k] == b:
                weight, head = line_weights[bucket[k]] * STEP, heading_weights[bucket[k]] * STEP
                if weight != 0:
                    known += 1
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
            table[at + b] = total / max(1.0, known)
            table[at + count + b] = least
            table[at + 2 * count + b] = most
            branch = self.branch[self.holder[b]]
            if branch != last_branch:
                last_branch, branch_mean = branch, 0.0
            if table[heading_rows + b] > 0:
                mean, low = head_total / max(1.0, heads), head_least
                if branch_mean == 0:
                    branch_mean = mean
            table[at + 3 * count + b] = mean
            table[at + 4 * count + b] = low
            table[at + 5 * count + b] = branch_mean
            table[at + 6 * count + b] = titled / max(1.0, words)
            table[at + 7 * count + b] = described / max(1.0, words)

    def whole(self, at, told, stamped, counted):
        """What is the same for all blocks. `told` has the rest of it; `counted` says where in it a tag is counted."""
        count, table = self.count, self.table
        for i in range(self.nodes):
            told[counted[self.tag[i]]] += 1
        words = max(1.0, self.words[count])
        told[0], told[1] = words, count  # the first has counted the tags that are not
        told[2] = self.links[count] / max(1.0, self.all_characters[count])
        told[3] = self.prose[count] / words
        told[4] = self.long[count] / max(1.0, count)
        told[6] = stamped[3 * count + 1]
        for row in range(len(told)):
            if told[row] != 0:  # see `copies`
                for b in range(count):
                    table[at + row * count + b] = told[row]


# ------------------------------------------------------------------------------------------- for `choose`, by one block


def last_kept(order, importance, words, by, recall, least, factors, odds, found):
    """Up to which block the F1 to expect is largest, from the most important one on; -1 if too few words are expected.

    `order` has the blocks by importance; log odds are taken `by` times. For several `factors` it is the mean over as
    many pages, on each of which all odds against are so many times higher. `odds` and `found` are room to work in.
    """
    for place in range(len(order)):
        b = order[place]
        odds[place] = ((1 - importance[b]) / importance[b]) ** by if importance[b] > 0 else -1.0
        found[place] = 0.0
    for page in range(len(factors)):
        factor = factors[page]
        expected = right = taken = 0.0
        for place in range(len(order)):
            if odds[place] >= 0:
                expected += words[order[place]] / (1 + factor * odds[place])
        if expected < least:
            return -1
        for place in range(len(order)):
            if odds[place] >= 0:
                right += words[order[place]] / (1 + factor * odds[place])
            taken += words[order[place]]
            found[place] += right / max(1e-9, taken + recall * expected)
    last, most = -1, -1.0
    for place in range(len(order)):
        if found[place] > most:
            last, most = order[place], found[place]
    return last


def expected_score(importance, words, keep_from, least):
    """The F1 to expect of what is kept; of nothing, more the further the words expected are below the least."""
    expected = right = taken = 0.0
    kept = 0
    for b in range(len(importance)):
        expected += importance[b] * words[b]
        if importance[b] >= keep_from:
            kept += 1
            right += importance[b] * words[b]
            taken += words[b]
    return 2 * right / max(1e-9, taken + expected) if kept else 1 / (1 + expected / least)
