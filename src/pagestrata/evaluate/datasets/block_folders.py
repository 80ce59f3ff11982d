"""Pages cut into blocks by people: PAGE.html beside PAGE.blocks.json, with an XPath for every block (kreuzer-seg).

The XPaths refer to the tree that lxml builds, which differs from that of a browser. So lxml serialises the page, and
the result is the input of all methods. It is parsed a second time with a mark on every block, to locate the blocks
among our nodes. Marks do not change the structure, so both versions have the same nodes.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pagestrata.api import parse
from pagestrata.errors import InputError, needs, raising
from pagestrata.evaluate.datasets.truth import DataSet, MarkedBlock, MarkedBlocks, SitePages, TruePage
from pagestrata.options import Options

if TYPE_CHECKING:
    from lxml.etree import _ElementTree

SUFFIX: Final = ".blocks.json"
MARK: Final = "data-pagestrata-block"


class _Block(msgspec.Struct, frozen=True):
    xpath: str
    level: int | str
    """Mostly a number; one block is on two levels, written `2 1`."""
    type: str = ""


class _BlockFile(msgspec.Struct, frozen=True):
    blocks: list[_Block]
    url: str | None = None


def is_block_set(folder: Path) -> bool:
    """Whether the folder contains files with marked blocks."""
    return next(folder.rglob(f"*{SUFFIX}"), None) is not None


def read_block_set(folder: Path) -> DataSet:
    """All pages of a folder; each is a site of its own."""
    pages = [_page(path, path.relative_to(folder).parent.as_posix()) for path in sorted(folder.rglob(f"*{SUFFIX}"))]
    return DataSet(folder.name, tuple(SitePages(f"{page.site}/{page.name}", (page,)) for page in pages))


def _page(path: Path, site: str) -> TruePage:
    with raising(InputError, f"cannot read {path}", msgspec.DecodeError):
        marked = msgspec.json.decode(path.read_bytes(), type=_BlockFile)
    blocks = [
        MarkedBlock(block.xpath, frozenset(map(int, str(block.level).split())), block.type) for block in marked.blocks
    ]
    name = path.name.removesuffix(SUFFIX)
    return TruePage(
        site, name, path.with_name(f"{name}.html"), MarkedBlocks(tuple(blocks)), marked.url, read_normalised
    )


def read_normalised(path: Path) -> bytes:
    """The page as lxml parses and serialises it."""
    return _write(_tree(path))


def block_nodes(path: Path, blocks: tuple[MarkedBlock, ...]) -> list[tuple[int, ...]]:
    """The nodes of every block in the page that `read_normalised` returns: mostly one; none if it was dropped."""
    tree = _tree(path)
    for number, block in enumerate(blocks):
        for element in tree.xpath(block.xpath):
            element.set(MARK, f"{element.get(MARK, '')} {number}".strip())
    selectors = [f'[{MARK}~="{number}"]' for number in range(len(blocks))]
    marks = parse(_write(tree), options=Options(keep=tuple(selectors))).marks
    return [marks[selector] for selector in selectors]


def _tree(path: Path) -> "_ElementTree":
    with needs("lxml", "bench"):
        import lxml.html

    return lxml.html.document_fromstring(path.read_bytes()).getroottree()


def _write(tree: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(tree, method="html", encoding="utf-8"))
