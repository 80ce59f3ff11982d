"""The document around the inspector: with links to its parts when it is served, with all in it when it is a report."""

import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import msgspec

from pagestrata.errors import InputError
from pagestrata.registry import METHODS
from pagestrata.results import Role
from pagestrata.serve.inspector.neutral import POLICY, SHOWN_ATTRIBUTES
from pagestrata.serve.inspector.session import InspectorSession, ViewRequest

PLACE: Final = "/inspector/"
"""Under which the parts are served."""
MODULES: Final = ("charts.js", "frame.js", "list.js", "main.js", "panels.js", "scale.js", "site.js", "source.js")
STYLE: Final = "inspector.css"
REPORT_METHODS: Final = tuple(METHODS)
"""What a report holds: all, as it cannot ask for another."""
REPORT_PAGES: Final = 20
REPORT_BYTES: Final = 40_000_000
"""Of all pages of a report together. Chromium takes 1.5 s to open 20 pages of wcxb, which are 24 MB."""

_ALWAYS = "default-src 'none'; style-src {style} 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
_FORMS = "form-action 'none'"

_NO_PAGES = {"pages": [], "methods": list(METHODS), "roles": [], "edits": False}


def static(name: str) -> bytes:
    """A part of the inspector."""
    return files("pagestrata.serve.inspector").joinpath("static", name).read_bytes()


def ruler() -> tuple[str, str]:
    """The frame in which copies are measured, and the hash of the one script that may run there."""
    script = static("ruler.js").decode().replace("[[attributes]]", " ".join(sorted(SHOWN_ATTRIBUTES)))
    policy = f"{POLICY}; script-src {_hash(script)}"
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"<!DOCTYPE html><html><head>{head}<script>{script}</script></head><body></body></html>", _hash(script)


def served(service: bool = False) -> tuple[str, str]:
    """The document, and the policy that it is sent with; within the service pages are sent by who looks."""
    imports = json.dumps({"imports": {f"inspector/{name}": f"{PLACE}{name}" for name in MODULES}})
    frame, hashed = ruler()  # the policy holds for the frames in it too, so that it has to know their script
    scripts = f"script-src 'self' {_hash(imports)} {hashed}; connect-src 'self'; frame-ancestors 'none'; "
    document = _filled(
        policy="",
        style=f'<link rel="stylesheet" href="{PLACE}{STYLE}">',
        imports=imports,
        main=f"{PLACE}main.js",
        ruler=_harmless(frame),
        data=_harmless({"service": _NO_PAGES} if service else None),
    )
    return document, _ALWAYS.format(style="'self'") + scripts + _FORMS


def report(session: InspectorSession) -> str:
    """One file that needs no server: the pages by all methods, as many as there is room for, and the site."""
    imports = json.dumps({"imports": {f"inspector/{name}": _as_data(static(name)) for name in MODULES}})
    frame, hashed = ruler()
    policy = _ALWAYS.format(style="") + f"script-src {_hash(imports)} {hashed} data:; " + _FORMS
    return _filled(
        policy=f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        style=f"<style>{static(STYLE).decode()}</style>",
        imports=imports,
        main=_as_data(static("main.js")),
        ruler=_harmless(frame),
        data=_harmless(report_data(session)),
    )


def opening(session: InspectorSession) -> dict[str, Any]:
    """What the inspector asks for first."""
    return {
        "pages": session.names(),
        "methods": list(METHODS),
        "roles": list(Role),
        "edits": session.model() is not None,
    }


def report_data(session: InspectorSession) -> dict[str, Any]:
    """Everything that a server would be asked for."""
    pages = list(_report_pages(session))
    return {
        "opening": {**opening(session), "held": len(pages), "edits": False},
        "pages": pages,
        "site": session.site_view() if session.site() else None,
    }


def _report_pages(session: InspectorSession) -> Iterator[msgspec.Raw]:
    """The first pages, until there are enough of them or of their bytes; the first in any case."""
    room = REPORT_BYTES
    for number in range(min(REPORT_PAGES, len(session.jobs))):
        page = msgspec.json.encode(_report_page(session, number))
        room -= len(page)
        if room < 0 and number:
            return
        yield msgspec.Raw(page)


def _report_page(session: InspectorSession, number: int) -> dict[str, Any]:
    try:
        copy = session.copy(number)
    except InputError as error:
        if number == 0:  # as when the inspector is started: most likely it is the only one
            raise
        return {"error": str(error)}
    views = {method: session.view(ViewRequest(number, method), ("text", "md")) for method in REPORT_METHODS}
    return {"copy": copy, "views": views, "json": session.render(ViewRequest(number), "json")}


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
