"""The loops that compare a page with a template: signatures of its nodes, alignment of siblings, recurring leaves.

Compiled with the types in `_template.pxd` where there is a compiler, interpreted unchanged where there is none.
`algorithms.template.labels` has the tables that `StructureLoops` is made with.
"""

try:
    import cython
except ImportError:  # at run time Cython need not be installed
    from pagestrata.native.characters import cython

from bisect import bisect_left

import numpy as np

if not cython.compiled:
    from pagestrata.native.characters import data_of, kind_of, letter_at
    from pagestrata.native.interpreted import bit_count, doubles_of, is_digit_or_space, low_64, new_doubles, single

OTHER, TEXT, MEDIUM, LEFT_OUT = 0, 1, 2, 3
"""What a tag means for the structure: nothing of its own, a text, an image or the like, an element without content."""
LONGEST_NAME = 80
"""Characters of a class or id that are read."""
BASE = 0x9E3779B97F4A7C15
"""Of the hashes of spans: the value at place i counts BASE ** i times."""
BASE_INVERSE = 0xF1DE83E19937733D
"""BASE * BASE_INVERSE is 1 modulo 2 ** 64, which is why BASE is odd."""
MIXER = 0xBF58476D1CE4E5B9
"""The multiplier of splitmix64, which spreads changes over all upper bits."""
AMPERSAND, BLANK, DELETE = 38, 32, 127

SAME_TEXT = 4.0
"""Worth of a text that is the same as on most pages: more than any likeness, since menus move but do not change."""
SAME_NAME = 0.5
OTHER_NAME = -0.25
"""Worth of class names; small, since many pages have none that mean anything."""
LEAST = 0.01
"""Worth of the worst pair of one tag."""
FILLED_FIRST = {"": 0.05, "?": 0.02, "*": 0.0}
"""Worth by operator: of two equal places the one that must be filled is filled first, and a list takes what is left."""
MOST_CELLS = 20_000
"""Longer pairs of sequences are aligned from left to right, without looking ahead."""
MOST_SEEN = 100_000
"""Subtrees remembered while matching: those of a hundred pages or more."""
CHOICE = "|"
"""The tag of a choice in a template; that of a sequence is empty."""
NO_TAGS = [CHOICE]
"""Tags that the children of a node of a page never have."""

LONGEST_FEATURE = 80
"""Characters of a feature; longer ones are cut and end in a number made of the rest."""
BEGINNING = 60
"""Characters of a long text that are part of its feature."""
TEXT_FEATURE = "text "
"""The prefix of features of texts."""
MASKED = "like "
"""The prefix of features of texts with masked numbers."""
MASKED_WORTH = 0.9
"""A text that is the same but for its numbers is the weaker sign; still above the paper's 0.75 for noise."""


def zeros(size, kind):
    """Return a column of zeros. Interpreted code is three times as fast on lists."""
    return np.zeros(size, kind) if cython.compiled else [0] * size


def room_for(size, kind):
    """Return a column with undefined entries, which are written before they are read."""
    return np.empty(size, kind) if cython.compiled else [0] * size


