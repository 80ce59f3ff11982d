"""The functions that compiled kernels have in C, for interpreted kernels: same names, same results."""

import re
from dataclasses import make_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.int16]
_BITS = 1 << np.arange(6, dtype=np.int32)


class cython:  # noqa: N801  # stands in for the module of this name
    """Replaces the part of the module `cython` that kernels use where Cython is not installed."""

    compiled = False


def width_of(text: str) -> int:
    """Return the bytes of a character: an interpreted string is always read as one of four."""
    return 4


def letters_4(text: str) -> list[int]:
    """Return the characters of a text as numbers."""
    letters: list[int] = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).tolist()
    return letters


letters_1 = letters_2 = letters_4


def is_alnum(letter: int) -> bool:
    """Return whether a character is a letter or a digit, in any script."""
    return chr(letter).isalnum()


def is_space(letter: int) -> bool:
    """Return whether a character is white space, in any script."""
    return chr(letter).isspace()


def new_letters(size: int, width: int) -> list[int]:
    """Return room for characters."""
    return [0] * size


def room_4(room: list[int]) -> list[int]:
    """Return where the characters stand, which is a pointer in C."""
    return room


room_1 = room_2 = room_4


def text_of(letters: list[int], length: int) -> str:
    """Return the first characters as a text."""
    return "".join(map(chr, letters[:length]))


_ASCII = re.compile(rb"[\0-\x7f]*")


def ascii_ahead(data: bytes, here: int, size: int) -> int:
    """Return how many bytes from here on are ASCII."""
    return len(_ASCII.match(data, here)[0])  # type: ignore[index]


def widened(data: bytes, characters: int, highest: int) -> str:
    """Return the characters of what is UTF-8."""
    return data.decode()


def record(fields: str) -> type[Any]:
    """Return a class with these fields; in C it is a struct."""
    return make_dataclass("Record", fields.split(), slots=True)


new_rows = list
"""Return room for records, which grows with `rows_in`."""


def rows_in(rows: list[Any], count: int) -> list[Any]:
    """Return the records, with room for one more if `count` needs it; a pointer in C, where they may move."""
    if len(rows) < count:
        rows.append(None)
    return rows


nodes_in = blocks_in = attributes_in = opened_in = formatting_in = rows_in


def bytes_of(rows: list[Any], count: int, width: int) -> bytes:
    """Return the numbers of the first records, one after another."""
    return np.array([getattr(row, field) for row in rows[:count] for field in row.__slots__], np.int32).tobytes()


def is_same_key(data: bytes, start: int, other: int, length: int) -> bool:
    """Return whether two ranges of bytes are the same."""
    return data[start : start + length] == data[other : other + length]


def is_digit_or_space(letter: int) -> bool:
    """Return whether a character is a decimal digit or white space, in any script."""
    return chr(letter).isdecimal() or chr(letter).isspace()


def key_of(text: str, start: int, end: int) -> int:
    """Return a hash of a stretch of a text; it need not be that of the compiled kernel."""
    return hash(text[start:end])


def is_same_text(text: str, start: int, end: int, other: int, other_end: int) -> bool:
    """Return whether two stretches of a text have the same characters."""
    return text[start:end] == text[other:other_end]


def answer(
    feature: Ints,
    threshold: Floats,
    tree: int,
    level: int,
    table: Floats,
    start: int,
    size: int,
    reached: Ints,
    row: int,
) -> None:
    """Evaluate one split for a run of columns, and set its bit in the number of the leaf that each column reaches."""
    if level == 0:
        reached[row] = 0
    values = table[feature[tree, level], start : start + size]
    reached[row, :size] |= (values > threshold[tree, level]).astype(np.int32) << level


def answer_six(
    feature: Ints, threshold: Floats, tree: int, trees: int, table: Floats, start: int, size: int, reached: Ints
) -> None:
    """Evaluate all splits of some neighbouring trees with six levels."""
    for row in range(trees):
        answers = table[feature[tree + row], start : start + size] > threshold[tree + row, :, None]
        reached[row, :size] = _BITS @ answers


def add_leaves(leaf: Ints, tree: int, trees: int, reached: Ints, total: Ints, size: int) -> None:
    """Add the values of the reached leaves of some neighbouring trees to the totals."""
    for row in range(trees):
        total[:size] += leaf[tree + row, reached[row, :size]]


def add_taken(
    steps: npt.NDArray[np.int64],
    tree: int,
    first: int,
    reached: Ints,
    moved: npt.NDArray[np.int64],
    group: int,
    start: int,
    size: int,
) -> None:
    """Add the contribution of the last split to the row of its group."""
    moved[group, start : start + size] += steps[tree, first + reached[0, :size]]


def find_ranks(table: Floats, borders: Floats, feature: int, start: int, levels: Bytes) -> None:
    """Fill the column of one feature: how many of its borders lie below each value."""
    values = table[feature, start : start + len(levels)]
    levels[:, feature] = np.searchsorted(borders[feature], values)


def copy_inputs(inputs: Bytes, block: int, seen: Shorts, row: int, tap: int) -> None:
    """Copy what a block gives to its place among all inputs of another one: nothing beyond both ends of the page."""
    count = inputs.shape[1]
    seen[row, tap * count : (tap + 1) * count] = inputs[block] if 0 <= block < len(inputs) else 0


def sum_products(seen: Shorts, weights: Shorts, bias: Ints, sums: Ints) -> None:
    """Compute the sums of a layer for some blocks. Doubles hold them exactly, and numpy multiplies those fastest."""
    sums[:] = seen.astype(np.float64) @ weights.T.astype(np.float64) + bias


def add_rectified(sums: Ints, row: int, shift: int, most: int, outputs: Bytes, block: int) -> None:
    """Add to the outputs of a block what is above 0, shifted; an output is at most `most`."""
    outputs[block] = np.minimum(outputs[block] + (np.maximum(sums[row], 0) >> shift), most)


def find_letter(letters: bytes | list[int], letter: int, here: int, size: int) -> int:
    """Find the next such letter before `size`, which is returned if there is none."""
    try:
        return letters.index(letter, here, size)
    except ValueError:
        return size


def is_like(data: bytes, start: int, end: int, small: bytes) -> bool:
    """Return whether these bytes, in any case, equal `small`, which is in lower case."""
    return data[start:end].lower() == small


def without_ranges(data: bytes, ranges: npt.NDArray[np.int64], count: int, total: int) -> bytes:
    """Return the bytes without those in the ranges, whose bounds stand one after another."""
    bounds = [0, *ranges[:count].tolist(), len(data)]
    return b"".join(data[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)) if total else data


def low_64(number: int) -> int:
    """Return the last 64 bits of a number; in C it has no more."""
    return number & 0xFFFFFFFFFFFFFFFF


bit_count = int.bit_count
"""Return how many bits of a number are set."""


def single(number: float) -> float:
    """Round a number to single precision."""
    return float(np.float32(number))


def new_doubles(size: int) -> list[float]:
    """Return room for numbers."""
    return [0.0] * size


def doubles_of(room: list[float]) -> list[float]:
    """Return where the numbers stand, which is a pointer in C."""
    return room
