"""What learning a site costs, and reading a page with it, beside the parse of the same pages."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pagestrata.api import parse
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.page.raw import RawPage
from pagestrata.sites.learn import learn


@dataclass(frozen=True, slots=True)
class SiteCost:
    """Seconds of processor time for one site, each the least of some turns."""

    site: str
    parse: float
    """Of the pages learned from."""
    learn: float
    parse_later: float
    """Of pages that were not learned from."""
    segment: float
    """Matching and cutting those."""


def measure_sites(dataset: str, siblings: int, turns: int, advance: Callable[[int, int], None]) -> Iterator[SiteCost]:
    """The cost of every site with enough pages."""
    sites = read_dataset(dataset).sites
    for done, site in enumerate(sites):
        if len(site.pages) > siblings:
            raw = [RawPage(page.read(), url=page.url) for page in site.pages[: 2 * siblings]]
            yield measure_site(site.name, raw[:siblings], raw[siblings:], turns)
        advance(done + 1, len(sites))


def measure_site(name: str, known: Sequence[RawPage], later: Sequence[RawPage], turns: int) -> SiteCost:
    """The cost of one site."""
    pages, others = [parse(raw) for raw in known], [parse(raw) for raw in later]
    model = learn(pages, site=name)
    work: tuple[Callable[[], object], ...] = (
        lambda: [parse(raw) for raw in known],
        lambda: learn(pages, site=name),
        lambda: [parse(raw) for raw in later],
        lambda: [model.segment(page) for page in others],
    )
    return SiteCost(name, *(min(_clock(step) for _ in range(turns)) for step in work))


def _clock(step: Callable[[], object]) -> float:
    started = time.process_time()
    step()
    return time.process_time() - started
