"""Methods over a whole data set, with small methods that are easy to follow."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.evaluate.made_up import make_sites

from pagestrata import Options, Page
from pagestrata.algorithms.base import Part, section_tree
from pagestrata.errors import MissingExtra, UsageError
from pagestrata.evaluate.contenders import InputPage, contender, peer
from pagestrata.evaluate.datasets import DataSet, read_dataset
from pagestrata.evaluate.datasets.truth import MainText, TruePage
from pagestrata.evaluate.quality import PageResult, Plan, evaluate
from pagestrata.evaluate.summary import macro, summarise
from pagestrata.page.feed import Feed
from pagestrata.results import PageType, Role, SectionTree, Segmentation


class Posts:
    """Keeps what stands in `div.post`; what stands in `#comments` are comments."""

    def segment(self, page: Page, options: Options = Options()) -> Segmentation:  # noqa: B008
        ends = page.nodes.end.tolist()
        posts = [Part(node, ends[node], 1.0) for node, name in page.values_of("class") if name == "post"]
        below = [
            Part(node, ends[node], 0.5, Role.COMMENTS) for node, name in page.values_of("id") if name == "comments"
        ]
        kind = PageType.ARTICLE if len(page.blocks) > 6 else PageType.LISTING
        return SectionTree(section_tree(page, posts + below, options=options), page_type=kind)


class Notes:
    """Writes down what it learned from, and then keeps posts."""

    def __init__(self) -> None:
        self.learned: list[list[str]] = []
        self.feeds: list[Feed | None] = []

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> Posts:
        self.learned.append([page.url or "" for page in pages])
        self.feeds.append(feed)
        return Posts()


class Broken:
    """Fails on one page."""

    def segment(self, page: Page, options: Options = Options()) -> Segmentation:  # noqa: B008
        if page.url == "https://s0.example/page1/":
            raise ValueError("no such luck")
        return Posts().segment(page, options)


@pytest.fixture
def data(tmp_path: Path) -> DataSet:
    return read_dataset(str(make_sites(tmp_path / "made")))


def figures(rows: Sequence[PageResult], page: str) -> dict[str, float]:
    return next(row.figures for row in rows if row.page == page)


def test_a_method_that_is_right_scores_one_everywhere(data: DataSet) -> None:
    rows = list(evaluate(data, [contender("posts", Posts())]))
    found = figures(rows, "page0")
    wanted = "word_f1 gram_f1 gram_bag_f1 ra region_f1 comments_f1 noise_p noise_r recurring_r".split()
    assert dict.fromkeys(wanted, 1.0) == {name: found[name] for name in wanted}
    (line,) = summarise(rows)
    assert (2, 14, 1.0, None) == (line.sites, line.pages, line.type_recall, line.siblings)


def test_without_names_it_finds_nothing(data: DataSet) -> None:
    rows = list(evaluate(data, [contender("posts", Posts())], Plan(names_removed=True)))
    assert (0.0, True) == (figures(rows, "page1")["word_f1"], rows[0].names_removed)


def test_the_tested_page_is_never_learned_from(data: DataSet) -> None:
    notes = Notes()
    rows = list(evaluate(data, [contender("notes", notes)], Plan(siblings=(2, 4))))
    assert {2, 4} == {row.siblings for row in rows}
    assert {2: 14, 4: 14} == {k: sum(row.siblings == k for row in rows) for k in (2, 4)}
    tested: dict[str, set[str]] = {}

    class Watch(Notes):
        def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> Posts:
            known = {page.url or "" for page in pages}

            class Reader(Posts):
                def segment(self, page: Page, options: Options = Options()) -> Segmentation:  # noqa: B008
                    tested.setdefault(page.url or "", set()).update(known)
                    return super().segment(page, options)

            return Reader()

    list(evaluate(data, [contender("watch", Watch())], Plan(siblings=(4,))))
    articles = {url: known for url, known in tested.items() if url}
    assert 12 == len(articles)
    assert all(url not in known and len(known) == 4 for url, known in articles.items())
    assert all({url.split("/")[2]} == {other.split("/")[2] for other in known} for url, known in articles.items())


def test_learning_is_done_once_a_fold(data: DataSet) -> None:
    notes = Notes()
    list(evaluate(data, [contender("notes", notes)], Plan(siblings=(2,))))
    assert 10 == len(notes.learned)


def test_a_site_with_too_few_pages_is_not_counted(tmp_path: Path) -> None:
    folder = make_sites(tmp_path / "made", sites=2, pages=5)
    (folder / "site0" / "page4.txt").unlink()
    data = read_dataset(str(folder))
    rows = list(evaluate(data, [contender("notes", Notes()), peer("whole-text")], Plan(siblings=(3, 4))))
    sites = {(line.method, line.siblings): line.sites for line in summarise(rows)}
    assert {("notes", 3): 2, ("notes", 4): 1, ("whole-text", None): 2} == sites
    same = evaluate(data, [peer("whole-text")], Plan(siblings=(3, 4), same_sites=True))
    assert {"site1"} == {row.site for row in same}


def test_a_failure_is_a_row_that_says_so(data: DataSet) -> None:
    seen: list[int] = []
    rows = list(evaluate(data, [contender("broken", Broken())], advance=seen.append))
    failed = [row for row in rows if row.failed]
    assert [("page1", "ValueError: no such luck", 0.0)] == [
        (row.page, row.failed, row.figures["word_f1"]) for row in failed
    ]
    assert (len(rows), 1) == (len(seen), seen[-1])


def test_learning_that_fails_fails_every_page(data: DataSet) -> None:
    class Hopeless(Notes):
        def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> Posts:
            raise UsageError("too little")

    rows = list(evaluate(data, [contender("hopeless", Hopeless())], Plan(siblings=(2,))))
    assert {"UsageError: too little"} == {row.failed for row in rows}


def test_the_whole_text_forgets_nothing_and_calls_nothing_noise(data: DataSet) -> None:
    found = figures(list(evaluate(data, [peer("whole-text")])), "page1")
    assert (1.0, 0.0) == (found["word_r"], found["noise_r"])
    assert found["word_p"] < 1
    assert "noise_p" not in found


def test_a_draw_of_pages_is_the_same_again(data: DataSet) -> None:
    one, two = (list(evaluate(data, [peer("whole-text")], Plan(pages=4))) for _ in range(2))
    assert one == two
    assert len(one) <= 4


def test_a_learner_gets_the_short_feed_if_asked_for(data: DataSet) -> None:
    without, notes = Notes(), Notes()
    list(evaluate(data, [contender("without", without)], Plan(siblings=(4,))))
    list(evaluate(data, [contender("notes", notes)], Plan(siblings=(4,), feed=True)))
    assert {None} == set(without.feeds)
    assert [6] * len(notes.feeds) == [len(feed.items) if feed else 0 for feed in notes.feeds]


def test_learners_need_siblings(tmp_path: Path) -> None:
    data = read_dataset(str(make_sites(tmp_path / "made", pages=1)))
    with pytest.raises(UsageError, match="one page a site"):
        list(evaluate(data, [contender("notes", Notes())]))


def test_blocks_are_scored_on_both_levels(tmp_path: Path) -> None:
    """Two parts, the first with two inside, of 15 and 17 characters: answered are the two parts."""
    folder = tmp_path / "blocks" / "host"
    folder.mkdir(parents=True)
    first = "<div class=post><p>one two three four</p><p>five six seven eight</p></div>"
    markup = f"<body>{first}<div class=post><p>nine</p></div>"
    (folder / "a.html").write_text(markup)
    paths = {"/html/body/div[1]": 1, "/html/body/div[2]": 1, "/html/body/div[1]/p[1]": 2, "/html/body/div[1]/p[2]": 2}
    blocks = [{"xpath": path, "level": level} for path, level in paths.items()]
    (folder / "a.blocks.json").write_text(json.dumps({"blocks": blocks}))
    data = read_dataset(str(tmp_path / "blocks"))
    (row,) = evaluate(data, [contender("posts", Posts())])
    found = {name: row.figures[name] for name in ("block1_f1", "block2_f1", "block_best_f1", "bcubed1_f1", "bcubed2_r")}
    assert {"block1_f1": 1.0, "block2_f1": 0.0, "block_best_f1": 1.0, "bcubed1_f1": 1.0, "bcubed2_r": 1.0} == found
    assert pytest.approx((15 * 15 + 17 * 17) / 32 / 32) == row.figures["bcubed2_p"]


def test_blocks_without_lxml_are_an_error_and_not_pages_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "a.html").write_text("<p>tea")
    (tmp_path / "host" / "a.blocks.json").write_text('{"blocks": [{"xpath": "/html/body/p", "level": 1}]}')
    monkeypatch.setitem(sys.modules, "lxml.html", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pagestrata\[bench\]'"):
        list(evaluate(read_dataset(str(tmp_path)), [contender("posts", Posts())]))


def test_sites_count_alike_however_many_pages_they_have() -> None:
    """Three pages of one site score 0, one of another 1: one half."""
    scores = [("a", 0.0)] * 3 + [("b", 1.0)]
    rows = [PageResult("d", site, str(i), "m", {"word_f1": value}) for i, (site, value) in enumerate(scores)]
    found = macro(rows, "word_f1")
    assert found is not None
    assert (0.5, 2) == (found.value, found.count)


def test_a_page_of_a_place_in_a_repository_is_read_without_an_address(tmp_path: Path) -> None:
    path = tmp_path / "tea.html"
    path.write_text("<h1>Tea</h1><p>Warm the pot.", encoding="utf-8")
    page = TruePage("tea", "tea", path, MainText("Warm the pot."), url="github:tea/site/tea.html")
    read = InputPage(page).page
    assert (None, "github:tea/site/tea.html") == (read.url, read.refused_url)
