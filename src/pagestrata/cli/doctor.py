"""`pagestrata doctor`: what is installed, what is missing, and how to get it."""

import os
import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Final

import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.errors import PagestrataError
from pagestrata.native import IS_COMPILED, SCANNER

_PACKAGE = re.compile(r"[\w.-]+")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w-]+)['"]""")
_FOR_DEVELOPERS = ("docs", "test")
NEEDED_FOR: Final = {
    "bench": "compare, bench, evaluate and inspect with other extractors",
    "compat": "the trees of compat.trafilatura.bare_extraction",
    "datatrove": "pagestrata.adapters.datatrove",
    "langchain": "pagestrata.adapters.langchain",
    "llama-index": "pagestrata.adapters.llama_index",
    "parquet": "Parquet in batch",
    "plot": "charts of bench and evaluate",
    "postgres": "site models that several machines share",
    "render": "--render and screenshot",
    "scrapy": "pagestrata.adapters.scrapy",
    "server": "serve and inspect",
    "spark": "pagestrata spark",
    "train": "train",
    "warc": "web archives in batch",
}
_SAMPLE = "<h1>Tea</h1><p>" + "Warm the pot, then pour and wait a while. " * 9


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    is_there: bool
    detail: str
    is_needed: bool = False
    """Whether nothing works without it; everything else is optional."""


def doctor(environment: settings.Environment) -> None:
    """Check this installation: Python, kernels, model, store, optional packages, browser and Java."""
    findings = [*_core(), _store(environment), *_extras(), _browser(), _java()]
    for one in findings:
        mark = "ok " if one.is_there else "NO " if one.is_needed else "-  "
        typer.echo(f"{mark} {one.name:<12} {one.detail}")
    if any(one.is_needed and not one.is_there for one in findings):
        raise typer.Exit(PagestrataError.exit_code)


def _core() -> Iterator[Finding]:
    yield Finding("python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Finding("pagestrata", True, metadata.version("pagestrata"))
    slow = f"{SCANNER}: interpreted, which is much slower; install a wheel, or a C compiler and install again"
    yield Finding("kernels", IS_COMPILED, "compiled" if IS_COMPILED else slow)
    try:
        text = api.extract(_SAMPLE).text
    except Exception as error:  # whatever is wrong with the installation
        yield Finding("engine", False, f"cannot read a page: {error!r}; install pagestrata again", is_needed=True)
    else:
        yield Finding("engine", bool(text), "reads a page" if text else "keeps nothing of a page", is_needed=True)


def _store(environment: settings.Environment) -> Finding:
    try:
        store = environment.find_store()
        return Finding("store", True, f"models of sites: {len(store.sites()):,}, in {store.where}")
    except PagestrataError as error:
        return Finding("store", False, str(error))


def _extras() -> Iterator[Finding]:
    """The optional packages by extra, as the metadata of the package name them."""
    for extra, packages in packages_by_extra(metadata.requires("pagestrata") or []).items():
        missing = [package for package in packages if not _is_installed(package)]
        versions = ", ".join(f"{package} {metadata.version(package)}" for package in packages if package not in missing)
        advice = f"for {NEEDED_FOR.get(extra, extra)}: pip install 'pagestrata[{extra}]'"
        partly = f" ({', '.join(missing)} missing)" if len(missing) < len(packages) else ""
        yield Finding(extra, not missing, advice + partly if missing else versions)


def packages_by_extra(requirements: list[str]) -> dict[str, list[str]]:
    """The packages that each extra for users names.

    >>> packages_by_extra(["numpy>=1.26", 'pyarrow>=17; extra == "parquet"', 'ruff; extra == "test"'])
    {'parquet': ['pyarrow']}
    """
    packages: dict[str, list[str]] = {}
    for requirement in requirements:
        extra, package = _EXTRA.search(requirement), _PACKAGE.match(requirement)
        if extra and package and extra[1] not in _FOR_DEVELOPERS:
            packages.setdefault(extra[1], []).append(package[0])
    return packages


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _browser() -> Finding:
    from pagestrata.inputs.browser.launch import find_browser

    try:
        return Finding("browser", True, find_browser(None))
    except PagestrataError as error:
        return Finding("browser", False, f"{error} (for --render and screenshot)")


def _java() -> Finding:
    home = os.environ.get("JAVA_HOME", "")
    java = shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")
    advice = "not on PATH, and no JAVA_HOME: install a JRE, version 17 or later (for spark)"
    return Finding("java", java is not None, java or advice)
