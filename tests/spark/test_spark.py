"""Spark gives the rows of a batch: the same records, sample, models and quarantine, on any number of cores."""

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import fs, parquet
from typer.testing import CliRunner

from pagestrata.batch.definition import Batch
from pagestrata.batch.run import run
from pagestrata.cli.main import app
from pagestrata.errors import InputError, UsageError
from pagestrata.sites.model import SiteModel
from pagestrata.sites.store import Store
from pagestrata.work.guard import GuardLimits
from pagestrata.work.rows import Reading
from tests.batch.corpus import article, rows_of
from tests.build import ROOT
from tests.shown_code import blocks_of
from tests.spark.crawl import Done, done, make_crawl, start_spark
from tests.spark.poison import POISONED

pytest.importorskip("pyspark", reason="Spark is not installed: pip install 'pagestrata[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed: apt-get install openjdk-17-jre-headless", allow_module_level=True)

from pyspark.sql.pandas.types import from_arrow_schema

from pagestrata.spark import apply_sites, extract_pages, find_files, learn_sites
from pagestrata.spark.page_rows import outcome_schema, outcomes_of
from pagestrata.spark.pages import records_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST = 4
"""Pages to learn a site from."""
LIMITS = GuardLimits(seconds=60, memory=150 << 20)
POISON = b"<b>" + b"x<i>" * 2_000_000
"""Takes more memory than a worker has."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def spark(log: Path) -> "Iterator[SparkSession]":
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYSPARK_PYTHON", sys.executable)
        patched.setenv("PYTHONPATH", os.pathsep.join((str(ROOT / "src"), str(ROOT))))
        patched.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        session = start_spark(log)
        yield session
        session.stop()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl") / "in"
    make_crawl(folder, 200)
    (folder / "poison.html").write_bytes(POISON)
    return folder


@pytest.fixture(scope="module")
def batch(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same by a batch that learns."""
    folder = tmp_path_factory.mktemp("batch") / "out"
    run(Batch((str(crawl),), folder, Reading(form="parquet"), learn=MOST, workers=2, limits=LIMITS))
    return folder


@pytest.fixture(scope="module")
def lesson(
    spark: "SparkSession", log: Path, crawl: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Done]:
    """Where the models are, and what Spark did until then."""
    place = tmp_path_factory.mktemp("models") / "out"
    learn_sites(find_files(spark, [str(crawl)]), MOST, limits=LIMITS).write.parquet(str(place))
    return place, done(log)


@pytest.fixture(scope="module")
def models(spark: "SparkSession", lesson: tuple[Path, Done]) -> "DataFrame":
    return spark.read.parquet(str(lesson[0]))


def by_source(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row["source"]))


def dicts(df: "DataFrame") -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in df.collect()]


def test_rows_are_those_of_a_batch(spark: "SparkSession", crawl: Path, batch: Path, models: "DataFrame") -> None:
    found = apply_sites(find_files(spark, [str(crawl)]), models, limits=LIMITS).cache()
    rows = parquet.ParquetDataset(sorted(batch.glob("*.parquet"))).read().to_pylist()
    fields = [name for name in outcome_schema().names if name not in ("outcome", "stage", "limit", "detail")]
    assert by_source(rows) == by_source(dicts(found.where("outcome = 'row'").select(fields)))
    assert {"site", "engine"} == {row["method"] for row in rows}
    quarantined = [name for name in rows_of(batch / "quarantine")[0] if name != "detail"]
    expected = [{name: row[name] for name in quarantined} for row in rows_of(batch / "quarantine")]
    assert by_source(expected) == by_source(dicts(found.where("outcome = 'quarantined'").select(quarantined)))
    assert Counter(unreadable=3, memory=1) == Counter(row["reason"] for row in expected)


def test_files_of_no_length_are_rows(spark: "SparkSession", crawl: Path) -> None:
    files = find_files(spark, [str(crawl / "0003")])
    assert len(list((crawl / "0003").iterdir())) == files.count()
    (row,) = extract_pages(files.where("path like '%empty%'")).collect()
    assert (str(crawl / "0003" / "empty ü%20#.html"), "row", "") == (row.source, row.outcome, row.text)


def test_poison_costs_its_own_row(spark: "SparkSession") -> None:
    deeds = {"crash": "died", "hang": "deadline", "hungry": "memory"}
    pages = [(article(1), f"https://{name}.example/") for deed in deeds for name in (deed, "good")]
    read = partial(outcomes_of, reading=Reading(choice=POISONED, form="parquet"), limits=replace(LIMITS, seconds=4))
    df = spark.createDataFrame(pages, "html string, url string").coalesce(1)
    rows = df.mapInArrow(read, from_arrow_schema(outcome_schema())).collect()
    expected = [each for reason in deeds.values() for each in (("quarantined", reason), ("row", ""))]
    assert expected == [(row.outcome, row.reason) for row in rows]


