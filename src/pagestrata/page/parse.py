"""Turn bytes or text into a `Page`. No other file uses the parser's tree.

The parser (turbohtml) builds the tree of the HTML standard; we empty what is never content, and serialise the tree as
XML: a regular stream in which every name is plain, every value quoted and every `<` a tag, so that one scan can write
it to arrays. (As HTML the stream would contain raw text and unusual names, which a scan cannot distinguish from tags.)
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Final, NamedTuple, cast

import turbohtml
from turbohtml import Comment, Document, Element, Html, Namespace, SelectorSyntaxError, Text

from pagestrata.errors import SelectorError
from pagestrata.options import Options
from pagestrata.page import columns, tags
from pagestrata.page.blocks import Blocks, word_rate
from pagestrata.page.boxes import Boxes
from pagestrata.page.columns import Scan
from pagestrata.page.concealed import IN_SHEETS
from pagestrata.page.decode import choose_encoding
from pagestrata.page.drawn import NUMBER_ATTRIBUTE, Drawn, Snapshot, apply_snapshot, take_numbers
from pagestrata.page.limits import Limit
from pagestrata.page.nodes import Nodes
from pagestrata.page.page import Encoding, Page
from pagestrata.page.raw import RawPage
from pagestrata.page.scan import decode_utf8, scan, skim, survey
from pagestrata.page.selector_steps import MAX_STEPS, estimate_steps
from pagestrata.page.style_rules import HidingRules, hiding_rules
from pagestrata.page.text import (
    collapse,
    has_tag_characters,
    without_controls,
    without_tag_characters,
)
from pagestrata.page.unclosed import close_unclosed, may_be_swallowed, unclosed_warning
from pagestrata.page.visibility import with_visibility
from pagestrata.page.web_address import address_problem

PARSER_DEPTH: Final = 511
"""Elements deeper than this have no content in the parser's tree: it follows them."""
_XML = Html(xml=True)
_TITLE = re.compile(r"<title(?: [^>]*)?>([^<]*)")
_EMPTIED_TAGS = ("script", "style", "template", "svg")
_FORMATTING_TAG = re.compile(rb"(?i)</?(?:" + "|".join(tags.FORMATTING[::-1]).encode() + rb")(?:[\s/][^<>]*)?>")
_OPEN_FRAME = re.compile(rb"(?i)(<iframe\b[^<]*)(?=</noscript)")
_NEW_LINE = re.compile("\r\n?")
_TEX_COMMAND = re.compile(r"\\(?:(?:begin|end)\s*\{[A-Za-z]+\*?\}|[A-Za-z]+)")
_TEX_WORD = re.compile("[A-Za-z]{4,}")
MAX_TEX_WORDS: Final = 100
"""Different words of four letters; what has more is a text, and each of them is searched for in the drawing."""
MAX_UNDRAWN_WORDS: Final = 3
"""Words of four letters in the TeX of a formula that its drawing may lack, such as colours and labels."""
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?")
_INVALID_ATTRIBUTE = re.compile(r"\A\Z|[\s\0/=>]")
# Files that begin with these bytes are not pages, though a parser would accept them.
_MAGIC = (
    (b"%PDF-", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"RIFF", "RIFF"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"\x7fELF", "ELF"),
    (b"wOF", "WOFF"),
    (b"\x00\x00\x01\x00", "ICO"),
    (b"SQLite format 3", "SQLite"),
)
_MAGIC_BYTES = tuple(magic for magic, _ in _MAGIC)
_TEXT_CONTROLS = bytes(set(range(32)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1B}) + b"\x7f"
_BINARY_SHARE = 0.05
"""Share of control bytes near the start above which data is not text. Packed data have .11 (.08 to .14 in the first
kilobyte), the bad-input corpus's pages with stray NULs less than .01, and real pages of our sets none."""


class _Read(NamedTuple):
    """A page after the parser and the scan, before it is frozen."""

    markup: str
    scan: Scan
    title: str
    json_ld: tuple[str, ...]
    boxes: Boxes | None = None
    drawn: Drawn | None = None
    rules: HidingRules = HidingRules()
    """Read only if nothing hidden may be returned."""
    limits: tuple[Limit, ...] = ()
    """Of the selectors."""


