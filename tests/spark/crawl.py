"""A small crawl in files of every kind, one site with 55 % of its pages, bad inputs among them; and what Spark did."""

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from tests.batch.corpus import article
from tests.build import ROOT
from tests.inputs.archives import packed, record, response

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TOOLS = ROOT.parent / "shared" / "tools" / "badinputs"
LARGE_SHARE = 0.55
BROKEN = (b"", b"\x00" * 50, b"<p>" * 300, b"<!-- nothing", b"\xff\xfe<\x00p\x00>\x00", b"{not html}")


def make_crawl(
    folder: Path, pages: int, sites: int = 8, files: int = 4, share: float = LARGE_SHARE, bad: int = 30
) -> int:
    """Write so many pages, and every n-th of the bad inputs; how many records there are."""
    folder.mkdir()
    drawn = [_page(number, pages, sites, share) for number in range(pages)]
    hostile = [(f"https://bad.example/{number}", data) for number, data in enumerate(bad_pages(bad))]
    everything = [(url, html.encode()) for url, html in drawn] + hostile
    written = 0
    for place in range(files):
        written += _WRITERS[place % 4](folder / f"{place:04}", everything[place::files])
    return written


def _page(number: int, pages: int, sites: int, share: float) -> tuple[str, str]:
    """The large site has its pages first; every ninth page is a copy of the one before, at another address."""
    original = number - (number % 9 == 8)
    site = f"site{0 if original < share * pages else 1 + original % (sites - 1)}.example"
    canonical = f'<link rel="canonical" href="https://{site}/{original}">'
    return f"https://{site}/{number}", article(original, site).replace("<nav>", f"{canonical}<nav>")


def bad_pages(every: int) -> Iterator[bytes]:
    """Every n-th of the corpus of bad inputs, made small; where it is not, some of our own only."""
    yield from BROKEN
    if not TOOLS.is_dir():
        return
    specification = importlib.util.spec_from_file_location("badinputs_make", TOOLS / "make.py")
    assert specification is not None
    assert specification.loader is not None
    make = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(make)
    generator = make.Gen(7, 0.0005)
    make.build(generator)
    bad = (case["data"]() for case in generator.cases[::every] if case["kind"] == "html")
    yield from (data for data in bad if len(data) < 50_000)


def _write_folder(path: Path, pages: list[tuple[str, bytes]]) -> int:
    """Each in a file, and one more that is empty and has a name that is not the same as an address."""
    path.mkdir()
    for number, (_, html) in enumerate(pages):
        (path / f"{number:05}.html").write_bytes(html)
    (path / "empty ü%20#.html").touch()
    return len(pages) + 1


def _write_lines(path: Path, pages: list[tuple[str, bytes]]) -> int:
    lines = [json.dumps({"url": url, "html": html.decode("utf-8", "replace")}) for url, html in pages]
    path.with_suffix(".jsonl").write_text("\n".join([*lines, "{broken"]))
    return len(pages) + 1


def _write_table(path: Path, pages: list[tuple[str, bytes]]) -> int:
    columns = {"url": [*(url for url, _ in pages), None], "html": [*(html for _, html in pages), None]}
    parquet.write_table(pa.table(columns, pa.schema({"url": pa.string(), "html": pa.binary()})), f"{path}.parquet")
    return len(pages) + 1


def _write_archive(path: Path, pages: list[tuple[str, bytes]]) -> int:
    records = [packed(record(response(html), url=url)) for url, html in pages]
    request = packed(record(b"GET / HTTP/1.1\r\n\r\n", kind="request"))
    Path(f"{path}.warc.gz").write_bytes(b"".join([request, *records[:3], b"\x1f\x8bgarbage", *records[3:]]))
    return len(pages) + 1


_WRITERS = (_write_archive, _write_lines, _write_table, _write_folder)


def start_spark(folder: Path, cores: int = 2) -> "SparkSession":
    """Spark on this machine, which writes down what it does."""
    from pyspark.sql import SparkSession

    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # it lives for a minute
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": folder.as_uri(),
    }
    builder = SparkSession.builder.master(f"local[{cores}]").appName("pagestrata tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


@dataclass(frozen=True)
class Done:
    """What a session did so far."""

    tasks: int
    failed: int
    shuffled: int
    """Bytes."""


def done(folder: Path) -> Done:
    """Read it off the log."""
    ends = [event for event in _events(folder) if event["Event"] == "SparkListenerTaskEnd"]
    shuffled = (event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"] for event in ends)
    return Done(len(ends), sum(event["Task End Reason"]["Reason"] != "Success" for event in ends), sum(shuffled))


def _events(folder: Path) -> Iterator[dict[str, Any]]:
    for path in folder.glob("local-*"):
        if path.is_file():
            yield from (json.loads(line) for line in path.read_text().splitlines() if line.endswith("}"))
