"""What a worker does before all pages: look at some of them, and learn their site if they are of one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from pagestrata.api import parse
from pagestrata.errors import InputError, UsageError
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.work.read_page import Job, address_of


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The pages to learn from, and what to call their site if they do not tell."""

    jobs: tuple[Job, ...]
    name: str


class Lesson(msgspec.Struct, array_like=True, frozen=True):
    """What came of it: a model as bytes, or why there is none."""

    model: bytes = b""
    site: str = ""
    pages: int = 0
    """That it was learned from."""
    layouts: int = 0
    why_not: str = ""


def learn_first(look: FirstLook, options: Options) -> bytes:
    """Read the pages and learn their site; a `Lesson` in MessagePack."""
    from pagestrata.sites.one_site import learn_one_site

    try:
        model = learn_one_site(_pages(look.jobs, options), look.name)
    except UsageError as error:
        return msgspec.msgpack.encode(Lesson(why_not=str(error)))
    pages = sum(cluster.pages for cluster in model.clusters)
    return msgspec.msgpack.encode(Lesson(model.to_bytes(), model.site, pages, len(model.clusters)))


def _pages(jobs: Sequence[Job], options: Options) -> list[Page]:
    """Those that can be read and have text; of the others their own rows will tell."""
    pages = []
    for job in jobs:
        try:
            page = parse(job.read(), options=options)
        except InputError:
            continue
        if page.text:
            pages.append(replace(page, url=address_of(page)))
    return pages
