"""The survey of a page before the parser reads it, and the scan of the stream that the parser writes.

Both are compiled for all three widths of a Python string, so that offsets are code points and nothing is copied first.
The numbers of tags, columns and flags belong to `page`, which passes them once to `set_up`.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

import numpy as np

if not cython.compiled:
    from pagestrata.native.interpreted import (
        attributes_in,
        blocks_in,
        bytes_of,
        find_letter,
        formatting_in,
        is_alnum,
        is_same_key,
        is_space,
        letters_1,
        letters_2,
        letters_4,
        low_64,
        new_letters,
        new_rows,
        nodes_in,
        opened_in,
        record,
        room_1,
        room_2,
        room_4,
        text_of,
        width_of,
    )

    Node = record("parent end depth tag text_start text_end attr_start attr_end flags words container")
    Block = record("node_start node_end container text_start text_end words characters link_characters hidden_by")
    Attribute = record("number name_start value_start value_end")
    Opened = record("row inherited container behaviour is_block first_text last_text")
    Formatting = record("name start length")
    Escape = record("letter last")

NODE_COLUMNS, BLOCK_COLUMNS, ATTRIBUTE_COLUMNS = 11, 9, 4
"""The fields of `Node`, `Block` and `Attribute`, which are in the order of the columns in `page.columns`."""
NO_NAME = -1
"""The number of names that have none."""

# ---------------------------------------------------------------------------------------------------- names and tables

SLOTS, LAST_SLOT = 1024, 1023
"""Places in a hash table of names, of which less than a fifth are used."""
MIXER = 0x9E3779B97F4A7C15
"""A number that spreads keys over the table, by Fibonacci hashing."""


class Names:
    """The numbers of names, in a hash table by their last eight letters."""

    def __init__(self, spellings):
        self.keys = np.zeros(SLOTS, np.uint64) if cython.compiled else [0] * SLOTS
        self.lengths = np.zeros(SLOTS, np.int32) if cython.compiled else [0] * SLOTS
        self.numbers = np.zeros(SLOTS, np.int32) if cython.compiled else [0] * SLOTS
        self.spellings = [b""] * SLOTS
        for number, spelling in enumerate(spellings):
            key = 0
            for letter in spelling.encode():
                key = spell(key, letter)
            slot = slot_of(key)
            while self.lengths[slot]:
                slot = (slot + 1) & LAST_SLOT
            self.keys[slot], self.lengths[slot], self.numbers[slot] = key, len(spelling), number
            self.spellings[slot] = spelling.encode()

    def number_of(self, key, at, start, end):
        """Return the number of the name between two places, whose last eight letters are the key."""
        slot, length = slot_of(key), end - start
        while self.lengths[slot]:
            is_alike = self.keys[slot] == key and self.lengths[slot] == length
            if is_alike and (length <= 8 or self.is_spelled(slot, at, start, end)):
                return self.numbers[slot]
            slot = (slot + 1) & LAST_SLOT
        return NO_NAME

    def is_spelled(self, slot, at, start, end):
        """Return whether the letters between two places begin with the name in a slot."""
        return begins(at, start, end, self.spellings[slot], False)


def spell(key, letter):
    """Return the last eight letters of a name with one more letter, 0 if it is not of ASCII."""
    return low_64(key << 8 | (letter if letter < 128 else 0))


def slot_of(key):
    """Return the first slot of a name in the hash table."""
    return low_64(key * MIXER) >> 54  # ten bits


OTHER, WHITE, LETTER, TAG_STARTS, ESCAPE_STARTS = 0, 1, 2, 4, 8
"""The kinds of characters in a text."""
PLAIN, UNUSUAL, ENDS_NAME = 0, 1, 2
"""The kinds of bytes in the name of a tag."""


def _kind_of_letter(letter):
    if letter in "<&":
        return TAG_STARTS if letter == "<" else ESCAPE_STARTS
    if letter.isspace() or letter == "\x7f":
        return WHITE
    return LETTER if letter.isalnum() or letter == "_" else OTHER


def _kind_in_name(letter):
    if letter in "\t\n\f\r /><":
        return ENDS_NAME
    return PLAIN if letter.isascii() and (letter.isalnum() or letter in ":_-.") else UNUSUAL


_TABLES = (
    bytes([_kind_of_letter(chr(code)) for code in range(128)]),
    bytes([_kind_in_name(chr(code)) for code in range(256)]),
    bytes([code | 32 if 65 <= code <= 90 else code for code in range(256)]),
)
KIND_OF_LETTER, KIND_IN_NAME, LOWERED = _TABLES[0], _TABLES[1], _TABLES[2]


def set_up(tags, columns, unspaced_ranges):
    """Store the numbers of `page.tags` and `page.columns`, and the scripts that are written without spaces."""
    global TAG_COUNT, BEHAVIOUR, UNSPACED, TAG_NAMES, ATTRIBUTE_NAMES
    TAG_COUNT, TAG_NAMES, ATTRIBUTE_NAMES = len(tags.TAGS), Names(tags.TAGS), Names(tags.ATTRIBUTES)
    bounds = [bound for low_and_high in unspaced_ranges for bound in low_and_high]
    BEHAVIOUR = np.array(tags.BEHAVIOUR, np.int32) if cython.compiled else tags.BEHAVIOUR
    UNSPACED = np.array(bounds, np.uint32) if cython.compiled else bounds
    _set_up_behaviours(tags)
    _set_up_hiding(tags)
    _set_up_flags(columns)
    _set_up_survey(tags, columns)


def _set_up_behaviours(tags):
    global BLOCK, SILENT, PRE, BREAK, LINK, DETAILS, SUMMARY, DIALOG, OPAQUE, SCRIPTLESS, FALLBACK
    BLOCK, SILENT, PRE, BREAK, LINK, DETAILS = tags.BLOCK, tags.SILENT, tags.PRE, tags.BREAK, tags.LINK, tags.DETAILS
    SUMMARY, DIALOG, OPAQUE = tags.SUMMARY, tags.DIALOG, tags.OPAQUE
    SCRIPTLESS, FALLBACK = tags.SCRIPTLESS, tags.FALLBACK


def _set_up_hiding(tags):
    global BY_STYLE, BY_ATTRIBUTE, BY_NOSCRIPT, BY_FALLBACK, BY_DIALOG, BY_DETAILS, BY_ARIA
    global HREF, STYLE, HIDDEN, ARIA, OPEN
    BY_STYLE, BY_ATTRIBUTE, BY_NOSCRIPT = tags.BY_STYLE, tags.BY_ATTRIBUTE, tags.BY_NOSCRIPT
    BY_FALLBACK, BY_DIALOG, BY_DETAILS, BY_ARIA = tags.BY_FALLBACK, tags.BY_DIALOG, tags.BY_DETAILS, tags.BY_ARIA
    HREF, STYLE, HIDDEN = tags.ATTRIBUTE["href"], tags.ATTRIBUTE["style"], tags.ATTRIBUTE["hidden"]
    ARIA, OPEN = tags.ATTRIBUTE["aria-hidden"], tags.ATTRIBUTE["open"]


def _set_up_flags(columns):
    global STARTS_BLOCK, IN_LINK, IN_PRE, IS_BLOCK, UNREACHABLE, HIDDEN_SHIFT, HIDDEN_BITS, INHERITED
    STARTS_BLOCK, IN_LINK, IN_PRE, IS_BLOCK = columns.STARTS_BLOCK, columns.IN_LINK, columns.IN_PRE, columns.IS_BLOCK
    UNREACHABLE, HIDDEN_SHIFT, HIDDEN_BITS = columns.UNREACHABLE, columns.HIDDEN_SHIFT, columns.HIDDEN_BITS
    INHERITED = IN_LINK | IN_PRE | UNREACHABLE | HIDDEN_BITS


def _set_up_survey(tags, columns):
    global WATCHED_NAMES, SCRIPT, STYLE_TAG, TEMPLATE, MATH, IFRAME, NOSCRIPT
    global ODD_NAMES, TEMPLATES, MATHS, OPEN_FRAMES
    WATCHED_NAMES = Names((*tags.FORMATTING, "script", "style", "template", "math", "iframe", "noscript"))
    SCRIPT = len(tags.FORMATTING)
    STYLE_TAG, TEMPLATE, MATH, IFRAME, NOSCRIPT = SCRIPT + 1, SCRIPT + 2, SCRIPT + 3, SCRIPT + 4, SCRIPT + 5
    ODD_NAMES, TEMPLATES, MATHS, OPEN_FRAMES = columns.ODD_NAMES, columns.TEMPLATES, columns.MATHS, columns.OPEN_FRAMES


# --------------------------------------------------------------------------------------------------- before the parser

TAG_KEY_BYTES = 256
"""Bytes by which tags are compared."""
HARMLESS_OPEN = 16
"""Formatting tags that may be open at no cost: pages of the nineties wrap everything in a few."""
MOST_OPEN = 1_000
"""Formatting tags that may be open at once; no page written by a person has more."""
MOST_ALIKE = 3
"""Formatting tags that may be open at once with the same attributes, by the HTML standard."""


def survey(data, tag_budget, rebuild_budget):
    """Count what costs the parser time, and note what needs care; return (tags, cut, dissolve, signs).

    `cut` is the offset of the first tag past the budget, `dissolve` the offset from which formatting tags left open
    would be rebuilt more often than the budget allows; both are -1 within the budgets. `signs` are bits of
    `page.columns` for tags outside scripts and styles. Everything that looks like a tag counts for the budgets, in
    scripts too, so that a page cannot evade them.
    """
    walk = Survey(data)
    walk.run(tag_budget, rebuild_budget)
    return walk.count, walk.cut, walk.dissolve, walk.signs


def is_latin(code):
    """Return whether a byte is a Latin letter."""
    return 97 <= (code | 32) <= 122


class Survey:
    """One walk over everything in the bytes of a page that looks like a tag."""

    def __init__(self, data):
        self.at = data
        self.size = len(data)
        self.count = self.signs = self.rebuilt = self.open_count = 0
        self.cut = self.dissolve = -1
        self.raw = NO_NAME  # which of the two we are in: script or style
        self.frame_opened = False
        self.memory = new_rows()
        self.opened = formatting_in(self.memory, 1)

    def run(self, tag_budget, rebuild_budget):
        """Read all tags."""
        at, size, here, kinds, lowered = self.at, self.size, 0, KIND_IN_NAME, LOWERED
        while True:
            start = find_letter(at, 60, here, size)  # <
            here = start + 1
            if here >= size:
                return
            closing = at[here] == 47  # /
            name_start = here + closing
            if name_start >= size or not is_latin(at[name_start]):
                continue
            here, key, odd = name_start, 0, 0
            while here < size and kinds[at[here]] != ENDS_NAME:
                odd |= kinds[at[here]]
                key = spell(key, lowered[at[here]])
                here += 1
            name = WATCHED_NAMES.number_of(key, at, name_start, here)
            if not closing and here < size and at[here] == 60:  # it is part of the name
                name, odd = NO_NAME, UNUSUAL
            if self.count == tag_budget:
                self.cut = start
            self.count += 1
            self.note_signs(name, closing, odd)
            if self.dissolve < 0:
                self.follow_formatting(name, closing, start)
                if self.rebuilt > rebuild_budget or self.open_count > MOST_OPEN:
                    self.dissolve = start

    def note_signs(self, name, closing, odd):
        """Note what needs care in the tree."""
        if self.frame_opened and closing and name == NOSCRIPT:
            self.signs |= OPEN_FRAMES
        self.frame_opened = name == IFRAME and not closing
        if name in (SCRIPT, STYLE_TAG):
            if not closing and self.raw == NO_NAME:
                self.raw = name
            elif closing and self.raw == name:
                self.raw = NO_NAME
        elif self.raw == NO_NAME and not closing:
            if odd:
                self.signs |= ODD_NAMES
            elif name == TEMPLATE:
                self.signs |= TEMPLATES
            elif name == MATH:
                self.signs |= MATHS

    def follow_formatting(self, name, closing, start):
        """Follow the parser's list of open formatting elements, which any other tag may make it open again."""
        if name == NO_NAME or name >= SCRIPT:
            self.rebuilt += max(0, self.open_count - HARMLESS_OPEN)
        elif closing:
            self.close(name)
        else:
            self.open(name, start, find_letter(self.at, 62, start, min(self.size, start + TAG_KEY_BYTES)) - start)

    def open(self, name, start, length):
        """Add a formatting element; if there are too many equal ones, remove the first of them."""
        first, alike = 0, 0
        self.opened = formatting_in(self.memory, self.open_count + 1)
        opened = self.opened
        for place in range(self.open_count - 1, -1, -1):
            if opened[place].length == length and is_same_key(self.at, opened[place].start, start, length):
                first = place
                alike += 1
        if alike == MOST_ALIKE:
            self.remove(first)
        opened[self.open_count] = Formatting(name, start, length)
        self.open_count += 1

    def close(self, name):
        """Remove the last formatting element of this name."""
        for place in range(self.open_count - 1, -1, -1):
            if self.opened[place].name == name:
                self.remove(place)
                return

    def remove(self, place):
        """Remove a formatting element."""
        self.open_count -= 1
        for later in range(place, self.open_count):
            self.opened[later] = self.opened[later + 1]


