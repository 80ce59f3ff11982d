"""What is shipped: builds, installs in a clean place, imports light, never touches the network."""

import subprocess
import sys
import tarfile
import venv
import zipfile
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


def test_sdist_and_the_wheel_made_from_it_install_in_a_clean_environment(tmp_path: Path) -> None:
    """`build` makes the wheel from the source package in an environment of its own, as pip does to install one."""
    python("-m", "build", "--outdir", str(tmp_path), str(ROOT))
    wheel, sdist = next(tmp_path.glob("*.whl")), next(tmp_path.glob("*.tar.gz"))
    names = zipfile.ZipFile(wheel).namelist()
    assert "pagestrata/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "examples")) or name.endswith((".c", TYPES))]
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    kernels = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob(f"*{TYPES}")]
    assert [] == [name for name in kernels if name not in held]  # without its types, one would be built, and be slow
    interpreter = installed(wheel)
    page = ROOT / "examples" / "site" / "articles" / "a-glossary-of-mud.html"
    written = python("-m", "pagestrata", str(page), interpreter=interpreter, cwd=tmp_path)
    assert written.startswith("# A Glossary of Mud")
    is_compiled = "from pagestrata.native import IS_COMPILED; print(IS_COMPILED)"
    assert python("-c", is_compiled) == python("-c", is_compiled, interpreter=interpreter, cwd=tmp_path)


def installed(package: Path) -> Path:
    """The interpreter of a new environment that has this package and what it requires."""
    place = package.parent / "environment"
    venv.create(place, with_pip=True)
    interpreter = place / "bin" / "python"
    python("-m", "pip", "install", "--quiet", str(package), interpreter=interpreter, cwd=package.parent)
    return interpreter
