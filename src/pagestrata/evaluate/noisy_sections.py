"""Noisy sections found, as the template paper measures: a section is right or wrong as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MAX_MAIN_SHARE: Final = 0.2
"""A section with a smaller share of main text is noise. In the paper three people judged each section."""


@dataclass(frozen=True, slots=True)
class SectionNoise:
    """Scores of the sections that are called noise; None where there is nothing to divide by."""

    precision: float | None
    recall: float | None
    share: float | None
    """The share of all characters that is in sections called noise."""


def noisy_sections(
    sections: Sequence[int], sizes: Sequence[int], is_noise: Sequence[bool | None], is_called: Sequence[bool]
) -> SectionNoise:
    """Score the sections called noise; the first three have one entry per word, `is_called` one per section.

    A word whose truth is unknown (None) does not judge its section; a section of such words alone is not counted.

    Section 0 is main text, 1 and 2 are noise, 3 is unknown. 1 and 3 are called noise: with 3 left out, one of one is
    right, and one of two is found. They have 4 of 10 characters.

    >>> noisy_sections([0, 0, 1, 2, 3], [2, 2, 2, 2, 2], [False, False, True, True, None], [False, True, False, True])
    SectionNoise(precision=1.0, recall=0.5, share=0.4)
    """
    words, main_words = [0] * len(is_called), [0] * len(is_called)
    for section, noise in zip(sections, is_noise, strict=True):
        words[section] += noise is not None
        main_words[section] += noise is False
    noisy = [main < MAX_MAIN_SHARE * count if count else None for main, count in zip(main_words, words, strict=True)]
    called = [each for each, is_one in zip(noisy, is_called, strict=True) if is_one and each is not None]
    hits, total = called.count(True), noisy.count(True)
    size = sum(size for section, size in zip(sections, sizes, strict=True) if is_called[section])
    return SectionNoise(
        precision=hits / len(called) if called else None,
        recall=hits / total if total else None,
        share=size / sum(sizes) if sizes else None,
    )
