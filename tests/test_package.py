"""What is shipped: builds, installs in a clean place, imports light, never touches the network."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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


def python(*arguments: str, interpreter: str | Path = sys.executable, cwd: Path | None = None) -> str:
    done = subprocess.run([str(interpreter), *arguments], capture_output=True, text=True, cwd=cwd, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_importing_loads_nothing_heavy() -> None:
    loaded = python("-c", "import sys; before = set(sys.modules); import pagestrata; print(*set(sys.modules) - before)")
    numpy = python("-c", "import numpy, turbohtml, sys; print(*sys.modules)").split()
    assert [] == [name for name in HEAVY if name in loaded.split() and name not in numpy]


def test_sdist_and_wheel_install_in_a_clean_environment(tmp_path: Path) -> None:
    python("-m", "build", "--outdir", str(tmp_path), str(ROOT))
    wheel, sdist = next(tmp_path.glob("*.whl")), next(tmp_path.glob("*.tar.gz"))
    names = zipfile.ZipFile(wheel).namelist()
    assert "pagestrata/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "examples")) or name.endswith((".c", TYPES))]
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    kernels = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob(f"*{TYPES}")]
    assert [] == [name for name in kernels if name not in held]  # without its types, one would be built, and be slow
    with ThreadPoolExecutor() as both:
        for written in both.map(installed_and_run, (wheel, sdist)):
            assert written.startswith("# A Glossary of Mud")


def installed_and_run(package: Path) -> str:
    place = package.parent / package.suffix.strip(".")
    venv.create(place, with_pip=True)
    interpreter = place / "bin" / "python"
    python("-m", "pip", "install", "--quiet", str(package), interpreter=interpreter, cwd=package.parent)
    page = ROOT / "examples" / "site" / "articles" / "a-glossary-of-mud.html"
    return python("-m", "pagestrata", str(page), interpreter=interpreter, cwd=package.parent)
