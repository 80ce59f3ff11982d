"""The HTML document of the inspector: with links to its static files when served, self-contained as a report."""

import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import msgspec

from pagestrata.errors import InputError
from pagestrata.registry import METHODS
from pagestrata.render.scale import STOPS
from pagestrata.results import Role
from pagestrata.serve.inspector.neutral import POLICY, SHOWN_ATTRIBUTES
from pagestrata.serve.inspector.session import InspectorSession, ViewRequest

STATIC_PATH: Final = "/inspector/"
"""The path of the static files."""
MODULES: Final = tuple(
    f"{name}.js" for name in "charts compare frame list main panels reader scale site source".split()
)
STYLE: Final = "inspector.css"
REPORT_METHODS: Final = tuple(METHODS)
"""The methods in a report: all, because a report cannot run one later."""
REPORT_PAGES: Final = 20
REPORT_BYTES: Final = 40_000_000
"""Bytes of all pages of a report together. Chromium takes 1.5 s to open 20 pages of wcxb, which are 24 MB."""

_BASE_POLICY = "default-src 'none'; style-src {style} 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
_FORM_POLICY = "form-action 'none'"

_NO_PAGES = {"pages": [], "methods": list(METHODS), "roles": [], "edits": False}


def static(name: str) -> bytes:
    """The content of a static file, with the colours of importance filled in."""
    data = files("pagestrata.serve.inspector").joinpath("static", name).read_bytes()
    return data.replace(b"[[stops]]", json.dumps(STOPS).encode())


def ruler() -> tuple[str, str]:
    """The document of the frame that measures copies, and the hash of the only script that may run in it."""
    script = static("ruler.js").decode().replace("[[attributes]]", " ".join(sorted(SHOWN_ATTRIBUTES)))
    policy = f"{POLICY}; script-src {_hash(script)}"
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"<!DOCTYPE html><html><head>{head}<script>{script}</script></head><body></body></html>", _hash(script)


def served_document(service: bool = False) -> tuple[str, str]:
    """The served document and its content security policy; within the service, users send the pages themselves."""
    imports = json.dumps({"imports": {f"inspector/{name}": f"{STATIC_PATH}{name}" for name in MODULES}})
    frame, script_hash = ruler()  # the policy also applies to frames in the document, so it must allow their script
    scripts = f"script-src 'self' {_hash(imports)} {script_hash}; connect-src 'self'; frame-ancestors 'none'; "
    document = _fill_shell(
        policy="",
        style=f'<link rel="stylesheet" href="{STATIC_PATH}{STYLE}">',
        imports=imports,
        main=f"{STATIC_PATH}main.js",
        ruler=_script_data(frame),
        data=_script_data({"service": _NO_PAGES} if service else None),
    )
    return document, _BASE_POLICY.format(style="'self'") + scripts + _FORM_POLICY


def report(session: InspectorSession) -> str:
    """Write one HTML file that needs no server: the first pages with the results of all methods, and the site."""
    imports = json.dumps({"imports": {f"inspector/{name}": _as_data(static(name)) for name in MODULES}})
    frame, script_hash = ruler()
    policy = _BASE_POLICY.format(style="") + f"script-src {_hash(imports)} {script_hash} data:; " + _FORM_POLICY
    return _fill_shell(
        policy=f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        style=f"<style>{static(STYLE).decode()}</style>",
        imports=imports,
        main=_as_data(static("main.js")),
        ruler=_script_data(frame),
        data=_script_data(report_data(session)),
    )


def opening(session: InspectorSession) -> dict[str, Any]:
    """The data that the inspector requests first."""
    return {
        "pages": session.names(),
        "methods": list(METHODS),
        "roles": list(Role),
        "edits": session.model() is not None,
        "against": session.against,
    }


def report_data(session: InspectorSession) -> dict[str, Any]:
    """All data that the inspector would request from a server."""
    pages = list(_report_pages(session))
    return {
        "opening": {**opening(session), "held": len(pages), "edits": False},
        "pages": pages,
        "site": session.site_view() if session.site() else None,
    }


def _report_pages(session: InspectorSession) -> Iterator[msgspec.Raw]:
    """The first pages within the limits of a report, but at least one."""
    bytes_left = REPORT_BYTES
    for number in range(min(REPORT_PAGES, len(session.jobs))):
        page = msgspec.json.encode(_report_page(session, number))
        bytes_left -= len(page)
        if bytes_left < 0 and number:
            return
        yield msgspec.Raw(page)


def _report_page(session: InspectorSession, number: int) -> dict[str, Any]:
    try:
        copy = session.copy(number)
    except InputError as error:
        if number == 0:  # most likely it is the only page, so the command should fail
            raise
        return {"error": str(error)}
    views = {method: session.view(ViewRequest(number, method), ("text", "md")) for method in REPORT_METHODS}
    request = ViewRequest(number)
    json_text = session.render(request, "json").decode()
    changes = None if session.against is None else session.changes(request, session.against)
    return {"copy": copy, "views": views, "json": json_text, "reader": session.reader(request), "changes": changes}


def _fill_shell(**parts: str) -> str:
    shell = static("shell.html").decode()
    for name, value in parts.items():
        shell = shell.replace(f"[[{name}]]", value, 1)
    return shell


def _script_data(data: Any) -> str:
    """Encode data as JSON without `<`, so that text of a page cannot end the script element around it."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


def _as_data(script: bytes) -> str:
    return "data:text/javascript;base64," + b64encode(script).decode()


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
