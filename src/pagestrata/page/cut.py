"""Nodes → Blocks: text nodes that stand on one line, or on lines parted by single `<br>`, are one block."""

from pagestrata.page import scan
from pagestrata.page.blocks import Blocks
from pagestrata.page.nodes import Nodes


def cut(nodes: Nodes) -> Blocks:
    """Gather the text nodes into blocks."""
    return Blocks(scan.cut(nodes.table))
