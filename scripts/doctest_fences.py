"""Shows the doctests of docstrings as code in the API reference; used by mkdocs.yml.

In Markdown, `>>>` is a quotation in a quotation, and a list as output may be a link.
"""

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""An example ends at a blank line, as doctest reads it."""


class DoctestFences(griffe.Extension):
    """Puts fences around the doctests of every docstring."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Change the docstring of an object that was read."""
        if obj.docstring:
            obj.docstring.value = _DOCTEST.sub(r"\n```pycon\n\g<0>\n```\n", obj.docstring.value)
