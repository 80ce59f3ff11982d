"""The loops that fill the context of each block: how likely the text around it is main text, by the first scores.

Row `r` of block `b` is `table[r * count + b]`. A mean over blocks is by words, and a block counts as a fifth of a word
more than it has, so that lines without words have a mean, too; what is not usable does not count.

Compiled with the types in `_context.pxd` where there is a compiler, interpreted unchanged where there is none.
"""

LEVELS = 5
"""Containers around a block whose mean is taken, from the nearest on."""
WIDTHS = (1, 2, 4, 12)
"""Blocks to both sides over which a mean is taken."""
UNUSABLE = -8.0
"""The log odds of a block that is hidden or part of a form."""
NONE = -1.0
"""The mean where there is nothing to take it of."""
EXTRA_WORDS = 0.2

OWN = ("score", "score_before", "score_after")
MEANS = (
    *(f"mean_{level}" for level in range(LEVELS)),
    *(f"mean_within_{width}" for width in WIDTHS),
    *("mean_path", "mean_branch", "mean_record", "mean_records", "mean_comments"),
)
"""Of its containers, its neighbours, the blocks of its tag path, its branch of the core, its record, the records beside
it, and its comment region."""
CURVE = ("text_before", "text_after", "above_threshold", "kept_before", "from_first", "from_last", "rank")
"""Its place in the text that is expected, and on the curve of the expected F1."""
COLUMNS = (*OWN, *MEANS, *CURVE)

ROW_SCORE, ROW_SCORE_BEFORE, ROW_SCORE_AFTER = range(3)
ROW_MEAN = len(OWN)
ROW_WITHIN = ROW_MEAN + LEVELS
ROW_PATH = ROW_WITHIN + len(WIDTHS)
ROW_BRANCH, ROW_RECORD, ROW_RECORDS, ROW_COMMENTS = range(ROW_PATH + 1, ROW_PATH + 5)
(
    ROW_TEXT_BEFORE,
    ROW_TEXT_AFTER,
    ROW_ABOVE_THRESHOLD,
    ROW_KEPT_BEFORE,
    ROW_FROM_FIRST,
    ROW_FROM_LAST,
    ROW_RANK,
) = range(ROW_PATH + 5, ROW_PATH + 12)


class ContextLoops:
    """The columns of a page, the first scores of its blocks, and the table that each method fills some rows of."""

    def __init__(self, nodes, blocks, of_nodes, is_usable, log_odds, chance, sums, table):
        _, self.parent, self.end, self.container = nodes
        self.node_start, _, self.holder, self.word_count, _, _ = blocks
        _, self.first_block, self.tag_path, _, _, self.record, _, self.branch, _ = of_nodes
        self.is_usable, self.log_odds, self.chance, self.table = is_usable, log_odds, chance, table
        self.words, self.text = sums
        self.count = len(self.holder)

    def sum_up(self):
        """Sum up words and expected words of main text, so that a mean over a run of blocks is two subtractions."""
        for b in range(self.count):
            words = (self.word_count[b] + EXTRA_WORDS) * self.is_usable[b]
            self.words[b + 1] = self.words[b] + words
            self.text[b + 1] = self.text[b] + words * self.chance[b]

    def mean(self, first, last):
        """Return the mean chance of the blocks from `first` up to `last`."""
        return (self.text[last] - self.text[first]) / max(0.1, self.words[last] - self.words[first])

    def mean_of(self, node):
        """Return the mean chance of the blocks of an element."""
        return self.mean(self.first_block[node], self.first_block[self.end[node]])

    def own(self):
        """Fill OWN: the score of the block and those of its neighbours."""
        count, table = self.count, self.table
        for b in range(count):
            score = self.log_odds[b] if self.is_usable[b] else UNUSABLE
            table[ROW_SCORE * count + b] = score
            if b + 1 < count:
                table[ROW_SCORE_BEFORE * count + b + 1] = score
            if b > 0:
                table[ROW_SCORE_AFTER * count + b - 1] = score
        if count > 0:
            table[ROW_SCORE_BEFORE * count] = table[ROW_SCORE_AFTER * count + count - 1] = UNUSABLE

    def means(self, widths, comment_start, comment_stop, found_by):
        """Fill MEANS but for that of the tag path."""
        count, table = self.count, self.table
        for b in range(count):
            node = self.holder[b]
            for level in range(LEVELS):
                table[(ROW_MEAN + level) * count + b] = self.mean_of(node)
                up = self.parent[node]
                node = self.container[up] if up >= 0 else node
            for place in range(len(widths)):
                first, last = max(0, b - widths[place]), min(count, b + widths[place] + 1)
                table[(ROW_WITHIN + place) * count + b] = self.mean(first, last)
            table[ROW_BRANCH * count + b] = self.mean_of(self.branch[self.holder[b]])
            record = self.record[self.node_start[b]]
            table[ROW_RECORD * count + b] = self.mean_of(record) if record > 0 else NONE
            table[ROW_RECORDS * count + b] = self.mean_of(self.parent[record]) if record > 0 else NONE
            is_comment = found_by[b] > 0
            table[ROW_COMMENTS * count + b] = self.mean(comment_start[b], comment_stop[b]) if is_comment else NONE

    def same_path(self, path_group, sums):
        """Fill the mean of the blocks with the same tag path; `sums` has room for two numbers per block."""
        count, table = self.count, self.table
        groups = {}
        for b in range(count):
            path_group[b] = groups.setdefault(self.tag_path[self.holder[b]], len(groups))
            at = 2 * path_group[b]
            sums[at] += self.words[b + 1] - self.words[b]
            sums[at + 1] += self.text[b + 1] - self.text[b]
        for b in range(count):
            at = 2 * path_group[b]
            table[ROW_PATH * count + b] = sums[at + 1] / max(0.1, sums[at])

    def curve(self, order):
        """Fill CURVE; `order` has the blocks by their chance, the highest first."""
        count, table = self.count, self.table
        if count == 0:
            return
        threshold = self.best_threshold(order)
        first, last, all_kept = -1, -1, 0.0
        for b in range(count):
            table[ROW_RANK * count + order[b]] = b / max(1.0, count)
            if table[ROW_SCORE * count + b] >= threshold:
                first, last = b if first < 0 else first, b
                all_kept += self.word_count[b] * self.is_usable[b]
        all_text, kept = max(1.0, self.text[count]), 0.0
        for b in range(count):
            table[ROW_TEXT_BEFORE * count + b] = self.text[b] / all_text
            table[ROW_TEXT_AFTER * count + b] = (self.text[count] - self.text[b + 1]) / all_text
            table[ROW_ABOVE_THRESHOLD * count + b] = table[ROW_SCORE * count + b] - threshold
            table[ROW_KEPT_BEFORE * count + b] = kept / max(1.0, all_kept)
            table[ROW_FROM_FIRST * count + b] = b - first
            table[ROW_FROM_LAST * count + b] = last - b
            if table[ROW_SCORE * count + b] >= threshold:
                kept += self.word_count[b] * self.is_usable[b]

    def best_threshold(self, order):
        """Return the score of the last block that is kept where the expected F1 is largest."""
        expected = right = taken = most = 0.0
        best = order[0]
        for b in range(self.count):
            expected += self.chance[b] * self.word_count[b]
        for place in range(self.count):
            b = order[place]
            right += self.chance[b] * self.word_count[b]
            taken += self.word_count[b] * self.is_usable[b]
            score = right / max(1.0, taken + expected)
            if score > most:
                best, most = b, score
        return self.table[ROW_SCORE * self.count + best]
