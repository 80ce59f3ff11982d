"""Inputs → records, in an order and under names that are the same at every reading.

A source is a file or an address; folders and lists hold many. A position is a number of finished sources and of records
in the current one: a resumed run skips what comes before, which is cheap compared to reading pages.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from pagestrata.errors import InputError, raising
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, is_address
from pagestrata.inputs.files import PAGE_SUFFIXES, walk
from pagestrata.inputs.warc import ArchiveItem, Damage, NoPage
from pagestrata.work.containers import CONTAINERS, contents_of, readable, record_of
from pagestrata.work.job import Job
from pagestrata.work.rows import Record

LISTS: Final = (".txt", ".lst")


class Position(msgspec.Struct, frozen=True):
    """How far the inputs have been read."""

    sources: int = 0
    """Sources that were read to the end."""
    records: int = 0
    """Records that were read of the current source."""
    name: str = ""
    """The current source, to notice when the inputs have changed."""


START: Final = Position()


@dataclass(frozen=True, slots=True)
class Source:
    """A page in a file, a page at an address, or a file with many pages."""

    name: str
    is_address: bool = False

    @property
    def is_container(self) -> bool:
        """Whether it may hold many pages."""
        return not self.is_address and self.name.lower().endswith(CONTAINERS)


@dataclass(frozen=True, slots=True)
class Placed:
    """A record with its position in the inputs."""

    record: Record
    after: Position
    skipped: int = 0
    """Records right before it that were skipped because they are no pages."""
    done: float = 0.0
    """Sources that have been read, the current one as a fraction."""


def sources_of(inputs: Iterable[str], named: Mapping[str, Sequence[str]]) -> Iterator[Source]:
    """Expand folders and lists; `named` has the addresses in those inputs that are sitemaps or feeds."""
    for name in inputs:
        path = Path(name)
        if name in named:
            yield from (Source(address, is_address=True) for address in named[name])
        elif is_address(name):
            yield Source(name, is_address=True)
        elif path.is_dir():
            yield from (Source(str(file)) for file in walk(path, (*PAGE_SUFFIXES, *CONTAINERS)))
        elif name.lower().endswith(LISTS):
            yield from _listed(path)
        else:
            yield Source(name)


def _listed(path: Path) -> Iterator[Source]:
    """The sources in a list, one path or address per line; paths are relative to the list."""
    with raising(InputError, f"cannot read {path}"), path.open(encoding="utf-8", errors="surrogateescape") as lines:
        for line in map(str.strip, lines):
            if is_address(line):
                yield Source(line, is_address=True)
            elif line:
                yield Source(str(path.parent / line))


def check_inputs(inputs: Iterable[str]) -> None:
    """Raise an error if one of the inputs does not exist."""
    for name in inputs:
        if not is_address(name) and not Path(name).exists():
            raise InputError(f"cannot read {name}: no such file or folder")


def records_of(
    sources: Iterable[Source], start: Position = START, policy: AddressPolicy = PUBLIC_ONLY
) -> Iterator[Placed]:
    """All records from a position on."""
    held: Placed | None = None
    skipped = 0
    for number, source in enumerate(_from(sources, start), start.sources):
        passed = start.records if number == start.sources else 0
        for count, (record, share) in enumerate(islice(_records_in(source, policy), passed, None), passed + 1):
            if isinstance(record, NoPage):
                skipped += 1
                continue
            if held:
                yield held
            after = Position(number, count, readable(source.name))
            held, skipped = Placed(record, after, skipped, number + share), 0
    if held:
        yield replace(held, skipped=held.skipped + skipped)  # those after the last page


def _from(sources: Iterable[Source], start: Position) -> Iterator[Source]:
    """The current source and those after it."""
    rest = islice(sources, start.sources, None)
    first = next(rest, None)
    if start.name and (first is None or readable(first.name) != start.name):
        raise InputError(f"the input has changed: {start.name} is not where it was when this run was broken off")
    if first is not None:
        yield first
    yield from rest


def _records_in(source: Source, policy: AddressPolicy) -> Iterator[tuple[Record | NoPage, float]]:
    """The records of a source, each with the fraction of the source that has been read."""
    if not source.is_container:
        yield _single(source, policy), 1.0
        return
    for number, (item, share) in enumerate(_contents(source), 1):
        yield record_of(f"{readable(source.name)}#{number}", item), share


def _single(source: Source, policy: AddressPolicy) -> Record:
    name = readable(source.name)
    if source.is_address:
        return Record(name, Job(name, address=source.name, policy=policy), url=name)
    return Record(name, Job(name, path=Path(source.name)))


def _contents(source: Source) -> Iterator[tuple[ArchiveItem, float]]:
    """The items in a file of many pages; a file that cannot be read is one damaged item."""
    try:
        with open(source.name, "rb") as file:
            size = os.stat(file.fileno()).st_size
            for item in contents_of(source.name, file):
                yield item, file.tell() / max(size, 1)
    except OSError as error:
        yield Damage(f"the file cannot be read: {error.strerror}"), 1.0
