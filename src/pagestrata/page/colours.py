"""Colours of CSS: from a value of a style to red, green and blue, and how near two of them are."""

import colorsys
import re
from functools import lru_cache
from typing import Final

Colour = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""
WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
CLEAR: Final = "transparent"
"""In place of a colour: one that lets see what is behind it."""
MIN_ALPHA: Final = 0.1
"""The opacity below which a colour counts as transparent."""

_NAMED: Final[dict[str, str]] = dict(
    pair.split("=")
    for pair in (
        "aliceblue=#f0f8ff antiquewhite=#faebd7 aqua=#00ffff aquamarine=#7fffd4 azure=#f0ffff beige=#f5f5dc "
        "bisque=#ffe4c4 black=#000000 blanchedalmond=#ffebcd blue=#0000ff blueviolet=#8a2be2 brown=#a52a2a "
        "burlywood=#deb887 cadetblue=#5f9ea0 chartreuse=#7fff00 chocolate=#d2691e coral=#ff7f50 "
        "cornflowerblue=#6495ed cornsilk=#fff8dc crimson=#dc143c cyan=#00ffff darkblue=#00008b darkcyan=#008b8b "
        "darkgoldenrod=#b8860b darkgray=#a9a9a9 darkgreen=#006400 darkgrey=#a9a9a9 darkkhaki=#bdb76b "
        "darkmagenta=#8b008b darkolivegreen=#556b2f darkorange=#ff8c00 darkorchid=#9932cc darkred=#8b0000 "
        "darksalmon=#e9967a darkseagreen=#8fbc8f darkslateblue=#483d8b darkslategray=#2f4f4f darkslategrey=#2f4f4f "
        "darkturquoise=#00ced1 darkviolet=#9400d3 deeppink=#ff1493 deepskyblue=#00bfff dimgray=#696969 "
        "dimgrey=#696969 dodgerblue=#1e90ff firebrick=#b22222 floralwhite=#fffaf0 forestgreen=#228b22 fuchsia=#ff00ff "
        "gainsboro=#dcdcdc ghostwhite=#f8f8ff gold=#ffd700 goldenrod=#daa520 gray=#808080 green=#008000 "
        "greenyellow=#adff2f grey=#808080 honeydew=#f0fff0 hotpink=#ff69b4 indianred=#cd5c5c indigo=#4b0082 "
        "ivory=#fffff0 khaki=#f0e68c lavender=#e6e6fa lavenderblush=#fff0f5 lawngreen=#7cfc00 lemonchiffon=#fffacd "
        "lightblue=#add8e6 lightcoral=#f08080 lightcyan=#e0ffff lightgoldenrodyellow=#fafad2 lightgray=#d3d3d3 "
        "lightgreen=#90ee90 lightgrey=#d3d3d3 lightpink=#ffb6c1 lightsalmon=#ffa07a lightseagreen=#20b2aa "
        "lightskyblue=#87cefa lightslategray=#778899 lightslategrey=#778899 lightsteelblue=#b0c4de "
        "lightyellow=#ffffe0 lime=#00ff00 limegreen=#32cd32 linen=#faf0e6 magenta=#ff00ff maroon=#800000 "
        "mediumaquamarine=#66cdaa mediumblue=#0000cd mediumorchid=#ba55d3 mediumpurple=#9370db mediumseagreen=#3cb371 "
        "mediumslateblue=#7b68ee mediumspringgreen=#00fa9a mediumturquoise=#48d1cc mediumvioletred=#c71585 "
        "midnightblue=#191970 mintcream=#f5fffa mistyrose=#ffe4e1 moccasin=#ffe4b5 navajowhite=#ffdead navy=#000080 "
        "oldlace=#fdf5e6 olive=#808000 olivedrab=#6b8e23 orange=#ffa500 orangered=#ff4500 orchid=#da70d6 "
        "palegoldenrod=#eee8aa palegreen=#98fb98 paleturquoise=#afeeee palevioletred=#db7093 papayawhip=#ffefd5 "
        "peachpuff=#ffdab9 peru=#cd853f pink=#ffc0cb plum=#dda0dd powderblue=#b0e0e6 purple=#800080 "
        "rebeccapurple=#663399 red=#ff0000 rosybrown=#bc8f8f royalblue=#4169e1 saddlebrown=#8b4513 salmon=#fa8072 "
        "sandybrown=#f4a460 seagreen=#2e8b57 seashell=#fff5ee sienna=#a0522d silver=#c0c0c0 skyblue=#87ceeb "
        "slateblue=#6a5acd slategray=#708090 slategrey=#708090 snow=#fffafa springgreen=#00ff7f steelblue=#4682b4 "
        "tan=#d2b48c teal=#008080 thistle=#d8bfd8 tomato=#ff6347 turquoise=#40e0d0 violet=#ee82ee wheat=#f5deb3 "
        "white=#ffffff whitesmoke=#f5f5f5 yellow=#ffff00 yellowgreen=#9acd32 "
    ).split()
)
"""The colours of CSS Color 4 by their names."""
_SYSTEM: Final = {"canvas": WHITE, "field": WHITE, "canvastext": BLACK, "fieldtext": BLACK}
"""System colours, as most browsers show them."""
_FUNCTION = re.compile(r"(rgb|hsl|lab|lch|oklab|oklch|color)a?\(([^()]{1,99})\)")
_GRADIENT = re.compile(r"(?:[a-z]+-)*gradient\((.*)\)", re.DOTALL)
_WORD = re.compile(r"[a-z#][^,()\s]*(?:\([^()]*\))?")
_DIRECTIONS: Final = frozenset("to top bottom left right deg turn at circle ellipse center".split())
_LIGHTEST: Final = {"lab": 100.0, "lch": 100.0, "oklab": 1.0, "oklch": 1.0}