def parse(raw: RawPage, options: Options) -> Page:
    """Read a page once; every limit that was hit is listed in the result, and the rest of the page is still read."""
    limits: list[Limit] = []
    warnings: list[str] = []
    if raw.snapshot is None:
        data, encoding = _text_only(*_readable(raw, options, limits), raw, warnings)
        read = _read_source(data, encoding, options, limits, warnings)
    else:
        encoding = Encoding("UTF-8", "browser")
        read = _read_snapshot(raw.snapshot, options, limits)
    scanned = read.scan
    limits.extend(read.limits)
    _report_limits(scanned, options, limits)
    has_refused_url = bool(address_problem(raw.url))
    page = Page(
        url=None if has_refused_url else raw.url,
        source=raw.source,
        encoding=encoding,
        markup=read.markup,
        text=scanned.text,
        nodes=Nodes(scanned.nodes, tags.TAGS + scanned.names),
        attributes=scanned.attributes,
        blocks=Blocks(scanned.blocks, word_rate(scanned)),
        title=read.title,
        json_ld=read.json_ld,
        limits=tuple(limits),
        warnings=tuple(warnings),
        refused_url=raw.url if has_refused_url else None,
        boxes=read.boxes,
        drawn=read.drawn,
    )
    if options.selectors:
        object.__setattr__(page, "marks", _marks(page, options.selectors))
    return with_visibility(page, scanned.words, read.rules, options.hidden)


def _read_source(data: bytes, encoding: Encoding, options: Options, limits: list[Limit], warnings: list[str]) -> _Read:
    """Read a page from its bytes; only one that an unclosed element has swallowed is parsed a second time."""
    data, signs = within_budgets(data, options, limits)
    data = _with_frames_closed(data, signs)
    read = _read_bytes(data, signs, encoding, options)
    if not limits and may_be_swallowed(read.markup, read.scan):  # where a page was cut, elements are open
        data, names = close_unclosed(data)
        if names:
            del read  # or two of them would take room at a time
            warnings.append(unclosed_warning(names))
            read = _read_bytes(data, signs, encoding, options)
    return read._replace(rules=hiding_rules(data, IN_SHEETS)) if options.hidden == "never" else read


def _read_bytes(data: bytes, signs: int, encoding: Encoding, options: Options) -> _Read:
    """Parse and scan. Scripts are left out before the parse, unless a selector may match what is in them.

    A page that is too deep for that is read again: below its deepest level the parser puts the text of a script beside
    it, where it would be content.
    """
    read = _read_tree(data, signs, encoding, options, skims=not options.selectors)
    if options.selectors and read.scan.deepest > PARSER_DEPTH:
        read = _read_tree(data, signs, encoding, options, skims=True)
    return read


def _read_tree(data: bytes, signs: int, encoding: Encoding, options: Options, skims: bool) -> _Read:
    json_ld: tuple[str, ...] = ()
    if skims and encoding.name != "ISO-2022-JP":  # there, bytes that look like tags may be letters
        data, signs, json_ld = _skimmed(data, signs, encoding)
    document = _tree(data, encoding)
    limits: list[Limit] = []
    json_ld += _prepare(document, signs, options, limits)[len(json_ld) :]  # the first are empty by now
    markup = document.serialize(_XML)
    if has_tag_characters(markup):
        markup = without_tag_characters(markup)
    scanned = scan(markup, options.max_depth, options.max_attributes)
    return _Read(markup, scanned, _title(document, markup), json_ld, limits=tuple(limits))


def _read_snapshot(snapshot: Snapshot, options: Options, limits: list[Limit]) -> _Read:
    """Read a page from the tree of a browser: what it showed is visible."""
    limits.extend(snapshot.limits)
    document = _document_of(snapshot, options, limits)
    json_ld = _prepare(document, columns.MATHS, options, limits)
    markup, numbers = take_numbers(without_tag_characters(document.serialize(_XML)))
    scanned = scan(markup, options.max_depth, options.max_attributes)
    scanned, boxes, drawn = apply_snapshot(snapshot, scanned, numbers)
    return _Read(markup, scanned, _title(document, markup), json_ld, boxes, drawn)


def _prepare(document: Document, signs: int, options: Options, limits: list[Limit]) -> tuple[str, ...]:
    """Bring the tree to the form that is serialised; return the JSON-LD that was still in it."""
    _take_in_strays(document)
    limits.extend(_mark(document, options.selectors))
    if signs & columns.TEMPLATES:
        _splice_shadow_roots(document)
    json_ld = () if signs & columns.EMPTIED else _empty_scripts(document)
    if signs & columns.MATHS:
        _keep_tex(document)
    if signs & columns.ODD_NAMES:
        _rename_odd(document)
    return json_ld


