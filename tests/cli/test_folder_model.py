"""A folder of one site is learned before it is read."""

import json
import subprocess
from pathlib import Path
from shutil import copy, copytree

import pytest
from tests.cli.runs import ARTICLES, HOST, SITE, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def methods(written: str) -> dict[str, str]:
    """The method that read each page, by its name."""
    rows = (json.loads(line) for line in written.splitlines())
    return {Path(row["source"]).stem: row["method"] for row in rows}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """The example site as it is read with one worker, where nothing was learned before."""
    return Shell(tmp_path_factory.mktemp("site")).run(SITE, "-f", "jsonl")


def test_a_folder_of_one_site_is_learned_and_said(site: subprocess.CompletedProcess[str]) -> None:
    assert f"learned {HOST} from 10 of 14 pages, 1 layout; --no-learn reads each page by itself\n" == site.stderr


def test_pages_of_other_layouts_are_read_by_the_engine(site: subprocess.CompletedProcess[str]) -> None:
    found = methods(site.stdout)
    assert {"index", "reference", "thread", "product"} == {name for name, method in found.items() if method == "engine"}
    assert 10 == sum(method == "site" for method in found.values())


def test_it_can_be_stopped_and_need_not_be_told(shell: Shell) -> None:
    stopped = shell.run(ARTICLES, "-f", "jsonl", "--no-learn")
    assert ("", {"engine"}) == (stopped.stderr, set(methods(stopped.stdout).values()))
    quiet = shell.run(ARTICLES, "-f", "jsonl", "-q")
    assert ("", {"site"}) == (quiet.stderr, set(methods(quiet.stdout).values()))
    assert () == shell.store.sites()


def test_what_was_learned_tells_what_one_page_cannot(shell: Shell) -> None:
    folder = shell.folder / "pages"
    folder.mkdir()
    notice = "<p>Whoever reads this on every page of the site will soon know that it is not what the page is about.</p>"
    for number in range(5):
        own = "".join(
            f"<p>{f'Words of page {number}, told at some length in paragraph {part}. ' * 4}</p>" for part in "abc"
        )
        (folder / f"{number}.html").write_text(
            f"<title>Page {number}</title><main><h1>Page {number}</h1>{own}{notice}</main>"
        )
    texts = {
        flag: [json.loads(line)["text"] for line in shell.run(folder, "-f", "jsonl", flag).stdout.splitlines()]
        for flag in ("--learn", "--no-learn")
    }
    assert [False] * 5 == ["Whoever reads" in text for text in texts["--learn"]]
    assert [True] * 5 == ["Whoever reads" in text for text in texts["--no-learn"]]
    assert all("paragraph c" in text for text in texts["--learn"])


def test_the_same_folder_gives_the_same_bytes_however_it_is_read(
    shell: Shell, site: subprocess.CompletedProcess[str]
) -> None:
    shell.output("learn", ARTICLES, "-k", "3", "-q")
    assert site.stdout == shell.run(SITE, "-f", "jsonl", "-j", "2").stdout


def test_a_mixed_folder_says_why_nothing_was_learned(shell: Shell) -> None:
    folder = copytree(ARTICLES, shell.folder / "pages")
    for place, path in enumerate(sorted(folder.iterdir())):
        if place % 2:
            path.write_bytes(path.read_bytes().replace(HOST.encode(), b"elsewhere.example"))
    done = shell.run(folder, "-f", "jsonl")
    why = f"the pages are of different sites: {HOST} (5), elsewhere.example (5)"
    assert f"nothing was learned of {folder}: {why}\n" == done.stderr
    assert {"engine"} == set(methods(done.stdout).values())


def test_two_pages_are_too_few(shell: Shell) -> None:
    for name in ("a-glossary-of-mud.html", "why-the-tide-is-late.html"):
        copy(ARTICLES / name, shell.folder)
    assert "2 pages are too few, 3 are needed" in shell.run(shell.folder, "-f", "jsonl").stderr


def test_files_and_sites_that_are_named_are_not_learned(shell: Shell) -> None:
    several = shell.run(*sorted(ARTICLES.iterdir())[:4], "-f", "jsonl")
    assert ("", {"engine"}) == (several.stderr, set(methods(several.stdout).values()))
    shell.output("learn", ARTICLES)
    assert "" == shell.run(ARTICLES, "-f", "jsonl", "--site", HOST).stderr


def test_a_page_that_cannot_be_read_costs_its_own_row_only(shell: Shell) -> None:
    folder = copytree(ARTICLES, shell.folder / "pages")
    (folder / "gone.html").symlink_to(folder / "nowhere.html")
    (folder / "paper.html").write_bytes(b"%PDF-1.7")
    done = shell.run(folder, "-f", "jsonl")
    assert f"learned {HOST} from 10 of 12 pages" in done.stderr
    assert 1 == done.returncode
    assert 10 == sum("site" == json.loads(line).get("method") for line in done.stdout.splitlines())


def test_learning_that_takes_too_long_is_given_up_and_pages_are_read_anyway(shell: Shell) -> None:
    folder = shell.folder / "pages"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_text(
            "<title>Long</title>" + f"<div><p>Text {number} <b>x</b></p></div>" * 60_000
        )
    done = shell.run(folder, "-f", "jsonl", "--timeout", "0.1")
    assert done.stderr.startswith(f"nothing was learned of {folder}: it took longer than ")


def test_large_folders_are_learned_from_a_sample(shell: Shell) -> None:
    folder = shell.folder / "pages"
    folder.mkdir()
    pages = sorted(ARTICLES.iterdir())
    for number in range(31):
        copy(pages[number % 10], folder / f"{number:02}.html")
    assert f"learned {HOST} from " in (told := shell.run(folder, "-f", "jsonl").stderr)
    assert int(told.split(" from ")[1].split()[0]) <= 15
