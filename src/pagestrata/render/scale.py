"""The colours of importance, the same in the inspector, in pictures, in notebooks and in the terminal.

They go from sand over teal to indigo. The darker a colour, the more important the section: lightness falls along the
whole scale, so that it can be read without seeing hues, and in print.
"""

from typing import Final

STOPS: Final = ((233, 205, 132), (128, 184, 138), (47, 143, 150), (45, 90, 146), (46, 42, 110))
"""Red, green and blue at importance 0, 0.25, 0.5, 0.75 and 1."""
_EQUAL_CONTRAST: Final = 0.179
"""The luminance at which black and white letters have the same contrast (WCAG 2): 4.6 to 1."""


def colour(importance: float) -> tuple[int, int, int]:
    """The colour of an importance, between its two neighbours on the scale.

    >>> colour(0.0), colour(0.125), colour(1.0)
    ((233, 205, 132), (180, 194, 135), (46, 42, 110))
    """
    place = min(max(importance, 0.0), 1.0) * (len(STOPS) - 1)
    first = min(int(place), len(STOPS) - 2)
    red, green, blue = (
        round(low + (high - low) * (place - first)) for low, high in zip(STOPS[first], STOPS[first + 1], strict=True)
    )
    return red, green, blue


def ink(importance: float) -> tuple[int, int, int]:
    """Black or white letters on the colour of an importance, whichever has more contrast.

    >>> ink(0.2), ink(0.9)
    ((0, 0, 0), (255, 255, 255))
    """
    return (0, 0, 0) if _luminance(colour(importance)) > _EQUAL_CONTRAST else (255, 255, 255)


def css(parts: tuple[int, int, int], alpha: float = 1.0) -> str:
    """A colour as CSS.

    >>> css((1, 2, 3), 0.5)
    'rgb(1 2 3 / 0.5)'
    """
    return f"rgb({parts[0]} {parts[1]} {parts[2]} / {alpha:g})"


def _luminance(parts: tuple[int, int, int]) -> float:
    shares = [part / 255 for part in parts]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
