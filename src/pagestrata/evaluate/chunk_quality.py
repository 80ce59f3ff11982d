"""How good chunks are: their sizes, and whether search finds the answer in the first of them.

    python -m pagestrata.evaluate.chunk_quality PAGES… [--words 300] [--pages 200]

PAGES are folders that are searched for `*.html`. The splitters of LangChain (`langchain-text-splitters`) and LlamaIndex
(`llama-index-core`) are measured on the same Markdown and on the text of trafilatura, if they are installed:

- the share of chunks whose words are within 50 % of the size that was asked for; pages shorter than that are left out;
- questions: a heading with the title of its page, put to BM25 over the chunks of all pages. The answer is the first, or
  the last, line of text under the heading. It is found if the chunk that is ranked first holds all its words in order.
"""

import argparse
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pagestrata.api import extract
from pagestrata.extraction import Extraction
from pagestrata.page.text import words
from pagestrata.render.chunk_units import count_words

K1: Final = 1.2
B: Final = 0.75
"""The usual parameters of BM25."""
MIN_ANSWER: Final = 6
"""Words of a line from which it may be an answer."""
_HEADING = re.compile(r"^#{2,6} (.+)$", re.MULTILINE)
_MARKUP = re.compile(r"(?<=\])\([^)\s]*\)")


@dataclass(frozen=True)
class PageTexts:
    """A page, read by us and, on request, by trafilatura."""

    data: bytes

    @cached_property
    def extraction(self) -> Extraction:
        """The extraction of the page."""
        return extract(self.data)

    @cached_property
    def trafilatura(self) -> str:
        """The text that trafilatura keeps."""
        from trafilatura import extract as extract_text

        return extract_text(self.data) or ""


Splitter = Callable[[PageTexts], list[str]]
"""Cuts a page into texts to search in."""


@dataclass(frozen=True, slots=True)
class Question:
    """A heading with the title of its page, and the lines under it."""

    text: str
    first: str
    last: str


def normalised(text: str) -> str:
    """Return the words of a text in lower case, with one blank around each."""
    return f" {' '.join(words(_MARKUP.sub('', text).lower()))} "


def questions_of(markdown: str, title: str) -> Iterator[Question]:
    """Yield a question for each heading with text right below it."""
    edges = [(match.start(), match.end(), match[1]) for match in _HEADING.finditer(markdown)]
    for (_, start, heading), (end, _, _) in pairwise([*edges, (len(markdown), len(markdown), "")]):
        lines = [line for line in markdown[start:end].split("\n") if len(words(line)) >= MIN_ANSWER]
        if lines:
            yield Question(f"{title} {_MARKUP.sub('', heading)}", normalised(lines[0]), normalised(lines[-1]))


