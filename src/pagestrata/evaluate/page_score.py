"""The figures of one answer to one page."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from pagestrata.evaluate.alignment import Words, noise_by_importance, occurs_in, recurring
from pagestrata.evaluate.contenders import InputPage, MethodAnswer
from pagestrata.evaluate.datasets.block_folders import block_nodes
from pagestrata.evaluate.datasets.truth import MainText, MarkedBlocks
from pagestrata.evaluate.metrics import (
    Score,
    bcubed,
    block_score,
    gram_bag_score,
    gram_score,
    noise_score,
    region_score,
    snippets_found,
    word_score,
)
from pagestrata.evaluate.title_lines import titles_of, without_titles
from pagestrata.results import Section

Figures = dict[str, float]
"""By name, as `summary.COLUMNS` has them; those that a page or a method does not have are left out."""
LEVELS: Final = (1, 2)


def score(given: InputPage, answer: MethodAnswer, siblings: Sequence[InputPage] = ()) -> Figures:
    """All figures that the truth of the page allows."""
    truth = given.true.truth
    if isinstance(truth, MarkedBlocks):
        return _block_figures(given, answer, truth)
    return {} if truth.main is None else _text_figures(given, answer, truth, siblings)


# -------------------------------------------------------------------------------------------------------------- text


def _text_figures(given: InputPage, answer: MethodAnswer, truth: MainText, siblings: Sequence[InputPage]) -> Figures:
    main = truth.main or ""
    text = without_titles(answer.text, titles_of(given.page, truth))
    return {
        **_named("word", word_score(text, main)),
        **_named("gram", gram_score(text, main)),
        **_named("gram_bag", gram_bag_score(text, main)),
        **_snippet_figures(answer, truth),
        **_region_figures(text, answer, truth),
        **_noise_figures(given, answer, siblings),
    }


def _snippet_figures(answer: MethodAnswer, truth: MainText) -> Figures:
    """How many pieces are there of those that should be, and of those that should not."""
    pieces = {"with": truth.wanted, "without": truth.unwanted}
    return {name: snippets_found(answer.text, each) for name, each in pieces.items() if each}


def _region_figures(text: str, answer: MethodAnswer, truth: MainText) -> Figures:
    """Article and comment regions, for methods that tell comments."""
    if answer.comments is None:
        return {}
    regions = region_score([*filter(None, (text, answer.comments))], [*filter(None, (truth.main, truth.comments))])
    found = {"ra": regions.accuracy, **_named("region", regions.characters)}
    return {**found, **_named("comments", word_score(answer.comments, truth.comments))} if truth.comments else found


def _noise_figures(given: InputPage, answer: MethodAnswer, siblings: Sequence[InputPage]) -> Figures:
    """All noise, and that which recurs on the siblings; a text alone says noise is what is not in it."""
    words, is_noise = given.words, given.is_noise
    if answer.leaves is None:
        called = [not said for said in occurs_in(words.said, answer.text)]
    else:
        called = noise_by_importance(words, answer.leaves)
    whole = noise_score(words.sizes, is_noise, called)
    figures = {"noise_p": whole.precision, "noise_r": whole.recall}
    if siblings:
        again = recurring(words, given.keys_by_text, [sibling.keys for sibling in siblings])
        part = noise_score(words.sizes, [noise and here for noise, here in zip(is_noise, again, strict=True)], called)
        figures |= {"recurring_p": part.precision, "recurring_r": part.recall}
    return {name: value for name, value in figures.items() if value is not None}


def _named(name: str, found: Score) -> Figures:
    return {f"{name}_p": found.precision, f"{name}_r": found.recall, f"{name}_f1": found.f1}


# ------------------------------------------------------------------------------------------------------------ blocks


def _block_figures(given: InputPage, answer: MethodAnswer, truth: MarkedBlocks) -> Figures:
    """Both levels apart, and the better of the two: level 1 by the coarse cut of the tree, level 2 by its leaves."""
    if answer.leaves is None:
        return {}
    words = given.words
    spans = _word_spans(given, truth)
    figures: Figures = {}
    for level, sections in zip(LEVELS, (answer.parts, answer.leaves), strict=True):
        answered = _section_of_words(words, sections)
        blocks = {i: spans[i] for i, block in enumerate(truth.blocks) if level in block.levels}
        figures |= _named(f"block{level}", block_score(answered, blocks))
        figures |= _named(f"bcubed{level}", bcubed(answered, _labels(len(answered), blocks), words.sizes))
    best = max(figures[f"block{level}_f1"] for level in LEVELS)
    return {**figures, "block_best_f1": best}


def _section_of_words(words: Words, sections: Sequence[Section]) -> list[int]:
    """The section that each word is in."""
    section_of = [i for i, section in enumerate(sections) for _ in range(section.block_start, section.block_end)]
    return [section_of[block] for block in words.blocks]


def _word_spans(given: InputPage, truth: MarkedBlocks) -> list[list[int]]:
    """The places of the words that are in each block."""
    nodes, ends = given.words.nodes, given.page.nodes.end.tolist()
    found = block_nodes(given.true.path, truth.blocks)
    return [
        [place for node in inside for place in range(bisect_left(nodes, node), bisect_left(nodes, ends[node]))]
        for inside in found
    ]


def _labels(count: int, blocks: dict[int, list[int]]) -> list[frozenset[int]]:
    """The blocks that each word is in."""
    labels: list[set[int]] = [set() for _ in range(count)]
    for block, places in blocks.items():
        for place in places:
            labels[place].add(block)
    return [frozenset(each) for each in labels]