# ---------------------------------------------------------------------------------------------------- after the parser

NO_GAP, SPACE, LINE, BLOCK_GAP = 0, 1, 2, 3
"""The gap between a text and the one before: nothing, white space, a line break, or the edge of a block."""
HAS_HREF, IS_OPEN, IS_HIDDEN, IS_ARIA_HIDDEN, HIDES, MAKES_BLOCK = 1, 2, 4, 8, 16, 32
"""The effects of the attributes of a tag, as bits; the last two are from its style."""


def _spelled(name):
    return int.from_bytes(name.encode(), "big")


LT, GT, AMP, QUOT = _spelled("lt"), _spelled("gt"), _spelled("amp"), _spelled("quot")
TAB, LINE_FEED, CARRIAGE_RETURN = _spelled("#9"), _spelled("#10"), _spelled("#13")
"""The names of all escapes in the parser's XML form, each as one number."""


def scan(markup, max_depth, max_attributes):
    """Read the parser's XML form of a page into arrays; returns the fields of `page.columns.Scan`."""
    scanner, width = Scanner(markup, max_depth, max_attributes), width_of(markup)
    room = new_letters(len(markup) + 1, width)
    if width == 1:
        text = scanner.read(letters_1(markup), room_1(room))
    elif width == 2:
        text = scanner.read(letters_2(markup), room_2(room))
    else:
        text = scanner.read(letters_4(markup), room_4(room))
    return scanner.result(text)


