"""The characters of a text, for kernels that are interpreted; compiled ones have the C functions of the same names."""


class cython:  # noqa: N801  # stands in for the module of this name
    """Replaces the part of the module `cython` that kernels use where Cython is not installed."""

    compiled = False


def kind_of(text: str) -> int:
    """Return the width of the characters, which matters in C only."""
    return 0


def data_of(text: str) -> str:
    """Return the characters of a text."""
    return text


def letter_at(kind: int, data: str, at: int) -> int:
    """Return the number of a character."""
    return ord(data[at])
