"""The colours of importance: darker is more important, and letters on them can be read."""

from itertools import pairwise

from pagestrata.render.scale import colour, ink

STEPS = [step / 100 for step in range(101)]


def luminance(parts: tuple[int, int, int]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = [part / 3294.6 if part <= 10.31475 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_lightness_falls_along_the_whole_scale() -> None:
    lightness = [luminance(colour(step)) for step in STEPS]
    assert all(later < earlier for earlier, later in pairwise(lightness))


def test_letters_have_enough_contrast_everywhere() -> None:
    for step in STEPS:
        darker, lighter = sorted((luminance(colour(step)), luminance(ink(step))))
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_values_outside_of_the_scale_take_its_ends() -> None:
    assert (colour(0.0), colour(1.0)) == (colour(-1.0), colour(2.0))
