"""The SD Algorithm as a method: its two thresholds, and how T1 is learned."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pagestrata.algorithms.base import DEFAULTS, section_tree
from pagestrata.algorithms.density.decide import decide
from pagestrata.algorithms.density.measures import mean_precision, mean_recall
from pagestrata.algorithms.density.published import decide_as_published
from pagestrata.algorithms.density.regions import PageKind, Regions
from pagestrata.algorithms.density.sections import confidence_of, parts_of
from pagestrata.algorithms.density.tree import T2, SDTree
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.results import PageType, SectionTree, Segmentation

T1: Final = 50.0
"""The middle of the paper's range for all three kinds (40 to 60); `fit` learns it from labelled pages."""

MEASURES: Final = {"precision": mean_precision, "recall": mean_recall}
"""The measures that T1 can be learned for."""


@dataclass(frozen=True, slots=True)
class Density:
    """The SD Algorithm with its two thresholds."""

    t1: float = T1
    """The largest distance of a candidate from the region of maximum density (dfm), in [0, 100]."""
    t2: int = T2
    """Blocks with at most this many characters are noise."""
    published: bool = False
    """True: the rules of the paper and no others."""

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return sections for the article, its comments or the multiple areas; all other regions are noise."""
        tree = self.tree(page)
        regions = self.decide(tree)
        page_type = PageType.LISTING if regions.kind is PageKind.MULTIPLE else PageType.ARTICLE
        sections = section_tree(page, parts_of(tree, regions), options=options)
        notes = (f"{regions.kind}: {regions.reason}",)
        return SectionTree(sections, confidence_of(tree, regions), page_type, notes)

    def regions(self, page: Page) -> Regions:
        """Return the regions of a page and their relations."""
        return self.decide(self.tree(page))

    def tree(self, page: Page) -> SDTree:
        """Steps 1 to 4: the regions of a page with their features."""
        return SDTree(page, self.t2, merge_lists=not self.published)

    def decide(self, tree: SDTree) -> Regions:
        """Steps 5 to 7: the kind of a page, and the role of its regions."""
        return decide_as_published(tree, self.t1) if self.published else decide(tree, self.t1)


def density_published() -> Density:
    """Return the method as the paper has it, with the middle of its range for T1."""
    return Density(published=True)


def fit(
    samples: Iterable[tuple[Page, PageKind]],
    t2: int = T2,
    measure: str = "precision",
    published: bool = False,
) -> Density:
    """Learn T1 from labelled pages: the value with the best mean precision of the kinds, of equals that closest to 50.

    The paper learns for precision; `measure` may name another of `MEASURES`.
    """
    method = Density(t2=t2, published=published)
    trees = [(method.tree(page), kind) for page, kind in samples]
    candidates = [Density(float(t1), t2, published) for t1 in range(101)]
    scores = [MEASURES[measure]([(each.decide(tree).kind, kind) for tree, kind in trees]) for each in candidates]
    best = [each for each, score in zip(candidates, scores, strict=True) if score == max(scores)]
    return min(best, key=lambda each: abs(each.t1 - T1))