class StructureLoops:
    """Reads the structure of pages: the nodes with content, and their labels and signatures."""

    def __init__(
        self, known_tags, role_of_tag, shape_bit, number, id_name, class_name, plain_value, id_number, class_number
    ):
        """Take the tables and functions of labels.

        `known_tags` are the tags with a number of their own, and `role_of_tag` what each of them means; its last entry
        is for all other tags. `id_number` and `class_number` are the numbers of these attributes.
        """
        self.known = len(known_tags)
        self.role_of_tag = role_of_tag if cython.compiled else role_of_tag.tolist()
        self.shape_bit, self.number = shape_bit, number
        self.id_name, self.class_name, self.plain_value = id_name, class_name, plain_value
        self.id_attribute, self.class_attribute = id_number, class_number
        self.tag_numbers = zeros(self.known, np.uint64)
        for tag in range(self.known):
            self.tag_numbers[tag] = number(known_tags[tag])
        self.shape_bits = zeros(self.known * self.known, np.uint64)  # filled as pairs of tags come up
        self.has_shape_bit = zeros(self.known * self.known, np.uint8)

    def columns(self, markup, text, attributes, tag_of, tag, parent, end, text_start, text_end, attribute_end):
        """Return the columns of `Skeleton` for a page, one entry per node with content.

        `tag_of` are the tags by number; what follows are columns of the nodes of the page.
        """
        attribute, value_start, value_end = attributes[0], attributes[2], attributes[3]
        if not cython.compiled:
            attribute, value_start, value_end = attribute.tolist(), value_start.tolist(), value_end.tolist()
            tag, parent, end, attribute_end = tag.tolist(), parent.tolist(), end.tolist(), attribute_end.tolist()
            text_start, text_end = text_start.tolist(), text_end.tolist()
        count = len(tag)
        place_of = room_for(count + 1, np.int32)
        kept = self.number_kept(tag, end, text_start, text_end, place_of)
        node_column = room_for(kept, np.intp)
        node_of = node_column
        tags, parents, ends = room_for(kept, np.int32), room_for(kept, np.int32), room_for(kept, np.int32)
        tag_list, parent_list, end_list, characters = [], [], [], []
        for node in range(count):
            place = place_of[node]
            if place_of[node + 1] == place:
                continue
            node_of[place], tags[place] = node, tag[node]
            parents[place] = place_of[parent[node]] if node else -1
            ends[place] = place_of[end[node]]
            tag_list.append(tag_of[tag[node]])
            parent_list.append(parents[place])
            end_list.append(ends[place])
            characters.append(text_end[node] - text_start[node])
        names = self.names(markup, attribute, value_start, value_end, attribute_end, place_of, kept)
        shapes = self.page_shapes(tag_of, tags, parents)
        forms = self.forms(tag_of, tags, parents, ends, names)
        contents = hash_texts(text, tag, text_start, text_end, node_of)
        nodes = np.asarray(node_column, np.intp)
        return nodes, tag_list, parent_list, names, end_list, shapes, forms, contents, characters

    def number_kept(self, tag, end, text_start, text_end, place_of):
        """Set how many nodes with content come before each node, and return how many there are.

        These are texts, media and all elements around them, and the root in any case.
        """
        leaves = kept = skip_to = 0
        count = len(tag)
        leaves_before = room_for(count + 1, np.int32)
        for node in range(count):
            leaves_before[node] = leaves
            role = self.role_of_tag[min(tag[node], self.known)]
            if role == LEFT_OUT and node >= skip_to:
                skip_to = end[node]
            if node >= skip_to and (role == MEDIUM or (role == TEXT and text_end[node] > text_start[node])):
                leaves += 1
        leaves_before[count] = leaves
        for node in range(count):
            place_of[node] = kept
            if node == 0 or leaves_before[end[node]] > leaves_before[node]:
                kept += 1
        place_of[count] = kept
        return kept

    def names(self, markup, attribute, value_start, value_end, attribute_end, place_of, kept):
        """Return the name of each kept node: that of its class, or else of its id, or nothing."""
        names = [""] * kept
        node = 0
        for i in range(len(attribute)):
            if attribute[i] != self.id_attribute and attribute[i] != self.class_attribute:
                continue
            while attribute_end[node] <= i:
                node += 1
            place = place_of[node]
            if place_of[node + 1] == place:
                continue
            value = self.value(markup, value_start[i], value_end[i])
            name = names[place]
            if attribute[i] == self.class_attribute:
                name = self.class_name(value) or name
            elif not name.startswith("."):
                name = self.id_name(value) or name
            names[place] = name
        return names

    def value(self, markup, start, end):
        """Return the beginning of an attribute's value, without escapes and control characters."""
        kind, data, stop = kind_of(markup), data_of(markup), min(end, start + LONGEST_NAME)
        for here in range(start, stop):
            letter = letter_at(kind, data, here)
            if letter == AMPERSAND or letter < BLANK or letter >= DELETE:
                return self.plain_value(markup[start:end])[:LONGEST_NAME]
        return markup[start:stop]

    def shape_bit_of(self, tag_of, above, below):
        """Return the bit for a tag inside another, both by number."""
        if above >= self.known or below >= self.known:
            return self.shape_bit(tag_of[above], tag_of[below])
        pair = above * self.known + below
        if not self.has_shape_bit[pair]:
            self.shape_bits[pair] = self.shape_bit(tag_of[above], tag_of[below])
            self.has_shape_bit[pair] = 1
        return self.shape_bits[pair]

    def page_shapes(self, tag_of, tags, parents):
        """Return the shape of each kept node of a page: the bits of all tags in tags below it."""
        count = len(tags)
        shapes = zeros(count, np.uint64)
        for node in range(count - 1, 0, -1):
            above = parents[node]
            shapes[above] |= shapes[node] | self.shape_bit_of(tag_of, tags[above], tags[node])
        return [shapes[node] for node in range(count)]

    def shapes(self, tags, parents):
        """Return the shape of each node of a tree in document order, of which the tags are given as words."""
        count = len(tags)
        shapes = zeros(count, np.uint64)
        for node in range(count - 1, 0, -1):
            above = parents[node]
            bit = self.shape_bit(tags[above], tags[node])
            shapes[above] |= shapes[node] | bit
        return [shapes[node] for node in range(count)]

    def forms(self, tag_of, tags, parents, ends, names):
        """Return a hash of the structure below each node, itself included.

        Tags, names and numbers of children in document order determine a tree, so these are hashed.
        """
        count = len(tags)
        arity, sums = zeros(count, np.uint64), room_for(count + 1, np.uint64)
        sums[0] = 0
        power = inverse = 1
        hashes = []
        for node in range(1, count):
            arity[parents[node]] += 1
        for node in range(count):
            label = self.tag_numbers[tags[node]] if tags[node] < self.known else self.number(tag_of[tags[node]])
            name = names[node]
            if name:
                name_number = self.number(name)
                label += name_number
            sums[node + 1] = low_64(sums[node] + label * (2 * arity[node] + 1) * power)
            power = low_64(power * BASE)
        for node in range(count):
            hashes.append(mix((sums[ends[node]] - sums[node]) * inverse))
            inverse = low_64(inverse * BASE_INVERSE)
        return hashes


