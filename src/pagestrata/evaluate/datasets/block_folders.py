"""Pages cut into blocks by people: PAGE.html beside PAGE.blocks.json, with an XPath for every block (kreuzer-seg).

The XPaths hold in the tree that lxml makes of the page, which is not the one that a browser makes. So lxml writes the
page out again, and this is the page that methods are given: once without marks, and once with a mark on every block, to
find them among our nodes. Marks change no structure, so that both have the same nodes.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pagestrata.api import parse
from pagestrata.errors import InputError, MissingExtra
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


class _Known(msgspec.Struct, frozen=True):
    blocks: list[_Block]
    url: str | None = None


def is_block_set(folder: Path) -> bool:
    """Whether there are blocks in it."""
    return next(folder.rglob(f"*{SUFFIX}"), None) is not None


def read_block_set(folder: Path) -> DataSet:
    """All pages of a folder; each is a site of its own."""
    pages = [_page(path, path.relative_to(folder).parent.as_posix()) for path in sorted(folder.rglob(f"*{SUFFIX}"))]
    return DataSet(folder.name, tuple(SitePages(f"{page.site}/{page.name}", (page,)) for page in pages))


def _page(path: Path, site: str) -> TruePage:
    try:
        known = msgspec.json.decode(path.read_bytes(), type=_Known)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    blocks = [
        MarkedBlock(block.xpath, frozenset(map(int, str(block.level).split())), block.type) for block in known.blocks
    ]
    name = path.name.removesuffix(SUFFIX)
    return TruePage(site, name, path.with_name(f"{name}.html"), MarkedBlocks(tuple(blocks)), known.url, written_again)


def written_again(path: Path) -> bytes:
    """The page as lxml writes it."""
    return _write(_tree(path))


def block_nodes(path: Path, blocks: tuple[MarkedBlock, ...]) -> list[tuple[int, ...]]:
    """The nodes of every block in the page as `written_again` gives it; mostly one, none if the parser dropped it."""
    tree = _tree(path)
    for number, block in enumerate(blocks):
        for element in tree.xpath(block.xpath):
            element.set(MARK, f"{element.get(MARK, '')} {number}".strip())
    selectors = [f'[{MARK}~="{number}"]' for number in range(len(blocks))]
    marks = parse(_write(tree), options=Options(keep=tuple(selectors))).marks
    return [marks[selector] for selector in selectors]


def _tree(path: Path) -> "_ElementTree":
    try:
        import lxml.html
    except ImportError as error:
        raise MissingExtra("lxml", "bench") from error

    return lxml.html.document_fromstring(path.read_bytes()).getroottree()


def _write(tree: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(tree, method="html", encoding="utf-8"))