def begins(at, start, end, word, in_any_case):
    """Return whether the text between two places begins with a word; if case is ignored, the word is in lower case."""
    letters = word
    if end - start < len(word):
        return False
    for place in range(len(word)):
        letter = at[start + place]
        if in_any_case and 65 <= letter <= 90:
            letter |= 32
        if letter != letters[place]:
            return False
    return True


def is_white(letter):
    """Return whether a character is white space or a control character."""
    return KIND_OF_LETTER[letter] == WHITE if letter < 128 else letter < 160 or is_space(letter)


def is_unspaced(letter):
    """Return whether a character is of a script that is written without spaces."""
    if letter < UNSPACED[0]:
        return False
    for place in range(0, len(UNSPACED), 2):
        if letter <= UNSPACED[place + 1]:
            return letter >= UNSPACED[place]
    return False


def read_escape(at, here, size):
    """Read the escape that begins at an ampersand; if there is none, return the ampersand itself."""
    end, name = here + 1, 0
    while end < size and end < here + 6 and 35 <= at[end] < 128 and at[end] != 59:  # from # on, up to ;
        name = name << 8 | at[end]
        end += 1
    letter = letter_of_escape(name) if end < size and at[end] == 59 else 0
    return Escape(letter, end) if letter else Escape(38, here)


