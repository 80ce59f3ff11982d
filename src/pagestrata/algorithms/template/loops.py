"""The inner loops of the template (`native/template.py`), with the tables that they need."""

from collections.abc import Callable
from typing import Any, Protocol

from pagestrata.algorithms.template import labels
from pagestrata.algorithms.template.skeleton import Skeleton
from pagestrata.native import kernel
from pagestrata.page import tags
from pagestrata.page.page import Page


class TreeColumns(Protocol):
    """What is read of a template."""

    name: list[str]
    content: list[int]


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
fit: Callable[[TreeColumns, int, int, Skeleton, int], float] = _kernel.fit
likeness: Callable[[int, int], float] = _kernel.likeness
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
