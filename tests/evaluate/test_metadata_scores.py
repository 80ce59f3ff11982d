"""How metadata are scored: what counts as right, and the way from a folder to the table."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app, with_command
from pagestrata.errors import InputError, UsageError
from pagestrata.evaluate.metadata_scores import (
    FieldScore,
    FieldValues,
    Method,
    TrueMetadata,
    evaluate_metadata,
    methods_of,
    read_metadata_set,
)

PAGE = (
    '<html lang="en"><head><title>Why mud moves | Tidewater</title><meta name="author" content="Ines Halloway"></head>'
    "<body><h1>Why mud moves</h1><p>17 May 2024</p></body></html>"
)
TRUTH = {"title": "Why Mud Moves", "authors": ["Ines Halloway"], "date": "2024-05-18", "language": "en-GB"}


def write_set(folder: Path, *truths: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "page.html").write_text(PAGE)
    lines = ({"file": "page.html", "url": "https://tidewater.example/mud", "truth": truth} for truth in truths)
    (folder / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def constant(answer: FieldValues) -> Method:
    return lambda data, url: answer


def score(field: str, answer: object, truth: object) -> tuple[int, int, int]:
    """How many of one answer are given, exactly right, loosely right."""
    page = TrueMetadata(Path(__file__), "", FieldValues(**{field: truth}))  # type: ignore[arg-type]
    (found,) = evaluate_metadata([page], {"x": constant(FieldValues(**{field: answer}))})  # type: ignore[arg-type]
    return found.answered, found.exact, found.loose


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_set(tmp_path / "set", TRUTH)


def test_fields_are_right_exactly_or_loosely(folder: Path) -> None:
    scores = evaluate_metadata(read_metadata_set(folder), {"pagestrata": methods_of(["htmldate"])["pagestrata"]})
    assert scores == [
        FieldScore("title", "pagestrata", 1, 1, 1, 1),
        FieldScore("authors", "pagestrata", 1, 1, 1, 1),
        FieldScore("date", "pagestrata", 1, 1, 0, 1),
        FieldScore("language", "pagestrata", 1, 1, 0, 1),
    ]


@pytest.mark.parametrize(
    ("field", "answer", "truth", "expected"),
    [
        ("title", "Mud’s way", "Mud's Way", (1, 1, 1)),
        ("title", "Mud", "Mud and its ways", (1, 0, 1)),
        ("title", "Mudguard", "Mud", (1, 0, 0)),
        ("authors", ("Ines Halloway", "Théo"), ("Théo", "Ines Halloway"), (1, 1, 1)),
        ("authors", ("Ines Halloway",), ("Théo", "Ines Halloway"), (1, 0, 1)),
        ("authors", ("Ines Halloway", "Théo Marchbank"), ("Ines Halloway, PhD, and Théo Marchbank",), (1, 1, 1)),
        ("authors", ("Ines Halloway",), ("Ines Halloway | Tidewater",), (1, 1, 1)),
        ("authors", ("Ines Halloway", "Théo Marchbank"), ("Ines HallowayThéo Marchbank",), (1, 1, 1)),
        ("authors", ("Ines Halloway",), ("Dr. Ines Halloway, MD",), (1, 1, 1)),
        ("authors", ("Staff",), ("Ines Halloway",), (1, 0, 0)),
        ("date", "2024-05-17T10:00:00Z", "2024-05-17", (1, 1, 1)),
        ("date", "2024-05-18T01:00:00+02:00", "2024-05-17T23:00:00Z", (1, 1, 1)),
        ("date", "2024-05-18", "2024-05-17T15:00:00.000Z", (1, 1, 1)),
        ("date", "2024-05-18", "2024-05-17T15:20:00.000Z", (1, 0, 1)),
        ("date", "2024-05-19", "2024-05-17", (1, 0, 0)),
        ("date", "2024", "2024-05-17", (1, 0, 0)),
        ("language", "en", "de", (1, 0, 0)),
        ("image", "https://t.example/a.jpg?w=9", "http://t.example/a.jpg", (1, 1, 1)),
        ("image", "https://cdn.example/a.jpg", "https://t.example/a.jpg", (1, 0, 1)),
        ("image", "https://t.example/", "https://u.example/", (1, 0, 0)),
    ],
)
def test_comparisons(field: str, answer: object, truth: object, expected: tuple[int, int, int]) -> None:
    assert expected == score(field, answer, truth)


def test_a_value_that_is_not_known_does_not_count(folder: Path) -> None:
    write_set(folder, {"title": None, "date": float("nan")})
    assert [FieldValues()] == [page.truth for page in read_metadata_set(folder)]


def test_the_description_of_a_recipe_is_not_that_of_its_page(tmp_path: Path) -> None:
    recipe = {"@type": "Recipe", "name": "Eel pie", "description": "A pie from the mud."}
    page = f"<meta name=description content='Read on.'><script type=application/ld+json>{json.dumps(recipe)}</script>"
    (tmp_path / "page.html").write_text(page)
    line = {"set": "recipes", "file": "page.html", "url": "", "truth": {"description": "A pie from the mud."}}
    (tmp_path / "pages.jsonl").write_text(json.dumps(line))
    scores = evaluate_metadata(read_metadata_set(tmp_path), {"pagestrata": methods_of(["htmldate"])["pagestrata"]})
    assert [FieldScore("recipe_description", "pagestrata", 1, 1, 1, 1)] == scores


def test_a_broken_line_is_named(folder: Path) -> None:
    write_set(folder, TRUTH, {"title": 5})
    with pytest.raises(InputError, match="line 2"):
        read_metadata_set(folder)


def test_a_folder_of_pages_and_truths_is_read_too(tmp_path: Path) -> None:
    for name in ("html", "truth"):
        (tmp_path / "wcxb" / name).mkdir(parents=True)
    (tmp_path / "wcxb" / "html" / "1.html").write_text(PAGE)
    truth = {"id": "1", "main_content": "", "title": "Mud", "author": "Ines", "publish_date": "2024-05-17"}
    (tmp_path / "wcxb" / "truth" / "1.json").write_text(json.dumps(truth))
    (page,) = read_metadata_set(tmp_path / "wcxb")
    assert FieldValues(title="Mud", authors=("Ines",), date="2024-05-17") == page.truth


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, with_command(["evaluate", *map(str, arguments)]))


def test_the_command_recognises_such_a_set(folder: Path) -> None:
    pytest.importorskip("htmldate")
    done = invoke(folder, "--peers", "htmldate")
    assert done.exit_code == 0, done.output
    assert "set: 1 pages" in done.output
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.output.splitlines() if "|" in line]
    assert ["title", "pagestrata", "1", "1", "1.000", "1.000", "1.000"] in rows
    assert ["date", "htmldate", "1", "1", "0.000", "1.000", "0.000"] in rows
    assert isinstance(invoke(folder, "--peers", "nosuch").exception, UsageError)