def letter_of_escape(name):
    """Return the character of an escape, 0 if there is none of this name."""
    if name == LT:
        return 60
    if name == GT:
        return 62
    if name == AMP:
        return 38
    if name == QUOT:
        return 34
    if name == TAB:
        return 9
    if name == LINE_FEED:
        return 10
    return 13 if name == CARRIAGE_RETURN else 0


def after_white(at, here, size):
    """Return the first place from here on that is neither white space nor escaped white space."""
    while here < size:
        if at[here] == 38:  # &
            escape = read_escape(at, here, size)
            if not is_white(escape.letter):
                return here
            here = escape.last + 1
        elif is_white(at[here]):
            here += 1
        else:
            return here
    return size


def after_tag(at, here, size):
    """Return the place after the end tag that begins here; for so few characters `find_letter` would be slower."""
    while here < size and at[here] != 62:
        here += 1
    return here + 1


def end_of_declaration(at, here, size):
    """Return the place after the comment or document type that begins here."""
    if not (here + 3 < size and at[here + 2] == 45 and at[here + 3] == 45):
        return find_letter(at, 62, here, size) + 1
    here = find_letter(at, 62, here + 6, size)
    while here < size and not (at[here - 1] == 45 and at[here - 2] == 45):
        here = find_letter(at, 62, here + 1, size)
    return here + 1


