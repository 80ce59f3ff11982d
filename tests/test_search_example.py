"""The search index of `examples/`: importance decides the rank, and the comparison is computed as it says."""

import subprocess
import sys
from pathlib import Path

import pytest
import search
import search_quality

from pagestrata import extract
from tests.build import ROOT

PROSE = "The boats lie in the mud until the tide returns, and nobody minds as long as the evening stays dry. "


def html(title: str, body: str, aside: str = "") -> bytes:
    links = f"<aside><h3>Recent</h3><ul>{aside}</ul></aside>" if aside else ""
    return f"<title>{title}</title><main><h1>{title}</h1><p>{body} {PROSE * 4}</p></main>{links}".encode()


TEASER = '<li><a href="/samphire">Samphire pickles</a></li>'
PAGES = {
    "samphire": html("Samphire pickles", "Pickles of samphire keep all winter, so pick samphire for pickles in May."),
    "knots": html("Knots", "Wading birds return in autumn.", TEASER * 3),
    "timber": html("Timber", "Oak and larch for small boats.", TEASER * 3),
    **{f"note {number}": html(f"Note {number}", "Nothing new under the pier.") for number in range(9)},
}


@pytest.fixture
def pages() -> list[search_quality.SearchedPage]:
    made = {name: extract(page) for name, page in PAGES.items()}
    return [search_quality.searched_page(name, page, (page.metadata.title or "",)) for name, page in made.items()]


def test_a_page_about_it_comes_before_pages_that_link_to_it(pages: list[search_quality.SearchedPage]) -> None:
    whole, kept, weighted = (
        search_quality.reciprocal_ranks(pages, choice) for choice in search_quality.INDEXES.values()
    )
    assert whole[0] < 1
    assert [1, 1] == [kept[0], weighted[0]]


def test_every_section_is_in_the_index_with_role_importance_and_weight() -> None:
    index = search.open_index(":memory:")
    for _ in range(2):  # the second time replaces the first
        search.add_page(index, "knots", search.section_rows(extract(PAGES["knots"])))
    rows = index.execute("SELECT role, importance, weight, text FROM sections ORDER BY number").fetchall()
    assert {"title", "main"} < {role for role, *_ in rows}
    assert all(0 <= importance <= 1 and weight in search.WEIGHTS for _, importance, weight, _ in rows)
    assert ["Knots", "Recent"] == [rows[0][-1], next(text for *_, text in rows if "Recent" in text)[:6]]
    assert ["knots"] == search.find(index, "samphire")


@pytest.mark.parametrize(("importance", "weight"), [(0, 1 / 7), (0.25, 3 / 7), (0.5, 5 / 7), (0.75, 1), (1, 1)])
def test_the_weight_of_a_section_is_that_of_its_quarter(importance: float, weight: float) -> None:
    assert weight == search.SectionRow("main", importance, "mud").weight


@pytest.mark.parametrize("query", ['"', "NEAR(", "*", ""])
def test_no_query_is_an_error(query: str) -> None:
    assert [] == search.find(search.open_index(":memory:"), query)


def test_scripts_without_blanks_are_found_by_their_characters() -> None:
    index = search.open_index(":memory:")
    search.add_page(index, "tea", [search.SectionRow("main", 1.0, "東京のお茶")])
    assert ["tea"] == search.find(index, "お茶")


def test_a_folder_is_indexed_and_searched_from_the_shell(tmp_path: Path) -> None:
    script, index = ROOT / "examples" / "search.py", str(tmp_path / "pages.db")
    articles = ROOT / "examples" / "site" / "articles"
    subprocess.run([sys.executable, script, "index", index, articles], check=True)
    found = subprocess.run([sys.executable, script, "find", index, "oyster songs"], check=True, capture_output=True)
    assert found.stdout.decode().splitlines()[0].endswith("songs-of-the-oyster-dredgers.html")
