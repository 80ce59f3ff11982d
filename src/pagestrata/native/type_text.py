"""Reads the characters of a page for its type: keys of words, prices, punctuation, where links lead.

A key is a hash of 62 bits of the letters of a word and a seed for where it stands, so that no word is ever built as a
string. Two words with the same key are so unlikely that they are not handled: the probabilities of page types would be
slightly wrong.
"""

START = 1_469_598_103_934_665_603
PRIME = 1_099_511_628_211
"""Offset and prime of the FNV-1a hash."""
MASK = (1 << 62) - 1
"""Keeps a key inside a signed number of 64 bits, also where Python's integers have no limit."""
MAX_PROBES = 64
"""Slots of a table, at most half full, that are tried for a key: only a page written for that purpose needs more."""
SHORT_LINE = 100
"""Characters below which a line is a label, a link or a heading rather than text."""
LABEL_SPACES = 4
"""Spaces from which a line is no label."""
NAME_START = 200
"""Characters of a class or id that are read."""
VALUE_START = 30
"""Characters of any other attribute that are read."""
PROPERTY_START = 40
"""Characters of the name of a meta tag that are read."""
CONTENT_START = 300
"""Characters of the content of a meta tag that are read."""
HEADING_START = 200
"""Characters of a heading that are read."""
MIN_LETTERS, MAX_LETTERS = 3, 19
"""Letters of a word in a class or id."""
OFTEN, VERY_OFTEN = 5, 20
"""Uses of a name from which it counts as another word as well: one "product" is no grid of them."""
LATIN_CASE = 32
"""The distance from a capital of ASCII to its small letter."""
SHORT_WORDS = 16
"""Words up to which a line may be a price, rather than mention one."""
PRICE_START = 200
"""Characters of a line in which a price is looked for."""

VALUE, WORDS, FIRST_WORDS = 1, 2, 3
"""How the content of a meta tag is read: as one value, as words, as its first two words."""
TO_PAGE, TO_PERSON, TO_CART, TO_CALL = 1, 2, 4, 8
"""Where a link leads according to a word in its address, as bits."""
QUESTION, EXCLAMATION, COMMA, COLON, EQUAL, MONEY, DIGIT = 0, 1, 2, 3, 4, 5, 6
"""The places of marks in their counts."""
LINKS, HOSTS, INSIDE, PAGES, PEOPLE, CART, CALLS = 0, 1, 2, 3, 4, 5, 6
"""The places of kinds of links in their counts."""