@lru_cache(maxsize=4096)
def colour_of(text: str) -> Colour | str | None:
    """Return a colour, `CLEAR` for a transparent one, or None for what is no plain colour.

    >>> colour_of("White"), colour_of("#fff0"), colour_of("hsl(0 100% 50%)"), colour_of("url(a.png) #fff")
    ((255, 255, 255), 'transparent', (255, 0, 0), None)
    """
    text = text.strip().lower()
    if text == CLEAR:
        return CLEAR
    if text in _SYSTEM:
        return _SYSTEM[text]
    text = _NAMED.get(text, text)
    if re.fullmatch(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", text):
        return _of_digits(text[1:])
    function = _FUNCTION.fullmatch(text)
    if function is not None:
        return _of_function(function[1], re.split(r"[\s,/]+", function[2].strip()))
    gradient = _GRADIENT.fullmatch(text)
    return _of_gradient(gradient[1]) if gradient is not None else None


def are_near(one: Colour, other: Colour, distance: int) -> bool:
    """Return whether no part of two colours differs by more than `distance`.

    >>> are_near((255, 255, 255), (255, 255, 240), 16), are_near((0, 0, 0), (0, 0, 17), 16)
    (True, False)
    """
    return all(abs(a - b) <= distance for a, b in zip(one, other, strict=True))


def _of_digits(digits: str) -> Colour | str:
    if len(digits) <= 4:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue, *alpha = bytes.fromhex(digits)
    return CLEAR if alpha and alpha[0] < 255 * MIN_ALPHA else (red, green, blue)


def _of_function(name: str, parts: list[str]) -> Colour | str | None:
    """Return the colour of a function such as `rgb`; of lab and its like only white and black."""
    if name == "color" and parts.pop(0) != "srgb":
        return None
    whole = {"rgb": 255.0, "hsl": 1.0, "color": 1.0}.get(name, _LIGHTEST.get(name, 1.0))
    numbers = [_number(part, whole if place < 3 else 1.0) for place, part in enumerate(parts)]
    if len(numbers) not in (3, 4) or any(number is None for number in numbers):
        return None
    first, second, third, *alpha = (number or 0.0 for number in numbers)
    if alpha and alpha[0] < MIN_ALPHA:
        return CLEAR
    if name in _LIGHTEST:
        return {0.0: BLACK, _LIGHTEST[name]: WHITE}.get(first)
    if name == "rgb":
        first, second, third = first / 255, second / 255, third / 255
    elif name == "hsl":
        first, second, third = colorsys.hls_to_rgb(first / 360, third, second)
    red, green, blue = (min(255, max(0, round(255 * part))) for part in (first, second, third))
    return red, green, blue


def _number(text: str, whole: float) -> float | None:
    """Return a number; a percentage is a share of `whole`."""
    found = re.fullmatch(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?)(%|deg)?|none", text)
    if found is None:
        return None
    number = float(found[1] or 0)
    return number * whole / 100 if found[2] == "%" else number


def _of_gradient(stops: str) -> Colour | str | None:
    """Return the colour of a gradient whose stops all have the same one."""
    colours = {colour_of(word) for word in _WORD.findall(stops) if word not in _DIRECTIONS}
    return colours.pop() if len(colours) == 1 else None
