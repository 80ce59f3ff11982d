"""The command line, through the front door."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.build import EXAMPLES, ROOT
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app, with_command
from pagestrata.cli.outputs import Folder, safe_name
from pagestrata.errors import PagestrataError, UsageError
from pagestrata.work.rows import IDENTITY

SITE = ROOT / "examples" / "site"
PAGE = SITE / "articles" / "building-a-nine-foot-skiff.html"


def run(*arguments: str | Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """A real process, as a shell would start it."""
    command = [sys.executable, "-m", "pagestrata", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, timeout=120, check=False)


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, with_command([*map(str, arguments)]))


def test_a_bare_page_gives_markdown() -> None:
    done = run(PAGE)
    assert 0 == done.returncode, done.stderr
    assert done.stdout.decode().startswith("# A Nine-Foot Skiff in Nine Weekends\n\nYou do not need a boatyard.")


@pytest.mark.parametrize("name", ["text", "md", "html", "json", "jsonl", "xml", "csv", "document"])
def test_standard_input_in_every_format(name: str) -> None:
    done = run("-", "-f", name, "--url", "https://tidewater.example/", stdin=PAGE.read_bytes())
    assert 0 == done.returncode, done.stderr
    assert b"boatyard" in done.stdout


def test_a_book_is_written_to_a_file_and_books_to_a_folder(tmp_path: Path) -> None:
    done = run(PAGE, "-f", "epub", "-o", tmp_path / "skiff.epub")
    assert 0 == done.returncode, done.stderr
    done = run(PAGE, PAGE, "-f", "epub", "-o", f"{tmp_path}/books/")
    assert 0 == done.returncode, done.stderr
    books = [tmp_path / "skiff.epub", *sorted((tmp_path / "books").iterdir())]
    assert [".epub"] * 3 == [book.suffix for book in books]
    for book in books:
        with zipfile.ZipFile(book) as opened:
            assert b"boatyard" in opened.read("chapter.xhtml")


def test_unknown_formats_and_options_are_usage_errors() -> None:
    assert 2 == run(PAGE, "-f", "docx").returncode
    assert 2 == run(PAGE, "--no-such-option").returncode
    assert 2 == run(PAGE, "--bias", "3").returncode
    assert 2 == run(PAGE, "--drop", "p[").returncode


@pytest.mark.parametrize("url", ["javascript://x", "https://[::1", "file:///etc/passwd", "http:///path"])
def test_a_url_that_is_none_of_a_page_is_named(url: str) -> None:
    done = run(PAGE, "--url", url)
    assert (2, b"") == (done.returncode, done.stdout)
    assert f"{url!r} is not the URL of a page" in " ".join(done.stderr.decode().split())


def test_several_pages_need_lines_or_a_folder() -> None:
    done = run(SITE)
    assert 2 == done.returncode
    assert b"-f jsonl" in done.stderr


def test_a_folder_is_walked_in_order() -> None:
    done = run(SITE, "-f", "jsonl", "-j", "2")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (0, len(EXAMPLES)) == (done.returncode, len(rows))
    assert sorted(row["source"] for row in rows) == sorted(str(path) for path in EXAMPLES)


def test_one_bad_page_never_ends_a_run(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(PAGE.read_bytes())
    (tmp_path / "b.html").mkdir()
    (tmp_path / "c.html").symlink_to(tmp_path / "nowhere")
    (tmp_path / "d.html").write_bytes(b"%PDF-1.7")
    done = run(tmp_path, tmp_path / "none.html", "-f", "jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert 1 == done.returncode
    assert ["text", "error", "text", "error"] == ["error" if "error" in row else "text" for row in rows]
    assert "exception" == rows[1]["error"]["reason"]
    assert rows[2]["reason"].startswith("not a page")


def test_nothing_that_could_be_read_is_three(tmp_path: Path) -> None:
    assert 3 == run(tmp_path / "none.html").returncode
    assert 3 == run(tmp_path / "none.html", tmp_path / "none2.html", "-f", "jsonl").returncode
    assert 3 == run(tmp_path, "-f", "jsonl").returncode
    assert 3 == run("http://127.0.0.1:1/").returncode
    assert 3 == run("http://10.0.0.1/").returncode


def test_a_page_over_its_deadline_is_killed(tmp_path: Path) -> None:
    slow = tmp_path / "slow.html"
    slow.write_text("<p>x" * 300_000)
    done = run(slow, "-f", "jsonl", "--timeout", "0.1")
    assert 3 == done.returncode
    assert "deadline" == json.loads(done.stdout)["error"]["reason"]


def test_a_limit_is_a_partial_answer(tmp_path: Path) -> None:
    deep = tmp_path / "deep.html"
    deep.write_text("<p>" + "word " * 99 + "<div>" * 3000 + "deep")
    done = run(deep, "-f", "text")
    assert 0 == done.returncode
    assert b"depth" in done.stderr
    assert b"" == run(deep, "-f", "text", "--quiet").stderr


def test_explain_tells_of_every_section() -> None:
    told = run(PAGE, "--explain").stderr.decode()
    assert re.search(r"kept 0\.9\d main", told)
    assert "of its text is links" in told


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    target = tmp_path / "out.md"
    assert 0 == run(PAGE, "-o", target).returncode
    assert 2 == run(PAGE, "-o", target).returncode
    assert 0 == run(PAGE, "-o", target, "--force").returncode
    assert target.read_bytes() == run(PAGE).stdout


def test_a_slash_means_a_folder(tmp_path: Path) -> None:
    done = run(SITE, "-o", f"{tmp_path}/out/", "-f", "text")
    assert 0 == done.returncode, done.stderr
    written = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.txt")}
    assert {str(path.relative_to(SITE).with_suffix(".txt")) for path in EXAMPLES} == written


def test_options_come_from_a_file_and_the_command_line_wins(tmp_path: Path) -> None:
    config = tmp_path / "pagestrata.toml"
    config.write_text('title_in_markdown = false\ndrop = ["ul"]\nbias = 1.0\n')
    assert not run(PAGE, "--config", config).stdout.startswith(b"#")
    assert b"smell of larch" in run(PAGE, "--config", config, "--bias", "0").stdout
    config.write_text("titel = true\n")
    done = run(PAGE, "--config", config)
    assert (2, True) == (done.returncode, b"unknown option 'titel'" in done.stderr)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bais = 0.5", "has the unknown option 'bais'; did you mean bias?"),
        ("bias = 'much'", "bias is 'much', but must be a number"),
        ("images = 'no'", "images is 'no', but must be true or false"),
        ("max_bytes = true", "max_bytes is True, but must be a whole number"),
        ("keep = 'article'", """keep is 'article', but must be a list of selectors, as in ["article"]"""),
        ("bias =", "cannot read"),
    ],
)
def test_a_slip_in_the_file_is_told_of(line: str, told: str, tmp_path: Path) -> None:
    config = tmp_path / "pagestrata.toml"
    config.write_text(line)
    error = invoke(PAGE, "--config", config).exception
    assert isinstance(error, UsageError)
    assert told in str(error)


def test_sections_draws_a_tree() -> None:
    done = run("sections", PAGE, "--reasons")
    assert 0 == done.returncode, done.stderr
    assert "title      h1[1] A Nine-Foot Skiff in Nine Weekends" in done.stdout.decode()
    assert "100% of its text is links" in done.stdout.decode()


def test_metadata_says_where_it_is_from() -> None:
    result = invoke("metadata", PAGE)
    assert 0 == result.exit_code, result.output
    assert "authors         Callum Pettifer" in result.output
    assert "Callum Pettifer" in json.loads(invoke("metadata", PAGE, "--json").output)["metadata"]["authors"]


def test_the_version_names_the_scanner() -> None:
    from pagestrata.native import SCANNER

    assert f"({SCANNER})" in invoke("--version").output


def test_colours_can_be_switched_off() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1", "FORCE_COLOR": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pagestrata", "sections", str(PAGE)], capture_output=True, env=environment, check=True
    )
    assert b"\x1b[3" not in done.stdout


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m pagestrata {PAGE} -f json | head -c 10"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, env=environment, check=False)
    assert b"" == done.stderr


EVIL_NAMES = [
    "..", "../x", "../../etc/passwd", "/etc/passwd", "a/../../b", ".", "", "con", "NUL.txt", "a\0b", "a\nb", "x" * 400,
    "..\\..\\x", "C:\\x", "a:b", "-rf", "~", "$HOME", "`id`", "%2e%2e%2f", "a/b/c", "\u202egnp.exe", " . ", "...",
    "|", "<x>",
]  # fmt: skip


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_nothing_is_written_outside_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "out"
    Folder(folder, ".txt", force=False).write(Path(name), b"x")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert 1 == len(written)
    assert written[0].resolve().is_relative_to(folder.resolve())


def test_links_in_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "out", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "page.txt").symlink_to(outside / "x.txt")
    (folder / "sub").symlink_to(outside)
    for name in ("page", "sub/page"):
        with pytest.raises(UsageError):
            Folder(folder, ".txt", force=True).write(Path(name), b"x")
    assert [] == list(outside.iterdir())


def test_pages_of_one_name_get_numbers(tmp_path: Path) -> None:
    folder = Folder(tmp_path, ".txt", force=False)
    for _ in range(3):
        folder.write(Path("page"), b"x")
    assert ["page-2.txt", "page-3.txt", "page.txt"] == sorted(path.name for path in tmp_path.iterdir())


def test_safe_names_are_never_empty() -> None:
    assert all(safe_name(name) for name in EVIL_NAMES)


def test_our_errors_carry_their_exit_codes() -> None:
    errors: list[type[PagestrataError]] = [PagestrataError, *PagestrataError.__subclasses__()]
    codes = {error.__name__: error.exit_code for error in errors}
    assert {"PagestrataError": 1, "InputError": 3, "StoreError": 3, "PageKilled": 3, "UsageError": 2} == codes


def test_a_file_that_cannot_be_a_folder_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"mine")
    done = run(PAGE, "-o", f"{tmp_path}/out/")
    assert (2, f"pagestrata: {tmp_path}/out is a file: give another folder\n") == (
        done.returncode,
        done.stderr.decode(),
    )


def test_a_page_that_cannot_be_read_leaves_no_file(tmp_path: Path) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_bytes(b"mine")
    assert 3 == run(tmp_path / "none.html", "-o", new).returncode
    assert 3 == run(tmp_path / "none.html", "-o", old, "--force").returncode
    assert (False, b"mine") == (new.exists(), old.read_bytes())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ["extract", "sections", "metadata"])
def test_a_full_disk_is_one_line(command: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pagestrata", command, str(PAGE)],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            check=False,
        )
    assert 1 == done.returncode
    assert b"pagestrata: No space left on device\n" == done.stderr


@pytest.mark.parametrize("command", ["sections", "metadata", "compare"])
def test_commands_for_one_page_refuse_a_folder(command: str, tmp_path: Path) -> None:
    error = invoke(command, tmp_path).exception
    assert isinstance(error, UsageError)
    assert f"{tmp_path} is a folder: name a page in it" == str(error)


@pytest.mark.parametrize("argument", ["ftp://tidewater.example/", "www.tidewater.example"])
def test_what_looks_like_an_address_is_told_how_to_be_one(argument: str) -> None:
    done = run(argument)
    assert (3, True) == (done.returncode, b"addresses begin with http:// or https://" in done.stderr)


def test_a_folder_without_pages_says_what_was_looked_for(tmp_path: Path) -> None:
    error = invoke(tmp_path, "-f", "jsonl").exception
    assert str(error).startswith(f"no pages in {tmp_path}: pages end in .html, .htm, .xhtml, .html.gz, ")
    assert str(error) == str(invoke(tmp_path).exception)


def test_names_of_files_send_nothing_to_the_terminal(tmp_path: Path) -> None:
    """A name may change the title of the window, or worse; bytes that are not UTF-8 are shown, and end up in JSON."""
    title, latin = "\x1b]0;mine\x07.html.gz", os.fsdecode(b"caf\xe9.html.gz")
    for name in (title, latin):
        (tmp_path / name).write_bytes(b"not packed")
    alone, missing = run(tmp_path / title), run(tmp_path / os.fsdecode(b"gone\xe9.html"))
    folder = run(tmp_path, "-f", "jsonl", "--no-learn")
    learned = run("learn", tmp_path, "-o", tmp_path / "model")
    assert [3] * 4 == [done.returncode for done in (alone, missing, folder, learned)], folder.stderr
    for done in (alone, missing, folder, learned):
        assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", done.stdout + done.stderr)
    assert rb"gone\udce9.html: No such file" in missing.stderr
    assert ["]0;mine.html.gz", "caf.html.gz"] == [
        Path(json.loads(line)["source"]).name for line in folder.stdout.splitlines()
    ]


def test_pages_that_fail_say_why_in_words(tmp_path: Path) -> None:
    done = run(tmp_path / "none.html", PAGE, "-f", "jsonl")
    expected = f"{tmp_path}/none.html: cannot read {tmp_path}/none.html: No such file or directory\n"
    assert (1, expected) == (done.returncode, done.stderr.decode())


def test_a_folder_that_is_there_needs_no_slash(tmp_path: Path) -> None:
    assert 0 == run(SITE / "articles", "-o", tmp_path, "-f", "text").returncode
    assert 10 == len(list(tmp_path.glob("*.txt")))


def test_what_is_no_page_is_said_once(tmp_path: Path) -> None:
    for name, data, why in (
        ("a.html", bytes(range(256)) * 20, "not a page: the input looks like binary data"),
        ("b.pdf", b"%PDF-1.7", "not a page: the input looks like PDF"),
        ("c.html", b"", "the file is empty"),
        ("d.html", b" \n", "the page has no text"),
    ):
        (tmp_path / name).write_bytes(data)
        done = run(tmp_path / name, "-o", tmp_path / "out.md")
        assert (3, f"pagestrata: {tmp_path}/{name}: {why}\n") == (done.returncode, done.stderr.decode())
        for command in ("sections", "metadata"):
            assert f"{tmp_path}/{name}: {why}" == str(invoke(command, tmp_path / name).exception)
    assert not (tmp_path / "out.md").exists()


def test_a_page_without_content_among_many_says_why(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"%PDF-1.7")
    done = run(tmp_path / "a.html", PAGE, "-o", f"{tmp_path}/out/")
    assert (0, f"{tmp_path}/a.html: not a page: the input looks like PDF\n") == (done.returncode, done.stderr.decode())


def test_a_slip_in_a_command_or_format_gets_a_suggestion() -> None:
    done = run("extrac", PAGE)
    assert (2, b"pagestrata: there is no command or file 'extrac'; did you mean extract?\n") == (
        done.returncode,
        done.stderr,
    )
    assert "there is no format 'jsno'; did you mean json?" == str(invoke(PAGE, "-f", "jsno").exception)
    assert "there is no format 'mrkdown'; did you mean markdown?" == str(invoke(PAGE, "-f", "mrkdown").exception)
    assert "there is no method 'engin'; did you mean engine?" == str(
        invoke("sections", PAGE, "--method", "engin").exception
    )
    assert invoke(PAGE, "-f", "markdown").stdout == invoke(PAGE, "-f", "md").stdout


def test_a_file_that_is_not_there_is_said_before_the_format_of_many() -> None:
    assert "cannot read none.html: no such file or folder" == str(invoke(PAGE, "none.html").exception)


@pytest.mark.parametrize("options", [(), ("-f", "md")])
def test_a_page_that_is_piped_in_needs_no_argument(options: tuple[str, ...]) -> None:
    assert run(PAGE).stdout == run(*options, stdin=PAGE.read_bytes()).stdout


def test_other_commands_read_a_piped_page_too() -> None:
    named, piped_in = run("links", PAGE), run("links", stdin=PAGE.read_bytes())
    assert (0, named.stdout) == (piped_in.returncode, piped_in.stdout)
    assert run("sections", stdin=PAGE.read_bytes()).stdout.startswith(b"-: ")


def test_without_a_page_the_message_says_what_to_give() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "pagestrata", "-f", "text"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False)
    assert (2, True) == (done.returncode, b"no page is given: name a file" in done.stderr)


@pytest.mark.parametrize("command", ["extract", "sections", "metadata"])
def test_a_file_of_many_pages_names_the_command_for_it(command: str) -> None:
    error = invoke(command, "crawl.warc.gz").exception
    assert "crawl.warc.gz holds many pages: pagestrata batch crawl.warc.gz -o FOLDER" == str(error)


def test_packed_pages_and_zipped_folders_are_read(tmp_path: Path) -> None:
    (tmp_path / "skiff.html.gz").write_bytes(gzip.compress(PAGE.read_bytes()))
    assert run(PAGE).stdout == run(tmp_path / "skiff.html.gz").stdout
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        archive.write(PAGE, "articles/skiff.html")
        archive.writestr("broken.html.gz", b"x")
        archive.writestr("read.me", b"")
    done = run(tmp_path / "site.zip", "-o", f"{tmp_path}/out/")
    assert (1, True) == (done.returncode, b"cannot unpack broken.html.gz" in done.stderr)
    assert ["articles/skiff.md"] == [
        str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.md")
    ]
    assert run(PAGE).stdout == (tmp_path / "out" / "articles" / "skiff.md").read_bytes()


def test_a_page_without_content_says_how_to_see_why(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<a href=/>Home</a>")
    assert f"pagestrata sections --reasons {page} shows them" == run(page).stderr.decode().splitlines()[-1]


def test_a_page_without_metadata_says_so(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>x")
    assert f"{page}: the page says nothing about itself\n" == invoke("metadata", page).stderr


def test_the_help_names_every_command_in_a_whole_sentence() -> None:
    told = run("--help").stdout.decode()
    assert "..." not in told.partition("Commands:")[2]
    assert "A page without a command is extracted: pagestrata page.html" in told


def test_reasons_are_never_cut_off() -> None:
    told = run("sections", PAGE, "--reasons").stdout.decode()
    assert "…" not in "".join(line for line in told.splitlines() if "importance 0" in line)
    assert "of its text is links" in " ".join(told.replace("│", " ").split())


def test_fields_give_the_rows_of_a_batch() -> None:
    (line,) = run(PAGE, "-f", "jsonl", "--fields", "chunks,text").stdout.splitlines()
    one = json.loads(run(PAGE, "--fields", "chunks,text").stdout)
    assert [*IDENTITY, "text", "chunks"] == list(one)
    assert one == json.loads(line)
    many = run(SITE / "articles", "--fields", "title", "--no-learn", "-q").stdout.splitlines()
    assert one["digest"] in {json.loads(row)["digest"] for row in many}
    for wrong in (("--fields", "prose"), ("--fields", "text", "-f", "md")):
        assert isinstance(invoke(PAGE, *wrong).exception, UsageError)


def test_several_pages_are_rows_of_one_csv() -> None:
    done = run(SITE / "articles", "-f", "csv", "--no-learn", "-q")
    header, *rows = csv.reader(io.StringIO(done.stdout.decode()))
    assert (0, "source", 10) == (done.returncode, header[0], len(rows))
    assert all(len(header) == len(row) for row in rows)
    assert "A Nine-Foot Skiff in Nine Weekends" in [row[header.index("title")] for row in rows]


def test_items_are_rows_of_one_csv(tmp_path: Path) -> None:
    for page in ("boots", "hats"):
        cards = "".join(
            f"<li><h2><a href=/p/{name}>{name} {page}</a></h2><p>Proof, lined with wool.</p><b>${price}.00</b></li>"
            for price, name in enumerate(("heron", "curlew", "plover"), 70)
        )
        text = f"<title>{page}</title><main><h1>{page}</h1><ul>{cards}</ul></main>"
        (tmp_path / f"{page}.html").write_text(text, encoding="utf-8")
    done = run(tmp_path / "boots.html", tmp_path / "hats.html", "-f", "csv", "--fields", "items", "-q")
    header, *rows = csv.reader(io.StringIO(done.stdout.decode()))
    found = [(Path(row[0]).name, row[header.index("title")], row[header.index("price")]) for row in rows]
    assert (6, ("boots.html", "heron boots", "$70.00")) == (len(rows), found[0])
    assert ("hats.html", "plover hats", "$72.00") == found[-1]


def test_no_cell_of_a_page_is_a_formula(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<title>=cmd()</title><h1>=cmd()</h1><p>" + "@SUM(1) warm the pot. " * 20)
    _, row = csv.reader(io.StringIO(run(tmp_path / "a.html", "-f", "csv").stdout.decode()))
    assert {"'=cmd()"} < {cell[:7] for cell in row}
    assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_pages_may_be_left_out(tmp_path: Path) -> None:
    other = tmp_path / "de.html"
    other.write_text("<html lang=de><title>Tee</title><p>" + "Den Topf wärmen, dann warten. " * 20)
    done = run(PAGE, other, "-f", "jsonl", "--language", "EN")
    assert (0, 1, b"1 of 2 pages left out by --language or --only-with-metadata\n") == (
        done.returncode,
        len(done.stdout.splitlines()),
        done.stderr,
    )
    alone = run(other, "--only-with-metadata")
    assert (0, b"", f"{other}: left out: it has no date of publication and no address\n") == (
        alone.returncode,
        alone.stdout,
        alone.stderr.decode(),
    )
    assert b"" == run(other, "--language", "en", "--language", "fr").stdout
    wrong = run(other, "--language", "german")
    assert (2, True) == (wrong.returncode, b"'german' is not a language code" in wrong.stderr)
    assert run(PAGE, "--only-with-metadata").stdout


def test_folders_of_named_files_are_kept_on_request(tmp_path: Path) -> None:
    for name in ("a/x.html", "b/x.html"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(PAGE.read_bytes())
    command = [sys.executable, "-m", "pagestrata", "a/x.html", "b", "-o", "out/", "--keep-dirs"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert ["a/x.md", "b/x.md"] == sorted(
        str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.md")
    )


def test_a_name_that_cannot_be_resolved_is_said() -> None:
    done = run("http://no-such-host.invalid/")
    error = b"pagestrata: http://no-such-host.invalid/: the name no-such-host.invalid cannot be resolved\n"
    assert (3, error) == (done.returncode, done.stderr)
    many = run("http://no-such-host.invalid/", "http://10.0.0.1/", "-f", "jsonl").stderr
    assert b"no-such-host.invalid/: the name no-such-host.invalid cannot be resolved\n" in many
    assert b"10.0.0.1/: the address http://10.0.0.1/ is refused" in many


def test_a_refused_address_is_told_of_exceptions() -> None:
    done = run("http://10.0.0.1/")
    assert (3, True) == (done.returncode, done.stderr.endswith(b"--allow-address permits others\n"))


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "nosuch", "--method", "engine", "--jsonl"),
        ("bench", "speed", "nosuch", "--json"),
        ("bench", "quality", "nosuch", "--json"),
        ("train", "nosuch", "-o"),
    ],
)
def test_where_nothing_can_be_written_is_told_before_the_work(command: tuple[str, ...], tmp_path: Path) -> None:
    error = invoke(*command, tmp_path / "none" / "file").exception
    assert isinstance(error, UsageError)
    assert f"cannot write {tmp_path}/none/file: there is no folder {tmp_path}/none" == str(error)


def test_a_report_does_not_lie_where_the_card_of_a_model_will(tmp_path: Path) -> None:
    error = invoke("train", "nosuch", "-o", tmp_path / "model.npz", "--report", tmp_path / "model.md").exception
    assert isinstance(error, UsageError)
    assert f"cannot write {tmp_path}/model.md twice: choose another name for one of the two" == str(error)