def mix(total):
    """Return the hash of a span from its sum: 52 bits, so that JSON readers can hold it, and never 0."""
    total = low_64(total)
    return (low_64((total ^ (total >> 29)) * MIXER) >> 12) | 1


def hash_texts(text, tag, text_start, text_end, node_of):
    """Return a hash of the text of each of some nodes, 0 for none.

    Running sums are stored where texts begin and end; elements begin and end at the same places.
    """
    kind, data = kind_of(text), data_of(text)
    sums, inverses = room_for(len(text) + 1, np.uint64), room_for(len(text) + 1, np.uint64)
    total, power, inverse, here = 0, 1, 1, 0
    for node in range(len(tag)):
        if tag[node]:
            continue
        start, end = text_start[node], text_end[node]
        while here < end:
            if here == start:
                sums[here], inverses[here] = total, inverse
            total = low_64(total + letter_at(kind, data, here) * power)
            power = low_64(power * BASE)
            inverse = low_64(inverse * BASE_INVERSE)
            here += 1
        sums[here] = total
    hashes = []
    for place in range(len(node_of)):
        start, end = text_start[node_of[place]], text_end[node_of[place]]
        hashes.append(mix((sums[end] - sums[start]) * inverses[start]) if end > start else 0)
    return hashes


def preorder(kids):
    """Return the nodes of a tree in document order, from 0 on, and the place of each one's parent; -1 for the root."""
    order, parents = [], []
    waiting, above = [0] if kids else [], [-1]
    while waiting:
        node = waiting.pop()
        parents.append(above.pop())
        below = kids[node]
        for place in range(len(below) - 1, -1, -1):
            waiting.append(below[place])
            above.append(len(order))
        order.append(node)
    return order, parents


def align(scores, repeats):
    """Pair page items with template items in order, so that the sum of the scores is as large as possible.

    `scores` has a row per template item and a column per page item, 0 where they do not fit. A template item that
    repeats may take many page items. Returns the template item of each page item, or -1; among equally good
    pairings the leftmost.

    >>> align([[1, 1, 0, 0], [0, 0, 1, 0]], [True, False])
    [0, 0, 1, -1]
    """
    rows = len(scores)
    width = len(scores[0]) if rows else 0
    room = new_doubles((rows + 1) * (width + 1))
    best = doubles_of(room)
    for column in range(width + 1):
        best[column] = 0.0
    for row in range(rows):
        fill_row(scores[row], best, row, width, repeats[row])
    return trace(scores, best, rows, width, repeats)


