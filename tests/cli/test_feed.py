"""`pagestrata feed`: the cards of a listing as Atom and JSON Feed."""

import json
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.cli.runs import HOST, PAGE, SITE, Shell

from pagestrata.inputs.feeds import is_feed, read_feed

ADDRESS = f"https://{HOST}/"
ATOM = "{http://www.w3.org/2005/Atom}"
WORDS = "boats that lie in the mud until the tide comes back over the flats in the evening"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def listing(cards: list[str]) -> str:
    return f"<!DOCTYPE html><title>Reports</title><h1>Reports</h1><main>{''.join(cards)}</main>"


def card(number: int, title: str, more: str = "") -> str:
    link = f'<h2><a href="/{number}.html">{title}</a></h2>'
    return f"<article>{link}{more}<p>Report {number} of {WORDS}.</p><a href='/{number}.html'>Read on</a></article>"


def written(shell: Shell, page: str, *options: str) -> str:
    path = shell.folder / "listing.html"
    path.write_text(page, encoding="utf-8")
    return shell.output("feed", path, "--url", ADDRESS, *options)


def test_a_listing_becomes_an_atom_feed(shell: Shell) -> None:
    output = shell.output("feed", SITE / "index.html", "--url", ADDRESS)
    assert is_feed(output.encode())
    feed = read_feed(output.encode())
    assert ("The Tidewater Almanac", "A Glossary of Mud", f"{ADDRESS}articles/a-glossary-of-mud.html") == (
        feed.title,
        feed.items[0].title,
        feed.items[0].link,
    )
    assert feed.items[0].description.startswith("Slare, gloy, pug-bottom")
    assert output == shell.output("feed", SITE / "index.html", "--url", ADDRESS)


def test_a_feed_of_a_page_without_an_address_has_an_id_of_its_own(shell: Shell) -> None:
    page = listing([card(number, f"Report {number}") for number in range(6)]).replace('href="/', f'href="{ADDRESS}')
    path = shell.folder / "listing.html"
    path.write_text(page.replace("href='/", f"href='{ADDRESS}"), encoding="utf-8")
    feed = ET.fromstring(shell.output("feed", path))  # noqa: S314 - our own output
    assert ADDRESS == feed.findtext(f"{ATOM}id")
    assert f"{ADDRESS}0.html" == feed.findtext(f"{ATOM}entry/{ATOM}id")


def test_a_summary_repeats_no_title_and_is_no_number(shell: Shell) -> None:
    cards = [
        card(n, f"Mud {n} of the flats", f"<p>04-{n + 10}</p>").replace("<p>Rep", f"<p>Mud {n} of the flats Rep")
        for n in range(6)
    ]
    feed = json.loads(written(shell, listing(cards), "-f", "json"))
    assert [f"Report {n} of {WORDS}." for n in range(6)] == [item["summary"] for item in feed["items"]]
    feed = json.loads(written(shell, listing([card(n, "Rep") for n in range(6)]), "-f", "json"))
    assert f"Report 0 of {WORDS}." == feed["items"][0]["summary"]


def test_a_file_has_the_address_that_it_states(shell: Shell) -> None:
    feed = ET.fromstring(shell.output("feed", SITE / "index.html"))  # noqa: S314 - our own output
    assert ADDRESS == feed.findtext(f"{ATOM}id")


def test_an_atom_feed_has_what_the_standard_demands(shell: Shell) -> None:
    feed = ET.fromstring(shell.output("feed", SITE / "index.html", "--url", ADDRESS))  # noqa: S314 - our own output
    entries = feed.findall(f"{ATOM}entry")
    assert 2 < len(entries) == len({entry.findtext(f"{ATOM}id") for entry in entries})
    for each in (feed, *entries):
        assert all(1 == len(each.findall(ATOM + name)) for name in ("id", "title", "updated"))
        assert datetime.fromisoformat(each.findtext(f"{ATOM}updated", "")).tzinfo
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    assert entries[0].findall(f"{ATOM}link[@rel='enclosure']")


def test_a_json_feed_has_what_the_standard_demands(shell: Shell) -> None:
    feed = json.loads(shell.output("feed", SITE / "index.html", "--url", ADDRESS, "-f", "json"))
    assert ("https://jsonfeed.org/version/1.1", ADDRESS) == (feed["version"], feed["home_page_url"])
    for item in feed["items"]:
        assert item["id"] == item["url"]
        assert all(item[name] for name in ("title", "content_text", "summary"))
        assert datetime.fromisoformat(item["date_published"]).tzinfo
        assert item["authors"][0]["name"]
        assert item["image"].startswith("https://")


def test_marks_and_control_characters_do_not_break_a_feed(shell: Shell) -> None:
    titles = ['Mud &amp; &lt;tides&gt; "dry" ]]&gt;', "Bells\x07 and \x1b[31mred", "Ears \U0001f442", "Plain"]
    page = listing([card(number, title) for number, title in enumerate(titles)])
    expected = ['Mud & <tides> "dry" ]]>', "Bells and [31mred", "Ears \U0001f442", "Plain"]
    feed = ET.fromstring(written(shell, page))  # noqa: S314 - our own output
    assert expected == [entry.findtext(f"{ATOM}title") for entry in feed.findall(f"{ATOM}entry")]
    assert expected == [item["title"] for item in json.loads(written(shell, page, "-f", "json"))["items"]]


def test_summaries_have_no_title_no_time_and_no_links(shell: Shell) -> None:
    cards = [card(number, f"Tide {number}", f"<time>2024-05-0{number}</time>") for number in range(1, 6)]
    items = json.loads(written(shell, listing(cards), "-f", "json"))["items"]
    assert [f"Report {number} of {WORDS}." for number in range(1, 6)] == [item["summary"] for item in items]
    assert "2024-05-01T00:00:00+00:00" == items[0]["date_published"]


def test_a_listing_without_times_gives_the_same_feed_every_day(shell: Shell) -> None:
    output = written(shell, listing([card(number, f"Tide {number}") for number in range(5)]))
    assert 6 == output.count("<updated>1970-01-01T00:00:00+00:00</updated>")
    assert "<published>" not in output


def test_a_page_without_cards_is_refused_in_words(shell: Shell) -> None:
    code, message = shell.refusal("feed", PAGE)
    assert 3 == code
    assert message.startswith(f"{PAGE}: the page has no cards")


def test_links_that_lead_nowhere_are_refused_in_words(shell: Shell) -> None:
    path = shell.folder / "listing.html"
    path.write_text(listing([card(number, f"Tide {number}") for number in range(5)]), encoding="utf-8")
    assert "give the address of the page with --url" in shell.refusal("feed", path)[1]


def test_an_unknown_format_is_refused(shell: Shell) -> None:
    assert (2, "there is no format 'rss'; there are atom, json") == shell.refusal("feed", PAGE, "-f", "rss")