def end_of_instruction(at, here, size):
    """Return the place after the processing instruction that begins here."""
    here = find_letter(at, 62, here + 3, size)
    while here < size and at[here - 1] != 63:
        here = find_letter(at, 62, here + 1, size)
    return here + 1


def after_colon(at, here, end):
    """Return the place after a colon with white space around it, or -1."""
    here = after_blanks(at, here, end)
    return after_blanks(at, here + 1, end) if here < end and at[here] == 58 else -1


def after_blanks(at, here, end):
    """Return the first place from here on that is no white space of ASCII."""
    while here < end and (at[here] == 32 or 9 <= at[here] <= 13):
        here += 1
    return here


def effect_of_style(at, start, end):
    """Return whether a style hides its element, and whether it makes it a block, as bits."""
    effect = 0
    for here in range(start, end):
        letter = at[here] | 32
        if letter == 100 and begins(at, here, end, b"display", True) and begins_name(at, start, here):
            effect |= effect_of_display(at, after_colon(at, here + 7, end), end)
        elif letter == 118 and begins(at, here, end, b"visibility", True) and begins_name(at, start, here):
            value = after_colon(at, here + 10, end)
            if value >= 0 and begins(at, value, end, b"hidden", True):
                effect |= HIDES
    return effect


def begins_name(at, start, here):
    """Return whether a name begins here, and not before as that of `backface-visibility`."""
    return here == start or not (at[here - 1] == 45 or 97 <= at[here - 1] | 32 <= 122)


def effect_of_display(at, value, end):
    """Return the effect of a value of `display`, which may be empty."""
    if value < 0:
        return 0
    if begins(at, value, end, b"none", True):
        return HIDES
    if (
        begins(at, value, end, b"block", True)
        or begins(at, value, end, b"flex", True)
        or begins(at, value, end, b"grid", True)
        or begins(at, value, end, b"table", True)
        or begins(at, value, end, b"list-item", True)
    ):
        return MAKES_BLOCK
    return 0


