"""Computes the figures of one answer to one page."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from pagestrata.evaluate.alignment import MIN_CONTENT_IMPORTANCE, Words, noise_by_importance, occurs_in, recurring
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
from pagestrata.evaluate.noisy_sections import noisy_sections
from pagestrata.evaluate.title_lines import titles_of, without_titles
from pagestrata.results import Role, Section

Figures = dict[str, float]
"""Figures by the names in `summary.COLUMNS` and `summary.SECTION_COLUMNS`; those that do not apply are left out."""
LEVELS: Final = (1, 2)


def score(entry: InputPage, answer: MethodAnswer, siblings: Sequence[InputPage] = ()) -> Figures:
    """Compute all figures that the truth of the page allows."""
    truth = entry.true.truth
    if isinstance(truth, MarkedBlocks):
        return _block_figures(entry, answer, truth)
    return {} if truth.main is None else _text_figures(entry, answer, truth, siblings)


def score_listing(answer: MethodAnswer, regions: Sequence[str]) -> Figures:
    """Compute the region accuracy on a listing; it forgives other regions, so that not all need be known."""
    answered = [part.text for part in answer.parts if part.kept and part.role is Role.MAIN]
    return {"ra_multiple": region_score(answered, regions).accuracy} if regions else {}


# -------------------------------------------------------------------------------------------------------------- text


def _text_figures(entry: InputPage, answer: MethodAnswer, truth: MainText, siblings: Sequence[InputPage]) -> Figures:
    main = truth.main or ""
    text = without_titles(answer.text, titles_of(entry.page, truth.titles))
    return {
        **_named("word", word_score(text, main, truth.optional)),
        **_named("gram", gram_score(text, main)),
        **_named("gram_bag", gram_bag_score(text, main)),
        **_snippet_figures(answer, truth),
        **_region_figures(text, answer, truth),
        **_noise_figures(entry, answer, siblings),
        **_section_figures(entry, answer),
    }


def _snippet_figures(answer: MethodAnswer, truth: MainText) -> Figures:
    """The shares of the wanted and of the unwanted snippets in the answer."""
    pieces = {"with": truth.wanted, "without": truth.unwanted}
    return {name: snippets_found(answer.text, each) for name, each in pieces.items() if each}


def _region_figures(text: str, answer: MethodAnswer, truth: MainText) -> Figures:
    """Scores of article and comment regions, for methods that return comments."""
    if answer.comments is None:
        return {}
    regions = region_score([*filter(None, (text, answer.comments))], [*filter(None, (truth.main, truth.comments))])
    figures = {"ra": regions.accuracy, **_named("region", regions.characters)}
    return {**figures, **_named("comments", word_score(answer.comments, truth.comments))} if truth.comments else figures


def _noise_figures(entry: InputPage, answer: MethodAnswer, siblings: Sequence[InputPage]) -> Figures:
    """Scores of all noise, and of noise that recurs on the siblings; for plain text, all other text is noise."""
    words, is_noise = entry.words, entry.is_noise
    if answer.leaves is None:
        called = [not is_main for is_main in occurs_in(words.lowered, answer.text)]
    else:
        called = noise_by_importance(words, answer.leaves)
    total = noise_score(words.sizes, is_noise, called)
    figures = {"noise_p": total.precision, "noise_r": total.recall}
    if siblings:
        again = recurring(words, entry.keys_by_text, [sibling.keys for sibling in siblings])
        part = noise_score(words.sizes, [noise and here for noise, here in zip(is_noise, again, strict=True)], called)
        figures |= {"recurring_p": part.precision, "recurring_r": part.recall}
    return {name: value for name, value in figures.items() if value is not None}


def _section_figures(entry: InputPage, answer: MethodAnswer) -> Figures:
    """Scores of the sections that are called noise, for methods that return sections."""
    if answer.leaves is None:
        return {}
    words, is_called = entry.words, [leaf.importance < MIN_CONTENT_IMPORTANCE for leaf in answer.leaves]
    noise = noisy_sections(_section_of_words(words, answer.leaves), words.sizes, entry.is_noise, is_called)
    figures = {"section_p": noise.precision, "section_r": noise.recall, "noise_share": noise.share}
    return {name: value for name, value in figures.items() if value is not None}


def _named(name: str, score: Score) -> Figures:
    return {f"{name}_p": score.precision, f"{name}_r": score.recall, f"{name}_f1": score.f1}


# ------------------------------------------------------------------------------------------------------------ blocks


def _block_figures(entry: InputPage, answer: MethodAnswer, truth: MarkedBlocks) -> Figures:
    """Scores of both levels and the better one: level 1 compares the coarse sections, level 2 the leaves."""
    if answer.leaves is None:
        return {}
    words = entry.words
    spans = _word_spans(entry, truth)
    figures: Figures = {}
    for level, sections in zip(LEVELS, (answer.parts, answer.leaves), strict=True):
        answered = _section_of_words(words, sections)
        blocks = {i: spans[i] for i, block in enumerate(truth.blocks) if level in block.levels}
        figures |= _named(f"block{level}", block_score(answered, blocks))
        figures |= _named(f"bcubed{level}", bcubed(answered, _labels(len(answered), blocks), words.sizes))
    best = max(figures[f"block{level}_f1"] for level in LEVELS)
    return {**figures, "block_best_f1": best}


def _section_of_words(words: Words, sections: Sequence[Section]) -> list[int]:
    """The section of each word."""
    section_of = [i for i, section in enumerate(sections) for _ in range(section.block_start, section.block_end)]
    return [section_of[block] for block in words.blocks]


def _word_spans(entry: InputPage, truth: MarkedBlocks) -> list[list[int]]:
    """The places of the words of each block."""
    nodes, ends = entry.words.nodes, entry.page.nodes.end.tolist()
    nodes_of_blocks = block_nodes(entry.true.path, truth.blocks)
    return [
        [place for node in inside for place in range(bisect_left(nodes, node), bisect_left(nodes, ends[node]))]
        for inside in nodes_of_blocks
    ]


def _labels(count: int, blocks: dict[int, list[int]]) -> list[frozenset[int]]:
    """The blocks of each word."""
    labels: list[set[int]] = [set() for _ in range(count)]
    for block, places in blocks.items():
        for place in places:
            labels[place].add(block)
    return [frozenset(each) for each in labels]
