"""Who may import whom, and which modules are public: the structure of the package, stated once and tested.

All imports count: those at the top of a module, those inside functions, and those for type checkers only.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pagestrata
from tests.build import ROOT

SOURCE = ROOT / "src"
LAYERS = """
errors
options parts
registry
native
page
inputs
landmarks
results
trees
page_type metadata
extraction
algorithms changes
engine
sites
render
api
pagestrata
work
evaluate guarded
adapters batch compat serve spark train
cli
__main__
"""
"""One layer a line. A package may import those on the lines above its own; those on one line do not import each other.
`pagestrata` is the package itself, with its public names."""

PUBLIC = """
pagestrata
pagestrata.adapters.chunks
pagestrata.adapters.datatrove
pagestrata.adapters.langchain
pagestrata.adapters.llama_index
pagestrata.adapters.scrapy
pagestrata.compat.readability
pagestrata.compat.trafilatura
pagestrata.errors
pagestrata.guarded
pagestrata.inputs.browser
pagestrata.inputs.feeds
pagestrata.sites.store
pagestrata.spark
"""
"""Modules that others may import from; `docs/api` lists them."""

INTERNAL = """
__main__ algorithms api batch changes cli engine evaluate extraction inputs landmarks metadata native options page
page_type parts registry render results serve sites train trees work
"""
"""Packages and modules whose names may change in any version, but for those of their modules that are public."""


@cache
def modules() -> dict[str, Path]:
    """All modules of the package by their dotted names; a package has the name of its folder."""
    files = sorted((SOURCE / "pagestrata").rglob("*.py"))
    return {".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports(module: str) -> Iterator[str]:
    """The modules of ours that a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom) and node.module in modules():
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules() else node.module for name in names)


@cache
def graph() -> dict[str, frozenset[str]]:
    """Which modules each module imports."""
    return {module: frozenset(imports(module)) - {module} for module in modules()}


def package_of(module: str) -> str:
    """The name in `LAYERS` that a module belongs to."""
    return module.split(".")[1] if "." in module else module


def reachable(start: str) -> frozenset[str]:
    """All modules that a module imports, directly or through others."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph()[waiting.pop()] - seen
        seen |= new
        waiting.extend(new)
    return frozenset(seen)


def test_relative_imports_are_not_used() -> None:
    relative = [
        f"{module}: line {node.lineno}"
        for module, file in modules().items()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert [] == relative


def test_every_package_has_a_layer() -> None:
    assert set(LAYERS.split()) == {package_of(module) for module in modules()}


def test_no_package_imports_one_of_its_own_layer_or_above() -> None:
    layer = {name: place for place, line in enumerate(LAYERS.strip().splitlines()) for name in line.split()}
    back_edges = [
        f"{module} imports {other}"
        for module, others in graph().items()
        for other in sorted(others)
        if package_of(module) != package_of(other)
        and layer.get(package_of(other), len(layer)) >= layer.get(package_of(module), -1)
    ]
    assert not back_edges, "\n".join(back_edges)


def test_no_modules_import_each_other_in_a_circle() -> None:
    reached = {module: reachable(module) for module in modules()}
    circles = {
        tuple(sorted({module, *(other for other in others if module in reached[other])}))
        for module, others in reached.items()
        if module in others
    }
    assert not circles, "\n".join(" <-> ".join(circle) for circle in sorted(circles))


def test_public_modules_are_documented() -> None:
    docs = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "api").glob("*.md")))
    named = {name for name in re.findall(r"`(pagestrata(?:\.\w+)*)", docs) if name in modules()}
    assert set(PUBLIC.split()) == {"pagestrata"} | named
    assert [] == [name for name in pagestrata.__all__ if f"`{name}" not in docs]


def test_all_other_packages_are_internal() -> None:
    public = {package_of(module) for module in PUBLIC.split()}
    assert {package_of(module) for module in modules()} - public <= set(INTERNAL.split())
    assert set(INTERNAL.split()) <= {package_of(module) for module in modules()}
