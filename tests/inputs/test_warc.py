"""Archives, whole and damaged: every record that is whole is read."""

import gzip
import random
import zlib

import pytest
from tests.inputs.archives import PAGE, found_in, packed, page, record, response
from tests.test_badinputs import TOOLS, tool

from pagestrata.inputs.warc import ArchiveItem, Damage, NoPage
from pagestrata.page.raw import RawPage

# How many pages of each archive of the corpus are whole, and how many pieces of it are damaged.
CORPUS = {
    "warc_good": (3, 0),
    "warc_trunc_header": (2, 1),
    "warc_trunc_payload": (2, 1),
    "warc_len_too_big": (2, 1),
    "warc_len_huge": (2, 1),
    "warc_len_negative": (2, 1),
    "warc_len_small": (2, 1),
    "warc_len_text": (2, 1),
    "warc_no_len": (2, 1),
    "warc_gz_good": (3, 0),
    "warc_gz_trunc": (1, 1),
    "warc_gz_corrupt_middle": (2, 1),
    "warc_gz_bad_crc": (1, 1),
    "warc_gz_whole_file": (3, 0),
    "warc_garbage_between": (2, 1),
    "warc_empty": (0, 0),
    "warc_random": (0, 1),
    "warc_100k_empty": (0, 200),
    "warc_header_10mb": (2, 1),
    "warc_headers_500k": (2, 1),
    "warc_http_headers_500k": (2, 1),
    "warc_chunked_broken": (2, 1),
    "warc_payload_gzip_bomb": (2, 1),
    "warc_gz_bomb": (2, 1),
    "warc_no_http": (2, 1),
    "warc_uri_evil": (4, 0),
}


def count(found: list[ArchiveItem]) -> tuple[int, int]:
    return sum(isinstance(each, RawPage) for each in found), sum(isinstance(each, Damage) for each in found)


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the maker of bad inputs is not beside the repository")
def test_every_whole_record_of_the_corpus_is_read_and_all_damage_counted() -> None:
    make = tool("make")
    generator = make.Gen(7, 0.002)
    make.build(generator)
    archives = {case["id"]: case["data"]() for case in generator.cases if case["kind"] == "warc"}
    small = {"warc_header_10mb": (3, 0), "warc_headers_500k": (3, 0)}  # at this scale the heads are not too long
    assert CORPUS | small == {name: count(found_in(data)) for name, data in archives.items()}


def test_a_page_comes_with_what_was_said_of_it() -> None:
    [found] = found_in(page(7))
    assert isinstance(found, RawPage)
    assert (PAGE + b" 7", "https://tea.example/7", "text/html") == (found.markup, found.url, found.content_type)
    assert "2026-11-15T00:00:00Z" == found.time


def test_what_is_no_page_is_told_apart_from_damage() -> None:
    others = (
        record(b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        record(b"software: tea", kind="warcinfo"),
        record(response(b"\x89PNG", media="image/png")),
        record(response(status="HTTP/1.1 404 Not Found")),
        record(b"plain", kind="resource", media="text/plain"),
    )
    assert [NoPage()] * len(others) == found_in(b"".join(others))


def test_a_resource_is_a_page_without_a_response_around_it() -> None:
    [found] = found_in(record(PAGE, kind="resource", media="text/html; charset=utf-8"))
    assert RawPage(PAGE, "https://tea.example/", "text/html; charset=utf-8", time="2026-11-15T00:00:00Z") == found


@pytest.mark.parametrize(
    "block",
    [
        response(PAGE, "Content-Length: 7"),
        response(gzip.compress(PAGE), "Content-Encoding: gzip"),
        response(zlib.compress(PAGE), "Content-Encoding: deflate"),
        response(b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), "Transfer-Encoding: chunked"),
        response(PAGE, "Transfer-Encoding: chunked"),
        response(PAGE, status="HTTP/2 200"),
    ],
    ids=["wrong length", "gzip", "deflate", "chunks", "chunks undone", "HTTP/2"],
)
def test_bodies_are_read_as_crawlers_left_them(block: bytes) -> None:
    [found] = found_in(record(block))
    assert isinstance(found, RawPage)
    assert PAGE == found.markup


def test_only_addresses_of_the_web_become_one() -> None:
    [found] = found_in(record(response(), url="file:///etc/passwd"))
    assert isinstance(found, RawPage)
    assert found.url is None


def test_a_record_that_was_cut_off_does_not_swallow_the_next() -> None:
    cut = page(2)[:250]
    assert (2, 1) == count(found_in(page(1) + cut + page(3) + b"\r\n" * 200))


def test_a_page_cannot_make_up_records() -> None:
    forged = record(response(PAGE + b"\r\n\r\n" + record(response(b"forged"), url="https://bank.example/")))
    found = found_in(page(1) + forged + page(3))
    assert (3, 0) == count(found)
    assert "https://tea.example/" == found[1].url  # type: ignore[union-attr]


@pytest.mark.parametrize("is_packed", [False, True])
def test_random_damage_costs_no_more_than_the_records_it_hits(is_packed: bool) -> None:
    chance = random.Random(11)
    records = [page(number) for number in range(40)]
    pieces = [packed(each) if is_packed else each for each in records]
    for _ in range(60):
        hit = chance.randrange(len(pieces))
        at, length = chance.randrange(len(pieces[hit]) - 30), chance.randrange(1, 30)
        broken = bytearray(pieces[hit])
        broken[at : at + length] = chance.randbytes(chance.choice((length, length, 0, 2 * length)))
        pages, _ = count(found_in(b"".join((*pieces[:hit], bytes(broken), *pieces[hit + 1 :]))))
        assert pages >= len(pieces) - 1, (hit, at, length)
