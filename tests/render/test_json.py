"""JSON that keeps to its schema, and a schema that keeps to its documentation."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from tests.build import EXAMPLES, ROOT

from pagestrata import extract
from pagestrata.extraction import SCHEMA_VERSION
from pagestrata.render.json import schema


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_keeps_to_the_schema(path: Path) -> None:
    extraction = extract(path.read_bytes())
    whole = json.loads(extraction.json)
    jsonschema.validate(whole, schema())
    assert whole == json.loads(extraction.render("jsonl"))
    assert 1 == extraction.render("jsonl").count("\n")


def test_spans_point_into_the_text_of_the_page() -> None:
    extraction = extract(EXAMPLES[0].read_bytes())
    waiting = json.loads(extraction.json)["sections"]
    while waiting:
        section = waiting.pop()
        waiting.extend(section["children"])
        if not section["children"]:
            assert section["text"] == extraction.page.text[section["text_start"] : section["text_end"]]


def test_an_empty_page_keeps_to_the_schema() -> None:
    whole = json.loads(extract("").json)
    jsonschema.validate(whole, schema())
    assert (SCHEMA_VERSION, "the page has no text") == (whole["schema_version"], whole["reason"])


def test_deep_trees_are_written() -> None:
    page = "".join(f"<div><p>{'word ' * 9}</p>" for _ in range(400))
    assert json.loads(extract(page).json)["sections"]


def test_the_documentation_names_every_field_and_no_other() -> None:
    documented = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")
    for name, definition in schema()["$defs"].items():
        heading = documented.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert set(definition["properties"]) == set(re.findall(r"^\| `(\w+)` \|", heading, re.MULTILINE)), name
    assert f"version {SCHEMA_VERSION}" in documented
