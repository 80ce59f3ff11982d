"""datatrove: an extractor to put in place of another, and a step that also keeps the sections.

pipeline = [WarcReader("s3://crawl/"), Pagestrata(timeout=15), JsonlWriter("out/")]
pipeline = [WarcReader("s3://crawl/"), PagestrataSections(), JsonlWriter("out/")]
"""

from collections.abc import Iterable, Iterator

import msgspec

from pagestrata.api import DEFAULTS, extract
from pagestrata.errors import needs
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.work.guard import Failure, GuardLimits
from pagestrata.work.job import Job
from pagestrata.work.rows import V1_FIELDS, Reading, Record, record_guard, result_of

with needs("datatrove", "datatrove"):
    from datatrove.data import Document, DocumentsPipeline
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.utils.typeshelper import StatHints


class Pagestrata(BaseExtractor):
    """An extractor that returns the text of a page; the time limit is that of datatrove's own sandbox."""

    name = "pagestrata"

    def __init__(self, timeout: float = 15.0, options: Options = DEFAULTS) -> None:
        super().__init__(timeout)
        self.options = options

    def extract(self, text: str) -> str:
        """The kept sections as plain text."""
        return extract(text, options=self.options).text


class PagestrataSections(PipelineStep):
    """The text of a page as `text`, and the rest of its row (sections, page type, language ...) as metadata.

    Pages are read under our guard: one that hangs, dies or takes too much memory is dropped and counted by reason.
    """

    type = "🛢 - EXTRAC"
    name = "pagestrata sections"

    def __init__(self, options: Options = DEFAULTS, limits: GuardLimits = GuardLimits()) -> None:  # noqa: B008 (frozen)
        super().__init__()
        self.reading = Reading(options, fields=V1_FIELDS)
        self.limits = limits

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Read the documents one after the other."""
        waiting: list[Document] = []
        with record_guard(self.reading, self.limits) as guard:
            for record, outcome in guard.map(_records(data or (), waiting)):
                document = waiting.pop(0)
                self.stat_update(StatHints.total)
                if isinstance(outcome, Failure):
                    self.stat_update(StatHints.dropped, f"dropped_{outcome.reason}")
                    continue
                row = msgspec.json.decode(result_of(record, outcome).line)
                document.text = row.pop("text")
                document.metadata |= row
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document


def _records(documents: Iterable[Document], waiting: list[Document]) -> Iterator[Record]:
    """The documents as records; each waits for its answer, which come in the same order."""
    for document in documents:
        waiting.append(document)
        page = RawPage(document.text, document.metadata.get("url"))
        yield Record(document.id, Job(document.id, page=page), url=page.url)