class WordReader:
    """Reads the text and the attributes of a page, and writes the keys of words into a buffer."""

    def __init__(self, text, markup, attributes, nodes, small_letters):
        """Store the columns of a page, and a table with the small letter of each of the first Unicode characters.

        `attributes`: number of the name, start and end of the value. `nodes`: tag, first attribute, one past the last
        attribute, start and end of the text. `small_letters` has 0 for what is no letter.
        """
        self.text = text
        self.markup = markup
        self.number, self.value_start, self.value_end = attributes
        self.tag, self.attribute_start, self.attribute_end, self.text_start, self.text_end = nodes
        self.small_letters = small_letters
        self.known_letters = len(small_letters)
        self.size = 0
        self.joined = 0

    def begin(self, keys):
        """Write all further keys into this buffer, which must have room for them."""
        self.keys = keys
        self.size = 0

    def add(self, word, seed):
        """Add the key of a word, given its hash."""
        self.keys[self.size] = ((word ^ seed) * PRIME) & MASK
        self.size += 1

    def small(self, letter):
        """Return the code of a character as a small letter, 0 for what is no letter."""
        code = ord(letter)
        if code < self.known_letters:
            return self.small_letters[code]
        return code if letter.isalpha() else 0

    def read_words(self, text, first, last, seed, most):
        """Add the words of two letters or more from a range of a text, up to a limit; return their number.

        `joined` becomes a hash of all of them together, which for a single word is its own.
        """
        count, letters, word, self.joined = 0, 0, START, 0
        for i in range(first, last + 1):
            code = self.small(text[i]) if i < last else 0
            if code:
                word = ((word ^ code) * PRIME) & MASK
                letters += 1
                continue
            if letters > 1 and count < most:
                self.add(word, seed)
                self.joined = ((self.joined * PRIME) ^ word) & MASK
                count += 1
            if letters:
                word, letters = START, 0
        return count

    def hash_value(self, text, first, last):
        """Return the hash of a range of a text, with small letters for capitals."""
        word = START
        for i in range(first, last):
            code = self.small(text[i])
            word = ((word ^ (code if code else ord(text[i]))) * PRIME) & MASK
        return word

    def read_value(self, text, first, last, seed):
        """Add a range of a text as one word."""
        self.add(self.hash_value(text, first, last), seed)

    def read_title(self, title, size, seed):
        """Add the words of the title, and every two that follow each other."""
        first = self.size
        count = self.read_words(title, 0, size, seed, size)
        for i in range(first, first + count - 1):
            self.add(((self.keys[i] * PRIME) ^ self.keys[i + 1]) & MASK, seed)

    def read_headings(self, nodes, title_tag, title_seed, seed):
        """Add the words of headings; those of the top level have a seed of their own."""
        for place in range(len(nodes)):
            node = nodes[place]
            first = self.text_start[node]
            last = min(self.text_end[node], first + HEADING_START)
            self.read_words(self.text, first, last, title_seed if self.tag[node] == title_tag else seed, HEADING_START)

    def read_lines(self, start, end, is_link, is_read, seed, link_seed):
        """Add the words of short lines, with another seed if they are links, and each line of few words as one word."""
        for b in range(len(start)):
            first, last = start[b], end[b]
            if not is_read[b] or last - first >= SHORT_LINE:
                continue
            count = self.read_words(self.text, first, last, link_seed if is_link[b] else seed, SHORT_LINE)
            if (count > 1 or (count and is_link[b])) and self.spaces(first, last) < LABEL_SPACES:
                self.add(self.joined, seed)

    def spaces(self, first, last):
        """Return the number of spaces in a range of the text."""
        count = 0
        for i in range(first, last):
            if self.text[i] == " ":
                count += 1
        return count

    def read_text(self, start, end, is_read, seed):
        """Add the words of long lines."""
        for b in range(len(start)):
            if is_read[b] and end[b] - start[b] >= SHORT_LINE:
                self.read_words(self.text, start[b], end[b], seed, end[b] - start[b])

    def read_names(self, is_name, slots, uses):
        """Add the words in class and id names, each once, and again when they are used often.

        A word is a run of Latin letters; a capital after a small letter begins a new one. `slots` and `uses` are
        an empty table for `count_use`.
        """
        for a in range(len(self.number)):
            if is_name[self.number[a]]:
                first = self.value_start[a]
                self.count_names(first, min(self.value_end[a], first + NAME_START), slots, uses)
        for slot in range(len(slots)):
            if slots[slot]:
                self.add(slots[slot], 0)
                if uses[slot] >= OFTEN:
                    self.add(slots[slot], OFTEN)
                if uses[slot] >= VERY_OFTEN:
                    self.add(slots[slot], VERY_OFTEN)

    def count_names(self, first, last, slots, uses):
        """Count the words of one attribute."""
        word, letters, after_small = START, 0, False
        for i in range(first, last + 1):
            code = ord(self.markup[i]) if i < last else 0
            is_capital = 65 <= code <= 90
            is_small = 97 <= code <= 122
            if letters and (not (is_capital or is_small) or (is_capital and after_small)):
                if MIN_LETTERS <= letters <= MAX_LETTERS:
                    count_use(word, slots, uses)
                word, letters = START, 0
            if is_capital or is_small:
                word = ((word ^ (code + LATIN_CASE if is_capital else code)) * PRIME) & MASK
                letters += 1
            after_small = is_small

    def read_markup(self, seeds, field_seeds, is_field, itemtype):
        """Add the values of attributes that have a seed; some only where the element is a field of a form."""
        node = 0
        for a in range(len(self.number)):
            name = self.number[a]
            if not seeds[name] and not field_seeds[name]:
                continue
            while self.attribute_end[node] <= a:  # the last node ends where the attributes do
                node += 1
            if field_seeds[name] and not is_field[self.tag[node]]:
                continue
            first, last = self.value_start[a], self.value_end[a]
            if name == itemtype:
                first = self.after_slash(first, last)
            self.read_value(self.markup, first, min(last, first + VALUE_START), seeds[name] + field_seeds[name])

    def after_slash(self, first, last):
        """Return where the last step of an address begins."""
        for i in range(last - 1, first - 1, -1):
            if self.markup[i] == "/":
                return i + 1
        return first

    def read_meta(self, nodes, names, kinds, seed):
        """Add the names of meta tags, and the content of those whose hashed name has an entry in `kinds`.

        `names` are the numbers of the attributes property, name and content.
        """
        property_name, plain_name, content = names
        for place in range(len(nodes)):
            node = nodes[place]
            named = by_property = said = -1
            for a in range(self.attribute_start[node], self.attribute_end[node]):
                if self.number[a] == property_name:
                    by_property = a
                elif self.number[a] == plain_name:
                    named = a
                elif self.number[a] == content:
                    said = a
            if by_property >= 0 and self.value_end[by_property] > self.value_start[by_property]:
                named = by_property
            if named < 0:
                continue
            first = self.value_start[named]
            name = self.hash_value(self.markup, first, min(self.value_end[named], first + PROPERTY_START))
            self.add(name, seed)
            kind = kinds.get(name, 0)
            if kind and said >= 0:
                self.read_content(self.value_start[said], self.value_end[said], kind, ((name * PRIME) ^ seed) & MASK)

    def read_content(self, first, last, kind, seed):
        """Add the content of a meta tag."""
        if kind == VALUE:
            self.read_value(self.markup, first, min(last, first + VALUE_START), seed)
        else:
            last = min(last, first + CONTENT_START)
            self.read_words(self.markup, first, last, seed, CONTENT_START if kind == WORDS else 2)

    def find_prices(self, start, end, words, is_usable, is_price):
        """Mark the short lines that hold a price: a number beside a currency."""
        for b in range(len(start)):
            if is_usable[b] and words[b] <= SHORT_WORDS:
                is_price[b] = self.holds_price(start[b], min(end[b], start[b] + PRICE_START))

    def holds_price(self, first, last):
        """Return 1 if a range of the text has a number beside a currency, else 0."""
        digit_at = sign_at = -3
        for i in range(first, last):
            letter = self.text[i]
            if "0" <= letter <= "9":
                if i - sign_at == 1 or (i - sign_at == 2 and self.text[i - 1] == " "):
                    return 1
                digit_at = i
            elif letter in "$€£¥₹":
                sign_at = i
            follows = i - digit_at == 1 or (i - digit_at == 2 and self.text[i - 1] == " ")
            if follows and self.begins_currency(i, last):
                return 1
        return 0

    def begins_currency(self, i, last):
        """Return whether a currency stands here, as it is written after a number."""
        letter = self.text[i]
        if letter in "€£":
            return True
        second = self.text[i + 1] if i + 1 < last else " "
        third = self.text[i + 2] if i + 2 < last else " "
        if letter == "k":
            return second == "r" and not third.isalpha()
        if letter == "z":
            return second == "ł"
        if letter == "U":
            return second == "S" and third == "D"
        if letter == "E":
            return second == "U" and third == "R"
        return letter == "G" and second == "B" and third == "P"

    def count_marks(self, size, counts):
        """Count the marks at the start of the text."""
        for i in range(size):
            letter = self.text[i]
            if "0" <= letter <= "9":
                counts[DIGIT] += 1
            elif letter == ",":
                counts[COMMA] += 1
            elif letter == "?":
                counts[QUESTION] += 1
            elif letter == "!":
                counts[EXCLAMATION] += 1
            elif letter == ":":
                counts[COLON] += 1
            elif letter == "=":
                counts[EQUAL] += 1
            elif letter == "$" or letter == "€" or letter == "£":
                counts[MONEY] += 1

    def read_links(self, href, anchor, words, slots, uses, counts):
        """Count links by where they lead, and the uses of each host in an empty table for `count_use`.

        `words` are the hashes of words that an address may have, a table of them, and where each leads.
        """
        node = 0
        keys, known_slots, kinds = words
        for a in range(len(self.number)):
            if self.number[a] != href:
                continue
            while self.attribute_end[node] <= a:
                node += 1
            if self.tag[node] != anchor:
                continue
            first, last = self.value_start[a], self.value_end[a]
            counts[LINKS] += 1
            host = self.host_key(self.markup, first, last)
            if host:
                counts[HOSTS] += 1
                count_use(host, slots, uses)
            if last - first > 1 and self.markup[first] == "#":
                counts[INSIDE] += 1
            leads = self.leads_to(first, last, keys, known_slots, kinds)
            counts[PAGES] += (leads & TO_PAGE) != 0
            counts[PEOPLE] += (leads & TO_PERSON) != 0
            counts[CART] += (leads & TO_CART) != 0
            counts[CALLS] += (leads & TO_CALL) != 0

    def host_key(self, text, first, last):
        """Return the hash of the host of an absolute address, without `www.`; 0 for any other address."""
        i = first
        while i < last and text[i] == " ":
            i += 1
        if i < last and text[i] != "/":
            first = i
            while i < last and i < first + 6 and text[i] != ":":
                i += 1
            i += 1
            if i - first < 5 or i >= last or not (text[first] == "h" or text[first] == "H"):
                return 0
        if i + 2 >= last or text[i] != "/" or text[i + 1] != "/":
            return 0
        i += 2
        if i + 4 < last and text[i] == "w" and text[i + 1] == "w" and text[i + 2] == "w" and text[i + 3] == ".":
            i += 4
        end = i
        while end < last and text[end] not in "/?#:":
            end += 1
        return self.hash_value(text, i, end) if end > i else 0

    def leads_to(self, first, last, keys, slots, kinds):
        """Return where an address leads according to its words, as bits."""
        leads = 0
        word, letters = START, 0
        for i in range(first, last + 1):
            code = ord(self.markup[i]) if i < last else 0
            if 65 <= code <= 90:
                code += LATIN_CASE
            if 97 <= code <= 122:
                word = ((word ^ code) * PRIME) & MASK
                letters += 1
            elif letters:
                row = row_of(word, keys, slots)
                if row >= 0:
                    leads |= kinds[row] & self.allowed(i - letters, i, first, last)
                word, letters = START, 0
        return leads

    def allowed(self, start, end, first, last):
        """Return what a word may mean, given the characters before and after it, as bits."""
        before = self.markup[start - 1] if start > first else " "
        after = self.markup[end] if end < last else " "
        allowed = TO_CART
        if before == "/" and after == "/":
            allowed |= TO_PERSON
        if start == first and after == ":":
            allowed |= TO_CALL
        if before in "?&/;":  # an ampersand may be escaped
            if after in "=/-":
                after = self.markup[end + 1] if end + 1 < last else " "
            if "0" <= after <= "9":
                allowed |= TO_PAGE
        return allowed


