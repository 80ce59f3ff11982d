"""The OpenAPI document as a page for people, without scripts: the usual viewers load theirs from other hosts."""

import base64
import json
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Any, Final

_STYLE: Final = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin: 2rem 0 0 } pre { overflow: auto; padding: .75rem; border: 1px solid #8886; border-radius: 6px }
code, pre { font-size: .875rem } td { padding: .1rem 1rem .1rem 0; vertical-align: top }
"""
CONTENT_SECURITY_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{base64.b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "frame-ancestors 'none'"
)


def docs_page(document: dict[str, Any]) -> str:
    """Write every path with its parameters, an example, and its answers."""
    operations = (
        "\n".join(_operation(path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )
    schemas = json.dumps(document["components"]["schemas"], indent=2, ensure_ascii=False)
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pagestrata</title>
<style>{_STYLE}</style>
<h1>pagestrata {escape(document["info"]["version"])}</h1>
<p>{escape(document["info"]["description"])} For programs: <a href="openapi.json">openapi.json</a>.</p>
{"".join(operations)}
<details><summary>Schemas</summary><pre>{escape(schemas)}</pre></details>
</html>
"""


def _operation(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(operation.get('description', ''))}</p>"
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content["schema"].get("$ref", "").rpartition("/")[2]
        yield f"<p>Body: <code>{escape(media_type)}</code> {escape(schema)}</p>"
        if "example" in content:
            example = content["example"]
            written = example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
            yield f"<pre>{escape(written)}</pre>"
    parameters = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    if parameters:
        yield f"<p>Query, if the body is a page: {', '.join(f'<code>{escape(name)}</code>' for name in parameters)}</p>"
    answers = (
        f"<tr><td>{escape(status)}<td>{escape(answer['description'])}"
        for status, answer in operation["responses"].items()
    )
    yield f"<details><summary>Answers</summary><table>{''.join(answers)}</table></details>"
