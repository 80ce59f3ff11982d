"""robots.txt: the examples of RFC 9309, and files that nobody wrote by hand."""

import pytest

from pagestrata.inputs.robots import EVERYTHING, LONGEST_DELAY, NOTHING, Robots, read_robots


def rules(*lines: str) -> Robots:
    return read_robots("\n".join(("User-agent: *", *lines)).encode())


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        (["Allow: /p", "Disallow: /"], "/page", True),
        (["Disallow: /", "Allow: /p"], "/page", True),
        (["Allow: /folder", "Disallow: /folder"], "/folder/page", True),
        (["Allow: /page", "Disallow: /*.htm"], "/page.htm", False),
        (["Allow: /$", "Disallow: /"], "/", True),
        (["Allow: /$", "Disallow: /"], "/page.htm", False),
        (["Disallow: /*/print$"], "/tea/print", False),
        (["Disallow: /*/print$"], "/tea/print/2", True),
        (["Disallow: /foo/bar/ツ"], "/foo/bar/%E3%83%84", False),
        (["Disallow: /foo/bar/%62%61%7A"], "/foo/bar/baz", False),
        (["Disallow:"], "/anything", True),
        (["disallow : /shed # the old one"], "/shed/1", False),
        (["Disallow: /search?q="], "/search?q=tea", False),
    ],
)
def test_the_longest_rule_decides(lines: list[str], path: str, expected: bool) -> None:
    assert expected == rules(*lines).allows(path)


def test_a_group_for_us_hides_the_one_for_all() -> None:
    text = b"User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: PageStrata/2.0\nDisallow: /shed\n"
    assert [True, False] == [read_robots(text).allows(path) for path in ("/tea", "/shed")]


def test_groups_for_us_are_taken_together() -> None:
    text = b"User-agent: pagestrata\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: pagestrata\nDisallow: /b"
    assert [False, False, True] == [read_robots(text).allows(path) for path in ("/a", "/b", "/c")]


@pytest.mark.parametrize(("value", "seconds"), [("2.5", 2.5), ("1e9", LONGEST_DELAY), ("-1", 0.0), ("soon", 0.0)])
def test_a_delay_is_honoured_within_reason(value: str, seconds: float) -> None:
    assert seconds == rules("Crawl-delay: " + value).delay


def test_what_is_no_robots_txt_forbids_nothing() -> None:
    assert EVERYTHING == read_robots(b"<html><p>Disallow: /</p>") == read_robots(b"") == read_robots(b"\xff\xfe\x00")


def test_the_two_extremes() -> None:
    assert (True, False) == (EVERYTHING.allows("/"), NOTHING.allows("/"))
