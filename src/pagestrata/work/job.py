"""A page to read, small enough to be sent to a worker process."""

from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

from pagestrata.errors import InputError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy
from pagestrata.inputs.files import read_file
from pagestrata.inputs.http import fetch_explained
from pagestrata.page.raw import RawPage


@dataclass(frozen=True, slots=True)
class Job:
    """One page to read: a path or an address that the worker reads itself, or the page as it came."""

    name: str
    path: Path | None = None
    address: str | None = None
    page: RawPage | None = None
    url: str | None = None
    """The address of the page in a file, if the caller knows it."""
    policy: AddressPolicy = PUBLIC_ONLY
    error: str = ""
    """Why there is no page, if a browser could not draw it, or the file that holds it is damaged."""

    def read(self) -> RawPage:
        """Read the file, fetch the address, or return the page that is here."""
        if self.error:
            raise InputError(self.error)
        if self.page is not None:
            return self.page
        if self.address is not None:
            return fetch_explained(self.address, self.policy)
        return read_file(self.path or self.name, self.url)


def page_digest(raw: RawPage) -> str:
    """The SHA-256 of a page in hex; text is encoded as UTF-8."""
    return sha256(raw.data).hexdigest()


def job_digest(job: Job) -> str:
    """The SHA-256 of a job's page in hex; empty if its bytes are not at hand or there are none."""
    if job.path is not None:
        return _file_digest(job.path)
    return page_digest(job.page) if job.page is not None and job.page.markup else ""


def _file_digest(path: Path) -> str:
    """Read in pieces, as the file may be too large for memory; a pipe would block us as it blocked the worker."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
