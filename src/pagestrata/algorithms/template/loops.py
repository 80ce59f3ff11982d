"""The inner loops of the template (`native/template.py`), with the tables that they need."""

from collections.abc import Callable
from typing import Any, Protocol

from pagestrata.algorithms.template import labels
from pagestrata.algorithms.template.skeleton import Places, Skeleton
from pagestrata.native import kernel
from pagestrata.page import tags
from pagestrata.page.nodes import Ints
from pagestrata.page.page import Page


class TreeColumns(Protocol):
    """The columns of a template that the loops read."""

    name: list[str]
    content: list[int]


class MatchLoops(Protocol):
    """The loops that match pages with one template."""

    def places(self, page: Skeleton, template_node: Ints) -> tuple[list[int], int]:
        """The node of the template for each node of a structure, or -1, and how many required nodes are missing."""


def structure_loops(module: Any) -> Any:
    """Return the loops over the nodes of a page of a kernel, compiled or interpreted."""
    return module.StructureLoops(
        labels.KNOWN_TAGS,
        labels.ROLE_OF_TAG,
        labels.shape_bit,
        labels.number,
        labels.id_name,
        labels.class_name,
        labels.plain_value,
        tags.ATTRIBUTE["id"],
        tags.ATTRIBUTE["class"],
    )


_kernel = kernel("template")
_loops = structure_loops(_kernel)

align: Callable[[list[list[float]], list[bool]], list[int]] = _kernel.align
align_greedily: Callable[[dict[str, list[int]], list[bool], list[str]], list[int]] = _kernel.align_greedily
forced: Callable[[dict[str, list[int]], list[bool], list[str]], list[int] | None] = _kernel.forced
takers: Callable[[list[list[str]]], dict[str, list[int]]] = _kernel.takers
match_loops: Callable[..., MatchLoops] = _kernel.MatchLoops
block_means: Callable[..., None] = _kernel.block_means
fit: Callable[[TreeColumns, int, int, Skeleton, int], float] = _kernel.fit
leaf_columns: Callable[..., tuple[list[int], Places, list[int], list[int], list[bool]]] = _kernel.leaf_columns
likeness: Callable[[int, int], float] = _kernel.likeness
path_hash: Callable[[int, int], int] = _kernel.path_hash
preorder: Callable[[list[list[int]]], tuple[list[int], list[int]]] = _kernel.preorder
recurring: Callable[..., list[float]] = _kernel.recurring
shapes: Callable[[list[str], list[int]], list[int]] = _loops.shapes


def columns(page: Page, loops: Any = _loops) -> tuple[Any, ...]:
    """Return the columns of the structure of a page, in the order of `Skeleton`."""
    nodes = page.nodes
    skeleton: tuple[Any, ...] = loops.columns(
        page.markup,
        page.text,
        page.attributes,
        labels.plain_tags(nodes.names),
        nodes.tag,
        nodes.parent,
        nodes.end,
        nodes.text_start,
        nodes.text_end,
        nodes.attribute_end,
    )
    return skeleton
