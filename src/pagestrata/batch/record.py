"""RawPage → row, pure: what a worker does with one page, the same for the command line, batches and clusters."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from pagestrata.api import extract
from pagestrata.batch.guard import Failure
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy
from pagestrata.inputs.files import read_file
from pagestrata.inputs.http import fetch
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.results import SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class Job:
    """One page to read: a path or an address that the worker reads itself, or the page as it came."""

    name: str
    path: Path | None = None
    address: str | None = None
    page: RawPage | None = None
    url: str | None = None
    """Where the page of a path is from, if the caller knows."""
    policy: AddressPolicy = PUBLIC_ONLY

    def read(self) -> RawPage:
        """Bring the page in."""
        if self.page is not None:
            return self.page
        if self.address is not None:
            return fetch(self.address, self.policy)
        return read_file(self.path or self.name, self.url)


def render_page(job: Job, format_name: str, options: Options) -> bytes:
    """Read a page, extract, and write it in a format."""
    return extract(job.read(), options=options).render(format_name).encode()


def digest(job: Job) -> str:
    """The SHA-256 of the page's bytes; empty for what is not here to be read again."""
    if job.path is not None:
        return sha256(job.path.read_bytes()).hexdigest()
    markup = job.page.markup if job.page is not None else b""
    data = markup.encode("utf-8", "replace") if isinstance(markup, str) else markup
    return sha256(data).hexdigest() if data else ""


def error_row(failure: Failure) -> bytes:
    """The line that stands in JSON lines for a page that gave no answer."""
    error = {"stage": failure.stage, "reason": failure.reason, "limit": failure.limit, "detail": failure.detail}
    row = {"schema_version": SCHEMA_VERSION, "source": failure.source, "digest": failure.digest, "error": error}
    return msgspec.json.encode(row) + b"\n"
