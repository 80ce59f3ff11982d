"""`pagestrata sites`: list, show, edit, update, watch, export, import, forget."""

import json
from pathlib import Path

import pytest
from tests.cli.runs import ARTICLES, HOST, PAGE, Shell

from pagestrata.sites.model import SiteModel


@pytest.fixture(scope="module")
def model() -> SiteModel:
    import pagestrata

    return pagestrata.learn([path.read_bytes() for path in sorted(ARTICLES.iterdir())[:4]], site=HOST)


@pytest.fixture
def shell(tmp_path: Path, model: SiteModel) -> Shell:
    shell = Shell(tmp_path)
    shell.store.save(model)
    return shell


def test_nothing_learned_yet_says_how_to_begin(tmp_path: Path) -> None:
    done = Shell(tmp_path).run("sites")
    assert (0, "") == (done.returncode, done.stdout)
    assert "pagestrata learn PAGES" in done.stderr
    assert [] == json.loads(Shell(tmp_path).output("sites", "list", "--json"))


def test_sites_are_listed(shell: Shell, model: SiteModel) -> None:
    told = shell.output("sites")
    assert told == shell.output("sites", "list")
    assert [HOST, "1", "layout", "4", "pages"] == told.split()[:5]
    assert told.endswith(f"learned {model.learned}\n")
    assert (HOST, 4) == tuple(json.loads(shell.output("sites", "list", "--json"))[0][key] for key in ("name", "pages"))


def test_the_command_line_says_which_store_before_the_environment_does(shell: Shell) -> None:
    other = shell.folder / "other.db"
    assert "" == shell.output("sites", "list", "--store", other)
    assert 2 == shell.refusal("sites", "show", HOST, "--store", other)[0]
    assert not other.exists()


def test_a_site_is_shown_in_lines_as_a_tree_and_as_json(shell: Shell, model: SiteModel) -> None:
    assert f"{HOST}: learned {model.learned}" in shell.output("sites", "show", HOST)
    tree = shell.output("sites", "show", HOST, "--tree").splitlines()
    assert ["layout-1: 4 pages", "pages  noise  op  node"] == tree[:2]
    assert ["    4   0.27      html.no-js", "    4   0.27       body.post-template-default"] == tree[2:4]
    assert "    4   1.00  *         li" in tree
    assert model == SiteModel.from_json(shell.output("sites", "show", HOST, "--json"))


def test_edits_are_added_numbered_and_undone(shell: Shell) -> None:
    shell.output("sites", "edit", HOST, "--drop", ".promo-box", "--keep", "main", "--note", "by hand")
    told = shell.output("sites", "edit", HOST, "--role", "comments=#comments")
    assert ["1. keep main (by hand)", "2. drop .promo-box (by hand)", "3. role=comments #comments"] == [
        line.rpartition("  ")[0].strip() for line in told.splitlines()[1:]
    ]
    told = shell.output("sites", "edit", HOST, "--undo", "1", "--undo", "3", "--drop", "nav")
    assert ["drop", "drop"] == [line.split()[1] for line in told.splitlines()[1:]]
    assert "1. drop .promo-box" in shell.output("sites", "show", HOST)
    shell.output("sites", "edit", HOST, "--undo", "1", "--undo", "2")
    assert "no edits" in shell.output("sites", "show", HOST)


def test_a_node_of_the_template_is_marked_by_its_path(shell: Shell) -> None:
    told = shell.output("sites", "edit", HOST, "--node", "div.entry-content=noise", "--note", "by hand")
    path = told.split()[3]
    assert path.startswith("html.no-js/body.post-template-default/")
    assert path.endswith("/article.post/div.entry-content")
    assert told.splitlines() == shell.output("sites", "show", HOST).splitlines()[-2:]
    stored = shell.store.load(HOST)
    assert stored is not None
    assert [("noise", path, "by hand")] == [(edit.action, edit.node, edit.note) for edit in stored.edits]
    assert "You do not need a boatyard" not in shell.output("extract", PAGE, "--site", HOST, "--format", "text")
    shell.output("sites", "edit", HOST, "--undo", "1")
    assert "You do not need a boatyard" in shell.output("extract", PAGE, "--site", HOST, "--format", "text")


def test_a_node_of_one_layout_is_shown_with_its_layout_once(shell: Shell) -> None:
    told = shell.output("sites", "edit", HOST, "--node", "layout-1/div.entry-content=optional")
    assert told.splitlines()[1].startswith("  1. optional layout-1/html.no-js/")
    assert 1 == told.count("layout-1")


