"""Sections as Markdown or HTML: the renderers of pages, on a page of which only these sections are kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagestrata.extraction import Extraction
from pagestrata.page.nodes import Bools
from pagestrata.render.html import render_html
from pagestrata.render.markdown import render_markdown
from pagestrata.results import Item, ItemKind, Leaves, PageType, Section, items_in, kept_leaves


@dataclass(frozen=True, slots=True, eq=False)
class _SectionsOnly:
    """A result that keeps only these sections: their kept leaves, or all leaves if none is kept."""

    sections: tuple[Section, ...]
    confidence: float = 0.0
    page_type: PageType = PageType.UNKNOWN
    notes: tuple[str, ...] = ()

    @property
    def kept_leaves(self) -> Sequence[Section]:
        return kept_leaves(self.sections)

    @property
    def kept_blocks(self) -> Bools | None:
        return None

    @property
    def items(self) -> Sequence[Item]:
        return items_in(self.sections)

    @property
    def posts(self) -> Sequence[Item]:
        return [item for item in self.items if item.kind is ItemKind.POST]

    @property
    def leaves(self) -> Leaves:
        """The leaves of the sections, and the nodes before and after them."""
        leaves = [leaf for section in self.sections for leaf in section.leaves()]
        is_any_kept = any(section.kept for section in self.sections)
        starts = [0, *(leaf.node_start for leaf in leaves), self.sections[-1].node_end]
        kept = [False, *(leaf.kept or not is_any_kept for leaf in leaves), False]
        return Leaves(np.array(starts, np.int32), np.array(kept, np.bool_))


def section_markdown(section: Section) -> str:
    """Write a section as Markdown."""
    return render_markdown(_extraction(section))


def section_html(section: Section) -> str:
    """Write a section as HTML."""
    return render_html(_extraction(section))


def _extraction(section: Section) -> Extraction:
    options = replace(section.context.options, title_in_markdown=False, metadata=False)
    return Extraction(section.page, options, _SectionsOnly((section,)))
