"""Contenders: our methods and other extractors behind the same interface, from a page to an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pagestrata import registry
from pagestrata.algorithms.base import Learner, Segmenter
from pagestrata.api import parse
from pagestrata.evaluate.alignment import Key, Words, keys_by_text, noise_truth, words_of
from pagestrata.evaluate.datasets.truth import MainText, TruePage
from pagestrata.evaluate.names import without_names
from pagestrata.evaluate.peers import load_text
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.results import PageType, Role, Section, Segmentation

OPTIONS: Final = Options()
WHOLE_TEXT: Final = "whole-text"


@dataclass(frozen=True)
class InputPage:
    """A page as the input of a method, with or without its class and id names; parsed and aligned once."""

    true: TruePage
    names_removed: bool = False

    @cached_property
    def markup(self) -> bytes | str:
        """The markup, as the input of other extractors."""
        return without_names(self.true.read()) if self.names_removed else self.true.read()

    @cached_property
    def page(self) -> Page:
        """The parsed page, as the input of our methods."""
        return parse(RawPage(self.markup, self.true.url), options=OPTIONS)

    @cached_property
    def words(self) -> Words:
        """Its visible words."""
        return words_of(self.page)

    @cached_property
    def is_noise(self) -> list[bool | None]:
        """Whether each word is noise according to the truth."""
        truth = self.true.truth
        return noise_truth(self.words, truth) if isinstance(truth, MainText) else [None] * len(self.words.lowered)

    @cached_property
    def keys_by_text(self) -> dict[int, tuple[Key, ...]]:
        """The keys of every text node, which may recur on its siblings."""
        return keys_by_text(self.page)

    @cached_property
    def keys(self) -> frozenset[Key]:
        """All keys of the page."""
        return frozenset(key for keys in self.keys_by_text.values() for key in keys)


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """The answer of a method to a page; None for what the method does not return."""

    text: str
    leaves: tuple[Section, ...] | None = None
    parts: tuple[Section, ...] = ()
    """The coarse sections of the same tree: the children of the root."""
    comments: str | None = None
    page_type: PageType = PageType.UNKNOWN


ReadPage = Callable[[InputPage], MethodAnswer]
"""Reads a page."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A method or extractor that is measured: it reads a page, or learns from siblings to do so."""

    name: str
    read: ReadPage | None = None
    learn: Callable[[Sequence[InputPage], Feed | None], ReadPage] | None = None


def contender(name: str, method: Segmenter | Learner | None = None) -> Contender:
    """A method of the registry by its name, or any other method under a name of its own."""
    learner = registry.method(name) if method is None else method
    if not isinstance(learner, Learner):
        return Contender(name, read=_reader(learner))
    return Contender(name, learn=lambda pages, feed: _reader(learner.learn([entry.page for entry in pages], feed)))


def peer(name: str) -> Contender:
    """Another extractor, or `whole-text`, the baseline that returns all visible text."""
    if name == WHOLE_TEXT:
        return Contender(WHOLE_TEXT, read=lambda entry: MethodAnswer(_visible(entry.words)))
    run = load_text(name)
    return Contender(name, read=lambda entry: MethodAnswer(run(entry.markup)))


def _visible(words: Words) -> str:
    texts = words.page.block_texts()
    return "\n".join(texts[block] for block in dict.fromkeys(words.blocks))


def _reader(segmenter: Segmenter) -> ReadPage:
    return lambda entry: answer_of(entry.page, segmenter.segment(entry.page, OPTIONS))


def answer_of(page: Page, segmentation: Segmentation) -> MethodAnswer:
    """The answer in a segmentation: the kept text without the title, and the text of comments, kept or not."""
    extraction = Extraction(page, OPTIONS, segmentation)
    leaves = tuple(extraction.leaves())
    comments = "\n".join(leaf.text for leaf in leaves if leaf.role is Role.COMMENTS)
    parts = tuple(part for root in segmentation.sections for part in root.children or (root,))
    return MethodAnswer(extraction.text, leaves, parts, comments, segmentation.page_type)
