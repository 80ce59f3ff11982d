"""Which encoding, and who said so."""

import pytest

from pagestrata import RawPage, extract, parse
from pagestrata.page.decode import choose_encoding, look_up
from pagestrata.page.page import Encoding

CAFE = "<p>Ein Café in Łódź, überall Tee"


def chosen(data: bytes, content_type: str | None = None, url: str | None = None) -> Encoding:
    return choose_encoding(data, RawPage(data, url=url, content_type=content_type))


@pytest.mark.parametrize(
    ("data", "content_type", "expected"),
    [
        (b"\xef\xbb\xbf<meta charset=latin1>", "text/html; charset=koi8-r", Encoding("UTF-8", "bom")),
        (b"\xff\xfe<\0p\0", None, Encoding("UTF-16LE", "bom")),
        (b"<meta charset=latin1>", "text/html; charset=koi8-r", Encoding("KOI8-R", "http")),
        (b"<meta charset=latin1>", 'text/html; charset="no-such"', Encoding("windows-1252", "meta")),
        (b'<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=sjis">', None, Encoding("Shift_JIS", "meta")),
        (b"<!-- <meta charset=koi8-r> --><meta charset=gb2312>", None, Encoding("GBK", "meta")),
        (b"<meta charset=utf-16>", None, Encoding("UTF-8", "meta")),
        (b"<meta charset=x-user-defined>", None, Encoding("windows-1252", "meta")),
        (b"<meta name=x content='charset=koi8-r'><p>a", None, Encoding("UTF-8", "utf-8 test")),
        (b"\n" * 5000 + b"<meta charset=koi8-r>", None, Encoding("KOI8-R", "meta")),
        (b"<\0h\0t\0m\0l\0>\0", None, Encoding("UTF-16LE", "wide tag")),
        (CAFE.encode(), None, Encoding("UTF-8", "utf-8 test")),
        (CAFE.encode()[:-1] + b"\xc3", None, Encoding("UTF-8", "utf-8 test")),
        (b"", None, Encoding("UTF-8", "utf-8 test")),
        (b"\xff", None, Encoding("windows-1252", "default")),
    ],
)
def test_the_first_attempt_that_answers_wins(data: bytes, content_type: str | None, expected: Encoding) -> None:
    assert expected == chosen(data, content_type)


GERMAN = "<p>Größe, Länge, Höhe: über die Gezeiten der Nordsee und ihre Größe läßt sich viel erzählen.</p>" * 5


@pytest.mark.parametrize("declaration", ["<meta charset=iso-8859-1>", "<meta charset=gb2312>", "<meta charset=koi8-r>"])
def test_bytes_that_are_utf8_outweigh_another_declaration(declaration: str) -> None:
    found = chosen((declaration + GERMAN).encode())
    assert ("UTF-8", "utf-8 test") == (found.name, found.source)
    assert found.overruled.endswith(" (meta)")
    assert "utf-8 test" == chosen(GERMAN.encode(), "text/html; charset=iso-8859-1").source


@pytest.mark.parametrize("text", ["Ã© is how é looks", "plain"])
def test_a_few_characters_that_may_be_utf8_by_chance_do_not(text: str) -> None:
    data = b"<meta charset=latin1>" + text.encode("cp1252")
    assert Encoding("windows-1252", "meta") == chosen(data)


def test_legacy_text_that_is_declared_utf8_is_detected_and_reported() -> None:
    data = b"<meta charset=utf-8>" + GERMAN.encode("cp1252")
    assert Encoding("windows-1252", "detector", "UTF-8 (meta)") == chosen(data)
    found = extract(data)
    assert "Größe" in found.text
    assert "the page declares UTF-8 (meta), but its bytes are windows-1252" in found.warnings


@pytest.mark.parametrize("name", ["cp1251", "koi8-r"])
def test_cyrillic_text_that_is_declared_utf8_is_detected(name: str) -> None:
    text = "<p>Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5
    assert "Съешь" in parse(b"<meta charset=utf-8>" + text.encode(name), url="https://example.ru/").text


def test_declared_utf8_stays_with_some_broken_bytes() -> None:
    data = b"<meta charset=utf-8>" + CAFE.encode() + b" \xff\xfe"
    assert Encoding("UTF-8", "meta") == chosen(data)


def test_undeclared_legacy_text_is_detected() -> None:
    text = "<p>Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5
    assert Encoding("windows-1251", "detector") == chosen(text.encode("cp1251"), url="https://example.ru/")


@pytest.mark.parametrize("text", ["Съешь же ещё этих мягких булок. ", "潮水退去。", "Où est-ce que l’été a passé ? "])
def test_a_few_broken_bytes_leave_it_utf8(text: str) -> None:
    assert Encoding("UTF-8", "most is utf-8") == chosen(b"<p>" + (text * 20).encode() + b"\xff\xfe more")


@pytest.mark.parametrize("name", ["cp1251", "koi8-r", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "cp1252"])
def test_no_other_encoding_is_taken_for_broken_utf8(name: str) -> None:
    for text in ("Съешь же ещё этих мягких булок. ", "潮水在傍晚退去。", "조수가 바뀌었다. ", "Où est l’été passé ? "):
        data = ("<p>" + text * 20).encode(name, "ignore")
        assert "most is utf-8" != chosen(data).source


@pytest.mark.parametrize("label", ["hex", "rot13", "idna", "punycode", "zlib_codec", "undefined", "utf\0-8", "", "é"])
def test_python_codecs_are_no_web_encodings(label: str) -> None:
    assert look_up(label) is None


def test_encodings_that_the_standard_refuses_count_as_unknown() -> None:
    page = parse(RawPage("<meta charset=iso-2022-kr><p>Café".encode()))
    assert ("UTF-8", "utf-8 test", "Café") == (page.encoding.name, page.encoding.source, page.text)


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_read_by_their_mark(name: str) -> None:
    page = parse(("\ufeff" + CAFE).encode(name))
    assert page.text == CAFE[3:]
    assert page.encoding.source.startswith("bom")


def test_text_needs_no_encoding() -> None:
    page = parse("<meta charset=koi8-r><p>Café \ud800")
    assert ("Café ?", "text") == (page.text, page.encoding.source)


def test_an_address_that_cannot_be_read_does_not_matter() -> None:
    assert chosen(b"\xff", url="http://[").name == "windows-1252"