# ------------------------------------------------------------------------------------------------ before the parser


def _readable(raw: RawPage, options: Options, limits: list[Limit]) -> tuple[bytes, Encoding]:
    """Return the page as bytes in an encoding that contains ASCII, no longer than allowed."""
    if isinstance(raw.markup, str):
        data, encoding = raw.markup.encode("utf-8", "replace"), Encoding("UTF-8", "text")
    else:
        data = bytes(raw.markup)
        encoding = choose_encoding(data, raw)
    if len(data) > options.max_bytes:
        limits.append(Limit("bytes", options.max_bytes, len(data), "the rest was cut off"))
        data = data[: options.max_bytes]
    if encoding.name.startswith(("UTF-16", "UTF-32")):
        data = data.decode(encoding.name.lower(), "replace").encode("utf-8", "replace")
        encoding = Encoding("UTF-8", f"{encoding.source} ({encoding.name})")
    return data, encoding


def _text_only(data: bytes, encoding: Encoding, raw: RawPage, warnings: list[str]) -> tuple[bytes, Encoding]:
    """Replace data that is not text by nothing; data with a byte-order mark or passed as text is accepted."""
    kind = binary_kind(data) if isinstance(raw.markup, bytes) and not encoding.source.startswith("bom") else ""
    if kind:
        warnings.append(f"not a page: the input looks like {kind}")
    return b"" if kind else data, encoding


def binary_kind(data: bytes) -> str:
    """Return the format of the bytes if they are not text, or an empty string if they may be a page.

    >>> binary_kind(b"%PDF-1.7 ..."), binary_kind(b"<p>Hello"), binary_kind(bytes(64))
    ('PDF', '', 'binary data')
    """
    start = data[:1024]
    if start.startswith(_MAGIC_BYTES):
        return next(kind for magic, kind in _MAGIC if start.startswith(magic))
    controls = len(start) - len(start.translate(None, _TEXT_CONTROLS))
    return "binary data" if controls > _BINARY_SHARE * len(start) else ""


def within_budgets(data: bytes, options: Options, limits: list[Limit]) -> tuple[bytes, int]:
    """Cut or thin out what would cost the parser too much; also return the signs of what needs care in the tree."""
    budget = options.tags_base + options.tags_per_kilobyte * len(data) // 1024
    count, cut_at, dissolve_at, signs = survey(data, budget, budget)
    if cut_at >= 0:
        limits.append(Limit("tags", budget, count, f"cut at byte {cut_at:,}"))
        data = data[:cut_at]
    if 0 <= dissolve_at < len(data):
        effect = "all formatting tags were dissolved, their text kept"
        limits.append(Limit("open formatting", budget, budget + 1, effect))
        data = _FORMATTING_TAG.sub(b"", data)
    return data, signs


def _with_frames_closed(data: bytes, signs: int) -> bytes:
    """Close frames that a `noscript` leaves open (`<noscript><iframe/></noscript>`), which would swallow the page.

    A browser that runs scripts ignores the content of `noscript`; our parser runs none.
    """
    return _OPEN_FRAME.sub(rb"\1</iframe>", data) if signs & columns.OPEN_FRAMES else data


def _skimmed(data: bytes, signs: int, encoding: Encoding) -> tuple[bytes, int, tuple[str, ...]]:
    """Remove the content of scripts and similar elements; also return the JSON-LD that was among it."""
    skimmed, all_empty, no_shadow_roots, scripts = skim(data, encoding.name == "UTF-8")
    texts = [decode_utf8(script) for script in scripts]
    json_ld = tuple(_NEW_LINE.sub("\n", text).replace("\0", "\ufffd") for text in texts if text is not None)
    if len(json_ld) < len(scripts):  # the parser decides how to read broken bytes
        skimmed, all_empty, no_shadow_roots, _ = skim(data, with_json_ld=False)
        json_ld = ()
    signs |= columns.EMPTIED * all_empty
    return skimmed, signs & ~columns.TEMPLATES if no_shadow_roots else signs, json_ld


# ------------------------------------------------------------------------------------------------------ in the tree


