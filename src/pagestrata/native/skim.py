"""Removes from the bytes what a page never shows before the parser reads it: half of a page is scripts and styles.

The walk takes the bytes as the tokenizer of the HTML standard does: comments, tags with their quoted values, text that
is raw until its end tag. Where the tree is uncertain (MathML, frames, drawings that are not well
formed, scripts in scripts), it stops, and the rest is left unchanged. So the result is the same page, only faster.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.interpreted import cython

import numpy as np

if not cython.compiled:
    from pagestrata.native.interpreted import find_letter, is_like, without_ranges

DEEPEST = 64
"""Elements in elements; drawings that are deeper stay as they are."""
UNSURE = -1
ROOM = 256
"""Bounds of ranges that there is room for at first."""
ALL_BITS = 2**64 - 1


def spelled(name):
    """Return the last eight letters of a name as one number."""
    number = 0
    for letter in name.encode():
        number = (number << 8 | letter) & ALL_BITS
    return number


SCRIPT, STYLE, SVG, MATH = spelled("script"), spelled("style"), spelled("svg"), spelled("math")
TEMPLATE, FRAMESET, PLAINTEXT = spelled("template"), spelled("frameset"), spelled("plaintext")
TITLE, DESC, TABLE, TEXTAREA = spelled("title"), spelled("desc"), spelled("table"), spelled("textarea")
XMP, IFRAME, NOEMBED, NOFRAMES = spelled("xmp"), spelled("iframe"), spelled("noembed"), spelled("noframes")
JSON_LD, SHADOW_ROOT, TYPE = b"application/ld+json", b"shadowrootmode", b"type"
_DRAWING = [
    spelled(name)
    for name in (
        "path g svg use rect circle polygon defs title style line polyline ellipse symbol clippath mask stop "
        "lineargradient radialgradient filter text tspan desc image pattern a marker animate animatetransform "
        "animatemotion set textpath switch view feflood feblend feoffset fecolormatrix fegaussianblur femerge "
        "femergenode fecomposite fefunca fefuncr fefuncg fefuncb fecomponenttransfer femorphology "
        "feturbulence fedisplacementmap fedropshadow"
    ).split()
]
DRAWING_NAMES = np.array(_DRAWING, np.uint64) if cython.compiled else _DRAWING

_TABLES = [bytes([chr(code) in ends for code in range(256)]) for ends in ("\t\n\f\r ", "\t\n\f\r />", "\t\n\f\r />=")]
_LOWERED = bytes([code | 32 if 65 <= code <= 90 else code for code in range(256)])
IS_SPACE, ENDS_NAME, ENDS_ATTRIBUTE = _TABLES[0], _TABLES[1], _TABLES[2]
"""Whether each byte is white space, ends the name of a tag, ends the name of an attribute."""
LOWERED = _LOWERED
"""The small letter of each byte."""


def skim(data, with_json_ld):
    """Return the page without what it never shows, and three properties of the result.

    That is whether all that is never content is empty now, whether no template is a shadow root, and the texts of the
    first JSON-LD scripts, if they were to be left out too; those that are still on the page come after them.
    """
    walk = Walk(data)
    is_sure = walk.run(with_json_ld)
    if walk.json_ld and not (is_sure and walk.no_shadow_roots):
        walk = Walk(data)  # the tree may have it in another order
        is_sure = walk.run(False)
    left = without_ranges(data, walk.ranges, walk.count, walk.total)
    return left, is_sure and walk.all_empty, is_sure and walk.no_shadow_roots, tuple(walk.json_ld)


def is_letter(code):
    """Return whether a byte is a Latin letter."""
    return 97 <= (code | 32) <= 122


def is_raw(name):
    """Return whether an element of this name has nothing but text in it."""
    return name in (TITLE, TEXTAREA, STYLE, XMP, IFRAME, NOEMBED, NOFRAMES)


def holds_text_only(name):
    """Return whether this part of a drawing may hold only text: anything else in it would be HTML or a style."""
    return name in (TITLE, DESC, STYLE)


class Walk:
    """One walk over the bytes of a page: what it leaves out, and the tag and attribute that it has read last."""

    def __init__(self, data):
        self.data = data
        self.at = data
        self.size = len(data)
        self.ranges = np.empty(ROOM, np.int64)  # start, end, start, end …
        self.count = 0
        self.total = 0  # bytes in the ranges
        self.json_ld = []
        self.all_empty = True
        self.no_shadow_roots = True
        self.tag_name = self.tag_length = self.attributes = self.tag_end = 0
        self.closes_itself = self.has_text = False
        self.name_start = self.name_end = self.value = self.end = 0
        self.drawing_names = DRAWING_NAMES
        self.opened = np.empty(DEEPEST, np.uint64) if cython.compiled else [0] * DEEPEST  # elements of a drawing

    def run(self, with_json_ld):
        """Note all ranges that can be left out; return whether the walk was certain of everything up to the end."""
        at, size, here = self.at, self.size, 0
        while True:
            here = find_letter(at, 60, here, size) + 1  # <
            if here >= size:
                return True
            if not is_letter(at[here]):
                here = self.end_of_other(here)
                continue
            self.read_tag(here)
            here, name = self.tag_end, self.tag_name
            if name == SCRIPT:
                end = self.end_of_raw(here)
                if end == UNSURE:
                    return False
                if not self.may_be_data():
                    self.leave_out(here, end)
                elif with_json_ld and self.is_json_ld():
                    self.leave_out(here, end)
                    self.json_ld.append(self.data[here:end])
                else:
                    self.all_empty = with_json_ld = False  # what comes later is read later
                here = end
            elif name == SVG:
                if not self.closes_itself:
                    end = self.end_of_drawing(here)
                    if end == UNSURE:
                        return False
                    if self.has_text:
                        self.all_empty = False
                    else:
                        self.leave_out(here, end)
                    here = end
            elif is_raw(name):
                end = self.end_of_raw(here)
                if end == UNSURE:
                    return False
                if name == STYLE:
                    self.leave_out(here, end)
                here = end
            elif name == TABLE:
                with_json_ld = False  # a table may turn the order of what is in it
            elif name == TEMPLATE:
                self.all_empty = with_json_ld = False
                if self.find_attribute(SHADOW_ROOT):
                    self.no_shadow_roots = False
            elif name in (MATH, FRAMESET, PLAINTEXT):
                return False

    def leave_out(self, start, end):
        """Note a range that the parser need not see."""
        if self.count == len(self.ranges):
            self.ranges = np.concatenate((self.ranges, np.empty(self.count, np.int64)))
        self.ranges[self.count] = start
        self.ranges[self.count + 1] = end
        self.count += 2
        self.total += end - start

    # ---------------------------------------------------------------------------------------------------------- tokens

    def read_tag(self, here):
        """Read the tag whose name begins here.

        Names of more than eight letters go by their end: no other name in HTML ends like those that matter.
        """
        at, size, ends_name, lowered = self.at, self.size, ENDS_NAME, LOWERED
        start, name = here, 0
        while here < size and not ends_name[at[here]]:
            name = (name << 8 | lowered[at[here]]) & ALL_BITS
            here += 1
        self.tag_name, self.tag_length, self.attributes = name, here - start, here
        if here < size and at[here] == 62:  # most tags end here
            self.tag_end, self.closes_itself = here + 1, False
            return
        while self.read_attribute(here, size):
            here = self.end
        self.tag_end, self.closes_itself = size, False
        if self.end < size:
            self.tag_end = self.end + 1
            self.closes_itself = at[self.end - 1] == 47 and self.end > here

    def read_attribute(self, here, size):
        """Read the next attribute of a tag, if there is one; if not, `end` is where the tag ends."""
        at, is_space, ends_attribute = self.at, IS_SPACE, ENDS_ATTRIBUTE
        while here < size and (is_space[at[here]] or at[here] == 47):
            here += 1
        self.name_start = self.end = here
        if here >= size or at[here] == 62:
            return False
        here += 1  # the first letter may be any other, even `=`
        while here < size and not ends_attribute[at[here]]:
            here += 1
        self.name_end = self.value = self.end = here
        while here < size and is_space[at[here]]:
            here += 1
        if here >= size or at[here] != 61:
            return True
        here += 1
        while here < size and is_space[at[here]]:
            here += 1
        self.value = self.end = here
        if here < size and (at[here] == 34 or at[here] == 39):  # a quote
            self.value = here + 1
            self.end = min(size, find_letter(at, at[here], here + 1, size) + 1)
            return True
        while here < size and not is_space[at[here]] and at[here] != 62:
            here += 1
        self.end = here
        return True

    def find_attribute(self, name):
        """Read the first attribute of this name of the last tag, if it has one."""
        here, tag_end = self.attributes, self.tag_end
        while self.read_attribute(here, tag_end):
            here = self.end
            if is_like(self.at, self.name_start, self.name_end, name):
                return True
        return False

    def end_of_other(self, here):
        """Find the end of what begins with the `<` before this place and is no start tag; that may be the `<` alone."""
        at, size = self.at, self.size
        if at[here] == 47 and here + 1 < size and is_letter(at[here + 1]):  # </x
            self.read_tag(here + 1)
            return self.tag_end
        if at[here] == 33 and here + 2 < size and at[here + 1] == 45 and at[here + 2] == 45:  # <!--
            return self.end_of_comment(here + 3)
        if at[here] == 33 or at[here] == 63 or at[here] == 47:  # ! ? /
            return min(size, find_letter(at, 62, here, size) + 1)
        return here

    def end_of_comment(self, start):
        """Find the end of a comment whose text begins here: after `-->` or `--!>`, or after an initial `>` or `->`."""
        at, size, here = self.at, self.size, start
        while here < size:
            here = find_letter(at, 62, here, size)
            if here == size:
                return size
            if (
                here == start
                or (here == start + 1 and at[start] == 45)
                or (here >= start + 2 and at[here - 1] == 45 and at[here - 2] == 45)
                or (here >= start + 3 and at[here - 1] == 33 and at[here - 2] == 45 and at[here - 3] == 45)
            ):
                return here + 1
            here += 1
        return size

    # ------------------------------------------------------------------------------------------- what is never content

    def ends_raw(self, here):
        """Return whether the end tag of the last tag begins at the `<` that stands here."""
        at, after, name = self.at, here + 2 + self.tag_length, 0
        if after >= self.size or at[here + 1] != 47 or not ENDS_NAME[at[after]]:
            return False
        for place in range(here + 2, after):
            name = (name << 8 | LOWERED[at[place]]) & ALL_BITS
        return name == self.tag_name

    def end_of_raw(self, here):
        """Find where the end tag of an element begins that has nothing but text in it.

        After `<!--` a script may contain scripts, so the result is uncertain.
        """
        at, size, has_comment = self.at, self.size, False
        while here < size:
            here = find_letter(at, 60, here, size)
            if here == size:
                return UNSURE
            if self.ends_raw(here):
                return here
            here += 1
            if self.tag_name == SCRIPT and here + 1 < size:
                if has_comment and LOWERED[at[here]] == 115 and LOWERED[at[here + 1]] == 99:  # sc
                    return UNSURE
                has_comment = has_comment or at[here] == 33
        return UNSURE

    def may_be_data(self):
        """Return whether a script may hold JSON-LD or TeX, by its tag: fast, with false positives only."""
        at = self.at
        for here in range(self.attributes, self.tag_end - 1):
            if at[here] == 38:  # an escape
                return True
            if at[here] == 43 and LOWERED[at[here + 1]] == 106:  # ld+json
                return True
            if at[here] == 47 and LOWERED[at[here + 1]] == 116 and LOWERED[at[here - 1]] == 104:  # math/tex
                return True
        return False

    def is_json_ld(self):
        """Return whether the tag of a script states explicitly that it holds JSON-LD."""
        if not self.find_attribute(TYPE):
            return False
        end = self.end if self.at[self.value - 1] == 61 else self.end - 1  # without the quote
        return end <= self.size and is_like(self.at, self.value, end, JSON_LD)

    def is_of_drawing(self, name):
        """Return whether an element of this name belongs in a drawing."""
        for place in range(len(self.drawing_names)):  # noqa: SIM110  # compiled, this is a plain loop
            if self.drawing_names[place] == name:
                return True
        return False

    def end_of_drawing(self, here):
        """Find where the end tag of a drawing begins, if all in it is well formed and belongs in a drawing."""
        at, size, is_space, depth = self.at, self.size, IS_SPACE, 1
        self.has_text, self.opened[0] = False, SVG
        while True:
            while here < size and at[here] != 60:
                if not is_space[at[here]]:
                    self.has_text = True
                here += 1
            if here + 3 >= size:
                return UNSURE
            start, around = here, self.opened[depth - 1]
            here += 1
            if at[here] == 33 and at[here + 1] == 45 and at[here + 2] == 45 and not holds_text_only(around):
                here = self.end_of_comment(here + 3)
                continue
            closing = at[here] == 47
            here += closing
            if not is_letter(at[here]):
                return UNSURE
            self.read_tag(here)
            here = self.tag_end
            if closing:
                if self.tag_name != around:
                    return UNSURE
                depth -= 1
                if not depth:
                    return start
            elif not self.is_of_drawing(self.tag_name) or holds_text_only(around) or depth == DEEPEST:
                return UNSURE
            elif not self.closes_itself:
                self.opened[depth] = self.tag_name
                depth += 1
