"""Gathers lines: runs of text, with the styles and links of the elements around them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pagestrata.options import Options
from pagestrata.page import columns, tags
from pagestrata.page.page import Page
from pagestrata.page.permalinks import heading_links
from pagestrata.page.text import collapse, without_controls
from pagestrata.render.footnotes import Footnotes
from pagestrata.render.formulas import leaves_formulas, pieces, single_dollars
from pagestrata.render.images import image_formula, image_source, is_followed_by_blank, media_name, media_source
from pagestrata.render.links import safe_link
from pagestrata.render.md_blocks import EMPHASIS, STRIKE, STRONG, STYLES, Line, Link, Run, RunKind
from pagestrata.render.raised import as_raised
from pagestrata.render.walk import NEW_BLOCK

Leave = Callable[[], None]
"""Called when an element is left."""

_SOFT_HYPHEN: Final = "\u00ad"
_RP: Final = tags.TAG["rp"]
_STYLE_NAMES: Final = {STRONG: ("b", "strong"), EMPHASIS: ("i", "em"), STRIKE: ("s", "strike", "del")}
_STYLE_OF: Final = {tags.TAG[name]: style for style, names in _STYLE_NAMES.items() for name in names}


class LineGatherer:
    """Gathers one line after the other, and calls `on_line` with each that is finished."""

    def __init__(self, page: Page, options: Options, footnotes: Footnotes, on_line: Callable[[Line], None]) -> None:
        self.page, self.options, self.footnotes = page, options, footnotes
        self.on_line = on_line
        nodes = page.nodes
        self.tag, self.flags, self.parent = nodes.tag.data, nodes.flags.data, nodes.parent.data
        self.text, self.text_start, self.text_end = page.text, nodes.text_start.data, nodes.text_end.data
        self.line: Line = []
        self.has_text = False
        """Whether text of the page stands in the line, and not only images."""
        self.bullet = False
        """Whether the next run begins an item of a list in a cell."""

        # What is open
        self.opened = dict.fromkeys(STYLES, 0)
        """How many elements of each style."""
        self.styles = 0
        """The styles of which an element is open, as bits."""
        self.quoted = 0
        self.code = self.formula = -1
        self.code_styles = 0
        self.link: Link | None = None
        self.reference = ""
        self.raised = 0
        """How many `<sup>` and `<sub>`."""
        self.muted = 0
        """How many elements are open whose text is not written."""

        # What stands between the last run and the next
        self.breaks = 0
        self.carried_gap = ""
        """Before a text of which nothing can be seen."""
        self.opening = ""
        """Put before the next text: a quotation mark or a bracket."""
        self.unplaced = 0
        """Images at the end of the line whose gaps depend on the next text."""
        self.blank_behind_image = False
        self.last_image = ""

    # ------------------------------------------------------------------------------------------------------ text

    def add_text(self, node: int, gap: str) -> None:
        """Add a text of the page, as what the elements around make of it."""
        if self.muted:
            return
        if gap == NEW_BLOCK:
            gap = self._begin_block()
        text = self.text_of(node)
        if self.formula >= 0:
            self.add_run(Run("formula", text), gap)
        elif self.reference:
            self.add_run(Run("reference", self.reference), gap)
            self.reference = ""
            self.muted += 1
        else:
            if self.raised:
                text = as_raised(text, self.tag[self.parent[node]])
            if self.code >= 0:
                self.add_run(Run("code", text, code=self.code), gap)
            elif ("\\" in text or "$" in text) and self.page.once(leaves_formulas):
                tex = single_dollars(self.page, node)
                if tex:
                    self.add_run(Run("formula", tex), gap)
                else:
                    self._add_pieces(text, gap)
            else:
                self.add_run(Run("text", text), gap)

    def _add_pieces(self, text: str, gap: str) -> None:
        """Add a text with formulas in it; one on lines of its own ends the line before it, and its own."""
        for piece in pieces(text):
            if piece.is_display:
                self.finish()
            kind: RunKind = "formula" if piece.delimiter else "text"
            self.add_run(Run(kind, piece.text, is_display=piece.is_display), gap or piece.gap)
            gap = ""
            if piece.is_display:
                self.finish()

    def _begin_block(self) -> str:
        """End the line, unless only images stand in it: the page has no text yet in the block that they begin."""
        if self.has_text or self.breaks > 1:
            self.finish()
        return "\n" if self.breaks else " "

    def text_of(self, node: int) -> str:
        """The text of a node without what cannot be seen; that of form fields loses its line ends."""
        text = self.text[self.text_start[node] : self.text_end[node]]
        if self.flags[node] & columns.IN_PRE and self.formula < 0:
            text = collapse(text)
        return text if text.isprintable() else clean(text)

    def add_run(self, run: Run, gap: str) -> None:
        """Add what is text of the page, with the styles that are open."""
        if self.carried_gap:
            gap = _wider(gap, self.carried_gap)
        if not run.text:
            self.carried_gap = gap
            return
        if self.bullet:
            gap = self._put_bullet(gap)
        if self.unplaced:
            gap = self._place_images(gap)
        run.gap, run.styles, run.link = gap, self._styles(), self.link
        if self.opening:
            self._put_opening(run)
        self.line.append(run)
        self.carried_gap, self.breaks, self.last_image, self.has_text = "", 0, "", True

    def _put_opening(self, run: Run) -> None:
        """Put a quotation mark or a bracket before a run; before a run without text, as a separate run."""
        opening, self.opening = self.opening, ""
        if run.kind == "text":
            run.text = opening + run.text
        else:
            self.line.append(replace(run, kind="text", text=opening))
            run.gap = ""

    def _put_bullet(self, gap: str) -> str:
        """Begin an item in a cell; what stands before its text then is a blank."""
        if not self.bullet:
            return gap
        self.bullet = False
        self.line.append(Run("text", "-"))
        return " "

    def _place_images(self, gap: str) -> str:
        """Set the gaps before the images that end the line, and return the gap behind them.

        The gap is the one between the texts around: a blank in it may stand before the images, or behind.
        """
        images, self.unplaced = self.line[len(self.line) - self.unplaced :], 0
        for image in images:
            image.gap = image.gap or (" " if gap else "")
        if gap == "\n":
            return "\n" if self.breaks else " "
        return gap if self.blank_behind_image else ""

    def _styles(self) -> int:
        """The styles of the next run: code cannot change its style halfway."""
        return self.code_styles if self.code >= 0 else self.styles

    def finish(self) -> None:
        """End the line; an empty line is dropped."""
        self.breaks, self.carried_gap, self.has_text = 0, "", False
        line = self.line
        if not line:
            return
        self.line = []
        if self.unplaced:
            for image in line[len(line) - self.unplaced :]:
                image.gap = image.gap or " "
            self.unplaced = 0
        self.on_line(line)

    # -------------------------------------------------------------------------------------------------- elements

    def enter(self, node: int, tag: int) -> Leave | None:
        """Enter an element that is no block."""
        if node in self.footnotes.back_links:
            self.muted += 1
            return self._leave_muted
        handler = _HANDLERS.get(tag)
        return handler(self, node) if handler else None

    def _enter_style(self, node: int) -> Leave:
        style = _STYLE_OF[self.tag[node]]
        self.opened[style] += 1
        if self.options.formatting:
            self.styles |= style
        return lambda: self._leave_style(style)

    def _leave_style(self, style: int) -> None:
        self.opened[style] -= 1
        if not self.opened[style]:
            self.styles &= ~style

    def _enter_code(self, node: int) -> Leave | None:
        if self.code >= 0 or not self.options.formatting:
            return None
        self.code_styles = self.styles
        self.code = node
        return self._leave_code

    def _leave_code(self) -> None:
        self.code = -1

    def _enter_link(self, node: int) -> Leave | None:
        if node in self.footnotes.references:
            return self._enter_reference(node)
        if self.link is not None or self.reference or not self.options.links or node in self.page.once(heading_links):
            return None
        target = safe_link(self.page, self.page.attribute(node, "href"))
        if target is None:
            return None
        title = self.page.attribute(node, "title")
        self.link = Link(target, _new_title(title, self._shown_words(node)) if title else "")
        return self._leave_link

    def _shown_words(self, node: int) -> str:
        return self.page.text_of(node) or self.page.attribute(node, "alt") or ""

    def _leave_link(self) -> None:
        self.link = None

    def _enter_raised(self, node: int) -> Leave:
        if node in self.footnotes.references:
            return self._enter_reference(node)
        self.raised += 1
        return self._leave_raised

    def _leave_raised(self) -> None:
        self.raised -= 1

    def _enter_reference(self, node: int) -> Leave:
        self.reference = self.footnotes.references[node]
        return self._leave_reference

    def _leave_reference(self) -> None:
        if self.reference:
            self.reference = ""
        else:  # its text was seen, and the rest kept silent
            self.muted -= 1

    def _leave_muted(self) -> None:
        self.muted -= 1

    def _enter_quotation(self, node: int) -> Leave:
        begin, end = ("\u2018", "\u2019") if self.quoted else ("\u201c", "\u201d")
        self.quoted += 1
        self.opening += begin
        return lambda: self._leave_quotation(end)

    def _leave_quotation(self, end: str) -> None:
        self.quoted -= 1
        self._close(end)

    def _enter_ruby_text(self, node: int) -> Leave | None:
        """Bracket the reading of a word, unless the page has brackets of its own for that."""
        if self.tag[node - 1] == _RP or (self.tag[node - 1] == tags.TEXT and self.tag[node - 2] == _RP):
            return None
        self.opening += "("
        return lambda: self._close(")")

    def _close(self, mark: str) -> None:
        """Put a mark behind the last text, or take back the opening one if there was none."""
        if self.opening:
            self.opening = self.opening[:-1]
        elif not self.muted:
            self.add_run(Run("text", mark), "")

    def _enter_break(self, node: int) -> None:
        self.breaks += 1

    def _enter_image(self, node: int) -> None:
        if self.muted:
            return
        attributes = dict(self.page.attributes_of(node))
        formula = image_formula(attributes)
        if formula:
            self._add_unplaced(Run("formula", clean(formula)), node)
            return
        source = image_source(self.page, node, attributes) if self.options.images else None
        if source is None or source == self.last_image:
            return
        alt = clean(collapse(attributes.get("alt", "")))
        title = _new_title(attributes.get("title"), attributes.get("alt", ""))
        self._add_unplaced(Run("image", alt, source=Link(source, title)), node)
        self.last_image = source

    def _enter_media(self, node: int) -> None:
        if self.muted or not (self.options.images and self.options.links):
            return
        source = media_source(self.page, node)
        if source is not None:
            name = clean(media_name(self.page, node, source)) or source
            around, self.link = self.link, Link(source)
            self._add_unplaced(Run("text", name, gap=" "), node)
            self.link, self.blank_behind_image = around, True

    def _add_unplaced(self, run: Run, node: int) -> None:
        """Add a run that is not text of the page, so the gaps around it are inferred."""
        if self.breaks > 1:
            self.finish()
        run.gap = self._put_bullet("\n" if self.breaks and self.line else run.gap)
        run.styles, run.link = self._styles(), self.link
        self.line.append(run)
        self.unplaced += 1
        self.breaks = 0
        self.blank_behind_image = is_followed_by_blank(self.page, node)

    def _enter_formula(self, node: int) -> Leave:
        self.formula = node
        return self._leave_formula

    def _leave_formula(self) -> None:
        self.formula = -1


def clean(text: str) -> str:
    """Leave out soft hyphens and controls; most texts come through as they are."""
    cleaned = without_controls(text).replace(_SOFT_HYPHEN, "")
    return text if cleaned == text else collapse(cleaned)


def _new_title(title: str | None, shown: str) -> str:
    """The title of a link or an image; empty if it only repeats what is shown."""
    title = clean(collapse(title or ""))
    return "" if title == collapse(shown) else title


def _wider(gap: str, other: str) -> str:
    return "\n" if "\n" in (gap, other) else gap or other


_BY_NAME: Final[dict[str, Callable[[LineGatherer, int], Leave | None]]] = {
    "b strong i em s strike del": LineGatherer._enter_style,
    "code kbd samp tt": LineGatherer._enter_code,
    "a": LineGatherer._enter_link,
    "sup sub": LineGatherer._enter_raised,
    "q": LineGatherer._enter_quotation,
    "rt": LineGatherer._enter_ruby_text,
    "br": LineGatherer._enter_break,
    "img": LineGatherer._enter_image,
    "video audio iframe": LineGatherer._enter_media,
    tags.TEX: LineGatherer._enter_formula,
}
_HANDLERS: Final = {tags.TAG[name]: handler for names, handler in _BY_NAME.items() for name in names.split()}
INLINE_TAGS: Final = tuple(_HANDLERS)
"""The elements that `LineGatherer.enter` does something with."""