def _tree(data: bytes, encoding: Encoding) -> Document:
    """Parse the page. The parser is faster on text than on bytes, but it decides itself how to read broken bytes."""
    text = decode_utf8(data.removeprefix(BOM_UTF8)) if encoding.name == "UTF-8" else None
    if text is None:
        return turbohtml.parse(data, encoding=encoding.name, positions=False)
    return turbohtml.parse(text, positions=False)


def _take_in_strays(document: Document) -> None:
    """Move nodes after the root (they occur after `</template>` in a drawing) into it, so that a page has one root."""
    root, strays = document.root, document.children
    if root is not None and len(strays) > 1:
        root.extend([stray for stray in strays if isinstance(stray, Element | Text) and stray is not root])


def _document_of(snapshot: Snapshot, options: Options, limits: list[Limit]) -> Document:
    """Build the parser's tree from that of a browser, each element with its number; elements too deep are flattened."""
    document = turbohtml.parse(b"", positions=False)
    elements: list[tuple[Element, int]] = []
    for row, (parent, name) in enumerate(zip(snapshot.parents, snapshot.names, strict=True)):
        holder, depth = elements[parent] if parent >= 0 else (Element(tags.ODD), 0)
        if name:
            element = _element_of(snapshot, row)
            holder.append(element)
            elements.append((element, depth + 1) if depth <= options.max_depth else (holder, depth))
        else:
            if snapshot.scripts and holder.tag == "noscript":  # a browser with scripts has its content as one text
                data, _ = within_budgets("".join(snapshot.texts[row]).encode("utf-8", "replace"), options, limits)
                holder.set_inner_html(data.decode("utf-8", "replace"))
            else:
                holder.extend(_texts_of(snapshot.texts[row]))
            elements.append((holder, depth))
    if document.root is not None and elements:
        document.root.replace_with(elements[0][0])
    return document


def _texts_of(pieces: tuple[str, ...]) -> Iterator[Text | Comment]:
    """Yield texts with comments between them, so that they become as many nodes as on a parsed page."""
    for number, piece in enumerate(pieces):
        if number:
            yield Comment("")
        yield Text(piece)


def _element_of(snapshot: Snapshot, row: int) -> Element:
    name, names_and_values = snapshot.names[row], snapshot.attributes[row]
    attributes: dict[str, str | list[str] | None] = {NUMBER_ATTRIBUTE: str(row)}
    pairs = zip(names_and_values[::2], names_and_values[1::2], strict=True)
    attributes.update(
        (key, value) for key, value in pairs if key != NUMBER_ATTRIBUTE and not _INVALID_ATTRIBUTE.search(key)
    )
    return Element(name if _PLAIN_NAME.fullmatch(name) else tags.ODD, attributes)


def _mark(document: Document, selectors: tuple[str, ...]) -> Iterator[Limit]:
    """Run the selectors on the tree; elements that match carry the numbers of the selectors into the arrays.

    An XPath that may take too long on this page is not run, and reported as a limit.
    """
    if not selectors:
        return
    for element in document.select(f"[{tags.MARK}]"):  # a page may contain one itself
        del element.attrs[tags.MARK]
    for number, selector in enumerate(selectors):
        steps = estimate_steps(document, selector) if is_xpath(selector) else 0
        if steps > MAX_STEPS:
            yield Limit("selector steps", MAX_STEPS, steps, f"the selector {selector} was not applied")
            continue
        for element in find(document, selector):
            before = element.attr(tags.MARK)
            element.attrs[tags.MARK] = f"{before} {number}" if before else str(number)


def is_xpath(selector: str) -> bool:
    """Whether a selector is an XPath, and not CSS: it starts with `/` or `(`."""
    return selector.lstrip().startswith(("/", "("))


def find(document: Document, selector: str) -> list[Element]:
    """Return the elements that match a CSS selector or an XPath."""
    try:
        matches = document.xpath(selector) if is_xpath(selector) else document.select(selector)
    except (SelectorSyntaxError, ValueError, TypeError) as error:
        raise SelectorError(f"cannot read the selector {selector!r}: {error}") from error
    if not isinstance(matches, list):
        raise SelectorError(f"the selector {selector!r} finds no elements but a {type(matches).__name__}")
    return [element for element in matches if isinstance(element, Element)]


