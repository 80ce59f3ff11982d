"""The documentation names what there is."""

import dataclasses
import re

import pagestrata
from pagestrata.cli.main import app
from pagestrata.registry import RENDERERS
from tests.build import ROOT

DOCS = ROOT / "docs"


def named(path: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", (DOCS / path).read_text(encoding="utf-8")))


def test_every_option_is_documented_and_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "guide/options.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [field.name for field in dataclasses.fields(pagestrata.Options)] == rows


def test_every_format_is_documented() -> None:
    assert set(RENDERERS) <= named("guide/formats.md")


def test_every_command_and_flag_is_documented() -> None:
    from typer.main import get_command

    text = (DOCS / "cli/index.md").read_text(encoding="utf-8")
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"## pagestrata {name}" in text
        if name != "bench":
            ends = [command, *getattr(command, "commands", {}).values()]
            flags = {flag for end in ends for parameter in end.params for flag in parameter.opts}
            assert {flag for flag in flags if flag.startswith("--") and f"`{flag}" not in text} <= {"--help"}


def test_every_public_name_is_documented() -> None:
    text = (DOCS / "api/index.md").read_text(encoding="utf-8")
    assert [name for name in pagestrata.__all__ if f"`{name}" not in text] == []


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert [page for page in pages if page not in navigation] == []


def test_links_between_pages_lead_somewhere() -> None:
    for path in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+\.md)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), (path, link)
