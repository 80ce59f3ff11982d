"""What a release is made from: notes that can be gathered, one version, files that can be read."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree

import yaml

from tests.build import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def changelog(root: Path, *arguments: str) -> str:
    command = [sys.executable, str(root / "scripts" / "changelog"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_note_is_gathered_once() -> None:
    notes = changelog(ROOT)
    assert notes.startswith("### Added\n\n- ")
    for path in (ROOT / "changelog.d").glob("*.*.md"):
        first = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("- ")
        assert 1 == notes.count(first), path


def test_a_release_moves_the_notes_and_sets_the_version(tmp_path: Path) -> None:
    copytree(ROOT / "changelog.d", tmp_path / "changelog.d")
    copytree(ROOT / "scripts", tmp_path / "scripts")
    for name in ("CHANGELOG.md", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    notes = changelog(tmp_path)
    changelog(tmp_path, "9.8.7")
    (tmp_path / "changelog.d" / "x.fixed.md").write_text("Tea is hot.\n")
    changelog(tmp_path, "9.8.8")
    written = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert ["9.8.8", "9.8.7"] == re.findall(r"^## (\S+) \(", written, re.MULTILINE)[:2]
    assert "### Fixed\n\n- Tea is hot.\n\n## 9.8.7" in written
    assert notes in written
    assert ["README.md"] == [path.name for path in (tmp_path / "changelog.d").iterdir()]
    assert "9.8.8" == tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_the_files_for_github_can_be_read() -> None:
    for path in [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / "CITATION.cff"]:
        assert yaml.safe_load(path.read_text(encoding="utf-8")), path


def test_the_supported_versions_are_built_and_tested() -> None:
    built = re.findall(r"cp3(\d+)", PROJECT["tool"]["cibuildwheel"]["build"])
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert built == sorted(set(re.findall(r'"3\.(\d+)"', workflow)))
    assert f">=3.{built[0]}" == PROJECT["project"]["requires-python"]


def test_scripts_in_python_are_checked_for_style_like_other_code() -> None:
    programs = [path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix]
    names = [
        f"scripts/{path.name}" for path in programs if "python3" in path.read_text(encoding="utf-8").split("\n")[0]
    ]
    assert sorted(names) == PROJECT["tool"]["ruff"]["extend-include"]
