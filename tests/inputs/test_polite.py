"""Fetching many pages from a server that counts the seconds."""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from tests.inputs.web import serving_pages

from pagestrata.errors import AddressRefused, FetchError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.polite import PoliteFetcher

PAGES: dict[str, bytes | int] = {f"/{number}": b"<p>%d" % number for number in range(4)}


def test_requests_to_a_host_keep_their_distance_whatever_the_threads() -> None:
    with serving_pages(PAGES) as web, ThreadPoolExecutor(4) as threads:
        fetcher = PoliteFetcher(web.policy, delay=0.15)
        found = list(threads.map(fetcher.fetch, map(web.url, PAGES)))
    assert list(PAGES.values()) == [raw.markup for raw in found]
    assert "/robots.txt" == web.paths[0]
    assert len(PAGES) + 1 == len(web.paths)
    assert min(later - sooner for (_, sooner), (_, later) in pairwise(web.asked)) >= 0.14


def test_the_delay_that_a_site_asks_for_wins_over_a_shorter_one() -> None:
    with serving_pages(PAGES | {"/robots.txt": b"User-agent: *\nCrawl-delay: 0.3"}) as web:
        fetcher = PoliteFetcher(web.policy, delay=0.0)
        fetcher.fetch(web.url("/1"))
        fetcher.fetch(web.url("/2"))
    assert web.asked[2][1] - web.asked[1][1] >= 0.29


def test_what_robots_txt_forbids_is_never_asked_for() -> None:
    with serving_pages(PAGES | {"/robots.txt": b"User-agent: *\nDisallow: /2"}) as web:
        fetcher = PoliteFetcher(web.policy, delay=0.0)
        with pytest.raises(FetchError, match=r"robots\.txt forbids it"):
            fetcher.fetch(web.url("/2"))
    assert ["/robots.txt"] == web.paths


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (503, False)])
def test_without_robots_txt_all_is_allowed_unless_the_server_is_in_trouble(status: int, allowed: bool) -> None:
    with serving_pages(PAGES | {"/robots.txt": status}) as web:
        fetcher = PoliteFetcher(web.policy, delay=0.0)
        try:
            fetcher.fetch(web.url("/1"))
        except FetchError:
            assert not allowed
        else:
            assert allowed


def test_a_host_that_cannot_be_reached_forbids_nothing_and_is_asked_once() -> None:
    fetcher = PoliteFetcher(delay=0.0)
    errors = []
    for path in "12":
        with pytest.raises(AddressRefused) as caught:
            fetcher.fetch(f"http://no-such-host.invalid/{path}")
        errors.append(caught.value)
    assert errors[0] is errors[1]
    assert "the name no-such-host.invalid cannot be resolved" == errors[0].explanation


def test_closing_wakes_who_waits() -> None:
    with serving_pages(PAGES) as web, ThreadPoolExecutor(1) as threads:
        fetcher = PoliteFetcher(web.policy, delay=30.0)
        started = time.monotonic()
        waiting = threads.submit(fetcher.fetch, web.url("/1"))
        while not web.asked:
            time.sleep(0.01)
        fetcher.close()
        with pytest.raises(FetchError, match="ended before"):
            waiting.result()
    assert time.monotonic() - started < 10


def test_a_redirect_asks_the_robots_txt_of_where_it_leads() -> None:
    there = {"/robots.txt": b"User-agent: *\nDisallow: /secret", "/secret": b"<p>no", "/open": b"<p>yes"}
    with serving_pages(there) as web, serving_pages({"/a": web.url("/secret"), "/b": web.url("/open")}) as here:
        fetcher = PoliteFetcher(AddressPolicy((web.allowed, here.allowed)), delay=0.0)
        with pytest.raises(FetchError, match=r"robots\.txt forbids it"):
            fetcher.fetch(here.url("/a"))
        found = fetcher.fetch(here.url("/b"))
    assert (b"<p>yes", web.url("/open")) == (found.markup, found.url)
    assert ["/robots.txt", "/open"] == web.paths


def test_redirects_within_a_host_keep_their_distance_and_come_to_an_end() -> None:
    with serving_pages({"/a": "/b", "/b": b"<p>b", "/c": "/c"}) as web:
        fetcher = PoliteFetcher(web.policy, delay=0.1)
        assert b"<p>b" == fetcher.fetch(web.url("/a")).markup
        assert min(later - sooner for (_, sooner), (_, later) in pairwise(web.asked)) >= 0.09
        with pytest.raises(FetchError, match="more than 5 redirects"):
            fetcher.fetch(web.url("/c"))
