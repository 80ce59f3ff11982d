"""What the wheel depends on is listed, with licences."""

import json
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.build import ROOT


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "supply-chain", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def names_of(lines: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in lines}


def test_the_bill_of_materials_holds_all_dependencies_once(tmp_path: Path) -> None:
    run("sbom", "server", "-o", tmp_path / "sbom.json")
    bill = json.loads((tmp_path / "sbom.json").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    direct = names_of([*project["dependencies"], *project["optional-dependencies"]["server"]])
    names = [component["name"] for component in bill["components"]]
    assert direct | {"starlette", "h11"} <= set(names)
    assert len(names) == len(set(names))
    assert ("CycloneDX", project["version"]) == (bill["bomFormat"], bill["metadata"]["component"]["version"])
    references = {each["bom-ref"] for each in (bill["metadata"]["component"], *bill["components"])}
    assert references == {each["ref"] for each in bill["dependencies"]}
    assert {needed for each in bill["dependencies"] for needed in each["dependsOn"]} < references


def test_every_package_that_the_wheel_brings_states_its_licence() -> None:
    table = run("licences").stdout.splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert {"numpy", "turbohtml", "msgspec"} <= {row[0] for row in rows}
    assert all(licence and licence != "not stated" for _, _, licence, _ in rows)


def test_a_pinned_package_has_a_name_a_version_and_the_hash_of_its_file() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "supply-chain"), run_name="supply_chain")
    file = {"archive_info": {"hashes": {"sha256": "ab12"}}}
    package = {"metadata": {"name": "Typing_Extensions", "version": "4.16.0"}, "download_info": file}
    assert "typing-extensions==4.16.0 --hash=sha256:ab12\n" == script["pinned_line"](package)


def test_the_title_of_a_text_stands_for_the_licence(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "supply-chain"), run_name="supply_chain")
    folder = tmp_path / "tea-1.dist-info"
    (folder / "licenses").mkdir(parents=True)
    about = folder / "METADATA"
    about.write_text("Name: tea\nVersion: 1\nLicense: MIT License\n        \n        Copyright (c)\n")
    assert "MIT License" == script["licence_of"](Distribution.at(folder))
    about.write_text("Name: tea\nVersion: 1\nLicense-File: LICENSE\n")
    assert "not stated" == script["licence_of"](Distribution.at(folder))
    (folder / "licenses" / "LICENSE").write_text("\nISC License\n\nCopyright (c)\n")
    assert "ISC License" == script["licence_of"](Distribution.at(folder))
