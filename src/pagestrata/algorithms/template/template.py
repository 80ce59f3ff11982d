"""Template: the tree regular expression of a site's pages, which cuts pages and learns from further ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.algorithms.template.expression import expression_of, read_tree
from pagestrata.algorithms.template.frozen import NODE_SUPPORT, FrozenTree
from pagestrata.algorithms.template.growth import MOST_NODES, TreeBuilder
from pagestrata.algorithms.template.match import Match
from pagestrata.algorithms.template.noise import noise_of
from pagestrata.algorithms.template.sections import segment
from pagestrata.algorithms.template.tree import Tree
from pagestrata.errors import ModelError
from pagestrata.options import Options
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.results import Segmentation


@dataclass(frozen=True)
class Template(FrozenTree):
    """The tree regular expression of a site's pages, which cuts pages and learns from further ones."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Template, tuple(getattr(self, name) for name in self.__dataclass_fields__)

    def __str__(self) -> str:
        return expression_of(self)

    def noise(self, page: Page, match: Match | None = None, inside: bool = False) -> npt.NDArray[np.float32]:
        """Return the noise confidence of each node, in [0, 1]; float32, for elements the mean of the leaves by size.

        `inside` is true for a page that was learned from: then its own texts are not counted.
        """
        match = match or self.match(page)
        return noise_of(self, page, match, inside)

    def update(self, page: Page) -> "Template":
        """Return the template generalised over one more page; features that only one earlier page had are lost."""
        learner = TemplateLearner(node_support=self.node_support, cut_mixed=self.cut_mixed)
        builder = TemplateBuilder(learner, self.tree(), self.cut)
        builder.add(page)
        return builder.template()

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return the sections of a page."""
        return segment(self, page, options)

    def to_json(self) -> bytes:
        """Return the template as JSON."""
        return msgspec.json.encode({name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def from_json(cls, text: bytes) -> "Template":
        """Read a template from JSON; raise `ModelError` for data that is no template."""
        try:
            template = msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise ModelError(f"this is no template: {error}") from error
        template.check()
        return template


@dataclass(frozen=True, slots=True)
class TemplateLearner:
    """Learns a template from pages of one site."""

    node_support: float = NODE_SUPPORT
    most_nodes: int = MOST_NODES
    cut_mixed: bool = True
    """Whether sections with repeated and new lines are cut further. Ours; the paper does not."""

    def learn(self, pages: Iterable[Page], feed: Feed | None = None) -> Template:
        """Learn the template of these pages; the first defines the structure, each further one generalises it."""
        builder = self.builder()
        for page in pages:
            builder.add(page)
        return builder.template()

    def builder(self) -> "TemplateBuilder":
        """Return a builder, to which pages are added one at a time."""
        return TemplateBuilder(self)


class TemplateBuilder(TreeBuilder):
    """A template that grows page by page."""

    def __init__(self, learner: TemplateLearner, tree: Tree | None = None, cut: int = 0) -> None:
        super().__init__(learner.most_nodes, tree, cut)
        self.learner = learner

    def template(self) -> Template:
        """Return the template of the pages added so far."""
        return Template.freeze(self.tree, self.learner.node_support, self.cut, self.learner.cut_mixed)


def template_published() -> TemplateLearner:
    """Return the learner of the method as the paper has it: sections are not cut further."""
    return TemplateLearner(cut_mixed=False)


def read_expression(text: str) -> Template:
    """Return the template that an expression describes; each node has the support of one page.

    >>> str(read_expression("body[ nav  (h3 p)* (E|F) (footer)? ]"))
    'body[nav (h3 p)* (E|F) footer?]'
    """
    return Template.freeze(read_tree(text), node_support=0.0)
