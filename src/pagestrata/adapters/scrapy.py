"""Scrapy: an item pipeline that replaces the response in an item by what was extracted from it.

    ITEM_PIPELINES = {"pagestrata.adapters.scrapy.PagestrataPipeline": 300}

    def parse(self, response):
        yield {"response": response}

The response goes away, and `url`, `title`, `text`, `page_type`, `confidence`, `reason`, `metadata` and `sections` come.
Settings: `PAGESTRATA_OPTIONS` (a dictionary of options), `PAGESTRATA_SECONDS` and `PAGESTRATA_STORE` (site models, used
by host).
"""

from dataclasses import replace
from typing import Any, Self

import msgspec

from pagestrata.errors import needs
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.sites.choice import AUTO, StoredModel
from pagestrata.sites.store import open_store
from pagestrata.work.guard import Failure, GuardLimits
from pagestrata.work.job import Job
from pagestrata.work.rows import Reading, Record, record_guard, result_of

with needs("scrapy", "scrapy"):
    from itemadapter import ItemAdapter
    from scrapy.crawler import Crawler
    from scrapy.exceptions import DropItem
    from scrapy.http import Response

FIELDS = ("url", "title", "text", "page_type", "confidence", "reason", "metadata", "sections")


class PagestrataPipeline:
    """Extracts the pages of items, one at a time, in a worker process that can be killed."""

    def __init__(self, reading: Reading, limits: GuardLimits) -> None:
        self._guard = record_guard(replace(reading, fields=FIELDS[1:]), limits)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the pipeline from the settings of the crawler."""
        settings = crawler.settings
        store = settings.get("PAGESTRATA_STORE")
        choice = StoredModel(AUTO, open_store(store)) if store else None
        options = Options(**settings.getdict("PAGESTRATA_OPTIONS"))
        limits = GuardLimits(seconds=settings.getfloat("PAGESTRATA_SECONDS", GuardLimits().seconds))
        return cls(Reading(options, choice), limits)

    def process_item(self, item: Any) -> Any:
        """Replace the response by what was extracted from it; an item whose page cannot be read is dropped."""
        adapter = ItemAdapter(item)
        if not isinstance(adapter.get("response"), Response):
            return item
        row = self._read(adapter.pop("response"))
        adapter.update({name: row[name] for name in FIELDS})
        return item

    def close_spider(self) -> None:
        """Stop the worker process."""
        self._guard.close()

    def _read(self, response: Response) -> dict[str, Any]:
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1") or None
        page = RawPage(response.body, response.url, kind)
        [(record, outcome)] = self._guard.map([Record(response.url, Job(response.url, page=page), url=response.url)])
        if isinstance(outcome, Failure):
            raise DropItem(
                f"{response.url}: {outcome.stage}, {outcome.reason} {outcome.limit} {outcome.detail}".rstrip()
            )
        row: dict[str, Any] = msgspec.json.decode(result_of(record, outcome).line)
        return row