def fill_row(scores, best, row, width, is_repeated):
    """Compute the row of best sums for one more template item from the row before it."""
    above, here = row * (width + 1), (row + 1) * (width + 1)
    most = 0.0
    best[here] = 0.0
    for column in range(width):
        score = scores[column]
        most = max(most, best[above + column + 1])
        if score > 0:
            before = best[above + column]
            if is_repeated:
                before = max(before, best[here + column])
            most = max(most, before + score)
        best[here + column + 1] = most


def trace(scores, best, row, width, repeats):
    """Return the pairs that lead to the best sum, read back from the table of best sums."""
    pairs = [-1] * width
    column = width
    while row and column:
        here = row * (width + 1) + column
        if best[here] == best[here - 1]:
            column -= 1
        elif best[here] == best[here - width - 1]:
            row -= 1
        else:
            pairs[column - 1] = row - 1
            score = scores[row - 1][column - 1]
            if not (repeats[row - 1] and best[here] == best[here - 1] + score):
                row -= 1
            column -= 1
    return pairs


def align_greedily(takes, repeats, tags):
    """Pair each page item with the next template item that takes its tag. It is used for very long sequences.

    >>> align_greedily({"a": [0], "b": [1]}, [True, False], ["a", "a", "b", "a"])
    [0, 0, 1, -1]
    """
    pairs, reached = [], 0
    for tag in tags:
        places = takes.get(tag)
        place = bisect_left(places, reached) if places is not None else 0
        if places is None or place == len(places):
            pairs.append(-1)
            continue
        item = places[place]
        pairs.append(item)
        reached = item if repeats[item] else item + 1
    return pairs


def forced(takes, repeats, tags):
    """Return the pairs if the tags leave no choice: each tag fits at most one item, and the order is kept; else None.

    >>> forced({"a": [0], "b": [1]}, [True, False], ["a", "a", "b", "c"])
    [0, 0, 1, -1]
    >>> forced({"a": [0, 1]}, [False, False], ["a"])
    """
    reached, pairs = -1, []
    for tag in tags:
        places = takes.get(tag)
        if places is None:
            pairs.append(-1)
            continue
        place = places[0]
        if len(places) > 1 or place < reached or (place == reached and not repeats[place]):
            return None
        pairs.append(place)
        reached = place
    return pairs


def takers(tags):
    """Return the items that accept each tag, given the tags that each item accepts.

    >>> takers([["a"], ["a", "b"]])
    {'a': [0, 1], 'b': [1]}
    """
    takes = {}
    for place in range(len(tags)):
        for tag in tags[place]:
            places = takes.setdefault(tag, [])
            if not places or places[len(places) - 1] != place:
                places.append(place)
    return takes


def likeness(a, b):
    """Return the likeness of two shapes: the mean of their Jaccard index and of the share of the smaller in the larger.

    >>> likeness(0b111, 0b111), likeness(0b1111, 0b0001)
    (1.0, 0.7)
    """
    if a == b:
        return 1.0
    shared, of_a, of_b = bit_count(a & b), bit_count(a), bit_count(b)
    return ((shared + 1.0) / (of_a + of_b - shared + 1) + (shared + 1.0) / (min(of_a, of_b) + 1)) / 2


def fit(tree, shape, node, page, child):
    """Return the score of a pair: an element of the template with this shape, and a node with the same tag."""
    shapes, contents, page_contents = page.shape, tree.content, page.content
    names, page_names = tree.name, page.name
    return worth_of(shape, names[node], contents[node], shapes[child], page_names[child], page_contents[child])


def worth_of(shape, name, content, page_shape, page_name, page_content):
    """Return the score of a pair from the shapes, names and texts of the template element and the page node."""
    worth = likeness(shape, page_shape)
    if name:
        worth += SAME_NAME if name == page_name else OTHER_NAME
    if content and content == page_content:
        worth += SAME_TEXT
    return worth if worth > LEAST else LEAST


class Items:
    """The sequence of items in a node of the template."""

    def __init__(self, takes, repeats, texts):
        """Store the items that accept each tag, which items repeat, and the hashes of the texts that they expect."""
        self.takes, self.repeats, self.texts = takes, repeats, texts


