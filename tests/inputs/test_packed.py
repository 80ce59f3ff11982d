"""Pages in other files: compressed, saved by browsers, zipped; sizes are limited before anything is unpacked."""

import base64
import builtins
import gzip
import io
import plistlib
import quopri
import random
import zipfile
from pathlib import Path
from typing import Any

import brotli
import pytest

from pagestrata.errors import InputError
from pagestrata.inputs import packed
from pagestrata.inputs.files import COMPRESSED_SUFFIXES, PAGE_SUFFIXES, SAVED_SUFFIXES, read_file, walk
from pagestrata.inputs.packed import read_zip, unpack
from pagestrata.page.raw import RawPage

PAGE = "<title>Tea</title><p>Grüße = Tee</p>".encode()
ADDRESS = "https://tea.example/a?x=1"


def mhtml(content: bytes, encoding: str, boundary: str = "----MultipartBoundary--x9") -> bytes:
    """A page as Chromium saves it, with an image before and a style sheet after it."""
    head = f"From: <Saved by Blink>\r\nSnapshot-Content-Location: {ADDRESS}\r\nMIME-Version: 1.0\r\n"
    head += f'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="{boundary}"\r\n\r\n\r\n'
    image = f"--{boundary}\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
    part = f"--{boundary}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Location: {ADDRESS}\r\n"
    part += f"Content-Transfer-Encoding: {encoding}\r\n\r\n"
    end = f"\r\n--{boundary}\r\nContent-Type: text/css\r\n\r\np {{}}\r\n--{boundary}--\r\n"
    return (head + image + part).encode() + content + end.encode()


def zipped(**members: bytes) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return file


def test_compressed_pages() -> None:
    assert PAGE == unpack("tea.html.gz", gzip.compress(PAGE)).markup
    assert PAGE == unpack("TEA.HTM.BR", brotli.compress(PAGE)).markup
    two_members = gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:])
    assert PAGE == unpack("tea.html.gz", two_members).markup


@pytest.mark.parametrize(
    ("encoding", "content"),
    [("quoted-printable", quopri.encodestring(PAGE)), ("base64", base64.encodebytes(PAGE)), ("binary", PAGE)],
)
def test_mhtml_of_a_browser(encoding: str, content: bytes) -> None:
    page = unpack("tea.mhtml", mhtml(content, encoding))
    assert (PAGE, ADDRESS) == (bytes(page.markup).rstrip(), page.url)  # type: ignore[arg-type]
    assert "text/html; charset=utf-8" == page.content_type


def test_mhtml_of_one_part_and_compressed() -> None:
    alone = b"MIME-Version: 1.0\nContent-Type: text/html\nContent-Location: file:///tea.html\n\n" + PAGE
    page = unpack("tea.mht.gz", gzip.compress(alone))
    assert (PAGE, None) == (page.markup, page.url)


def test_layers_are_limited() -> None:
    once = gzip.compress(gzip.compress(gzip.compress(PAGE)))
    assert gzip.compress(PAGE)[:2] == bytes(unpack("a.gz.gz.gz", once).markup[:2])  # type: ignore[arg-type]


def test_webarchive_of_safari() -> None:
    resource = {"WebResourceData": PAGE, "WebResourceURL": ADDRESS, "WebResourceTextEncodingName": "UTF-8"}
    data = plistlib.dumps({"WebMainResource": resource}, fmt=plistlib.FMT_BINARY)
    page = unpack("tea.webarchive", data)
    assert (PAGE, ADDRESS, "text/html; charset=UTF-8") == (page.markup, page.url, page.content_type)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html.gz", PAGE),
        ("a.html.gz", gzip.compress(PAGE)[:-9]),
        ("a.html.br", b"\xff" * 40),
        ("a.html.br", brotli.compress(PAGE * 9)[:-4]),
        ("a.mhtml", b""),
        ("a.mhtml", PAGE),
        ("a.mhtml", b'Content-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: image/png\n\nx\n--x--'),
        ("a.webarchive", PAGE),
        ("a.webarchive", plistlib.dumps({"a": 1})),
        ("a.webarchive", plistlib.dumps([1], fmt=plistlib.FMT_BINARY)),
        ("a.webarchive", plistlib.dumps({"WebMainResource": {"WebResourceData": "text"}})),
        ("a.webarchive", b"bplist00" + b"\xff" * 40),
    ],
)
def test_what_cannot_be_unpacked_is_one_error(name: str, data: bytes) -> None:
    with pytest.raises(InputError, match=f"cannot unpack {name}"):
        unpack(name, data)