class Bm25:
    """Ranks texts for a query."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.lengths = []
        for number, text in enumerate(texts):
            counts = Counter(text.split())
            self.lengths.append(counts.total())
            for word, count in counts.items():
                self.postings[word].append((number, count))
        self.mean = sum(self.lengths) / max(1, len(self.lengths))

    def best(self, query: str) -> int:
        """Return the text that is ranked first."""
        scores: dict[int, float] = defaultdict(float)
        for word in set(query.split()):
            found = self.postings.get(word, [])
            weight = math.log(1 + (len(self.lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                length = self.lengths[number] / self.mean
                scores[number] += weight * count * (K1 + 1) / (count + K1 * (1 - B + B * length))
        return max(scores, key=lambda number: (scores[number], -number), default=0)


def splitters(size: int) -> dict[str, Splitter]:
    """Return what is measured: our chunks, without and with their path, and the splitters that are installed."""
    ours: dict[str, Splitter] = {
        "pagestrata": lambda page: [chunk.markdown for chunk in page.extraction.chunks(size)],
        "pagestrata, with title and path": lambda page: [
            " ".join((chunk.title, *chunk.heading_path, chunk.markdown)) for chunk in page.extraction.chunks(size)
        ],
    }
    for load in (_langchain, _llama_index):
        with suppress(ImportError):
            ours |= load(size)
    return ours


def _langchain(size: int) -> dict[str, Splitter]:
    import langchain_text_splitters as langchain

    settings: dict[str, Any] = {"chunk_size": size, "chunk_overlap": 0, "length_function": count_words}
    plain = langchain.RecursiveCharacterTextSplitter(**settings)
    by_size = langchain.RecursiveCharacterTextSplitter.from_language(langchain.Language.MARKDOWN, **settings)
    levels = [("#" * level, f"h{level}") for level in range(1, 7)]
    by_heading = langchain.MarkdownHeaderTextSplitter(levels, strip_headers=False)

    def with_path(page: PageTexts) -> list[str]:
        documents = by_size.split_documents(by_heading.split_text(page.extraction.markdown))
        return [" ".join((*each.metadata.values(), each.page_content)) for each in documents]

    return {
        "LangChain, Markdown": lambda page: by_size.split_text(page.extraction.markdown),
        "LangChain, headings, with path": with_path,
        "LangChain, text of trafilatura": lambda page: plain.split_text(page.trafilatura),
    }


def _llama_index(size: int) -> dict[str, Splitter]:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter

    by_size = SentenceSplitter(chunk_size=size, chunk_overlap=0, tokenizer=words)
    by_heading = MarkdownNodeParser()

    def with_path(page: PageTexts) -> list[str]:
        nodes = by_heading.get_nodes_from_documents([Document(text=page.extraction.markdown)])
        texts = [(str(node.metadata.get("header_path", "")), node.get_content()) for node in nodes]
        return [f"{path} {piece}" for path, text in texts for piece in by_size.split_text(text)]

    return {
        "LlamaIndex, sentences": lambda page: by_size.split_text(page.extraction.markdown),
        "LlamaIndex, headings, with path": with_path,
        "LlamaIndex, text of trafilatura": lambda page: by_size.split_text(page.trafilatura),
    }


def share_of_sizes(chunks: Sequence[Sequence[str]], size: int) -> float:
    """Return the share of chunks within half of the size that was asked for, on pages with at least that much."""
    counts = [[count_words(chunk) for chunk in page] for page in chunks]
    sizes = [count for page in counts if sum(page) >= size for count in page]
    return sum(size / 2 <= count <= size * 1.5 for count in sizes) / max(1, len(sizes))


def shares_found(chunks: Sequence[Sequence[str]], questions: Sequence[Question]) -> tuple[float, float]:
    """Return the share of questions whose first chunk holds the first line of the answer, and the last line."""
    texts = [normalised(chunk) for page in chunks for chunk in page]
    index = Bm25(texts)
    best = [texts[index.best(normalised(question.text))] if texts else "" for question in questions]
    rows = list(zip(best, questions, strict=True))
    total = max(1, len(rows))
    first = sum(question.first in text for text, question in rows) / total
    return first, sum(question.last in text for text, question in rows) / total


def main(arguments: Sequence[str]) -> None:
    """Measure the pages of a few folders, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m pagestrata.evaluate.chunk_quality")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--words", type=int, default=300)
    parser.add_argument("--pages", type=int, default=200)
    settings = parser.parse_args(arguments)
    files = sorted(file for folder in settings.folders for file in folder.rglob("*.html"))
    files = random.Random(7).sample(files, min(settings.pages, len(files)))  # noqa: S311 - a sample, not a secret
    pages = [PageTexts(file.read_bytes()) for file in files]
    answers = [page.extraction for page in pages]
    questions = [question for page in answers for question in questions_of(page.markdown, page.title or "")]
    print(f"{len(pages)} pages, {len(questions)} questions, chunks of {settings.words} words")
    print("| | chunks | within ±50 % | first line found | last line found |\n|---|--:|--:|--:|--:|")
    for name, split in splitters(settings.words).items():
        chunks = [split(page) for page in pages]
        found = shares_found(chunks, questions)
        count = sum(map(len, chunks))
        print(f"| {name} | {count} | {share_of_sizes(chunks, settings.words):.3f} | {found[0]:.3f} | {found[1]:.3f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
