"""Paths to the article for other programs: where each page has its running text, counted over the pages of a layout."""

from collections.abc import Sequence
from typing import Final

from pagestrata.algorithms.template import Structure
from pagestrata.page.page import Page
from pagestrata.sites.cluster import Wrapper
from pagestrata.sites.reading import Reading

MAX_PATHS: Final = 8
"""The number of paths that a model stores for a layout."""
_ATTRIBUTE: Final = {".": "class", "#": "id"}


def count_path(counted: Sequence[Wrapper], reading: Reading, pages: int) -> tuple[Wrapper, ...]:
    """Add the path to the article of one more page, the last of `pages`; the paths of most pages come first.

    Of paths with as many pages, the newest comes first, so that there is room for it when a site changes.
    """
    path = article_path(reading)
    counts = {(wrapper.xpath, wrapper.css): wrapper.pages for wrapper in counted}
    if path is not None:
        counts = {path: counts.pop(path, 0) + 1, **counts}
    ranked = sorted(counts.items(), key=lambda item: -item[1])[:MAX_PATHS]
    return tuple(
        Wrapper(xpath=xpath, css=css, relevance=round(count / pages, 4), pages=count) for (xpath, css), count in ranked
    )


def article_path(reading: Reading) -> tuple[str, str] | None:
    """Return XPath and CSS of the container of the running text, or None if there is no such text.

    A path begins with the nearest element around it whose name no other of its tag has, and goes on by position.
    """
    page, shares, structure = reading.page, reading.core_share, reading.match.structure
    core = int(shares.argmax()) if len(shares) else 0
    if not len(shares) or shares[core] <= 0:
        return None
    place, steps = _place_around(structure, page, core), []
    while place >= 0 and not _is_named_once(structure, place):
        steps.append(int(structure.nodes[place]))
        place = structure.parent[place]
    steps.reverse()
    xpath, css = _named_element(structure, place) if place >= 0 else ("", "")
    return _xpath_steps(page, xpath, steps), _css_steps(page, css, steps)


def _named_element(structure: Structure, place: int) -> tuple[str, str]:
    """Return XPath and CSS of an element by its tag and name, whatever numbers are in the name."""
    tag, attribute, name = structure.tag[place], _ATTRIBUTE[structure.name[place][0]], structure.name[place][1:]
    test = f'starts-with(translate(normalize-space(@{attribute}),"0123456789",""),"{name}")'
    return f"//{tag}[{test}]", f'{tag}[{attribute}^="{name}"]'


def _place_around(structure: Structure, page: Page, node: int) -> int:
    """The place of the nearest element around a node that the structure has: it leaves `noscript` out."""
    places = {int(held): place for place, held in enumerate(structure.nodes)}
    while node >= 0 and node not in places:
        node = int(page.nodes.parent[node])
    return places.get(node, -1)


def _is_named_once(structure: Structure, place: int) -> bool:
    """Whether an element has a name with which no other name of its tag begins."""
    name, tag = structure.name[place], structure.tag[place]
    others = zip(structure.tag, structure.name, strict=True)
    return bool(name) and sum(own == tag and other.startswith(name) for own, other in others) == 1


def _xpath_steps(page: Page, path: str, nodes: Sequence[int]) -> str:
    """Append steps by position. Browsers put a `tbody` in every table and some parsers do not: the path skips it."""
    for node in nodes:
        tag = page.nodes.names[int(page.nodes.tag[node])]
        path += "/" if tag == "tbody" else f"/{tag}[{page.sibling_positions[node]}]"
    return path


def _css_steps(page: Page, path: str, nodes: Sequence[int]) -> str:
    """Append steps by position; the root element has none."""
    steps = [path] if path else []
    for node in nodes:
        tag = page.nodes.names[int(page.nodes.tag[node])]
        steps.append(f"{tag}:nth-of-type({page.sibling_positions[node]})" if node else tag)
    return " > ".join(steps)