def test_a_node_that_is_no_longer_there_is_reported(shell: Shell) -> None:
    file = shell.folder / "model.json"
    shell.output("sites", "export", HOST, "-o", file)
    written = json.loads(file.read_text())
    file.write_text(json.dumps({**written, "edits": [{"action": "noise", "node": "html/body/nav[9]"}]}))
    shell.output("sites", "import", file)
    assert "1. noise html/body/nav[9] in no layout" in shell.output("sites", "show", HOST)


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            (),
            ("--drop", "p["),
            ("--role", "comments"),
            ("--role", "hero=main"),
            ("--role", "main=p["),
            ("--undo", "1"),
        ),
        *(("--node", "html/body"), ("--node", "html/body=hero"), ("--node", "=noise"), ("--node", "html/nav=noise")),
    ],
)
def test_edits_that_mean_nothing_are_refused(shell: Shell, model: SiteModel, wrong: tuple[str, ...]) -> None:
    assert 2 == shell.refusal("sites", "edit", HOST, *wrong)[0]
    assert model == shell.store.load(HOST)


def test_a_model_is_exported_edited_by_hand_and_imported(shell: Shell) -> None:
    file = shell.folder / "model.json"
    shell.output("sites", "export", HOST, "-o", file)
    written = json.loads(file.read_text())
    written["edits"] = [{"action": "drop", "selector": ".promo-box"}]
    file.write_text(json.dumps(written))
    shell.output("sites", "import", file)
    assert "1. drop .promo-box" in shell.output("sites", "show", HOST)
    shell.output("sites", "import", file, "--name", "almanac")
    assert ["almanac", HOST] == [row.name for row in shell.store.sites()]


def test_what_is_imported_is_checked(shell: Shell, model: SiteModel) -> None:
    file = shell.folder / "model.json"
    for text, code in [
        ("{}", 3),
        ("no JSON", 3),
        (model.to_json()[:5000], 3),
        (model.to_json().replace('"version": 2', '"version": 99'), 3),
        (model.to_json().replace(HOST, "auto"), 2),
    ]:
        file.write_text(text)
        assert code == shell.refusal("sites", "import", file)[0]
    written = json.loads(model.to_json())
    file.write_text(json.dumps({**written, "edits": [{"action": "drop", "selector": "p["}]}))
    assert 2 == shell.refusal("sites", "import", file)[0]
    assert 3 == shell.refusal("sites", "import", shell.folder / "none.json")[0]
    assert model == shell.store.load(HOST)


def test_both_forms_are_exported(shell: Shell, model: SiteModel) -> None:
    assert model == SiteModel.from_json(shell.output("sites", "export", HOST))
    shell.output("sites", "export", HOST, "-o", shell.folder / "model.site")
    assert model == SiteModel.load(shell.folder / "model.site")
    assert 2 == shell.refusal("sites", "export", HOST, "-o", shell.folder / "model.site")[0]


def test_wrappers_are_exported_as_paths(shell: Shell, model: SiteModel) -> None:
    rows = json.loads(shell.output("sites", "export", HOST, "--wrappers"))
    assert [(cluster, wrapper.xpath, wrapper.css) for cluster, wrapper in model.wrappers()] == [
        (row["cluster"], row["xpath"], row["css"]) for row in rows
    ]


def test_a_site_is_updated_from_further_pages(shell: Shell, model: SiteModel) -> None:
    further = sorted(ARTICLES.iterdir())[4:6]
    lines = shell.output("sites", "update", HOST, *further).splitlines()
    assert f"{HOST}: learned from 2 more pages" == lines[0]
    assert lines[1].startswith(f"{HOST}: learned {model.learned}, updated ")
    assert lines[2].startswith("  layout-1: 6 pages")
    assert [4, 6] == [model.clusters[0].pages, shell.store.load(HOST).clusters[0].pages]  # type: ignore[union-attr]


def test_a_page_that_an_edit_empties_says_how_to_see_why(shell: Shell) -> None:
    shell.output("sites", "edit", HOST, "--role", "advertisement=body")
    told = shell.invoke("extract", "--site", HOST, PAGE).stderr
    assert f"pagestrata sections --reasons --site {HOST} {PAGE} shows them" in told
    assert "edited by hand" in shell.output("sections", "--reasons", "--site", HOST, PAGE)


def test_pages_that_are_known_are_not_learned_again(shell: Shell) -> None:
    everything = sorted(ARTICLES.iterdir())[:6]
    assert f"{HOST}: learned from 2 more pages, 4 known already" == first_line(shell, "update", *everything)
    learned = shell.store.load(HOST)
    assert f"{HOST}: learned from 0 more pages, 6 known already" == first_line(shell, "update", *everything)
    assert learned == shell.store.load(HOST)
    assert f"{HOST}: 6 pages, 6 in layout-1, 6 known already" == first_line(shell, "watch", *everything)


