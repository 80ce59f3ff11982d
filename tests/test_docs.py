"""The documentation names what there is, its links lead somewhere, and the code that it shows runs."""

import dataclasses
import re
import shutil
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

import pagestrata
from pagestrata.cli.main import app, with_command
from pagestrata.registry import RENDERERS
from tests.build import ROOT
from tests.shown_code import blocks_of, commands_in, run_page, shell_environment

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUN_PAGES = [
    page
    for page in PAGES
    if "papers" not in page.parts  # their snippets show how a method is called, with pages of your own
    and any(not block.note and block.language in ("python", "console") for block in blocks_of(page))
]
_LINK = re.compile(r"\]\(([^)#\s:]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
_LANGUAGES = {"python", "text", "console", "sh", "json", "toml", "html", "xml"}


def named(path: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", (DOCS / path).read_text(encoding="utf-8")))


def test_every_option_is_documented_and_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "guide/options.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [field.name for field in dataclasses.fields(pagestrata.Options)] == rows


def test_every_format_is_documented() -> None:
    assert set(RENDERERS) <= named("guide/formats.md")


def test_every_command_and_flag_is_documented() -> None:
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


def test_every_page_is_in_the_navigation_once() -> None:
    # mkdocs.yml has no tags of its own, so that the safe loader reads all of it
    navigation = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    assert sorted(leaves_of(navigation)) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def leaves_of(navigation: Any) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    entries = navigation.values() if isinstance(navigation, dict) else navigation
    return [leaf for entry in entries for leaf in leaves_of(entry)]


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("[!R]*.md")], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for name, anchor in _LINK.findall(prose):
        target = page.parent / name if name else page
        assert target.exists(), name
        assert not anchor or target.suffix != ".md" or anchor in anchors_of(target), (name, anchor)


def anchors_of(page: Path) -> set[str]:
    """The anchors of the headings of a page, as the builder of the site makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {slug_of(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)) for heading in _HEADING.findall(text)}


def slug_of(heading: str) -> str:
    letters = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", letters).strip().lower())


def test_every_public_module_has_an_api_page() -> None:
    lines = re.findall(r"^\| `pagestrata\..*", (DOCS / "api/index.md").read_text(encoding="utf-8"), re.MULTILINE)
    modules = re.findall(r"`(pagestrata\.[\w.]+)`", "\n".join(lines))
    assert modules
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("api/*.md"))
    documented = re.findall(r"^::: (\S+)$", pages, re.MULTILINE)
    assert [name for name in modules if not any(entry.startswith(name) for entry in documented)] == []
    assert [name for name in documented if not is_there(name)] == []


def is_there(name: str) -> bool:
    """Whether this is the name of a module, or of something in one; modules with extras are not imported."""
    try:
        if find_spec(name):
            return True
    except ModuleNotFoundError:  # a name in a module, and not a module
        pass
    module, _, attribute = name.rpartition(".")
    found = find_spec(module)
    return found is not None and attribute in re.findall(r"\w+", Path(str(found.origin)).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_shown_commands_have_the_options_that_are_shown(page: Path) -> None:
    for block in blocks_of(page):
        assert block.language in _LANGUAGES or not block.language, block
        if block.language == "python":
            compile(block.code, str(page), "exec")
        if block.language in ("sh", "console"):
            for arguments in commands_in(block.code):
                flags = {word.split("=")[0] for word in arguments if re.match(r"--?[a-z]", word)}
                assert flags <= flags_of(arguments) | {"--help", "--version"}, arguments


def flags_of(arguments: list[str]) -> set[str]:
    """All options of the command that is called."""
    command: Any = get_command(app)
    for word in with_command([arguments[0] if arguments[0].isalpha() else "-", *arguments[1:]]):
        command = getattr(command, "commands", {}).get(word, command)
    return {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("page", RUN_PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_shown_code_prints_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = shell_environment(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", environment["PATH"])
    monkeypatch.setenv("PAGESTRATA_STORE", environment["PAGESTRATA_STORE"])
    run_page(page, environment)
