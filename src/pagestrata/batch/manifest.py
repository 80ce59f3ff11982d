"""The plan and the progress of a run: `manifest.json` and, with a line for each finished shard, `shards.jsonl`."""

import dataclasses
import fcntl
import hashlib
import os
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from pagestrata.batch.shards import FileNote, usage_errors, write_whole
from pagestrata.batch.sources import START, Position
from pagestrata.errors import UsageError
from pagestrata.page.json_text import indented_json
from pagestrata.sites.choice import StoredModel

MANIFEST: Final = "manifest.json"
JOURNAL: Final = "shards.jsonl"


class Counts(msgspec.Struct, frozen=True):
    """Records = rows + quarantined + filtered + duplicates; what was skipped is no page, and no record."""

    records: int = 0
    rows: int = 0
    quarantined: int = 0
    filtered: int = 0
    """Pages in other languages than the requested ones."""
    skipped: int = 0
    duplicates: int = 0
    """Pages that are near-duplicates of earlier ones, and were left out for that."""

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(one + two for one, two in zip(_values(self), _values(other), strict=True)))


def _values(counts: Counts) -> tuple[int, ...]:
    return msgspec.structs.astuple(counts)


class ShardNote(msgspec.Struct, frozen=True):
    """A finished shard."""

    shard: int
    counts: Counts
    files: tuple[FileNote, ...]
    after: Position
    """Where the next shard begins."""
    keys: tuple[str, ...] = ()
    """The near-duplicate keys of its rows, if duplicates are left out."""


class Reached(msgspec.Struct, frozen=True):
    """How far a run has got."""

    shards: int = 0
    counts: Counts = Counts()
    after: Position = START

    def __add__(self, note: ShardNote) -> "Reached":
        return Reached(self.shards + 1, self.counts + note.counts, note.after)


class LearnedSites(msgspec.Struct, frozen=True):
    """The result of the first pass of a run that learns sites."""

    sites: int
    failed: int
    """Sites that could not be learned; `quarantine/learn.jsonl` has the reasons."""
    digest: str


class RunPlan(msgspec.Struct, frozen=True):
    """Everything that the rows and their form depend on; a run can only be resumed with an equal plan."""

    version: str
    inputs: tuple[str, ...]
    options: dict[str, Any]
    form: str
    shard_records: int
    languages: tuple[str, ...]
    learn: int
    """The most pages that a site is learned from; 0 for no learning."""
    site: str | None
    engine_digest: str
    models_digest: str | None
    """Of the site models that were chosen, if any."""
    render: bool = False
    """Whether a browser draws the pages first."""
    dedup: bool = False
    """Whether near-duplicates of earlier pages are left out."""
    fields: tuple[str, ...] = ()
    """What a row holds."""


class Manifest(msgspec.Struct, frozen=True):
    """The plan of a run and its result so far."""

    plan: RunPlan
    learned: LearnedSites | None = None
    complete: bool = False
    shards: int = 0
    counts: Counts = Counts()

    def write(self, folder: Path) -> None:
        """Write the manifest, replacing an earlier one."""
        write_whole(folder / MANIFEST, indented_json(self))


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder, if there is one."""
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(f"{folder / MANIFEST} is no manifest of a batch: {error}") from error


def check_same(old: RunPlan, new: RunPlan) -> None:
    """Refuse to resume a run with another plan."""
    old_values, new_values = ({**msgspec.structs.asdict(plan), "options": None, **plan.options} for plan in (old, new))
    for name in dict.fromkeys((*old_values, *new_values)):
        was, now = old_values.get(name), new_values.get(name)
        if was != now:
            raise UsageError(
                f"this run was begun with {name} = {was!r}, not {now!r}: go on as it began, or anew elsewhere"
            )


class Journal:
    """The finished shards of a run. A line is written after the files that it names; only one process may write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.keys: list[str] = []
        """The near-duplicate keys in the shards that were recovered."""
        with usage_errors():
            self._file: IO[bytes] = open(folder / JOURNAL, "a+b")  # noqa: SIM115 (`close` does it)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise UsageError(f"another run is writing to {folder}") from error

    def close(self) -> None:
        """Release the lock."""
        self._file.close()

    def recover(self) -> Reached:
        """How far the complete shards reach without a gap; lines on later shards are removed."""
        self._file.seek(0)
        reached, end = Reached(), 0
        self.keys.clear()
        for line in self._file:
            note = _note_in(line)
            if note is None or note.shard != reached.shards or not self._is_complete(note):
                break
            reached, end = reached + note, end + len(line)
            self.keys.extend(note.keys)
        with usage_errors():
            self._file.truncate(end)
        return reached

    def clear(self) -> Reached:
        """Forget all shards."""
        with usage_errors():
            self._file.truncate(0)
        return Reached()

    def _is_complete(self, note: ShardNote) -> bool:
        return all(file.is_intact(self._folder) for file in note.files)

    def add(self, note: ShardNote) -> None:
        """Write down a finished shard, and have it synced to disk."""
        with usage_errors(self._folder / JOURNAL):
            self._file.write(msgspec.json.encode(note) + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())


def _note_in(line: bytes) -> ShardNote | None:
    try:
        return msgspec.json.decode(line, type=ShardNote) if line.endswith(b"\n") else None
    except msgspec.DecodeError:
        return None


def check_is_unicode(*arguments: str) -> None:
    """Refuse arguments that were not UTF-8: Python holds them as lone surrogates, which JSON cannot contain."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"{argument!r} is not UTF-8: rename it, or give the folder that it is in") from error


def engine_digest() -> str:
    """The SHA-256 of the model that the engine ships with."""
    return hashlib.sha256(files("pagestrata.engine").joinpath("data", "model.npz").read_bytes()).hexdigest()


def models_digest(choice: StoredModel) -> str:
    """The SHA-256 of all site models that pages may be read with, without the days on which they were learned."""
    names = [row.name for row in choice.store.sites()] if choice.by_host else []
    models = [choice.store.load(name) for name in names] if choice.by_host else [choice.model()]
    digest = hashlib.sha256()
    for model in models:
        if model is not None:
            digest.update(dataclasses.replace(model, learned="", updated="").to_bytes())
    return digest.hexdigest()
