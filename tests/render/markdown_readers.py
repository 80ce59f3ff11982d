"""Readers of Markdown in their most permissive settings: raw HTML passes, and addresses in the text become links.

Each turns a list of texts into HTML. Two run in Node, if it is there with the packages `marked` and `markdown-it`
(`npm install`, and NODE_PATH set to the folder `node_modules`); their tests are skipped otherwise.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence

import cmarkgfm
import commonmark
import markdown
import marko
import mistune
import pytest
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

_NODE = """
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const { marked } = require("marked");
const it = require("markdown-it")({ html: true, linkify: true });
const read = { "marked": text => marked.parse(text), "markdown-it": text => it.render(text) }[process.argv[1]];
process.stdout.write(JSON.stringify(texts.map(read)));
"""
_MISTUNE_PLUGINS = ["url", "table", "strikethrough", "footnotes", "def_list", "task_lists"]


_MISTUNE = mistune.create_markdown(escape=False, plugins=_MISTUNE_PLUGINS)


def _each(read: Callable[[str], str]) -> Callable[[Sequence[str]], list[str]]:
    return lambda texts: [read(text) for text in texts]


def _by_node(name: str) -> Callable[[Sequence[str]], list[str]]:
    def read(texts: Sequence[str]) -> list[str]:
        node = shutil.which("node")
        if node is None:
            pytest.skip("Node is not here: its readers of Markdown are not tried")
        asked = json.dumps(list(texts))
        done = subprocess.run([node, "-e", _NODE, name], input=asked, capture_output=True, text=True, check=False)
        if "MODULE_NOT_FOUND" in done.stderr:
            pytest.skip("npm install marked markdown-it, and set NODE_PATH, to try the readers of Node")
        assert done.returncode == 0, done.stderr
        answers: list[str] = json.loads(done.stdout)
        return answers

    return read


READERS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "cmark-gfm": _each(lambda text: cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)),
    "commonmark": _each(commonmark.commonmark),
    "markdown-it-py": _each(MarkdownIt("gfm-like", {"html": True, "linkify": True}).render),
    "marko": _each(marko.Markdown(extensions=["gfm"]).convert),
    "mistune": _each(lambda text: str(_MISTUNE(text))),
    "Python-Markdown": _each(lambda text: markdown.markdown(text, extensions=["extra"])),
    "marked": _by_node("marked"),
    "markdown-it": _by_node("markdown-it"),
}