class MatchLoops:
    """Finds for each node of a page the node of one template that it is an example of.

    Matches of subtrees are stored by form and text, since an equal subtree always matches in the same way.
    """

    def __init__(self, tree, shapes, required, starred):
        """Store the template, and for each node its shape, the number of nodes it requires, whether it is in a list."""
        self.tags, self.names, self.kids = tree.tag, tree.name, tree.kids
        self.operators, self.contents = tree.operator, tree.content
        self.shapes, self.required, self.starred = shapes, required, starred
        # These are made when a page first needs them.
        self.plain_tags, self.items, self.members = [None] * len(shapes), [None] * len(shapes), [None] * len(shapes)
        self.seen = {}

    def places(self, page, template_node):
        """Return the node of the template for each node of a structure, or -1, and how many required nodes are missing.

        Also sets it in `template_node`, which has an entry for each node of the page.
        """
        nodes = page.nodes
        page_tags, ends, forms, contents = page.tag, page.end, page.form, page.content
        count = len(ends)
        places, missing = [-1] * count, [0] * count
        both, new, lost = (places, missing), {}, 0
        stack = [0, 0] if self.tags[0] == page_tags[0] else []
        while stack:
            place, node = stack.pop(), stack.pop()
            places[place] = node
            end = ends[place]
            key = (node, forms[place], 0 if self.starred[node] else contents[place])
            known = self.seen.get(key) or new.setdefault(key, (both, place))
            before, same = known
            if before is not both or same != place:
                old_places, old_missing = before
                places[place:end] = old_places[same : same + end - place]
                missing[place:end] = old_missing[same : same + end - place]
                continue
            pairs = []
            missing[place] = self.pair(node, page, children_of(ends, place), pairs)
            for at in range(len(pairs) - 2, -2, -2):
                kid, child = pairs[at], pairs[at + 1]
                if not self.kids[kid] and ends[child] == child + 1:
                    places[child] = kid
                else:
                    stack.append(kid)
                    stack.append(child)
        if len(self.seen) > MOST_SEEN:
            self.seen.clear()
        self.seen.update(new)  # only now, when they are complete: another thread may match at the same time
        for place in range(count):
            lost += missing[place]
            template_node[nodes[place]] = places[place]
        return places, lost

    def pair(self, node, page, children, pairs):
        """Append pairs of an element and a child to `pairs`; return the number of required nodes without a child."""
        kids, page_tags = self.kids[node], page.tag
        tags = [page_tags[child] for child in children]
        width, at, lost = len(children), 0, 0
        if tags == self.plain_tags_of(node):
            for place in range(width):
                pairs.append(kids[place])
                pairs.append(children[place])
            return 0
        taken = self.taken(kids, self.items_of(node), page, children, tags)
        for place in range(len(kids)):
            kid, own = kids[place], []
            while at < width and taken[at] <= place:  # they come in order
                if taken[at] == place:
                    own.append(children[at])
                at += 1
            if not own:
                lost += 0 if self.operators[kid] else self.required[kid]
            elif not is_group(self.tags[kid]):
                for child in own:
                    pairs.append(kid)
                    pairs.append(child)
            elif self.tags[kid] == CHOICE:
                for child in own:
                    pairs.append(self.best(kid, page, child))
                    pairs.append(child)
            else:
                lost += self.cycle(kid, page_tags, own, pairs)
        return lost

    def taken(self, kids, items, page, children, tags):
        """Return the template item of each child, or -1."""
        taken = forced(items.takes, items.repeats, tags)
        if taken is not None:
            return taken
        if len(kids) * len(children) > MOST_CELLS:
            return align_greedily(items.takes, items.repeats, tags)
        return align(self.scores(kids, items, page, children, tags), items.repeats)

    def scores(self, kids, items, page, children, tags):
        """Return the table of scores for `align`: a row per item, a column per child, 0 where the tag does not fit.

        Children that look alike are compared once; their text matters only where an item expects a text.
        """
        shapes, names, contents, width = page.shape, page.name, page.content, len(children)
        scores, columns = [[0.0] * width for _ in kids], {}
        for place in range(width):
            child, tag = children[place], tags[place]
            content = contents[child]
            look = (tag, shapes[child], names[child], content if content in items.texts else 0)
            column = columns.get(look)
            places = items.takes.get(tag)
            if column is None:
                column = [self.worth(kids[item], page, child, tag) for item in places] if places is not None else []
                columns[look] = column
            for at in range(len(column)):
                row = scores[places[at]]
                row[place] = column[at]
        return scores

    def worth(self, kid, page, child, tag):
        """Return the score of a child at an item that accepts its tag."""
        if not is_group(self.tags[kid]):
            return self.fit(kid, page, child) + FILLED_FIRST[self.operators[kid]]
        most = 0.0
        for member in self.members_of(kid)[tag]:
            most = max(most, self.fit(member, page, child))
        return most + FILLED_FIRST[self.operators[kid]]

    def fit(self, node, page, child):
        """Return the score of a pair: an element of the template and a node with the same tag."""
        shapes, names, contents = page.shape, page.name, page.content
        shape, page_shape = self.shapes[node], shapes[child]
        return worth_of(shape, self.names[node], self.contents[node], page_shape, names[child], contents[child])

    def best(self, choice, page, child):
        """Return the member of a choice that a child fits best."""
        page_tags = page.tag
        members = self.members_of(choice)[page_tags[child]]
        best, most = members[0], 0.0
        if len(members) == 1:
            return best
        for member in members:
            worth = self.fit(member, page, child)
            if worth > most:
                best, most = member, worth
        return best

    def cycle(self, sequence, page_tags, children, pairs):
        """Pair children with the members of a repeated sequence in turn; return how many required ones were skipped."""
        members, turn, lost = self.kids[sequence], 0, 0
        count = len(members)
        for child in children:
            while self.tags[members[turn]] != page_tags[child]:
                lost += self.required[members[turn]]
                turn = (turn + 1) % count
            pairs.append(members[turn])
            pairs.append(child)
            turn = (turn + 1) % count
        for place in range(turn or count, count):
            lost += self.required[members[place]]
        return lost

    def plain_tags_of(self, node):
        """Return the tags of the items of a node if all differ: children with exactly these tags need no alignment."""
        if self.plain_tags[node] is None:
            kids = self.kids[node]
            tags = [self.tags[kid] for kid in kids]
            self.plain_tags[node] = tags if len(set(tags)) == len(tags) else NO_TAGS
        return self.plain_tags[node]

    def items_of(self, node):
        """Return the items of a node."""
        if self.items[node] is None:
            kids = self.kids[node]
            found = [self.kids[kid] if is_group(self.tags[kid]) else [kid] for kid in kids]
            self.items[node] = Items(
                takers([[self.tags[member] for member in members] for members in found]),
                [self.operators[kid] == "*" for kid in kids],
                {self.contents[member] for members in found for member in members},
            )
        return self.items[node]

    def members_of(self, group):
        """Return the members of a choice or sequence by tag."""
        if self.members[group] is None:
            members = {}
            for member in self.kids[group]:
                members.setdefault(self.tags[member], []).append(member)
            self.members[group] = members
        return self.members[group]


