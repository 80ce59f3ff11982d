"""The language of a code block, from the classes that highlighters write."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pagestrata.page import tags
from pagestrata.page.page import Page

_WRAPPERS: Final = 3
"""Highlighters wrap their code in at most this many elements that may name the language."""
_NAME = r"([a-z0-9][a-z0-9+#._-]{0,30})"
# Prism, highlight.js, Rouge, GitHub and SyntaxHighlighter; then pandoc; then Sphinx, whose "highlight-default" means
# that it does not know, and which writes "highlight-{bash}" where an author took a language for a directive.
_NAMED = re.compile(
    rf"(?i)(?:^|\s)(?:(?:language|lang|highlight-source|highlight-text|brush:)[-\s]?{_NAME}(?=[\s;,]|$)"
    rf"|sourceCode\s(?:numberSource\s)?(?!default|number|code-){_NAME}(?=\s|$)"
    rf"|highlight-(?!default|none|source|text-)\{{?{_NAME}\}}?(?=\s|$))"
)
_LANGUAGE = re.compile(f"(?i){_NAME}")
# Names that stand alone among the classes of code: `pre.r`, `code.ruby`, `figure.highlight.js`, `pre.code.python`.
_KNOWN: Final = frozenset(
    """ada apache asm assembly awk bash bat batch bibtex c c# c++ clojure cmake cmd coffeescript console cpp cs csharp
    css dart diff docker dockerfile elixir elm erlang fortran fsharp go golang graphql groovy haskell hcl html http ini
    ipython java javascript js json json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown matlab md mermaid
    mysql nginx objc objective-c objectivec ocaml octave pascal patch perl php plaintext postgresql powershell prolog
    proto protobuf ps1 py pycon python python3 r racket rb rs rst ruby rust sass scala scheme scss sed sh shell
    shell-session
    solidity sql stan svg swift systemverilog tcl terraform tex text toml ts tsx txt typescript vb vbnet verilog vhdl
    vim viml vue wasm xml yaml yml zig zsh""".split()
)
_CODE_CLASSES: Final = frozenset(("highlight", "code", "hljs", "codeblock", "code-block"))
_OF_TABLES: Final = frozenset(tags.TAG[name] for name in ("td", "tr", "tbody", "table"))
_CODE, _PRE, _BODY = (tags.TAG[name] for name in ("code", "pre", "body"))


def code_language(page: Page, node: int) -> str:
    """The language of a `<pre>` as one word for a Markdown fence; empty if the page does not name it."""
    return next(filter(None, (_named_language(page, candidate) for candidate in _candidates(page, node))), "").lower()


def _candidates(page: Page, node: int) -> Iterator[int]:
    """The elements that may name the language: the code inside, the `<pre>` itself, and its nearest wrappers."""
    children = islice(page.nodes.children(node), _WRAPPERS)
    yield from (child for child in children if page.nodes.tag[child] == _CODE)
    yield node
    wrappers = 0
    for around in page.nodes.ancestors(node):
        if page.nodes.tag[around] not in _OF_TABLES:  # where lines are numbered, code stands in a table
            wrappers += 1
        if page.nodes.tag[around] == _BODY or wrappers > _WRAPPERS:
            return
        yield around


def _named_language(page: Page, node: int) -> str:
    """The language that an attribute of one element names; empty if none does."""
    for attribute in ("data-lang", "data-language"):
        value = (page.attribute(node, attribute) or "").strip()
        if _LANGUAGE.fullmatch(value):
            return value
    classes = page.attribute(node, "class") or ""
    match = _NAMED.search(classes)
    return next(filter(None, match.groups())) if match else _lone_name(page, node, classes)


def _lone_name(page: Page, node: int, classes: str) -> str:
    """A class that is itself the name of a language, on an element with code."""
    words = classes.split()
    if page.nodes.tag[node] not in (_CODE, _PRE) and _CODE_CLASSES.isdisjoint(words):
        return ""
    return next((word for word in words if word.lower() in _KNOWN), "")