@pytest.mark.parametrize(
    ("name", "pack"), [("a.html.gz", gzip.compress), ("a.html.br", brotli.compress), ("a.mhtml", bytes)]
)
def test_a_page_that_unpacks_to_too_much_is_refused(name: str, pack: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_PAGE_BYTES", 1000)
    data = b"Content-Type: text/html\n\n" + bytes(5000) if name == "a.mhtml" else bytes(5000)
    with pytest.raises(InputError, match="it holds more than 1,000 bytes"):
        unpack(name, pack(data))


def test_a_packed_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_FILE_BYTES", 10)
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(PAGE))
    with pytest.raises(InputError, match="it is larger than 10 bytes"):
        read_file(tmp_path / "a.html.gz")


def test_without_brotli_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without_brotli(name: str, *others: Any) -> Any:
        if name == "brotli":
            raise ImportError(name)
        return imported(name, *others)

    monkeypatch.setattr(builtins, "__import__", without_brotli)
    with pytest.raises(InputError, match="pip install 'brotli"):
        unpack("a.html.br", b"")


def test_links_are_followed_to_files_in_the_folder_only(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "in", tmp_path / "private"
    for place in (folder, elsewhere):
        place.mkdir()
        (place / "a.html").write_text("<p>tea")
    (folder / "inside.html").symlink_to("a.html")
    (folder / "outside.html").symlink_to(elsewhere / "a.html")
    (folder / "nowhere.html").symlink_to(tmp_path / "gone.html")
    assert ["a.html", "inside.html"] == [path.name for path in walk(folder)]


def test_files_are_read_and_walked_by_their_endings(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(PAGE))
    (tmp_path / "b.mhtml").write_bytes(mhtml(PAGE, "binary"))
    (tmp_path / "c.json.gz").write_bytes(b"")
    pages = [read_file(path) for path in walk(tmp_path)]
    assert [(PAGE, None), (PAGE, ADDRESS)] == [(page.markup, page.url) for page in pages]
    assert "https://b.example/" == read_file(tmp_path / "b.mhtml", url="https://b.example/").url


def test_every_ending_has_a_reader() -> None:
    assert {*COMPRESSED_SUFFIXES, *SAVED_SUFFIXES} == set(packed._READERS)


def test_zipped_folders_in_the_order_of_names() -> None:
    file = zipped(site__b_html=b"<p>b", site__a_htm=b"<p>a", style_css=b"", c_html_gz=gzip.compress(b"<p>c"))
    pages = [page for page in read_zip(file, PAGE_SUFFIXES) if isinstance(page, RawPage)]
    assert [("c.html.gz", b"<p>c"), ("site/a.htm", b"<p>a"), ("site/b.html", b"<p>b")] == [
        (page.source, page.markup) for page in pages
    ]


def test_a_damaged_page_costs_only_itself() -> None:
    damaged, *others = read_zip(zipped(a_html_gz=b"no gzip", b_html=PAGE), PAGE_SUFFIXES)
    assert isinstance(damaged, str)
    assert damaged.startswith("cannot unpack a.html.gz")
    assert 1 == len(others)


def test_zip_bombs_are_refused_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_PAGE_BYTES", 1_000_000)
    with pytest.raises(InputError, match="more than 200 times the file"):
        next(read_zip(zipped(a_html=bytes(5_000_000)), PAGE_SUFFIXES))


def test_a_member_that_is_too_large_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_PAGE_BYTES", 1000)
    noise = random.Random(1).randbytes(2000)
    assert ["cannot unpack a.html: it holds more than 1,000 bytes"] == [*read_zip(zipped(a_html=noise), PAGE_SUFFIXES)]


def test_what_is_no_zip_is_said() -> None:
    with pytest.raises(InputError, match="it is no zipped folder"):
        list(read_zip(io.BytesIO(PAGE), PAGE_SUFFIXES))
