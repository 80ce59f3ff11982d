"""Sections called noise, as the template paper measures."""

import pytest

from pagestrata.evaluate.noisy_sections import MAX_MAIN_SHARE, SectionNoise, noisy_sections


@pytest.mark.parametrize(("main_words", "precision"), [(0, 1.0), (1, 1.0), (2, 0.0), (10, 0.0)])
def test_a_section_is_noise_below_a_fifth_of_main_text(main_words: int, precision: float) -> None:
    """One of ten words is less than a fifth, two are not."""
    assert MAX_MAIN_SHARE == 0.2
    is_noise = [False] * main_words + [True] * (10 - main_words)
    assert precision == noisy_sections([0] * 10, [1] * 10, is_noise, [True]).precision


def test_without_anything_to_divide_by_there_is_no_figure() -> None:
    assert SectionNoise(None, None, None) == noisy_sections([], [], [], [])
    assert SectionNoise(None, None, 0.0) == noisy_sections([0], [5], [False], [False])
    assert SectionNoise(0.0, None, 1.0) == noisy_sections([0], [5], [False], [True])


def test_sections_of_unknown_words_are_not_counted_but_have_a_share() -> None:
    assert SectionNoise(None, None, 1.0) == noisy_sections([0, 0], [3, 4], [None, None], [True])
