"""Learning the site of a folder before its pages are read: one job for a worker."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from pagestrata.api import parse
from pagestrata.errors import InputError, UsageError
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.work.job import Job
from pagestrata.work.read_page import with_address


@dataclass(frozen=True, slots=True)
class LearnJob:
    """The pages to learn from, and the name of their site if they do not contain it."""

    pages: tuple[Job, ...]
    name: str


class LearnResult(msgspec.Struct, array_like=True, frozen=True):
    """A model as bytes, or why there is none."""

    model: bytes = b""
    site: str = ""
    pages: int = 0
    """How many pages it was learned from."""
    layouts: int = 0
    why_not: str = ""


def run_learn_job(job: LearnJob, options: Options) -> bytes:
    """Read the pages and learn their site if they are of one; returns a `LearnResult` in MessagePack."""
    from pagestrata.sites.one_site import learn_one_site

    try:
        model = learn_one_site(_readable_pages(job.pages, options), job.name)
    except UsageError as error:
        return msgspec.msgpack.encode(LearnResult(why_not=str(error)))
    pages = sum(cluster.pages for cluster in model.clusters)
    return msgspec.msgpack.encode(LearnResult(model.to_bytes(), model.site, pages, len(model.clusters)))


def _readable_pages(jobs: Sequence[Job], options: Options) -> list[Page]:
    """The pages that can be read and have text; the others are reported when their own turn comes."""
    pages = []
    for job in jobs:
        try:
            page = parse(job.read(), options=options)
        except InputError:
            continue
        if page.text:
            pages.append(with_address(page))
    return pages
