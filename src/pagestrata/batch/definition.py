"""A batch: what to read, how, and where the rows go."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from pagestrata.batch.fetch import fetched
from pagestrata.batch.manifest import RunPlan, check_is_unicode, engine_digest, models_digest
from pagestrata.batch.sources import START, Placed, Position, Source, records_of, sources_of
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy
from pagestrata.inputs.polite import DELAY, PoliteFetcher
from pagestrata.work.guard import GuardLimits
from pagestrata.work.rows import Reading

if TYPE_CHECKING:
    from pagestrata.inputs.browser import Browser

ADDRESSES: Final = "addresses.json"
"""The addresses in sitemaps and feeds when the run began: they may have changed when it is resumed."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The inputs of a run, the way they are read, and the folder of the rows."""

    inputs: tuple[str, ...]
    folder: Path
    reading: Reading = field(default_factory=Reading)
    learn: int = 0
    """The most pages that each site is learned from in a first pass; 0 for no learning."""
    shard_records: int = 1_000
    workers: int = 1
    limits: GuardLimits = field(default_factory=GuardLimits)
    policy: AddressPolicy = PUBLIC_ONLY
    delay: float = DELAY
    resume: bool = False
    dedup: bool = False
    """Whether near-duplicates of earlier pages are left out."""
    browser: "Browser | None" = None
    """Draws the pages first, if there is one; the caller who opened it closes it."""

    def plan(self) -> RunPlan:
        """Everything that the rows depend on."""
        how = self.reading
        check_is_unicode(*self.inputs, *how.options.selectors)
        return RunPlan(
            version=metadata.version("pagestrata"),
            inputs=self.inputs,
            options=msgspec.json.decode(msgspec.json.encode(asdict(how.options))),  # as it reads back
            form=how.form,
            shard_records=self.shard_records,
            languages=how.languages,
            learn=self.learn,
            site=how.choice.site if how.choice else None,
            engine_digest=engine_digest(),
            models_digest=models_digest(how.choice) if how.choice else None,
            render=self.browser is not None,
            dedup=self.dedup,
            fields=how.fields,
        )

    def records(self, start: Position = START) -> Iterator[Placed]:
        """The records of the inputs from a position on, with their pages if those have to be fetched."""
        fetcher = PoliteFetcher(self.policy, self.delay)
        records = fetched(records_of(self.sources(), start, self.policy), fetcher)
        if self.browser is None:
            return records
        from pagestrata.batch.browser_pages import drawn  # here, as few runs draw

        return drawn(records, self.browser)

    def sources(self) -> Iterator[Source]:
        """The sources in the order in which they are read, the same at every call."""
        named = msgspec.json.decode((self.folder / ADDRESSES).read_bytes(), type=dict[str, list[str]])
        return sources_of(self.inputs, named)