def count_use(word, slots, uses):
    """Count one more use of a word in a table: two columns of zeros, a power of two in size."""
    slot = slot_of(word)
    for _ in range(MAX_PROBES):
        slot &= len(slots) - 1
        if slots[slot] == 0:
            slots[slot] = word
        if slots[slot] == word:
            uses[slot] += 1
            return
        slot += 1


def slot_of(word):
    """Return the first slot to try for a word, before it is cut to the size of the table."""
    return word ^ (word >> 32)


def fill_slots(keys, slots):
    """Write the row of each key plus one into a hash table of zeros, whose size is a power of two."""
    for row in range(len(keys)):
        slot = slot_of(keys[row])
        for _ in range(MAX_PROBES):
            slot &= len(slots) - 1
            if slots[slot] == 0:
                slots[slot] = row + 1
                break
            slot += 1


def row_of(key, known_keys, slots):
    """Return the row of a key in a table of `fill_slots`; -1 for an unknown one."""
    slot = slot_of(key)
    for _ in range(MAX_PROBES):
        slot &= len(slots) - 1
        row = slots[slot] - 1
        if row < 0 or known_keys[row] == key:
            return row
        slot += 1
    return -1


def sum_weights(keys, known_keys, slots, weights, seen, sums):
    """Add the weights of all known keys, each once; return the number of these keys.

    `weights` has one row of outputs per known key, `seen` a zero.
    """
    count = 0
    for i in range(len(keys)):
        row = row_of(keys[i], known_keys, slots)
        if row >= 0 and not seen[row]:
            seen[row] = 1
            count += 1
            for output in range(len(sums)):
                sums[output] += weights[row * len(sums) + output]
    return count