def hidden_by(around, behaviour, effects, in_details):
    """Return the reason why an element is hidden, given the reason `around` of the element around it.

    The outermost reason applies, except for closed details and aria-hidden; see `page.tags`.
    """
    if 0 < around < BY_DETAILS:
        return around
    if behaviour & SCRIPTLESS:
        return BY_NOSCRIPT
    if behaviour & FALLBACK:
        return BY_FALLBACK
    if behaviour & DIALOG and not effects & IS_OPEN:
        return BY_DIALOG
    if effects & IS_HIDDEN:
        return BY_ATTRIBUTE
    if effects & HIDES:
        return BY_STYLE
    if around:
        return around
    if in_details and not behaviour & SUMMARY:
        return BY_DETAILS
    return BY_ARIA if effects & IS_ARIA_HIDDEN else 0


class Scanner:
    """One walk over the parser's XML form of a page: the open elements, and the tables that it writes."""

    def __init__(self, markup, max_depth, max_attributes):
        self.markup, self.size = markup, len(markup)
        self.max_depth, self.max_attributes = max_depth, max_attributes
        self.node_memory, self.block_memory = new_rows(), new_rows()
        self.attribute_memory, self.opened_memory = new_rows(), new_rows()
        self.node_count = self.block_count = self.attribute_count = self.length = 0
        self.depth = self.deepest = self.most_attributes = self.silent = self.effects = 0
        self.in_word, self.words, self.gap, self.after_link = 0, 0, BLOCK_GAP, 0
        self.words_hidden_by = [0] * 16  # one for each reason
        self.names = {}  # numbers of tags that are not in `tags.TAGS`
        self.nodes, self.blocks = nodes_in(self.node_memory, 1), blocks_in(self.block_memory, 1)
        self.opened = opened_in(self.opened_memory, 1)
        self.opened[0] = Opened(-1, 0, -1, 0, 0, -1, -1)  # around the root

    def read(self, at, out):
        """Read the page; return its text."""
        size, here = self.size, 0
        while here < size:
            if at[here] != 60:  # <
                here = self.read_text(at, here, out)
                continue
            follows = at[here + 1] if here + 1 < size else 0
            if follows == 33:  # !
                here = end_of_declaration(at, here, size)
            elif follows == 63:  # ?
                here = end_of_instruction(at, here, size)
            elif follows == 47:  # /
                here = after_tag(at, here, size)
                self.close()
            else:
                here = self.read_tag(at, here + 1)
        return text_of(out, self.length)

    def result(self, text):
        """Return the tables as arrays, with the counts."""
        blocks, characters = self.blocks, 0
        for place in range(self.block_count):
            characters += blocks[place].characters
            self.words_hidden_by[blocks[place].hidden_by] += blocks[place].words
        return (
            as_columns(self.node_memory, self.node_count, NODE_COLUMNS),
            as_columns(self.block_memory, self.block_count, BLOCK_COLUMNS),
            as_columns(self.attribute_memory, self.attribute_count, ATTRIBUTE_COLUMNS),
            text,
            tuple(self.names),
            self.deepest,
            self.most_attributes,
            characters,
            tuple(self.words_hidden_by),
        )

    def read_text(self, at, here, out):
        """Read the text up to the next tag; it becomes a node if it is more than white space."""
        size, opened, depth = self.size, self.opened, self.depth
        if self.silent:
            return find_letter(at, 60, here, size)
        flags = opened[depth].inherited
        if not flags & IN_PRE:
            start = here
            here = after_white(at, here, size)
            if here > start and self.gap == NO_GAP:
                self.gap = SPACE
            if here == size or at[here] == 60:
                return here
        if self.gap == BLOCK_GAP:
            flags |= STARTS_BLOCK
        if opened[depth].behaviour & DETAILS and not flags & HIDDEN_BITS:
            flags |= BY_DETAILS << HIDDEN_SHIFT
        if self.length and self.gap != NO_GAP:
            out[self.length] = 32 if self.gap == SPACE else 10
            self.length += 1
            self.in_word = 0
        start = self.length
        here = self.copy_text(at, here, out, flags & IN_PRE)
        self.add_text(flags, start)
        return here

    def copy_text(self, at, here, out, in_pre):
        """Write the text up to the next tag with white space collapsed, and count the words that begin in it.

        Whether a word ends is added up instead of tested: a processor cannot predict such a branch.
        """
        size, length, kinds, collapsed = self.size, self.length, KIND_OF_LETTER, 0 if in_pre else WHITE
        words, was_blank, was_letter = 0, 0, self.in_word
        while here < size:
            letter = at[here]
            if letter < 128:
                kind = kinds[letter]
                if kind >= TAG_STARTS:
                    if kind == TAG_STARTS:
                        break
                    escape = read_escape(at, here, size)
                    here, letter = escape.last, escape.letter
                    kind = kinds[letter] & WHITE
            else:
                kind = WHITE if is_white(letter) else LETTER if is_alnum(letter) else OTHER
                if kind == LETTER and is_unspaced(letter):
                    kind = OTHER
                    words += 1
            if in_pre and (letter == 13 or 127 <= letter < 160):
                letter = 10 if letter == 13 else 32
            is_blank = kind & collapsed
            is_letter = kind >> 1
            out[length] = letter - is_blank * (letter - 32)
            length += 1 - (is_blank & was_blank)
            words += is_letter & ~was_letter
            was_blank = is_blank
            was_letter = is_letter
            here += 1
        self.length, self.words, self.in_word = length - was_blank, words, was_letter
        self.gap = SPACE if was_blank else NO_GAP
        return here

    def add_text(self, flags, start):
        """Add the node of the text that was copied last, and add it to its block."""
        opened, depth, row, end, words = self.opened, self.depth, self.node_count, self.length, self.words
        level, attributes, container = min(depth, self.max_depth), self.attribute_count, opened[depth].container
        self.nodes = nodes_in(self.node_memory, row + 1)
        self.nodes[row] = Node(
            opened[level].row, row + 1, level, 0, start, end, attributes, attributes, flags, words, container
        )
        self.node_count = row + 1
        if opened[depth].first_text < 0:
            opened[depth].first_text = row
        opened[depth].last_text = row
        hidden = (flags & HIDDEN_BITS) >> HIDDEN_SHIFT
        if flags & STARTS_BLOCK:
            self.blocks = blocks_in(self.block_memory, self.block_count + 1)
            self.blocks[self.block_count] = Block(row, 0, container, start, start, 0, 0, 0, hidden)
            self.block_count += 1
        blocks, last = self.blocks, self.block_count - 1
        gap = start - blocks[last].text_end  # counts, so that a text has the same length in one node and in two
        blocks[last].node_end = row + 1
        blocks[last].text_end = end
        blocks[last].words += words
        blocks[last].characters += gap + end - start
        if flags & IN_LINK:
            blocks[last].link_characters += end - start + (gap if self.after_link else 0)
        self.after_link = flags & IN_LINK
        blocks[last].hidden_by = min(blocks[last].hidden_by, hidden)

    def read_tag(self, at, start):
        """Read the start tag whose name begins here; return the place after it."""
        size, here, key = self.size, start, 0
        while here < size and at[here] != 62 and at[here] != 47 and at[here] != 32:  # > / and a blank
            key = spell(key, at[here])
            here += 1
        tag = TAG_NAMES.number_of(key, at, start, here)
        if tag == NO_NAME:
            tag = self.names.setdefault(self.markup[start:here], TAG_COUNT + len(self.names))
        first_attribute = self.attribute_count
        here = self.read_attributes(at, here)
        self.open(tag, BEHAVIOUR[tag] if tag < TAG_COUNT else 0, first_attribute)
        if at[here - 1] == 47:
            self.close()
        return here + 1

    def read_attributes(self, at, here):
        """Read the attributes of a tag; return where it ends."""
        size, count = self.size, 0
        self.effects = 0
        while here < size and at[here] != 62:
            if at[here] == 47 or at[here] == 32:
                here += 1
                continue
            start, key = here, 0
            while here < size and at[here] != 61:  # =
                key = spell(key, at[here])
                here += 1
            name_end, value = here, min(here + 2, size)  # what our parser never writes may end in a name
            end = find_letter(at, 34, value, size)
            here = min(end + 1, size)
            count += 1
            if count <= self.max_attributes:
                number = max(0, ATTRIBUTE_NAMES.number_of(key, at, start, name_end))
                self.add_attribute(number, start, value, end)
                self.note_effect(number, at, value, end)
        self.most_attributes = max(self.most_attributes, count)
        return here

    def note_effect(self, number, at, value, end):
        """Note what an attribute does to its element."""
        if number == HREF:
            self.effects |= HAS_HREF
        elif number == STYLE:
            self.effects |= effect_of_style(at, value, end)
        elif number == HIDDEN:
            self.effects |= IS_HIDDEN
        elif number == OPEN:
            self.effects |= IS_OPEN
        elif number == ARIA and end - value == 4 and begins(at, value, end, b"true", False):
            self.effects |= IS_ARIA_HIDDEN

    def add_attribute(self, number, start, value, end):
        """Add an attribute with its positions in the markup."""
        attributes = attributes_in(self.attribute_memory, self.attribute_count + 1)
        attributes[self.attribute_count] = Attribute(number, start, value, end)
        self.attribute_count += 1

    def open(self, tag, behaviour, first_attribute):
        """Add the node of an element, and open it."""
        opened, depth, row, effects = self.opened, self.depth, self.node_count, self.effects
        if behaviour & DETAILS and effects & IS_OPEN:
            behaviour &= ~DETAILS
        flags, container = opened[depth].inherited, opened[depth].container
        if behaviour & PRE:
            flags |= IN_PRE
        if behaviour & LINK and effects & HAS_HREF:
            flags |= IN_LINK
        around = (flags & HIDDEN_BITS) >> HIDDEN_SHIFT
        hidden = hidden_by(around, behaviour, effects, opened[depth].behaviour & DETAILS)
        flags = flags & ~HIDDEN_BITS | hidden << HIDDEN_SHIFT
        if depth >= self.max_depth or behaviour & OPAQUE:
            flags |= UNREACHABLE
        if behaviour & BLOCK or effects & MAKES_BLOCK:
            flags |= IS_BLOCK
            container = row
            self.gap = BLOCK_GAP
        elif behaviour & BREAK:
            self.gap = BLOCK_GAP if self.gap >= LINE else LINE
        if behaviour & SILENT:
            self.silent += 1
        level, length, attributes = min(depth, self.max_depth), self.length, self.attribute_count
        self.nodes = nodes_in(self.node_memory, row + 1)
        self.nodes[row] = Node(
            opened[level].row, row + 1, level, tag, length, length, first_attribute, attributes, flags, 0, container
        )
        self.node_count = row + 1
        self.depth = depth + 1
        self.deepest = max(self.deepest, self.depth)
        self.opened = opened_in(self.opened_memory, self.depth + 1)
        self.opened[self.depth] = Opened(row, flags & INHERITED, container, behaviour, flags & IS_BLOCK, -1, -1)

    def close(self):
        """Close the last open element, if there is one."""
        opened, nodes, depth = self.opened, self.nodes, self.depth
        if depth == 0:
            return
        row, first, last = opened[depth].row, opened[depth].first_text, opened[depth].last_text
        if opened[depth].is_block:
            self.gap = BLOCK_GAP
        if opened[depth].behaviour & SILENT:
            self.silent -= 1
        if depth <= self.max_depth:
            nodes[row].end = self.node_count
        self.depth = depth - 1
        if first < 0:
            return
        if opened[depth - 1].first_text < 0:
            opened[depth - 1].first_text = first
        opened[depth - 1].last_text = last
        if depth <= self.max_depth:
            nodes[row].text_start = nodes[first].text_start
            nodes[row].text_end = nodes[last].text_end


def as_columns(memory, count, width):
    """Return rows of numbers as a read-only array with one row for each column: the same memory, transposed."""
    return np.frombuffer(bytes_of(memory, count, width), np.int32).reshape(count, width).T