def first_line(shell: Shell, command: str, *pages: Path) -> str:
    return shell.output("sites", command, HOST, *pages).splitlines()[0]


def test_an_unknown_site_is_not_updated(shell: Shell) -> None:
    assert 2 == shell.refusal("sites", "update", "nowhere.example", PAGE)[0]
    assert 1 == len(shell.store.sites())


def test_a_site_that_is_watched_stays_as_it_was_learned(shell: Shell, model: SiteModel) -> None:
    further = sorted(ARTICLES.iterdir())[4:10]
    assert f"{HOST}: 6 pages, 6 in layout-1\nno change\n" == shell.output("sites", "watch", HOST, *further)
    assert model == shell.store.load(HOST)
    shell.output("sites", "watch", HOST, *further, "--learn", "--quiet")
    assert 10 == shell.store.load(HOST).clusters[0].pages  # type: ignore[union-attr]


def test_few_pages_show_no_change_and_are_said_to_be_few(shell: Shell) -> None:
    pages = sorted(ARTICLES.iterdir())
    told = shell.output("sites", "watch", HOST, *pages[2:6])  # two of them are known
    assert f"{HOST}: 4 pages, 4 in layout-1, 2 known already" == told.splitlines()[0]
    assert "no change seen, but 5 pages are needed to tell" == told.splitlines()[1]
    assert "no change" == shell.output("sites", "watch", HOST, *pages[2:7]).splitlines()[1]


def test_a_redesign_is_reported_by_watch_and_its_exit_code(shell: Shell, model: SiteModel) -> None:
    for number in range(6):
        cells = "".join(f"<tr><td><p>Note {number} {cell}: the tide is late.</p><td><b>{cell}</b>" for cell in range(9))
        page = f"<title>Note {number}</title><center><table>{cells}</table></center>"
        (shell.folder / f"{number}.html").write_text(page)
    result = shell.invoke("sites", "watch", HOST, *(shell.folder / f"{number}.html" for number in range(6)))
    assert (1, f"{HOST}: 6 pages, 6 in layout-2 (new)") == (result.exit_code, result.stdout.splitlines()[0])
    assert "6 of the last 6 pages fit no layout that was learned" in result.stdout
    assert model == shell.store.load(HOST)
    assert 2 == shell.refusal("sites", "watch", "nowhere.example", PAGE)[0]


def test_a_site_is_forgotten(shell: Shell) -> None:
    shell.output("sites", "forget", HOST)
    assert () == shell.store.sites()
    code, told = shell.refusal("sites", "forget", HOST)
    assert (2, True) == (code, "no site was learned yet" in told)


@pytest.mark.parametrize("command", ["show", "edit --undo 1", "export", "forget"])
def test_unknown_sites_are_named_with_those_there_are(shell: Shell, command: str) -> None:
    verb, *options = command.split()
    code, told = shell.refusal("sites", verb, "tidewatr.example", *options)
    assert 2 == code
    assert f"no site 'tidewatr.example' in {shell.store.path}; there are: {HOST}" in told


def test_a_store_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.store.path.write_text("no database " * 99)
    done = shell.run("sites")
    assert (3, f"pagestrata: {shell.store.path} is not a store of pagestrata: give another --store\n") == (
        done.returncode,
        done.stderr,
    )
    assert 3 == shell.run(PAGE, "--site", HOST).returncode


def test_terminals_are_not_steered_by_a_model(shell: Shell, model: SiteModel) -> None:
    evil = json.loads(model.to_json())
    evil["edits"] = [{"action": "drop", "selector": "p", "note": "\x1b[31mred"}]
    file = shell.folder / "evil.json"
    file.write_text(json.dumps(evil))
    shell.output("sites", "import", file)
    assert "\x1b" not in shell.output("sites", "show", HOST)


def test_the_shell_completes_sites_and_methods(shell: Shell) -> None:
    from types import SimpleNamespace

    from pagestrata.cli.settings import complete_method, complete_site

    context = SimpleNamespace(params={"store": shell.store.path})
    assert [HOST] == complete_site(context, "tide")  # type: ignore[arg-type]
    context = SimpleNamespace(params={"store": PAGE})
    assert [] == complete_site(context, "")  # type: ignore[arg-type]
    assert ["density", "density-published"] == complete_method("dens")


def test_a_file_that_holds_no_model_is_named(shell: Shell) -> None:
    for arguments in (("sites", "import", PAGE), (PAGE, "--site", PAGE)):
        code, told = shell.refusal(*arguments)
        assert (3, True) == (code, told.startswith(f"{PAGE}: this is no site model"))
