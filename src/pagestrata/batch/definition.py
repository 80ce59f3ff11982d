"""A batch: what to read, how, and where the rows go."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from pagestrata.batch.fetch import fetched
from pagestrata.batch.manifest import RunPlan, make_plan
from pagestrata.batch.sources import START, Placed, Position, Source, records_of, sources_of
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy
from pagestrata.inputs.polite import DELAY, PoliteFetcher
from pagestrata.work.guard import GuardLimits
from pagestrata.work.rows import Reading

if TYPE_CHECKING:
    from pagestrata.inputs.browser import Browser

ADDRESSES: Final = "addresses.json"
"""What sitemaps and feeds named when the run began: they may name something else when it goes on."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What to read, how, and where the rows go."""

    inputs: tuple[str, ...]
    folder: Path
    reading: Reading = field(default_factory=Reading)
    learn: int = 0
    """Learn each site from at most so many of its pages first; 0 is not to learn."""
    shard_records: int = 1_000
    workers: int = 1
    limits: GuardLimits = field(default_factory=GuardLimits)
    policy: AddressPolicy = PUBLIC_ONLY
    delay: float = DELAY
    resume: bool = False
    browser: "Browser | None" = None
    """Draws the pages first, if it is there; whoever opened it closes it."""

    def plan(self) -> RunPlan:
        """All that the rows depend on."""
        how = self.reading
        plan = make_plan(self.inputs, how.options, how.form, self.shard_records, how.languages, self.learn, how.choice)
        return msgspec.structs.replace(plan, render=self.browser is not None)

    def records(self, start: Position = START) -> Iterator[Placed]:
        """The records of the inputs from a position on, with their pages if those have to be fetched."""
        fetcher = PoliteFetcher(self.policy, self.delay)
        found = fetched(records_of(self.sources(), start, self.policy), fetcher)
        if self.browser is None:
            return found
        from pagestrata.batch.browser_pages import drawn  # here, as few runs draw

        return drawn(found, self.browser)

    def sources(self) -> Iterator[Source]:
        """The sources, the same whenever they are asked for."""
        named = msgspec.json.decode((self.folder / ADDRESSES).read_bytes(), type=dict[str, list[str]])
        return sources_of(self.inputs, named)
