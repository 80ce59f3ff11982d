import pytest
from tests.metadata.helpers import page_of, values

from pagestrata.metadata import visible
from pagestrata.metadata.merge import ORDER

TITLE = "<title>A glossary of mud</title>"
HEADING = "<h1>A Glossary of Mud</h1>"


def read(body: str, head: str = TITLE) -> visible.VisibleText:
    return visible.VisibleText(page_of(head, body))


def offers_nothing(source: visible.VisibleText) -> bool:
    return not any(values(source, field) for field in ORDER)


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ('<p class="byline">By <a href="/ines">Ines Halloway</a></p>', ("Ines Halloway",)),
        ('<p>by <a rel="author" href="/ines">Ines Halloway</a></p>', ("Ines Halloway",)),
        ('<a href="/authors/ines">Ines Halloway</a>', ("Ines Halloway",)),
        ("<p>By Ines Halloway</p>", ("Ines Halloway",)),
        ("<p>By</p><p>Ines Halloway</p>", ("Ines Halloway",)),
        ("<p>17 May 2024 by Ines Halloway</p>", ("Ines Halloway",)),
        ("<p>Written by: Ines Halloway | 3 min read</p>", ("Ines Halloway",)),
        ("<p>Von Ines Halloway</p>", ("Ines Halloway",)),
        ('<div class="author"><span>17 May</span><b>Ines Halloway</b><i>Editor</i></div>', ("Ines Halloway",)),
        ('<p>by <a rel="author">ines77</a></p>', ("ines77",)),
        ('<a class="username">ines_h</a>', ("ines_h",)),
        ('<p class="authorName">Tidewater staff</p>', ("Tidewater staff",)),
        ('<div class="date-author">17 May 2024 · Ines Halloway on the quay</div>', ("Ines Halloway",)),
        (
            '<p class="byline">By <a>Ines Halloway</a> and <a>Théo Marchbank</a></p>',
            ("Ines Halloway", "Théo Marchbank"),
        ),
    ],
)
def test_names_near_the_title(byline: str, expected: tuple[str, ...]) -> None:
    assert values(read(HEADING + byline + "<p>" + "Mud is what is left. " * 50), "authors")[0] == expected
    assert values(read(byline + HEADING + "<p>" + "Mud is what is left. " * 50), "authors")[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "<p>Go by boat or stand by the quay.</p>",
        "<p>By " + "walking over the flats at low water one may see " * 3 + "</p>",
        '<p class="author">3 min read</p>',
        '<p class="author">Share this with friends</p>',
        '<p class="authorized">Authorized Dealer</p>',
        "<p>" + "Far away. " * 400 + '</p><p class="author">Ines Halloway</p>',
    ],
)
def test_what_is_no_byline(text: str) -> None:
    assert values(read(HEADING + text), "authors") == []


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ('<time datetime="2024-05-17">yesterday</time>', "date_published", "2024-05-17"),
        ("<time>17 May 2024</time>", "date_published", "2024-05-17"),
        ("<p>Published on 17 May 2024</p>", "date_published", "2024-05-17"),
        ("<p>17.05.2024 · 3 min</p>", "date_published", "2024-05-17"),
        ("<p>Updated 17 May 2024</p>", "date_modified", "2024-05-17"),
        ("<p>Last updated on:</p><p>17 May 2024</p>", "date_modified", "2024-05-17"),
        ("<p>Aktualisiert am 17. Mai 2024</p>", "date_modified", "2024-05-17"),
        ('<time class="updated" datetime="2024-05-17">x</time>', "date_modified", "2024-05-17"),
        ('<p>Updated <time datetime="2024-05-17">x</time></p>', "date_modified", "2024-05-17"),
        ('<time class="published updated" datetime="2024-05-17">x</time>', "date_published", "2024-05-17"),
    ],
)
def test_dates_near_the_title(text: str, field: str, expected: str) -> None:
    assert values(read(HEADING + text), field)[0] == (expected,)


def test_one_line_may_hold_both_dates() -> None:
    found = read(HEADING + "<p>16 August 2019 - Updated 9 July 2025</p>")
    assert values(found, "date_published") == [("2019-08-16",)]
    assert values(found, "date_modified") == [("2025-07-09",)]


def test_the_time_nearest_to_the_title_comes_first() -> None:
    body = '<time datetime="2020-01-01">x</time>' + "<p>word " * 40 + HEADING + '<time datetime="2024-05-17">y</time>'
    assert values(read(body), "date_published")[0] == ("2024-05-17",)


def test_a_time_far_away_counts_only_if_it_says_that_it_is_the_one() -> None:
    far = HEADING + "<p>" + "Mud. " * 1_000 + "</p>"
    assert values(read(far + '<time datetime="2024-05-17">x</time>'), "date_published") == []
    published = '<time class="entry-date published" datetime="2024-05-17">x</time>'
    assert values(read(far + published), "date_published") == [("2024-05-17",)]


def test_a_list_of_dated_things_has_no_date_or_author_of_its_own() -> None:
    cards = "".join(f"<h2>Card</h2><p>By Ines Halloway</p><p>{day} May 2024</p>" for day in range(10, 16))
    assert offers_nothing(read(HEADING + cards))


def test_a_date_beside_the_title_is_its_own_whatever_follows() -> None:
    comments = "".join(f'<p>Reply</p><time datetime="2024-06-{day}">x</time>' for day in range(10, 16))
    body = HEADING + '<time datetime="2024-05-17">17 May</time><p>Text</p>' + comments
    assert values(read(body), "date_published")[0] == ("2024-05-17",)


@pytest.mark.parametrize("start", ["(17.05.2024) ", "17 May 2024 – "])
def test_running_text_may_begin_with_its_date(start: str) -> None:
    body = HEADING + f"<p>{start}" + "Mud is what is left. " * 20
    assert values(read(body), "date_published")[0] == ("2024-05-17",)


def test_a_date_inside_running_text_is_not_that_of_the_page() -> None:
    assert values(read(HEADING + "<p>On 17 May 2024 " + "mud was left. " * 20), "date_published") == []


def test_the_heading_that_says_the_title_is_the_place_to_look() -> None:
    body = (
        "<h1>Tidewater</h1><p>By Dob Lomm</p>" + "<p>" + "News. " * 500 + "</p>" + HEADING + "<p>By Ines Halloway</p>"
    )
    assert values(read(body), "authors") == [("Ines Halloway",)]


def test_headings_are_those_of_the_first_level_with_text() -> None:
    assert visible.headings(page_of(body="<h1></h1><h1>One</h1><h2>Two</h2>")) == ["One"]


def test_a_page_without_headings_or_text_says_nothing() -> None:
    assert offers_nothing(read(""))
