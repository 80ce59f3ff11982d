"""The document around the inspector: with links to its parts when it is served, with all in it when it is a report."""

import json
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import msgspec

from pagestrata.registry import METHODS
from pagestrata.results import Role
from pagestrata.serve.inspector.desk import Desk, Look

PLACE: Final = "/inspector/"
"""Under which the parts are served."""
MODULES: Final = ("charts.js", "frame.js", "list.js", "main.js", "panels.js", "scale.js", "site.js", "source.js")
STYLE: Final = "inspector.css"
REPORT_METHODS: Final = tuple(METHODS)
"""What a report holds: all, as it cannot ask for another."""

_ALWAYS = "default-src 'none'; style-src {style} 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
_FORMS = "form-action 'none'"

_NO_PAGES = {"pages": [], "methods": list(METHODS), "roles": [], "edits": False}


def static(name: str) -> bytes:
    """A part of the inspector."""
    return files("pagestrata.serve.inspector").joinpath("static", name).read_bytes()


def served(service: bool = False) -> tuple[str, str]:
    """The document, and the policy that it is sent with; within the service pages are sent by who looks."""
    imports = json.dumps({"imports": {f"inspector/{name}": f"{PLACE}{name}" for name in MODULES}})
    scripts = f"script-src 'self' {_hash(imports)}; connect-src 'self'; frame-ancestors 'none'; "
    document = _filled(
        policy="",
        style=f'<link rel="stylesheet" href="{PLACE}{STYLE}">',
        imports=imports,
        main=f"{PLACE}main.js",
        data=_harmless({"service": _NO_PAGES} if service else None),
    )
    return document, _ALWAYS.format(style="'self'") + scripts + _FORMS


def report(desk: Desk) -> str:
    """One file that needs no server: the first page by all methods, and the site."""
    imports = json.dumps({"imports": {f"inspector/{name}": _as_data(static(name)) for name in MODULES}})
    policy = _ALWAYS.format(style="") + f"script-src {_hash(imports)} data:; " + _FORMS
    return _filled(
        policy=f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        style=f"<style>{static(STYLE).decode()}</style>",
        imports=imports,
        main=_as_data(static("main.js")),
        data=_harmless(report_data(desk)),
    )


def opening(desk: Desk) -> dict[str, Any]:
    """What the inspector asks for first."""
    return {"pages": desk.names(), "methods": list(METHODS), "roles": list(Role), "edits": desk.model() is not None}


def report_data(desk: Desk) -> dict[str, Any]:
    """Everything that a server would be asked for."""
    views = {method: desk.view(Look(0, method), ("text", "md")) for method in REPORT_METHODS}
    return {
        "opening": {**opening(desk), "pages": desk.names()[:1], "edits": False},
        "copy": desk.copy(0),
        "views": views,
        "json": desk.render(Look(0), "json"),
        "site": desk.site_view(),
    }


def _filled(**parts: str) -> str:
    shell = static("shell.html").decode()
    for name, value in parts.items():
        shell = shell.replace(f"[[{name}]]", value, 1)
    return shell


def _harmless(data: Any) -> str:
    """As JSON that ends no element, whatever a page says."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


def _as_data(script: bytes) -> str:
    return "data:text/javascript;base64," + b64encode(script).decode()


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