def is_group(tag):
    """Return whether a node of a template with this tag is a sequence or a choice."""
    return not tag or tag == CHOICE


def children_of(ends, node):
    """Return the children of a node of a page, given where each node ends."""
    child, last, children = node + 1, ends[node], []
    while child < last:
        children.append(child)
        child = ends[child]
    return children


def leaf_columns(nodes, ends, text_start, text_end, in_link):
    """Return the leaves of a structure: their places, nodes of the page, texts, and whether they may lead elsewhere.

    `nodes` and `ends` are columns of the structure, the others of the nodes of the page. In a link, or without text as
    images are, a leaf may have a target.
    """
    places, starts, stops, may_lead = [], [], [], []
    leaf_nodes = np.empty(len(ends), np.intp)
    node_of = leaf_nodes
    for place in range(len(ends)):
        if ends[place] != place + 1:
            continue
        node = nodes[place]
        node_of[len(places)] = node
        places.append(place)
        starts.append(text_start[node])
        stops.append(text_end[node])
        may_lead.append(in_link[node] != 0 or text_start[node] == text_end[node])
    return places, leaf_nodes[: len(places)], starts, stops, may_lead


def read_text(text, start, end, content, short_features, long_features):
    """Return the features of a range of the text, from its characters or, if long, its beginning and hash."""
    if end - start > LONGEST_FEATURE:
        return long_features(text[start : start + BEGINNING], content)
    if end == start:
        return ()
    if is_plain(text, start, end):
        return (TEXT_FEATURE + text[start:end].casefold(),)
    return short_features(text[start:end])


