"""YAML front matter: the metadata of a page above its Markdown.

Every string is written as JSON, which YAML reads as it stands, so that no value can be taken for YAML.
"""

import json
from collections.abc import Mapping

from pagestrata.page.text import without_controls

# Markdown readers that know no front matter must find no tag, link, image or code in it; YAML 1.1 takes two of the
# others for line ends.
_SPELLED_OUT = "<>[]()!`\u2028\u2029\ufeff"
_SPELLING = {ord(char): f"\\u{ord(char):04x}" for char in _SPELLED_OUT}


def front_matter(values: Mapping[str, object]) -> str:
    """Write the entries that have a value, in their order; return an empty string if none has.

    >>> print(front_matter({"title": "Tea: a guide", "tags": ["hot", "wet"], "author": None}), end="")
    ---
    title: "Tea: a guide"
    tags: ["hot", "wet"]
    ---
    """
    lines = [f"{key}: {_scalar(value)}" for key, value in values.items() if value not in (None, "", [], (), {})]
    return "\n".join(("---", *lines, "---", "")) if lines else ""


def _scalar(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_scalar, value))}]"
    return without_controls(json.dumps(value, ensure_ascii=False, default=str).translate(_SPELLING))
