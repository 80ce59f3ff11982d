"""Blocks from key patterns of child tags (IJAIS 7(1), 2014, after REPS: Kang, Yang and Choi, 2010).

Neighbours that come again in the same order belong together: `h2 p p` twice among the children of an element are two
blocks. Follows the paper in what is a repetition, a key pattern, a virtual node and in importance as a count of tags.

Ours, where the paper is silent:

- The paper looks at one level. We go on level by level into elements that are important enough; the others between
  them stay together, so that the paragraphs of an article are one block.
- Formatting tags are dissolved in a view, the page stays as it is; what stands in them goes to the element around.
- Where matches of a key pattern overlap (`dt dd dt dd` in a longer list of such pairs), each step from one to the next
  is a block. So long lists are cut into records, not in halves.
- All mixed key patterns cut together, from left to right; runs of equal tags are then grouped inside of the blocks.
- Importance is brought to [0, 1] as tags / (tags + min_importance), which is 0.5 at the threshold.
- An element whose blocks are all below the threshold is kept whole; the paper eliminates each of these blocks.

`Repetition(published=True)` does without the levels, the steps and the last rule.

All repetitions of a sequence are found with one suffix automaton, which is linear in its length: a state stands for
all subsequences that end at the same places, and the first and the last of these say how long one may be without
overlap. At most one key pattern begins at each place, or one would hold the other, so that matching is linear too.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.results import SectionTree, Segmentation

CONFIDENCE: Final = 0.3
"""The confidence of every result: the paper counts tags and reads no text."""
MIN_LENGTH: Final = 4
"""The length of the shortest sequence with a repetition: two times two elements."""

_DISSOLVED: Final = frozenset(
    tags.numbers_of(
        "a abbr acronym b bdi bdo big blink br cite code data del dfn em font i ins kbd label mark nobr q rb rp rt rtc "
        "ruby s samp slot small span strike strong sub sup time tt u var wbr picture source track param map area"
    )
)
_REMOVED: Final = frozenset(tags.numbers_of("head script style template noscript link meta base title"))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A subsequence that repeats."""

    length: int
    ends: tuple[int, ...]
    """One past the last place of each match, in order; matches may overlap."""

    @property
    def step(self) -> int:
        """The smallest distance from one match to the next if they overlap, or else its length."""
        return min(self.length, *(after - before for before, after in pairwise(self.ends)))


@dataclass(frozen=True, slots=True)
class Repetition:
    """Cuts a page where sequences of tags repeat."""

    min_importance: int = 4
    """Tags that a block must have to be kept. The paper names no number; docs/papers/repetition.md has the curve."""
    published: bool = False
    """True: one sequence is cut, blocks begin at matches that do not overlap, and each block below the threshold is
    eliminated, as in the paper."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Cut the page into blocks, level by level, and weigh each by its tags."""
        if len(page.nodes) == 0:
            return SectionTree((), CONFIDENCE)
        view = _View(page)
        if self.published:
            return segmentation(page, self._published_parts(view), options, CONFIDENCE)
        return segmentation(page, self._parts(view), options, CONFIDENCE, rest=self._part(view, [0]))

    def _published_parts(self, view: "_View") -> Iterator[Part]:
        """Yield the blocks of one sequence; an element that is in no virtual node is a block of its own."""
        children = view.first_sequence()
        blocks = virtual_nodes([view.tag[child] for child in children], by_step=False)
        in_blocks = {place for start, end in blocks for place in range(start, end)}
        alone = [(place, place + 1) for place in range(len(children)) if place not in in_blocks]
        for start, end in (*blocks, *alone):
            yield self._part(view, children[start:end])

    def _parts(self, view: "_View") -> Iterator[Part]:
        """Yield the blocks, each before those inside it."""
        waiting = [0]
        while waiting:
            children = view.children[waiting.pop()]
            important = [view.tags_in(child) >= self.min_importance for child in children]
            blocks = virtual_nodes([view.tag[child] for child in children])
            places = {*blocks, *_pieces(important, blocks)} - {(0, len(children))}  # that is the element itself
            parts = [self._part(view, children[start:end]) for start, end in sorted(places)]
            if any(part.signals["tags"] >= self.min_importance for part in parts):
                yield from parts
            waiting.extend(child for child, is_important in zip(children, important, strict=True) if is_important)

    def _part(self, view: "_View", elements: Sequence[int]) -> Part:
        count = sum(map(view.tags_in, elements))
        return Part(
            view.start[elements[0]],
            view.end[elements[-1]],
            count / (count + self.min_importance),
            reasons=(f"{count:,} tags in {len(elements):,} elements",),
            signals={"tags": float(count)},
        )


