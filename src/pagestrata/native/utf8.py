"""Test whether bytes are UTF-8, and decode them. Python can do both, and takes twice as long for most pages."""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

if not cython.compiled:
    from pagestrata.native.interpreted import ascii_ahead, record, widened

    Measured = record("state characters highest")

BROKEN, CUT_OFF, WHOLE = 0, 1, 2
"""What bytes may be: no UTF-8, UTF-8 whose last character is incomplete, UTF-8."""


def is_utf8(data):
    """Return whether the bytes are UTF-8; a character that is cut off at the end is ignored."""
    return measure(data, len(data)).state != BROKEN


def decode_utf8(data):
    """Return the text, or None if the bytes are not UTF-8."""
    measured = measure(data, len(data))
    return widened(data, measured.characters, measured.highest) if measured.state == WHOLE else None


def measure(at, size):
    """Count the characters, and find the highest byte that begins one. The ranges are those of Table 3-7 in Unicode."""
    here = characters = highest = 0
    while here < size:
        plain = ascii_ahead(at, here, size)
        if plain:
            here += plain
            characters += plain
            continue
        lead = at[here]
        here += 1
        characters += 1
        if lead < 0x80:
            continue
        low, high = 0x80, 0xBF
        if 0xC2 <= lead <= 0xDF:
            more = 1
        elif 0xE0 <= lead <= 0xEF:
            more = 2
            low = 0xA0 if lead == 0xE0 else low
            high = 0x9F if lead == 0xED else high
        elif 0xF0 <= lead <= 0xF4:
            more = 3
            low = 0x90 if lead == 0xF0 else low
            high = 0x8F if lead == 0xF4 else high
        else:
            return Measured(BROKEN, 0, 0)
        highest = max(highest, lead)
        while more:
            if here == size:
                return Measured(CUT_OFF, 0, 0)
            if not low <= at[here] <= high:
                return Measured(BROKEN, 0, 0)
            low, high = 0x80, 0xBF
            here += 1
            more -= 1
    return Measured(WHOLE, characters, highest)
