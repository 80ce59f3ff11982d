"""The loops that turn scores into a decision: smooth groups, suppress duplicates, find a threshold, fill gaps.

Compiled with the types in `_decide.pxd` where there is a compiler, interpreted unchanged where there is none.
Importance and scores are doubles, one per block; each loop changes its column in place.
"""

TEXT_LINE = 8
"""Words from which a line counts as part of a text."""
LINKED = 0.3
"""A block with a larger share of links is not part of the text around it."""
MIN_PARAGRAPHS = 3
"""Neighbouring lines of text from which on they are kept or dropped together."""
MAX_GAP = 3
"""The most blocks that may be missing inside kept text before it counts as two texts."""


def smooth_groups(importance, group, word_count, node_count, sums):
    """Give the blocks of each plain list and data table one importance, their mean by words.

    `sums` has room for two numbers per node.
    """
    for b in range(len(importance)):
        node = group[b]
        if node >= 0:
            words = word_count[b] + 1
            sums[node] += words
            sums[node_count + node] += words * importance[b]
    for b in range(len(importance)):
        node = group[b]
        if node >= 0:
            importance[b] = sums[node_count + node] / sums[node]


def smooth_paragraphs(importance, group, blocks, is_usable, parent, tag, number, sums):
    """Give neighbouring lines of text one importance, their mean by words, so that no text is cut in its middle.

    These are usable lines of text in no group that stand in elements of one tag below one parent. `number` has room for
    one number per block, `sums` for three.
    """
    _, _, holder, word_count, characters, link_characters = blocks
    numbers = {}
    count = len(importance)
    for b in range(count):
        number[b] = -1
        is_linked = link_characters[b] >= LINKED * max(1, characters[b])
        if word_count[b] < TEXT_LINE or is_linked or not is_usable[b] or group[b] >= 0:
            continue
        key = parent[holder[b]]
        key = key * 1024 + tag[holder[b]]
        number[b] = numbers.setdefault(key, len(numbers))
        at = 3 * number[b]
        words = word_count[b] + 1
        sums[at] += 1
        sums[at + 1] += words
        sums[at + 2] += words * importance[b]
    for b in range(count):
        at = 3 * number[b]
        if at >= 0 and sums[at] >= MIN_PARAGRAPHS:
            importance[b] = sums[at + 2] / sums[at + 1]


def suppress_duplicates(importance, group, word_count, first_copy, holder, parent, best):
    """Set all but the most important copy of a repeated text to 0, where its surroundings are repeated, too.

    That is a second layout of the page, or a carousel. Copies in lists and tables stay, copies below one parent (a
    refrain is part of the song), and a text that the author repeats between others.
    """
    count = len(importance)
    for b in range(count):
        best[b] = -1
    for b in range(count):
        if word_count[b] >= TEXT_LINE and group[b] < 0:
            copy = first_copy[b]
            if best[copy] < 0 or importance[b] > importance[best[copy]]:
                best[copy] = b
    for b in range(count):
        if word_count[b] >= TEXT_LINE and group[b] < 0:
            kept = best[first_copy[b]]
            if parent[holder[b]] != parent[holder[kept]] and is_beside_copy(b, kept, first_copy, count):
                importance[b] = 0.0


def is_beside_copy(b, other, first_copy, count):
    """Return whether the blocks before, or those after, two copies are copies, too."""
    before = b > 0 and other > 0 and first_copy[b - 1] == first_copy[other - 1]
    return before or (b + 1 < count and other + 1 < count and first_copy[b + 1] == first_copy[other + 1])


def fill_gaps(importance, group, blocks, is_usable, parent, threshold, filled):
    """Raise the few blocks that are missing amid kept text of one container: a formula, a caption, a table.

    A block of importance 0 is a suppressed copy, and stays so.
    """
    _, _, holder, _, characters, link_characters = blocks
    before = -1
    for b in range(len(importance)):
        if importance[b] < threshold:
            continue
        if (
            before >= 0
            and b - before > 1
            and is_gap(before, b, group, is_usable, characters, link_characters, holder, parent)
        ):
            for missing in range(before + 1, b):
                if importance[missing] > 0:
                    importance[missing] = max(importance[missing], filled)
        before = b


def keep_groups(importance, group, blocks, is_usable, parent, threshold, filled):
    """Raise the lists, tables and code that directly follow kept text or a kept heading of the same element."""
    _, _, holder, _, _, _ = blocks
    b, count = 0, len(importance)
    while b < count:
        node, first, is_shown = group[b], b, is_usable[b]
        b += 1
        while node >= 0 and b < count and group[b] == node:
            is_shown = is_shown and is_usable[b]
            b += 1
        if node < 0 or first == 0 or not is_shown or importance[first - 1] < threshold or importance[first] <= 0:
            continue
        above = group[first - 1] if group[first - 1] >= 0 else holder[first - 1]
        if parent[above] == parent[node]:
            for inside in range(first, b):
                importance[inside] = max(importance[inside], filled)


def is_gap(before, after, group, is_usable, characters, link_characters, holder, parent):
    """Return whether the blocks between two kept blocks belong to the same text; lists and tables are not counted."""
    size = 0
    for b in range(before + 1, after):
        size += group[b] < 0
        if not is_usable[b] or link_characters[b] >= LINKED * max(1, characters[b]):
            return False
    one = group[before] if group[before] >= 0 else holder[before]
    other = group[after] if group[after] >= 0 else holder[after]
    up, other_up = parent[one], parent[other]
    return size <= MAX_GAP and (other in (one, up) or other_up in (one, up))


def last_kept(order, importance, words, sharpening, recall, min_words, factors, odds, scores):
    """Return the least important block to keep for the largest expected F1; -1 if too few words are expected.

    `order` has the blocks by importance, the highest first; log odds are multiplied by `sharpening`. With several
    `factors` the expected F1 is averaged over them: each multiplies all odds against. `odds` and `scores` are buffers.
    """
    for place in range(len(order)):
        b = order[place]
        odds[place] = ((1 - importance[b]) / importance[b]) ** sharpening if importance[b] > 0 else -1.0
        scores[place] = 0.0
    for page in range(len(factors)):
        factor = factors[page]
        expected = right = taken = 0.0
        for place in range(len(order)):
            if odds[place] >= 0:
                expected += words[order[place]] / (1 + factor * odds[place])
        if expected < min_words:
            return -1
        for place in range(len(order)):
            if odds[place] >= 0:
                right += words[order[place]] / (1 + factor * odds[place])
            taken += words[order[place]]
            scores[place] += right / max(1e-9, taken + recall * expected)
    last, most = -1, -1.0
    for place in range(len(order)):
        if scores[place] > most:
            last, most = order[place], scores[place]
    return last


def expected_score(importance, words, threshold, min_words):
    """Return the expected F1 of the kept blocks; if none is kept, a value that falls with the expected words."""
    expected = right = taken = 0.0
    kept = 0
    for b in range(len(importance)):
        expected += importance[b] * words[b]
        if importance[b] >= threshold:
            kept += 1
            right += importance[b] * words[b]
            taken += words[b]
    return 2 * right / max(1e-9, taken + expected) if kept else 1 / (1 + expected / min_words)
