"""Measures the cost of learning a site and of reading a page with it, relative to the parse of the same pages."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pagestrata.api import parse
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.page.raw import RawPage
from pagestrata.sites.learn import learn

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class SiteCost:
    """Seconds of processor time for one site, each the minimum over several turns."""

    site: str
    parse: float
    """Parsing the pages that are learned from."""
    learn: float
    parse_later: float
    """Parsing pages that were not learned from."""
    segment: float
    """Matching those pages, and deciding and cutting them; `leaves` are what a renderer reads."""


def measure_sites(dataset: str, siblings: int, turns: int, advance: Callable[[int, int], None]) -> Iterator[SiteCost]:
    """Measure every site with enough pages."""
    sites = read_dataset(dataset).sites
    for done, site in enumerate(sites):
        if len(site.pages) > siblings:
            raw = [RawPage(page.read(), url=page.url) for page in site.pages[: 2 * siblings]]
            yield measure_site(site.name, raw[:siblings], raw[siblings:], turns)
        advance(done + 1, len(sites))


def measure_site(name: str, training: Sequence[RawPage], later: Sequence[RawPage], turns: int) -> SiteCost:
    """Measure one site."""
    costs = [_turn(name, training, later) for _ in range(turns)]
    return SiteCost(name, *map(min, zip(*costs, strict=True)))


def _turn(name: str, training: Sequence[RawPage], later: Sequence[RawPage]) -> tuple[float, float, float, float]:
    """The four costs of one turn; pages and model are new, so that nothing is cached from the turn before."""
    parsing, pages = _clock(lambda: [parse(raw) for raw in training])
    learning, model = _clock(lambda: learn(pages, site=name))
    for page in pages:  # a model in use has cached data about its site
        _ = model.segment(page).leaves
    parsing_later, others = _clock(lambda: [parse(raw) for raw in later])
    segmenting, _ = _clock(lambda: [model.segment(page).leaves for page in others])
    return parsing, learning, parsing_later, segmenting


def _clock(step: Callable[[], Result]) -> tuple[float, Result]:
    started = time.process_time()
    result = step()
    return time.process_time() - started, result