def _empty_scripts(document: Document) -> tuple[str, ...]:
    """Empty what is never content, drawings without text included; return the JSON-LD, and keep formulas as text."""
    json_ld = []
    for element in list(document.iter_elements(_EMPTIED_TAGS)):
        tag = element.tag
        if tag == "svg" and element.text.strip():
            continue
        if tag == "script" and (script_type := element.attr("type")):
            kind = script_type.partition(";")[0].strip().lower()
            if kind == "application/ld+json":
                json_ld.append(element.text)
            elif kind == "math/tex" and element.parent is not None:  # it may have been in a drawing that was emptied
                element.insert_after(_tex(element.text, "display" if "display" in script_type else "inline"))
        element.clear()
    return tuple(json_ld)


def _keep_tex(document: Document) -> None:
    """Put the TeX that MathML carries as an annotation in place of its drawing, and drop KaTeX's second drawing."""
    read = set[Element]()  # one annotation of each is read: a page may have any number of them
    for annotation in document.select('annotation[encoding="application/x-tex"]'):
        math = annotation.closest("math")
        if math is not None and math not in read:
            read.add(math)
            tex = annotation.text
            for note in math.select("annotation, annotation-xml"):
                note.clear()
            if _is_of_drawing(tex, math.text):
                math.clear()
                math.append(_tex(tex, "display" if math.attr("display") == "block" else "inline"))
    for drawing in document.select(".katex-html[aria-hidden]"):
        drawing.clear()


def _is_of_drawing(tex: str, drawn: str) -> bool:
    """Whether TeX says what the drawing of its formula shows; its commands and a few other words may be missing there.

    The annotation itself is never drawn, so it could hold a text for those who only read it.
    """
    words = set(_TEX_WORD.findall(_TEX_COMMAND.sub(" ", tex)))
    if len(words) > MAX_TEX_WORDS:
        return False
    shown = "".join(drawn.split())
    return sum(word not in shown for word in words) <= MAX_UNDRAWN_WORDS


def _tex(formula: str, mode: str) -> Element:
    element = Element(tags.TEX, {"type": mode})
    element.set_text(formula.strip())
    return element


def _splice_shadow_roots(document: Document) -> None:
    """Move the content of shadow roots to the start of their hosts: the serialiser would leave it out.

    Browsers draw the other children of a host in the slots of its root, and nowhere if there is none.

    The element around it is made in the host itself. One from elsewhere would be a tree of its own, to which the parser
    copies all that is moved: of nested roots, everything at every level.
    """
    waiting = list(document.iter_elements())
    while waiting:
        host = waiting.pop()
        root = host.shadow_root
        if root is not None:
            host.insert_adjacent_html("afterbegin", f"<{tags.SHADOW_ROOT}></{tags.SHADOW_ROOT}>")
            inside = cast(Element, host.children[0])
            inside.extend(list(root.children))
            elements = list(inside.iter_elements())
            if not any(element.tag == "slot" for element in elements):
                for child in host.children[1:]:
                    child.extract()
            waiting.extend(elements)


def _rename_odd(document: Document) -> None:
    """Rename elements whose names are not valid in XML (`<a"b>`), or the serialiser would dissolve them."""
    for element in list(document.iter_elements()):
        if not _PLAIN_NAME.fullmatch(element.tag):
            element.tag = tags.ODD


# ------------------------------------------------------------------------------------------------- after the parser


def _title(document: Document, markup: str) -> str:
    """Return the title in the head, read from the markup as that is faster, or else the first title elsewhere."""
    in_head = _TITLE.search(markup, 0, max(0, markup.find("</head>")))
    if in_head is not None:
        text = columns.unescape(in_head[1])
    else:  # a title in a drawing does not count
        text = next((each.text for each in document.find_all("title") if each.namespace is Namespace.HTML), "")
    return collapse(without_controls(text))


def _report_limits(scanned: columns.Scan, options: Options, limits: list[Limit]) -> None:
    if scanned.deepest > options.max_depth:
        limits.append(
            Limit("depth", options.max_depth, scanned.deepest, "deeper elements were flattened, their text was kept")
        )
    if scanned.most_attributes > options.max_attributes:
        effect = "further attributes of the tag were not read"
        limits.append(Limit("attributes", options.max_attributes, scanned.most_attributes, effect))


def _marks(page: Page, selectors: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    nodes_by_selector: dict[str, list[int]] = {selector: [] for selector in selectors}
    for node in page.nodes_with(tags.MARK):
        for number in (page.attribute(int(node), tags.MARK) or "").split():
            nodes_by_selector[selectors[int(number)]].append(int(node))
    return {selector: tuple(nodes) for selector, nodes in nodes_by_selector.items()}