def test_models_are_those_of_a_batch(batch: Path, models: "DataFrame") -> None:
    store = Store(batch / "sites.db")
    learned = {row["site"]: SiteModel.from_bytes(row["model"]) for row in dicts(models) if row["model"]}
    expected = {row.name: store.load(row.name) for row in store.sites()}
    assert [*sorted(expected)] == [*sorted(learned)]
    for site, model in expected.items():
        assert model is not None
        assert replace(model, learned="") == replace(learned[site], learned="")
    told = {row["site"]: row["reason"] for row in dicts(models) if not row["model"]}
    assert {row["source"]: row["reason"] for row in rows_of(batch / "quarantine", "learn.jsonl")} == told


def test_of_a_site_only_its_sample_is_sent(lesson: tuple[Path, Done], models: "DataFrame") -> None:
    assert {(f"site{number}.example", MOST) for number in range(8)} <= {
        (row.site, row.pages) for row in models.collect()
    }
    assert 0 < lesson[1].shuffled < 9 * MOST * 3_000  # bytes: nine sites, whose pages have 1.5 kB


def test_a_frame_of_pages_needs_html_only(spark: "SparkSession") -> None:
    pages = [(article(1), 1), (article(2, language="de"), 2), (None, 3)]
    df = spark.createDataFrame(pages, "html string, model int").coalesce(1)  # other columns may be called as ours are
    rows = extract_pages(df, languages=("en",)).collect()
    assert ["row", "filtered", "quarantined"] == [row["outcome"] for row in rows]
    assert ("Page 1", "the row has no html") == (rows[0]["title"], rows[2]["detail"])
    with pytest.raises(UsageError, match="no column html or path; there are: model"):
        extract_pages(df.select("model"))


def test_many_models_are_joined_instead_of_copied(
    spark: "SparkSession", crawl: Path, models: "DataFrame", monkeypatch: pytest.MonkeyPatch
) -> None:
    files = find_files(spark, [str(crawl / "0001.jsonl")])
    copied = dicts(apply_sites(files, models))
    monkeypatch.setattr("pagestrata.spark.page_rows.BROADCAST_BYTES", 0)
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    joined = dicts(apply_sites(files, models))
    spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
    assert by_source(copied) == by_source(joined)
    assert "site" in {row["method"] for row in joined}


def test_the_command_learns_and_applies(spark: "SparkSession", crawl: Path, tmp_path: Path) -> None:
    archive, models, rows = str(crawl / "0000.warc.gz"), str(tmp_path / "models"), str(tmp_path / "rows")
    runner = CliRunner()
    learned = runner.invoke(app, ["spark", "learn", archive, "-o", models, "-k", "2"])
    assert (0, f"8 sites learned, 1 could not be; in {models}\n") == (learned.exit_code, learned.stderr)
    applied = runner.invoke(app, ["spark", "apply", archive, "--models", models, "-o", rows])
    count = len(list(records_in(archive)))
    told = f"{count} records: {count - 1} row, 1 quarantined; in {rows}\n"
    assert (0, told) == (applied.exit_code, applied.stderr)
    assert count - 1 == sum(len(parquet.read_table(path)) for path in Path(rows, "outcome=row").glob("*.parquet"))
    with pytest.raises(InputError, match="PATH_NOT_FOUND"):
        runner.invoke(app, ["spark", "extract", str(crawl / "*.none"), "-o", str(tmp_path)], catch_exceptions=False)
    with pytest.raises(UsageError, match="PATH_ALREADY_EXISTS"):
        runner.invoke(app, ["spark", "learn", archive, "-o", models], catch_exceptions=False)


def test_files_elsewhere_are_streamed(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere:
        @staticmethod
        def from_uri(address: str) -> tuple[fs.FileSystem, str]:
            assert "s3://crawl/" == address
            return fs.SubTreeFileSystem(str(crawl), fs.LocalFileSystem()), ""

    monkeypatch.setattr(fs, "FileSystem", Elsewhere)
    for name in ("0000.warc.gz", "0001.jsonl", "0002.parquet", "0003/00000.html"):
        here, there = list(records_in(str(crawl / name))), list(records_in(f"s3a://crawl/{name}"))
        assert [(record.url, record.problem) for record in here] == [(record.url, record.problem) for record in there]
        assert {f"s3a://crawl/{name}"} == {record.name.partition("#")[0] for record in there}
    assert ["the file cannot be read: No such file or directory"] == [
        record.problem for record in records_in("/none.html")
    ]


def test_no_task_was_tried_again(spark: "SparkSession", log: Path, models: "DataFrame") -> None:
    """The last: of all that ran here, poison and all."""
    seen = done(log)
    assert (True, 0) == (seen.tasks > 10, seen.failed)


def test_the_recipe_of_the_documentation(spark: "SparkSession", monkeypatch: pytest.MonkeyPatch) -> None:
    [recipe] = [block for block in blocks_of(ROOT / "docs/recipes/spark.md") if block.language == "python"]
    assert "run by tests/spark/test_spark.py" == recipe.note
    names: dict[str, Any] = {}
    exec(recipe.code, names)  # noqa: S102
    monkeypatch.chdir(ROOT)
    rows = names["corpus_of"](spark).collect()
    assert 10 == len(rows)
    assert "https://tidewater.example/articles/a-glossary-of-mud.html" in {row.url for row in rows}
    assert all(row.title and row.text for row in rows)
