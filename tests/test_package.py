"""What is shipped: it builds, installs in a clean environment, and imports nothing heavy."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from shutil import which

import pytest

from tests.build import ROOT

TYPES = ".pxd"
HEAVY = (
    "typer",
    "rich",
    "click",
    "sqlite3",
    "msgspec",
    "Stemmer",
    "socket",
    "ssl",
    "multiprocessing",
    "importlib.metadata",
)


def python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_importing_loads_nothing_heavy() -> None:
    loaded = python("-c", "import sys; before = set(sys.modules); import pagestrata; print(*set(sys.modules) - before)")
    numpy = python("-c", "import numpy, turbohtml, sys; print(*sys.modules)").split()
    assert [] == [name for name in HEAVY if name in loaded.split() and name not in numpy]


@pytest.mark.skipif(which("cc") is None, reason="wheels have compiled kernels, and there is no compiler")
def test_the_packages_of_a_release_install_in_a_clean_environment_without_a_compiler(tmp_path: Path) -> None:
    """The script itself reads a page with the wheel that it installed, and fails where that goes wrong."""
    release = [str(ROOT / "scripts" / "release"), "packages", str(tmp_path)]
    unoptimised = os.environ | {"PYTHON": sys.executable, "CFLAGS": "-O0"}  # a third of the time to compile
    done = subprocess.run(release, capture_output=True, text=True, env=unoptimised, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    wheel, sdist = next(tmp_path.glob("*.whl")), next(tmp_path.glob("*.tar.gz"))
    assert "-linux_" not in wheel.name  # the tag of a wheel that the index would refuse
    names = zipfile.ZipFile(wheel).namelist()
    assert "pagestrata/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "examples")) or name.endswith((".c", TYPES))]
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    kernels = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob(f"*{TYPES}")]
    assert [] == [name for name in kernels if name not in held]  # without its types, one would be built, and be slow
