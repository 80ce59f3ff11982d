"""Raised and lowered numbers, which plain letters would change: ten to the sixth is not 106."""

from typing import Final

from pagestrata.page import tags

_PLAIN: Final = "0123456789+-=()"
_MINUS: Final = {ord("\u2212"): ord("-")}
_FORMS: Final = {
    tags.TAG["sup"]: str.maketrans(_PLAIN + "ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"),
    tags.TAG["sub"]: str.maketrans(_PLAIN, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"),
}


def as_raised(text: str, tag_around: int) -> str:
    """A text with the raised or lowered forms of its characters, if `<sup>` or `<sub>` is right around it.

    Where Unicode has no such form for one of them ("1st", "max"), all stay as they are.

    >>> as_raised("-6", tags.TAG["sup"]), as_raised("2", tags.TAG["sub"]), as_raised("st", tags.TAG["sup"])
    ('⁻⁶', '₂', 'st')
    """
    forms = _FORMS.get(tag_around)
    if forms is None:
        return text
    plain = text.translate(_MINUS)
    return plain.translate(forms) if all(ord(char) in forms for char in plain) else text
