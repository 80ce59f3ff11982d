"""Scrapy: a crawler with our pipeline."""

from collections.abc import Iterator

import pytest

pytest.importorskip("scrapy", reason="Scrapy is not installed: pip install 'pagestrata[scrapy]'")

from scrapy import Field, Item, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from pagestrata.adapters.scrapy import FIELDS, PagestrataPipeline
from tests.adapters.pages import FIRST_WORDS, HTML, POISON, TIGHT, URL


class Page(Item):
    """An item that declares its fields, as Scrapy asks for."""

    response = Field()
    url, title, text, page_type, confidence, reason, metadata, sections = (Field() for _ in FIELDS)


@pytest.fixture
def pipeline() -> Iterator[PagestrataPipeline]:
    settings = Settings({"PAGESTRATA_OPTIONS": {"bias": 0.2}, "PAGESTRATA_SECONDS": 60})
    made = PagestrataPipeline.from_crawler(Crawler(Spider, settings))
    yield made
    made.close_spider()


def response(html: str) -> HtmlResponse:
    return HtmlResponse(URL, headers={"Content-Type": "text/html; charset=utf-8"}, body=html.encode())


def test_the_page_takes_the_place_of_its_response(pipeline: PagestrataPipeline) -> None:
    for item in ({"response": response(HTML), "mine": 1}, Page(response=response(HTML))):
        done = pipeline.process_item(item)
        assert "response" not in done
        assert (URL, "Page 1") == (done["url"], done["title"])
        assert done["text"].startswith(FIRST_WORDS)
        assert {"main", "navigation"} <= {section["role"] for section in done["sections"]}


def test_other_items_pass_through(pipeline: PagestrataPipeline) -> None:
    assert {"price": 3} == pipeline.process_item({"price": 3})


def test_a_page_that_kills_its_worker_is_dropped_with_a_reason() -> None:
    from pagestrata.work.rows import Reading

    pipeline = PagestrataPipeline(Reading(), TIGHT)
    with pytest.raises(DropItem, match="memory"):
        pipeline.process_item({"response": response(POISON)})
    assert pipeline.process_item({"response": response(HTML)})["text"]
    pipeline.close_spider()