def is_plain(text, start, end):
    """Return whether a range of the text has no digits, and no white space but single blanks inside.

    Nearly all texts are like that, and for them `short_features` would only fold the case.
    """
    kind, data = kind_of(text), data_of(text)
    before = BLANK
    for here in range(start, end):
        letter = letter_at(kind, data, here)
        if letter == BLANK:
            if before == BLANK:
                return False
        elif is_digit_or_space(letter):
            return False
        before = letter
    return before != BLANK


def path_hash(above, tag_number):
    """Return the hash of a path of tags from that of the path above, 0 if there is none, and the number of its tag."""
    return mix(above * BASE + tag_number)


def path_of(structure, place, paths, number):
    """Return the hash of the path of a node; `paths` holds those that are known, by node."""
    parents, tags, way = structure.parent, structure.tag, []
    while place not in paths:
        way.append(place)
        place = parents[place]
    path = paths[place]
    for at in range(len(way) - 1, -1, -1):
        place = way[at]
        path = path_hash(path, number(tags[place]))
        paths[place] = path
    return path


def recurring(leaves, places, known, by_path, own, short_features, long_features, number):
    """Return the share of pages that show the same as each leaf where it stands, by the feature that most of them show.

    `places` are nodes of a template, and `known` what is counted there; `by_path` is asked where that is nothing. `own`
    is 1 if the page itself was counted. The last three are functions that return the features of short and long texts,
    and the number of a tag. Where a leaf leads is only read if more pages may share that than its text.
    """
    shares, at, may_lead, starts, ends = [], leaves.places, leaves.may_lead, leaves.starts, leaves.ends
    structure = leaves.structure
    paths, text, contents = {-1: 0}, structure.page.text, structure.content
    for leaf in range(len(at)):
        place = at[leaf]
        node = places[place]
        counted = known[node] if node >= 0 else None
        if counted is None:
            counted = by_path.get(path_of(structure, place, paths, number))
        if counted is None or not counted[0]:
            shares.append(0.0)
            continue
        counts, pages, target_pages = counted
        most = max(1, pages - own)
        features = read_text(text, starts[leaf], ends[leaf], contents[place], short_features, long_features)
        support = greatest_support(counts, features, own)
        if may_lead[leaf] and support < min(most, target_pages - own):
            support = max(support, greatest_support(counts, leaves.targets(leaf), own))
        shares.append(min(1.0, support / most))
    return shares


def block_means(leaves, shares, node_start, node_end, characters, mean_share, recurring_share):
    """Set for each block the mean share of its leaves, and how much of it has any share, weighted by length.

    Shares are rounded to single precision first.
    """
    nodes, starts, ends = leaves.nodes, leaves.starts, leaves.ends
    count = len(starts)
    sums, recurring_sums = room_for(count + 1, np.float64), room_for(count + 1, np.float64)
    sums[0] = recurring_sums[0] = 0.0
    for leaf in range(count):
        share, length = single(shares[leaf]), ends[leaf] - starts[leaf]
        sums[leaf + 1] = sums[leaf] + share * length
        recurring_sums[leaf + 1] = recurring_sums[leaf] + (length if share > 0 else 0)
    first = last = 0
    for block in range(len(node_start)):
        first = skip_before(nodes, first, count, node_start[block])
        last = skip_before(nodes, max(first, last), count, node_end[block])
        size = max(1, characters[block])
        mean_share[block] = (sums[last] - sums[first]) / size
        recurring_share[block] = (recurring_sums[last] - recurring_sums[first]) / size


def skip_before(nodes, leaf, count, node):
    """Return the first leaf from `leaf` on that is not before a node."""
    while leaf < count and nodes[leaf] < node:
        leaf += 1
    return leaf


def greatest_support(counts, features, own):
    """Return how many pages show the feature that most show, this page itself left out."""
    support = 0.0
    for feature in features:
        counted = counts.get(feature)
        if counted is None:
            continue
        count = counted
        count -= own
        if count > support:
            support = max(support, count * MASKED_WORTH if feature.startswith(MASKED) else count)
    return support
