"""Hostile and broken pages, small ones of every kind: always an answer, clean, whole and inert.

The pages and the checks come from the corpus of bad inputs beside the repository; `scripts/stress` runs the large ones.
"""

import importlib.util
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from pagestrata import Extraction, Options, extract
from tests.build import ROOT

TOOLS = ROOT.parent / "shared" / "tools" / "badinputs"
FORMATS = {"text": "text", "markdown": "md", "html": "html", "xml": "xml", "json": "json"}
SEED, SCALE = 7, 0.002

pytestmark = pytest.mark.skipif(
    not TOOLS.is_dir(), reason="the maker of bad inputs is not beside the repository: ../shared/tools/badinputs"
)


def tool(name: str) -> ModuleType:
    """A program of the corpus, as a module."""
    specification = importlib.util.spec_from_file_location(f"badinputs_{name}", TOOLS / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def cases() -> list[dict[str, Any]]:
    """What `make.py --scale 0.002` writes, not yet made: `case["data"]()` gives the bytes."""
    if not TOOLS.is_dir():
        return []
    make = tool("make")
    generator = make.Gen(SEED, SCALE)
    make.build(generator)
    return [case for case in generator.cases if case["kind"] == "html"]


@dataclass(frozen=True)
class Answer:
    """A bad page, and all that we say to it."""

    case: dict[str, Any]
    extraction: Extraction
    written: dict[str, str]


@pytest.fixture(scope="module")
def checks() -> ModuleType:
    return tool("run")


@pytest.fixture(scope="module", params=cases(), ids=lambda case: case["id"])
def answer(request: pytest.FixtureRequest) -> Answer:
    """One page after the other; each is read once for all tests."""
    options = Options(bias=1.0, metadata=True)
    extraction = extract(request.param["data"](), "https://example.org/a/b.html", options)
    return Answer(request.param, extraction, {name: extraction.render(ours) for name, ours in FORMATS.items()})


def test_no_text_is_lost_without_a_word(answer: Answer) -> None:
    lost = [marker for marker in answer.case["keep"] if marker not in answer.extraction.page.text]
    assert not lost or answer.extraction.limits


def test_the_charset_is_found(answer: Answer) -> None:
    sample = answer.case["note"].removeprefix("sample:")
    if sample != answer.case["note"]:
        assert sample in answer.extraction.page.text


def test_every_format_is_unicode_without_control_characters(answer: Answer, checks: ModuleType) -> None:
    assert checks.check(answer.written, {**answer.case, "family": ""}).get("badtext") is None


def test_strict_parsers_read_what_is_written(answer: Answer) -> None:
    assert ElementTree.fromstring(answer.written["xml"]).tag == "page"  # noqa: S314 - ours
    assert json.loads(answer.written["json"])["schema_version"] == 1


def test_nothing_written_is_active(answer: Answer, checks: ModuleType) -> None:
    assert checks.active_html(answer.written["html"]) == {}
    assert checks.active_markdown(answer.written["markdown"]) == {}


def test_the_leaves_hold_each_block_and_node_once(answer: Answer) -> None:
    leaves = list(answer.extraction.leaves())
    page = answer.extraction.page
    assert [0, *(leaf.block_end for leaf in leaves)] == [*(leaf.block_start for leaf in leaves), len(page.blocks)]
    assert [0, *(leaf.node_end for leaf in leaves)] == [*(leaf.node_start for leaf in leaves), len(page.nodes)]


def test_an_empty_answer_has_a_reason(answer: Answer) -> None:
    assert answer.extraction.text.strip() or answer.extraction.reason or answer.extraction.title_section
