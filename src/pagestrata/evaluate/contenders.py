"""Who is measured: our methods and other extractors, all behind one call from a page to an answer."""

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
from pagestrata.results import PageType, Role, Section, Segmentation

OPTIONS: Final = Options()
WHOLE: Final = "whole-text"


@dataclass(frozen=True)
class InputPage:
    """A page as it is given to a method: as it came, or without names. What is read from it is kept."""

    true: TruePage
    names_removed: bool = False

    @cached_property
    def markup(self) -> bytes | str:
        """What others are given."""
        return without_names(self.true.read()) if self.names_removed else self.true.read()

    @cached_property
    def page(self) -> Page:
        """What our methods are given."""
        return parse(self.markup, self.true.url, OPTIONS)

    @cached_property
    def words(self) -> Words:
        """Its words, to be told apart into main text and noise."""
        return words_of(self.page)

    @cached_property
    def is_noise(self) -> list[bool | None]:
        """Of every word whether it is noise, as the truth has it."""
        truth = self.true.truth
        return noise_truth(self.words, truth) if isinstance(truth, MainText) else [None] * len(self.words.said)

    @cached_property
    def keys_by_text(self) -> dict[int, tuple[Key, ...]]:
        """What may come again on its siblings, for every text."""
        return keys_by_text(self.page)

    @cached_property
    def keys(self) -> frozenset[Key]:
        """All that may come again."""
        return frozenset(key for keys in self.keys_by_text.values() for key in keys)


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """What was said of a page; None where a method says nothing of the kind."""

    text: str
    leaves: tuple[Section, ...] | None = None
    parts: tuple[Section, ...] = ()
    """The coarse cut of the same tree: what stands right below the root."""
    comments: str | None = None
    page_type: PageType = PageType.UNKNOWN


ReadPage = Callable[[InputPage], MethodAnswer]
"""From a page to an answer."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One that is measured: it reads a page, or learns from siblings how to."""

    name: str
    read: ReadPage | None = None
    learn: Callable[[Sequence[InputPage], Feed | None], ReadPage] | None = None


def contender(name: str, method: Segmenter | Learner | None = None) -> Contender:
    """A method of the registry by its name, or any other under the name that it is given."""
    found = registry.method(name) if method is None else method
    if not isinstance(found, Learner):
        return Contender(name, read=_reader(found))
    learner = found
    return Contender(name, learn=lambda pages, feed: _reader(learner.learn([given.page for given in pages], feed)))


def peer(name: str) -> Contender:
    """Another extractor, or `whole-text`: all that can be seen, as the naive answer."""
    if name == WHOLE:
        return Contender(WHOLE, read=lambda given: MethodAnswer(_visible(given.words)))
    run = load_text(name)
    return Contender(name, read=lambda given: MethodAnswer(run(given.markup)))


def _visible(words: Words) -> str:
    starts, ends = words.page.blocks.text_start.tolist(), words.page.blocks.text_end.tolist()
    return "\n".join(words.page.text[starts[block] : ends[block]] for block in dict.fromkeys(words.blocks))


def _reader(segmenter: Segmenter) -> ReadPage:
    return lambda given: answer_of(given.page, segmenter.segment(given.page, OPTIONS))


def answer_of(page: Page, found: Segmentation) -> MethodAnswer:
    """What the sections say: the text of those kept, without the title, and that of comments, kept or not."""
    extraction = Extraction(page, OPTIONS, found)
    leaves = tuple(extraction.leaves())
    comments = "\n".join(leaf.text for leaf in leaves if leaf.role is Role.COMMENTS)
    parts = tuple(part for root in found.sections for part in root.children or (root,))
    return MethodAnswer(extraction.text, leaves, parts, comments, found.page_type)
