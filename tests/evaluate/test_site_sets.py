"""Reading data sets: sites, blocks, and pages on their own."""

import json
from pathlib import Path

import pytest
from tests.evaluate.made_up import main_text, make_sites

from pagestrata import parse
from pagestrata.errors import InputError
from pagestrata.evaluate.datasets import MainText, MarkedBlocks, TruePage, read_dataset
from pagestrata.evaluate.datasets.block_folders import block_nodes


def truth_of(page: TruePage) -> MainText:
    assert isinstance(page.truth, MainText)
    return page.truth


def one_page(folder: Path, text: str, **known: object) -> MainText:
    """The truth of a set with one page."""
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "a.html").write_text("<p>Tea")
    (folder / "site" / "a.txt").write_text(text)
    (folder / "site" / "a.json").write_text(json.dumps(known))
    return truth_of(read_dataset(str(folder)).sites[0].pages[0])


def test_sites_come_with_pages_comments_listings_and_the_short_feed(tmp_path: Path) -> None:
    data = read_dataset(str(make_sites(tmp_path / "made")))
    assert ("made", ["site0", "site1"]) == (data.name, [site.name for site in data.sites])
    site = data.sites[1]
    assert [f"page{i}" for i in range(6)] == [page.name for page in site.pages]
    first = truth_of(site.pages[0])
    assert (main_text(1, 0), ("On matter 0",), "article_comments") == (first.main, first.titles, first.page_type)
    assert "Mary said that walnuts are fine as well" == first.comments
    assert [MainText(None, page_type="multiple")] == [page.truth for page in site.listings]
    assert (site.feed, site.pages[0].url) == (tmp_path / "made/site1/feed_short.xml", "https://s1.example/page0/")


def test_pages_that_the_table_calls_unusable_are_left_out(tmp_path: Path) -> None:
    folder = make_sites(tmp_path / "made", sites=1)
    table = folder / "pages.tsv"
    table.write_text(table.read_text().replace("page2\t1", "page2\t0"))
    assert "page2" not in [page.name for page in read_dataset(str(folder)).sites[0].pages]


def test_a_full_feed_is_never_given_away(tmp_path: Path) -> None:
    folder = make_sites(tmp_path / "made", sites=1)
    (folder / "site0" / "feed_short.xml").unlink()
    assert read_dataset(str(folder)).sites[0].feed is None


def test_where_the_truth_begins_with_the_title_it_goes(tmp_path: Path) -> None:
    truth = one_page(tmp_path / "big9", "On Tea\n\nTea is good.")
    assert (("On Tea",), "Tea is good.") == (truth.titles, (truth.main or "").strip())


def test_an_address_and_entities_are_no_part_of_the_truth(tmp_path: Path) -> None:
    truth = one_page(tmp_path / "cleanportaleval", "URL: http://a.example/\nOn Tea\nIt&#8217;s good.")
    assert (("On Tea",), "It’s good.") == (truth.titles, truth.main)


def test_labelled_headlines_are_titles(tmp_path: Path) -> None:
    segments = [["headline", "On Tea"], ["fulltext", "Tea is good."], ["headline", "And pots"]]
    truth = one_page(tmp_path / "l3s", "On Tea\nAnd pots\nTea is good.", segments=segments)
    assert (("On Tea", "And pots"), "Tea is good.") == (truth.titles, truth.main)


def test_a_set_without_titles_keeps_its_first_line(tmp_path: Path) -> None:
    assert MainText("On Tea\nTea is good.") == one_page(tmp_path / "cnnews10", "On Tea\nTea is good.")


def test_pages_with_truth_of_their_own_are_sites_of_one_page(tmp_path: Path) -> None:
    for name in ("html", "truth"):
        (tmp_path / name).mkdir()
    (tmp_path / "html" / "a.html").write_text("<p>Tea")
    truth = {"id": "a", "main_content": "Tea", "page_type": "article", "url": "https://a.example/"}
    (tmp_path / "truth" / "a.json").write_text(json.dumps(truth))
    (site,) = read_dataset(str(tmp_path)).sites
    assert (MainText("Tea", (), page_type="article"), "https://a.example/") == (site.pages[0].truth, site.pages[0].url)


def test_blocks_are_found_where_lxml_has_them(tmp_path: Path) -> None:
    """The page has no tbody, so no XPath names one; a browser puts one in, and both must mean the same cell."""
    folder = tmp_path / "blocks" / "host"
    folder.mkdir(parents=True)
    (folder / "a.html").write_text("<body><p>Menu<table><tr><td>Left<td>Right cell</table>")
    blocks = [
        {"xpath": "/html/body/p", "level": 1},
        {"xpath": "/html/body/table/tr/td[2]", "level": "2 1", "type": "Ad"},
    ]
    (folder / "a.blocks.json").write_text(json.dumps({"blocks": blocks}))
    (site,) = read_dataset(str(tmp_path / "blocks")).sites
    page, truth = site.pages[0], site.pages[0].truth
    assert isinstance(truth, MarkedBlocks)
    assert [{1}, {1, 2}] == [set(block.levels) for block in truth.blocks]
    parsed = parse(page.read())
    found = [[parsed.text_of(node) for node in nodes] for nodes in block_nodes(page.path, truth.blocks)]
    assert [["Menu"], ["Right cell"]] == found


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sites"):
        read_dataset(str(tmp_path))
    folder = make_sites(tmp_path / "made", sites=1)
    (folder / "site0" / "page1.json").write_text("{")
    with pytest.raises(InputError, match=r"page1\.json"):
        read_dataset(str(folder))