def _pieces(important: list[bool], blocks: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Return the pieces of blocks: each important element, and each run of other elements between them.

    >>> list(_pieces([True, False, False, False], [(0, 4), (2, 4)]))
    [(0, 1), (1, 2), (2, 4)]
    """
    edges = {edge for block in blocks for edge in block}
    for i, (before, here) in enumerate(pairwise(important), 1):
        if before or here:
            edges.add(i)
    return pairwise(sorted(edges | {0, len(important)}))


def key_patterns(sequence: Sequence[Hashable]) -> list[Pattern]:
    """Return the repetitions that are not part of another, in the order of their first match.

    >>> key_patterns("ABCABD")
    [Pattern(length=2, ends=(2, 5))]
    """
    states = Automaton(sequence)
    ends: dict[int, list[int]] = {}
    key_of = states.keys()
    for end, state in enumerate(states.prefixes, 1):
        if key_of[state]:
            ends.setdefault(key_of[state], []).append(end)
    return [Pattern(states.longest[key], tuple(match_ends)) for key, match_ends in ends.items()]


def virtual_nodes(sequence: Sequence[Hashable], by_step: bool = True) -> list[tuple[int, int]]:
    """Return the blocks of a sequence as (start, end), those inside another after it.

    Where matches of a key pattern overlap, blocks begin at each step from one to the next, or, without `by_step` as in
    the paper, at each match that does not overlap the one before.

    >>> sequence = "h p p u p p h p p p p p p d".split()
    >>> ["".join(sequence[start:end]) for start, end in virtual_nodes(sequence)]
    ['hppupp', 'hppppppd', 'pppppp']
    """
    if len(sequence) < MIN_LENGTH:
        return []
    runs = _runs(sequence)
    if len(runs) == 1:
        return runs
    patterns = key_patterns(sequence)
    run_end = [end for start, end in runs for _ in range(start, end)]
    is_equal = [run_end[pattern.ends[0] - pattern.length] >= pattern.ends[0] for pattern in patterns]
    mixed = [pattern for pattern, equal in zip(patterns, is_equal, strict=True) if not equal]
    cuts = _cuts(sequence, mixed, by_step)
    blocks = list(pairwise((*cuts, len(sequence)))) if cuts else []
    cut_blocks = set(blocks)
    grouped = {
        sequence[pattern.ends[0] - 1]: pattern for pattern, equal in zip(patterns, is_equal, strict=True) if equal
    }
    for start, end in _split(runs, cuts):
        pattern = grouped.get(sequence[start])
        if pattern and end - start >= pattern.length and (start, end) not in cut_blocks:
            blocks.append((start, end))
    return blocks


def _runs(sequence: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the runs of equal elements as (start, end).

    >>> _runs("aab")
    [(0, 2), (2, 3)]
    """
    edges = [i for i in range(1, len(sequence)) if sequence[i] != sequence[i - 1]]
    return list(pairwise((0, *edges, len(sequence))))


def _split(runs: list[tuple[int, int]], cuts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return the runs, split where a block begins."""
    edges = {start for start, _ in runs}.union(cuts)
    return pairwise((*sorted(edges), runs[-1][1]))


def _cuts(sequence: Sequence[Hashable], patterns: list[Pattern], by_step: bool) -> list[int]:
    """Return where blocks begin: at each match that does not overlap the one before, and at 0 if there is a match."""
    steps = [pattern.step if by_step else pattern.length for pattern in patterns]
    matches = sorted(
        (end - pattern.length, end, step) for pattern, step in zip(patterns, steps, strict=True) for end in pattern.ends
    )
    cuts, reached = [0] if matches else [], 0
    for start, end, step in matches:
        if start < reached:
            continue
        reached = end
        if step < end - start:
            while reached < len(sequence) and sequence[reached] == sequence[reached - step]:
                reached += 1
        cuts.extend(range(start, reached, step))
    return sorted(set(cuts))


class Automaton:
    """The suffix automaton of a sequence (Blumer et al., 1985), with the lengths of its repetitions.

    State i stands for the subsequences that end at the same places; the longest has `length[i]` elements, and each
    shorter one is its end, down to one more than the length of `link[i]`.
    """

    def __init__(self, sequence: Sequence[Hashable]) -> None:
        self.length, self.link, self.following = [0], [-1], [dict[Hashable, int]()]
        self.first = [0]
        """One past the last place of the first match."""
        self.prefixes: list[int] = []
        """The state of the sequence up to each place."""
        for element in sequence:
            self._add(element)
        self.longest = self._longest()

    def shortest(self, state: int) -> int:
        """Return the length of the shortest subsequence of a state."""
        return self.length[self.link[state]] + 1

    def keys(self) -> list[int]:
        """Return for each state the state whose longest repetition is a key pattern and a suffix of it; 0 for none."""
        longest = self.longest
        is_key = [
            size > 1 and not any(longest[after] > size for after in following.values())
            for size, following in zip(longest, self.following, strict=True)
        ]
        keys = [0] * len(longest)
        order = sorted(range(1, len(longest)), key=self.length.__getitem__)
        for i in order:  # a repetition that can be extended to the left is no key pattern
            if longest[i] > longest[self.link[i]]:
                is_key[self.link[i]] = False
        for i in order:
            keys[i] = i if is_key[i] else keys[self.link[i]]
        return keys

    def _longest(self) -> list[int]:
        """Return for each state the length of its longest repetition; 0 for none."""
        last, half = self.first.copy(), len(self.prefixes) // 2
        for i in sorted(range(1, len(last)), key=self.length.__getitem__, reverse=True):
            last[self.link[i]] = max(last[self.link[i]], last[i])
        sizes = (min(size, last[i] - self.first[i], half) for i, size in enumerate(self.length))
        return [size if i and size >= max(2, self.shortest(i)) else 0 for i, size in enumerate(sizes)]

    def _add(self, element: Hashable) -> None:
        before = self.prefixes[-1] if self.prefixes else 0
        new = self._state(self.length[before] + 1, 0, {}, len(self.prefixes) + 1)
        self.prefixes.append(new)
        while before >= 0 and element not in self.following[before]:
            self.following[before][element] = new
            before = self.link[before]
        if before >= 0:
            self.link[new] = self._suffix(before, element)

    def _suffix(self, before: int, element: Hashable) -> int:
        """Return the state of the longest suffix that occurred before, split off if it was part of a longer one."""
        target = self.following[before][element]
        if self.length[target] == self.length[before] + 1:
            return target
        split = self._state(
            self.length[before] + 1, self.link[target], self.following[target].copy(), self.first[target]
        )
        self.link[target] = split
        while before >= 0 and self.following[before].get(element) == target:
            self.following[before][element] = split
            before = self.link[before]
        return split

    def _state(self, length: int, link: int, following: dict[Hashable, int], first: int) -> int:
        self.length.append(length)
        self.link.append(link)
        self.following.append(following)
        self.first.append(first)
        return len(self.length) - 1


class _View:
    """The page without the less meaningful tags; nodes are those of the page."""

    def __init__(self, page: Page) -> None:
        tag, parents, ends = page.nodes.tag.tolist(), page.nodes.parent.tolist(), page.nodes.end.tolist()
        self.tag, self.end = tag, ends
        self.children: dict[int, list[int]] = {0: []}
        self.start = {0: 0}
        """The start of each element, including the formatting tags around it."""
        is_remaining = np.zeros(len(tag) + 1, np.int32)
        is_remaining[1] = 1
        around, top, skip = [0] * len(tag), [0] * len(tag), 1
        for node, number in enumerate(tag):
            if node < skip or number == tags.TEXT:
                continue
            if number in _REMOVED:
                skip = ends[node]
                continue
            parent = parents[node]
            in_formatting = tag[parent] in _DISSOLVED
            outer, start = (around[parent], top[parent]) if in_formatting else (parent, node)
            if number in _DISSOLVED:
                around[node], top[node] = outer, start
                continue
            is_remaining[node + 1] = 1
            siblings = self.children[outer]
            self.start[node] = node if siblings and siblings[-1] >= start else start
            self.children[node] = []
            siblings.append(node)
        self.tags_before = np.cumsum(is_remaining).tolist()

    def first_sequence(self) -> list[int]:
        """Return the children of the first element, from the body down, that has enough of them for a repetition.

        The paper takes the children of the root, of which many pages have only one; without a long enough sequence,
        the longest on the way is returned.
        """
        node = next((node for node in self.children if self.tag[node] == tags.TAG["body"]), 0)
        longest = self.children[node]
        while len(longest) < MIN_LENGTH and self.children[node]:
            node = max(self.children[node], key=self.tags_in)
            longest = max(longest, self.children[node], key=len)
        return longest

    def tags_in(self, node: int) -> int:
        """Return the number of remaining tags in an element, itself included."""
        return int(self.tags_before[self.end[node]] - self.tags_before[node])


def repetition_published() -> Repetition:
    """Return the method as the paper has it."""
    return Repetition(published=True)
