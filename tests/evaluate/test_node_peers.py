"""Extractors in Node as peers: pages in, text out, and what happens if Node or an extractor fails."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.build import ROOT
from typer.testing import CliRunner

from pagestrata.cli.main import app
from pagestrata.errors import InputError, MissingNodePackage, PageKilled, UsageError
from pagestrata.evaluate import node_peers
from pagestrata.evaluate.node_peers import NODE_PACKAGES, NodePeer
from pagestrata.evaluate.peers import installed_texts, load_text

SENTENCES = "<p>The tide came in, and the kettle sang.<br>It sang for a while, says the keeper of the light."
PAGE = f"""<html><head><title>Tea</title></head><body><nav><a href="/">Home</a> <a href="/mud">Mud</a></nav><article>
<h1>Tea</h1>{SENTENCES * 4}<h2>With milk</h2><blockquote>A spoon\u2028of sugar, please.</blockquote>{SENTENCES * 4}
</article><footer><a href="/">About us</a></footer></body></html>"""
DOCUMENTS = "exports.JSDOM = class { constructor(page) { this.window = { document: page, close() {} }; } };"
GREEDY = """
exports.Defuddle = async (document) => {
  if (document.includes("loop")) for (;;);
  if (document.includes("exit")) process.exit(3);
  if (document.includes("fail")) throw new Error("no content");
  console.log("not an answer");
  return { content: document };
};
"""
"""An extractor that returns the whole page, or misbehaves as the page says."""


@pytest.mark.parametrize("name", NODE_PACKAGES)
def test_a_page_is_read_as_lines_of_text(name: str) -> None:
    if not node_peers.is_installed(name):
        pytest.skip(f"npm install {' '.join(NODE_PACKAGES[name])}, and set NODE_PATH, to try {name}")
    assert name in installed_texts()
    lines = load_text(name)(PAGE.encode()).splitlines()
    sentences = ["The tide came in, and the kettle sang.", "It sang for a while, says the keeper of the light."]
    assert [*sentences * 4, "With milk", "A spoon of sugar, please.", *sentences * 4] == lines[-18:]
    assert not {"Home Mud", "Home", "Mud", "About us"} & set(lines)


def test_without_packages_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_PATH", str(tmp_path / "node_modules"))
    assert not set(NODE_PACKAGES) & set(installed_texts())
    with pytest.raises(MissingNodePackage, match="npm install @mozilla/readability jsdom"):
        load_text("readability-js")
    page = ROOT / "examples" / "site" / "index.html"
    told = CliRunner().invoke(app, ["compare", str(page), "--peers", "defuddle"])
    assert isinstance(told.exception, MissingNodePackage)
    assert "npm install defuddle jsdom" in str(told.exception)


# ------------------------------------------------------------------------------------ with an extractor that misbehaves


def write_package(modules: Path, name: str, script: str) -> None:
    folder = modules / name
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(
        json.dumps({"name": name, "exports": {".": "./index.js", "./node": "./index.js"}})
    )
    (folder / "index.js").write_text(script)


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    if shutil.which("node") is None:
        pytest.skip("Node is not here")
    write_package(tmp_path / "node_modules", "jsdom", DOCUMENTS)
    return tmp_path / "node_modules"


@pytest.fixture
def greedy(modules: Path) -> Iterator[NodePeer]:
    write_package(modules, "defuddle", GREEDY)
    peer = NodePeer("defuddle", shutil.which("node") or "", modules)
    yield peer
    peer.close()


def test_the_first_folder_with_all_packages_is_used(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_PATH", os.pathsep.join([str(modules.parent / "none" / "node_modules"), str(modules)]))
    assert not node_peers.is_installed("defuddle")
    write_package(modules, "defuddle", GREEDY)
    assert node_peers.is_installed("defuddle")
    assert not node_peers.is_installed("readability-js")
    assert "The tide came in" == load_text("defuddle")(b"<p>The tide came in")


def test_one_process_reads_all_pages(greedy: NodePeer) -> None:
    before = greedy.process_id
    assert ["<p>one", "", "a\nb\u2029c"] == [greedy.read(page) for page in ("<p>one", "", "a\nb\u2029c")]
    assert before == greedy.process_id


def test_a_page_that_fails_leaves_the_others(greedy: NodePeer) -> None:
    with pytest.raises(InputError, match="defuddle: Error: no content"):
        greedy.read("fail")
    assert "next" == greedy.read("next")


def test_after_node_has_died_it_is_started_again(greedy: NodePeer) -> None:
    for _ in range(2):
        with pytest.raises(PageKilled, match="Node died"):
            greedy.read("exit")
    assert "next" == greedy.read("next")
    greedy.close()
    greedy.close()
    assert "last" == greedy.read("last")


def test_a_page_that_takes_too_long_is_stopped(greedy: NodePeer) -> None:
    greedy.max_seconds = 0.5
    with pytest.raises(PageKilled, match=r"longer than 0\.5 s"):
        greedy.read("loop")
    greedy.max_seconds = node_peers.MAX_SECONDS
    assert "next" == greedy.read("next")


def test_packages_that_cannot_be_loaded_are_refused_at_once(modules: Path) -> None:
    write_package(modules, "defuddle", "throw new Error('needs a newer Node');")
    with pytest.raises(UsageError, match="defuddle cannot start in Node: Error: needs a newer Node"):
        NodePeer("defuddle", shutil.which("node") or "", modules)
