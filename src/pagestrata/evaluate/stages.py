"""The stages of our own extraction that `bench speed` measures, each behind one call from bytes.

A stage does only what its answer needs: `markdown` reads no roles, `metadata` chooses no text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import turbohtml

from pagestrata.api import extract, learn, parse
from pagestrata.errors import UsageError
from pagestrata.evaluate.datasets import draw, read_dataset
from pagestrata.page.raw import RawPage
from pagestrata.results import Section
from pagestrata.work.job import Job
from pagestrata.work.rows import V1_FIELDS, Reading, Record, read_record


@dataclass(frozen=True, slots=True)
class TimedCall:
    """A call from a page to an answer, to be measured under a name."""

    name: str
    about: str
    package: str
    """The package that has to be installed for it."""
    run: Callable[[Any], object]
    prepare: Callable[[bytes], Any] = bytes
    """Makes the argument of `run` from the bytes of a page, before the clock starts."""

    @property
    def version(self) -> str:
        """The version of its package."""
        return version_of(self.package)


def version_of(package: str) -> str:
    """The installed version of a package, or `?` where there is only its source."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"


def _bare_parse(data: bytes) -> object:
    return turbohtml.parse(data, positions=False)


def _text(data: bytes) -> object:
    return extract(data).text


def _all_sections(data: bytes) -> list[Section]:
    return [section for root in extract(data).sections for section in root.walk()]


def _sections(data: bytes) -> object:
    return [(each.role, each.importance, each.xpath, each.item) for each in _all_sections(data)]


def _reasons(data: bytes) -> object:
    return [
        (each.role, each.importance, each.xpath, each.item, each.reasons, dict(each.signals))
        for each in _all_sections(data)
    ]


def _row(data: bytes) -> object:
    return read_record(Record("bench", Job("bench", page=RawPage(data))), Reading(fields=V1_FIELDS))


TEXT: Final = TimedCall("text", "bytes to text: the whole extraction", "pagestrata", _text)
OWN: Final = (
    TimedCall("parse", "the parser alone, its tree freed", "turbohtml", _bare_parse),
    TimedCall("page", "bytes to Page, with blocks", "pagestrata", parse),
    TEXT,
    TimedCall("markdown", "bytes to Markdown", "pagestrata", lambda data: extract(data).markdown),
    TimedCall("html", "bytes to clean HTML", "pagestrata", lambda data: extract(data).html),
    TimedCall("xml", "bytes to XML", "pagestrata", lambda data: extract(data).xml),
    TimedCall("sections", "all sections with role, importance, path and item", "pagestrata", _sections),
    TimedCall("reasons", "the same with the reasons and signals of every section", "pagestrata", _reasons),
    TimedCall("chunks", "bytes to chunks", "pagestrata", lambda data: extract(data).chunks()),
    TimedCall("items", "bytes to items: posts, or cards", "pagestrata", lambda data: extract(data).items),
    TimedCall("page type", "bytes to page type", "pagestrata", lambda data: extract(data).page_type),
    TimedCall("metadata", "bytes to metadata", "pagestrata", lambda data: extract(data).metadata),
    TimedCall("row", "the full row of a batch, written as JSON", "pagestrata", _row),
)


# -------------------------------------------------------------------------------------------- pages of learned sites

SIBLINGS: Final = 8
"""Pages from which a site is learned; more give hardly anything."""


def learned_text(dataset: str, pages: int, seed: int) -> tuple[TimedCall, list[bytes]]:
    """The call that reads a later page of a learned site, and the pages it is for, drawn from all sites of a data set.

    Models are learned here, outside the clock, each from the first pages of its site; the pages come after those.
    """
    sites = [site for site in read_dataset(dataset).sites if len(site.pages) > SIBLINGS]
    drawn = draw([(site, page) for site in sites for page in site.pages[SIBLINGS:]], pages, seed)
    if not drawn:
        raise UsageError(f"no site of {dataset} has more than {SIBLINGS} pages")
    wanted = {site.name for site, _ in drawn}
    models = {
        site.name: learn([RawPage(page.read(), url=page.url) for page in site.pages[:SIBLINGS]], site=site.name)
        for site in sites
        if site.name in wanted
    }
    contents = [page.read() for _, page in drawn]
    model_of = {content: models[site.name] for content, (site, _) in zip(contents, drawn, strict=True)}
    usual = next(iter(models.values()))  # for the page that warms up
    call = TimedCall(
        "site text",
        f"bytes to text with a site model, on {len(contents)} later pages of {len(models)} sites; so is its x text",
        "pagestrata",
        lambda pair: pair[0].extract(pair[1]).text,
        lambda data: (model_of.get(data, usual), data),
    )
    return call, contents
