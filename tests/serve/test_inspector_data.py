"""What the inspector is told: neutral copies, views, edits and doors; no browser is needed."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import html5lib
import pytest
from fastapi.testclient import TestClient

from pagestrata import Options, extract, parse, read_file
from pagestrata.errors import UsageError
from pagestrata.page.raw import RawPage
from pagestrata.page.text import words
from pagestrata.registry import METHODS
from pagestrata.results import Role
from pagestrata.serve.inspector.neutral import MAX_NODES, neutral_copy
from pagestrata.serve.inspector.router import make_app
from pagestrata.serve.inspector.session import InspectorSession, ViewRequest
from pagestrata.serve.inspector.shell import MODULES, STYLE, report
from pagestrata.serve.inspector.style import neutral_css, read_beside, styles_of
from pagestrata.serve.inspector.view import reader_parts, sections_of, with_threshold
from pagestrata.serve.settings import ServeSettings
from pagestrata.sites.model import Edit
from pagestrata.work.job import Job
from tests.build import EXAMPLES, ROOT
from tests.inputs.hostile import HOSTILE, everything
from tests.serve.inspecting import jobs_of, session_of
from tests.serve.running import ARTICLES

TOOLS = ROOT.parent / "shared" / "tools" / "badinputs" / "make.py"
GLOSSARY = next(path for path in ARTICLES if "glossary" in path.name)


def copy_of(markup: str | bytes) -> str:
    raw = RawPage(markup)
    return neutral_copy(raw, parse(raw))


def wrongs(copy: str) -> list[str]:
    """What is in a copy and must not be there, as a browser would parse it."""
    allowed = {"data-n", "charset", "http-equiv", "content", "style", "src"}
    allowed |= set("class id dir lang align valign bgcolor color width height border cellpadding".split())
    allowed |= set("cellspacing colspan rowspan size start type open hidden alt nowrap face".split())
    found = []
    for element in html5lib.parse(copy, treebuilder="etree", namespaceHTMLElements=False).iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag in {
            "script",
            "iframe",
            "object",
            "embed",
            "link",
            "base",
            "svg",
            "math",
            "video",
            "frame",
            "input",
        }:
            found.append(element.tag)
        found += [f"{element.tag} {name}" for name in element.attrib if name not in allowed]
        source = element.attrib.get("src", "data:image/")
        found += [] if source.startswith("data:image/") else [source[:80]]
        if element.tag == "meta" and element.attrib.get("http-equiv", "") not in ("", "Content-Security-Policy"):
            found.append("meta")
    return found


# ------------------------------------------------------------------------------------------------ neutral copies


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_become_harmless_and_keep_their_text(path: Path) -> None:
    raw = read_file(path)
    copy = neutral_copy(raw, parse(raw))
    assert [] == wrongs(copy)
    shown = "".join(parse(copy).text.split())
    assert all("".join(leaf.text.split()) in shown for leaf in extract(raw).leaves() if leaf.kept)


@pytest.mark.parametrize("name", [*HOSTILE, "everything"])
def test_hostile_pages_become_harmless(name: str) -> None:
    assert [] == wrongs(copy_of(HOSTILE[name] if name in HOSTILE else everything(9)))


@pytest.mark.skipif(not TOOLS.is_file(), reason="the maker of bad inputs is not beside the repository")
def test_bad_inputs_become_harmless() -> None:
    specification = importlib.util.spec_from_file_location("badinputs_make", TOOLS)
    assert specification is not None
    assert specification.loader is not None
    made = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(made)
    cases = made.Gen(7, 0.001)
    made.build(cases)
    looked_at = 0
    for case in cases.cases:
        if case["kind"] != "html":
            continue
        data = case["data"]() if callable(case["data"]) else case["data"]
        if len(data) < 60_000:
            looked_at += 1
            assert (case["id"], []) == (case["id"], wrongs(copy_of(data)))
    assert looked_at > 100


def test_every_element_has_its_number() -> None:
    raw = RawPage("<body><p id=a>one <b>two</b> three</p><pre>x\n  y</pre>")
    page = parse(raw)
    copy = neutral_copy(raw, page)
    assert (
        '<p data-n="3" id="a"><x-t data-n="4">one</x-t> <b data-n="5">two</b> <x-t data-n="7">three</x-t></p>' in copy
    )
    assert f'<pre data-n="{page.nodes_tagged("pre")[0]}">x\n  y</pre>' in copy


def test_a_page_that_is_too_large_is_not_drawn() -> None:
    assert "" == copy_of("<p>a few words that take their room</p>\n" * (MAX_NODES // 2 + 1))


def test_values_cannot_leave_their_attribute() -> None:
    copy = copy_of(
        """<p class='"><script>alert(1)</script>' style='a:"b";background:url(//x)' title=x onclick=y>words"""
    )
    assert [] == wrongs(copy)
    assert "<script" not in copy


# --------------------------------------------------------------------------------------------------------- styles


@pytest.mark.parametrize(
    "css",
    [
        "a{background:url(http://x.example/a)}",
        "a{background:URL( 'http://x.example/a')}",
        "a{background:image-set('http://x.example/a' 1x)}",
        "@import 'http://x.example/a.css';",
        "@\\69mport 'http://x.example/a.css';",
        "a{background:u\\rl(http://x.example/a)}",
        "a{background:\\75 rl(http://x.example/a)}",
        "a{-moz-binding:x}",
        "a{b:c}</style><script>alert(1)</script>",
        "a{background:u/**/rl(x)}",
    ],
)
def test_a_style_sheet_loads_nothing(css: str) -> None:
    made = neutral_css(css).lower()
    assert not any(word in made for word in ("url(", "image-set(", "@import", "binding:", "</style"))


def test_heights_and_fixed_places_do_not_need_a_window() -> None:
    assert "a{height:400px;position:relative}" == neutral_css("a{height:50vh;position:fixed}")


def test_pictures_in_a_style_sheet_stay() -> None:
    css = "a{background:url(data:image/png;base64,AAAA)}"
    assert css == neutral_css(css)


def test_style_sheets_beside_the_page_are_used_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "page_files").mkdir()
    (tmp_path / "page_files" / "a.css").write_text("h1{color:teal}")
    (tmp_path.parent / "secret.css").write_text("h1{color:red}")
    page = tmp_path / "page.html"
    page.write_text("<link rel=stylesheet href=page_files/a.css><link rel=stylesheet href=../secret.css><h1>Tea</h1>")
    raw = read_file(page)
    assert "h1{color:teal}" == styles_of(raw, parse(raw))
    assert None is read_beside(str(page), "../secret.css")
    assert None is read_beside(str(page), "file:///etc/passwd")


# ---------------------------------------------------------------------------------------------------------- views


def test_covers_hold_all_nodes_of_a_leaf_once() -> None:
    found = extract(read_file(GLOSSARY))
    sections = sections_of(found)
    covered = [node for nodes in sections.cover for node in nodes]
    assert len(covered) == len(set(covered))
    assert len(sections.parent) == sum(1 for root in found.sections for _ in root.walk())


def test_a_threshold_chooses_anew_but_not_what_is_fixed() -> None:
    found = extract(read_file(GLOSSARY))
    everything_kept = with_threshold(found, 0.0)
    assert {"comments"} == {leaf.role for leaf in everything_kept.leaves() if leaf.has_blocks and not leaf.kept}
    nothing = with_threshold(found, 1.01)
    assert ["title"] == [leaf.role for leaf in nothing.leaves() if leaf.kept]
    assert "Chandlery" in everything_kept.text
    assert "" == nothing.text.strip()


def test_every_method_gives_a_view(tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES[:4]), tmp_path)
    for method in METHODS:
        view = session.view(ViewRequest(0, method))
        assert method == view.method
        assert len(view.sections.parent) == len(view.sections.cover) > 0


def test_the_threshold_of_the_method_is_told(tmp_path: Path) -> None:
    view = session_of(jobs_of([GLOSSARY]), tmp_path).view(ViewRequest(0, "repetition"))
    assert view.keep_from is not None


def test_reader_parts_hold_the_kept_text_of_their_sections() -> None:
    found = extract(read_file(GLOSSARY))
    rows = [section for root in found.sections for section in root.walk()]
    parts = reader_parts(found)
    assert "people name what they love" in " ".join(part.html for part in parts)
    for part in parts:
        section = rows[part.section]
        assert (True, ()) == (section.kept, section.children)
        assert words(section.text) == words(parse(part.html).text)


def test_one_page_is_edited_for_itself(tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES[:2]), tmp_path)
    session.edit_page(0, Edit(action="drop", selector="article"))
    session.edit_page(0, Edit(action="keep", selector="article"))
    session.edit_page(0, Edit(action="drop", selector="article h1"))
    assert ["article", "article h1"] == session.view(ViewRequest(0)).page_edits
    assert "matched by a keep selector" in str(session.view(ViewRequest(0)).sections.reasons)
    assert "selector" not in str(session.view(ViewRequest(1)).sections.reasons)
    session.undo_page(0)
    assert [] == session.view(ViewRequest(0)).page_edits
    assert () == session.store.sites()


@pytest.mark.parametrize(
    ("page", "edit"),
    [
        (9, Edit(action="keep", selector="p")),
        (0, Edit(action="keep", selector="p[")),
        (0, Edit(action="role", selector="p", role=Role.MAIN)),
    ],
)
def test_bad_edits_of_a_page_are_refused(tmp_path: Path, page: int, edit: Edit) -> None:
    session = session_of(jobs_of(ARTICLES[:2]), tmp_path)
    with pytest.raises(UsageError):
        session.edit_page(page, edit)


def test_versions_that_are_equal_have_no_changes(tmp_path: Path) -> None:
    session = session_of(jobs_of([GLOSSARY, GLOSSARY]), tmp_path)
    found = session.changes(ViewRequest(0), 1)
    assert (1.0, 0, 0) == (found.agreement, found.words.lost, found.words.extra)
    assert {"same"} == {passage.kind for passage in found.passages}


# ----------------------------------------------------------------------------------------------------------- site


def test_looking_writes_nothing_and_the_first_edit_does(tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES), tmp_path)
    view = session.site_view()
    assert view is not None
    assert (False, ()) == (view.stored, session.store.sites())
    session.edit(Edit(action="drop", selector="article"))
    assert "matched by a drop selector" in str(session.view(ViewRequest(0, "site")).sections.reasons)
    again = InspectorSession(jobs_of(ARTICLES), session.store, Options())
    assert ["article"] == [edit.selector for edit in again.site_view().edits]  # type: ignore[union-attr]
    session.undo(0)
    assert [] == session.site_view().edits  # type: ignore[union-attr]


def test_a_node_of_the_template_is_edited_by_its_path(tmp_path: Path) -> None:
    session = session_of(jobs_of(ARTICLES), tmp_path)
    view = session.site_view()
    assert view is not None
    path = next(path for path in view.layouts[0].tree.path if "/h1" in path)
    client = TestClient(make_app(session, ServeSettings(store=session.store)), base_url="http://127.0.0.1")
    body = json.dumps({"action": "section", "node": path}).encode()
    answer = client.post("/inspector/desk/edits", content=body)
    assert [("section", path)] == [(edit["action"], edit["selector"]) for edit in answer.json()["edits"]]
    assert f"edited by hand: {path} is one section" in str(session.view(ViewRequest(0, "site")).sections.reasons)


def test_one_page_teaches_no_site(tmp_path: Path) -> None:
    session = session_of(jobs_of([GLOSSARY]), tmp_path)
    assert None is session.site_view()
    with pytest.raises(UsageError, match="no site"):
        session.edit(Edit(action="keep", selector="p"))


def test_pages_of_several_sites_can_be_looked_at_but_are_no_site(tmp_path: Path) -> None:
    jobs = [
        Job(host, page=RawPage(ARTICLES[n].read_bytes().replace(b"tidewater.example", host.encode())))
        for n, host in enumerate(("a.example", "b.example"))
    ]
    session = session_of(jobs, tmp_path)
    assert ("site", None) == (session.view(ViewRequest(0, "site")).method, session.model())
    with pytest.raises(UsageError, match=r"different sites: a\.example, b\.example"):
        session.site_view()


def test_the_site_is_told(tmp_path: Path) -> None:
    view = session_of(jobs_of(ARTICLES), tmp_path).site_view()
    assert view is not None
    layout = view.layouts[0]
    assert len(layout.tree.label) == len(layout.tree.noise) == len(layout.tree.says)
    assert layout.tree.noise[layout.tree.label.index("nav.main-navigation")] > 0.9
    assert view.curve[-1].distance < view.curve[0].distance
    assert list(range(10)) == [fit.page for fit in view.fits]
    assert all(re.fullmatch(r"[\d,]+ words removed, \d+ paragraphs? rescued", fit.worth) for fit in view.fits)


# ---------------------------------------------------------------------------------------------------------- doors


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    session = session_of(jobs_of(ARTICLES[:3]), tmp_path)
    return TestClient(make_app(session, ServeSettings(store=session.store)), base_url="http://127.0.0.1")


def test_the_document_has_a_policy_of_its_own(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    scripts = policy.partition("script-src")[2].partition(";")[0]
    assert "unsafe" not in scripts


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"host": "evil.example"}, 421), ({"origin": "http://evil.example"}, 403), ({"origin": "http://127.0.0.1"}, 200)],
)
def test_only_this_machine_comes_in(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert status == client.get("/inspector/desk", headers=headers).status_code


@pytest.mark.parametrize(
    "path",
    ["/view?page=99&method=engine", "/view?page=0&method=none", "/render?page=0&method=engine&format=none"],
)
def test_what_cannot_be_done_is_said(client: TestClient, path: str) -> None:
    answer = client.get(f"/inspector/desk{path}")
    assert (422, True) == (answer.status_code, answer.json()["detail"].startswith("there is no "))


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"nonsense",
        b'{"action":"keep","selector":"p["}',
        b'{"action":"role","selector":"p"}',
        b'{"action":"noise","node":"nav"}',
        b"x" * 20_000,
    ],
)
def test_bad_edits_are_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/inspector/desk/edits", content=body).status_code in (413, 422)
    assert [] == client.get("/inspector/desk/site").json()["edits"]


def test_every_part_is_served(client: TestClient) -> None:
    for name in (*MODULES, STYLE):
        assert 200 == client.get(f"/inspector/{name}").status_code
    folder = ROOT / "src" / "pagestrata" / "serve" / "inspector" / "static"
    inside = {"shell.html", "ruler.js"}  # parts of the document itself
    assert {*MODULES, STYLE, *inside} == {path.name for path in folder.iterdir()}


# --------------------------------------------------------------------------------------------------------- report


def test_a_page_cannot_break_out_of_a_report(tmp_path: Path) -> None:
    page = "<title></script><script>alert(1)</script></title><h1>[[data]]</h1><p>" + "</script><!-- words " * 40
    made = report(session_of([Job("x", page=RawPage(page))], tmp_path))
    assert 4 == made.count("</script>")  # imports, main, ruler and data
    start = made.index('id="data">') + len('id="data">')
    assert json.loads(made[start : made.index("</script>", start)])["opening"]["pages"] == ["x"]


def test_a_title_that_changed_is_a_passage(tmp_path: Path) -> None:
    """It is in no section of the text; the words of the text do not count it."""
    old = ARTICLES[0].read_text(encoding="utf-8")
    new = old.replace("Glossary of Mud", "Glossary of Sand")
    assert new != old
    jobs = [Job("old", page=RawPage(old)), Job("new", page=RawPage(new))]
    found = session_of(jobs, tmp_path).changes(ViewRequest(0), 1)
    assert ("title", "A Glossary of Sand") == (found.passages[0].kind, found.passages[0].text)
    pieces = [("same", "A Glossary of"), ("lost", "Mud"), ("extra", "Sand")]
    assert pieces == found.passages[0].pieces
    assert {"same"} == {passage.kind for passage in found.passages[1:]}


def test_another_version_is_the_second_page_and_compared_in_a_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pagestrata", "inspect", str(GLOSSARY), "--against", str(ARTICLES[1])]
    paths = os.pathsep.join([str(ROOT / "src"), *sys.path])
    options = ["--report", "out.html", "--store", "s.db"]
    subprocess.run([*command, *options], cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, check=True)
    made = (tmp_path / "out.html").read_text(encoding="utf-8")
    start = made.index('id="data">') + len('id="data">')
    data = json.loads(made[start : made.index("</script>", start)])
    assert ([str(GLOSSARY), str(ARTICLES[1])], 1) == (data["opening"]["pages"], data["opening"]["against"])
    assert {"lost", "extra"} <= {passage["kind"] for passage in data["pages"][0]["changes"]["passages"]}


WITHOUT_SERVER = """
import sys
sys.modules.update(dict.fromkeys(("fastapi", "starlette", "uvicorn")))  # importing one of them is an error now
sys.argv = ["pagestrata", *sys.argv[1:]]
from pagestrata.cli.main import run
run()
"""


def test_a_report_needs_no_server_extra(tmp_path: Path) -> None:
    arguments = ["inspect", str(GLOSSARY), "--report", "out.html", "--store", "s.db"]
    paths = os.pathsep.join([str(ROOT / "src"), *sys.path])
    command = [sys.executable, "-c", WITHOUT_SERVER, *arguments]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, capture_output=True)
    assert (0, b"") == (done.returncode, done.stderr)
    assert (tmp_path / "out.html").stat().st_size > 100_000


def test_the_command_writes_a_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pagestrata", "inspect", str(GLOSSARY), "--report", "out.html", "--store", "s.db"]
    paths = os.pathsep.join([str(ROOT / "src"), *sys.path])
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, check=True)
    assert (tmp_path / "out.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert not (tmp_path / "s.db").exists()
