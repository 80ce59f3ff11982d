import random

import lxml.html
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.build import page_of
from tests.growth import assert_linear

from pagestrata import Page, parse
from pagestrata.algorithms.coverage import Coverage
from pagestrata.algorithms.description import Description
from pagestrata.algorithms.forest import Forest, Wrappers, forest_feeds, signifier_density, unexpectedness
from pagestrata.algorithms.sigfeed import SigFeed
from pagestrata.page.element_types import Pattern
from pagestrata.page.feed import Feed, FeedItem
from pagestrata.results import Role, Segmentation

WORDS = (
    "amber basalt cedar delta ember fjord garnet heron iris juniper kelp larch maple nettle otter peat quartz".split()
)


def article(seed: int, sentences: int = 12) -> str:
    """Paragraphs that no other seed has; each seed has a subject of its own."""
    draw = random.Random(seed)
    subject = f"subject{chr(97 + seed % 26)}{chr(97 + seed // 26)}"
    lines = [" ".join([*draw.choices(WORDS, k=7), subject]) for _ in range(sentences)]
    return "".join(f"<p>{line}.</p>" for line in lines)


def site_page(seed: int, extra: str = "", names: bool = True) -> Page:
    story, side = ('<div class="story">', '<div class="side">') if names else ("<div>", "<div>")
    return page_of(
        "<div><ul><li><a href=/a>Home</a></li><li><a href=/b>News</a></li></ul></div>"
        f"<div><h1>Notes</h1>{story}{article(seed)}{extra}</div>{side}<p>About this site and its people</p></div></div>"
        "<div><p>All rights reserved by the people of this site</p></div>"
    )


def kept_text(segmentation: Segmentation) -> str:
    leaves = (leaf for section in segmentation.sections for leaf in section.leaves())
    return "\n".join(leaf.text for leaf in leaves if leaf.kept and leaf.role is not Role.TITLE)


def plain(body: str) -> str:
    return page_of(body).text


# ------------------------------------------------------------------------------------------------- the paper's numbers


@pytest.mark.parametrize(("x", "y", "expected"), [(8, 20, 0.2071), (3, 5, 0.2165), (1, 0, 0.3170), (0, 50, 0.0)])
def test_the_density_of_signifiers_is_the_papers(x: int, y: int, expected: float) -> None:
    assert expected == pytest.approx(signifier_density(np.array([float(x)]), np.array([float(y)]))[0], abs=5e-5)


@pytest.mark.parametrize(("x", "y", "expected"), [(10, 26, 22.66), (3, 1, 5.56), (20, 100, 54.07)])
def test_the_unexpectedness_is_the_papers(x: int, y: int, expected: float) -> None:
    assert expected == pytest.approx(unexpectedness(np.array([float(x)]), np.array([float(y)]), 20, 100)[0], abs=5e-3)


def test_a_page_of_signifiers_only_is_not_unexpected() -> None:
    assert 0.0 == unexpectedness(np.array([5.0]), np.array([0.0]), 5, 0)[0]


def figure_3_page(story: str | None, text: str) -> Page:
    """One of the ten pages of figure 3: every element has the number that the figure gives it."""
    container = '<div id="container"><div class="maincntnr"><div class="idem">'  # 19, 20, 21
    return page_of("<i></i>" * 17 + container + "<i></i>" * 3 + f'<div class="idem">{story}{text}')  # 25


def figure_3() -> list[Page]:
    def words(n: int) -> str:
        return f"{WORDS[n]} " * 9 + "tea pot mud"

    fillers = {78: 52, 82: 56, 83: 57}
    places = [78, 82, 83, 78, 82, 83, 78, 82]
    pages = [
        figure_3_page("<i></i>" * fillers[place] + '<div class="story">', f"{words(n)}</div>")
        for n, place in enumerate(places)
    ]
    styled = '<p style="text-align:justify;">'
    pages += [figure_3_page("<i></i>" * 149 + styled, f"{words(n)}</p>") for n in (8, 9)]
    return pages


def test_figure_3() -> None:
    ranked = Forest(aligned=False, drop_lines=False).learn(figure_3()).ranked
    found = {(str(wrapper.pattern), wrapper.pattern.level): (wrapper.dfs, wrapper.pages) for wrapper in ranked}
    assert {
        ("//body[@dfs=1]", 1): ((1,), 10),
        ('//div[@id="container"]', 2): ((19,), 10),
        ('//div[@class="maincntnr"]', 3): ((20,), 10),
        ('//div[@class="idem"]', 4): ((21,), 10),
        ('//div[@class="idem"]', 5): ((25,), 10),
        ('//div[@class="story"]', 6): ((78, 82, 83), 8),
        ('//p[@style="text-align:justify;"]', 6): ((175,), 2),
    } == {key: value for key, value in found.items() if key[1] > 0}


def test_the_wrapper_of_figure_3_is_written_as_in_the_paper() -> None:
    written = [str(wrapper) for wrapper in Forest().learn(figure_3()).ranked]
    assert '//div[contains(@class,"story") and (@dfs="78" or @dfs="82" or @dfs="83")]' in written


def test_elements_without_attributes_are_told_by_number_as_published_and_by_their_way_here() -> None:
    pages = [page_of("<i></i>" * n + f"<div>{WORDS[n] * 3} {WORDS[n] * 3}</div>") for n in (3, 5)]
    assert {"dfs=5": 1, "dfs=7": 1} == addresses(Forest(aligned=False).learn(pages))
    assert {"html/body/div": 2} == addresses(Forest().learn(pages))


def test_paragraphs_are_candidates_as_published_and_not_here() -> None:
    pages = [page_of("<i></i>" * n + f"<p>{WORDS[n] * 3} {WORDS[n] * 3}</p>") for n in (3, 5)]
    assert {"dfs=5": 1, "dfs=7": 1} == addresses(Forest(drop_lines=False).learn(pages))
    assert {} == addresses(Forest().learn(pages))


def addresses(wrappers: Wrappers) -> dict[str, int]:
    return {wrapper.pattern.address: wrapper.pages for wrapper in wrappers.ranked if wrapper.pattern.level > 1}


def test_relevance_by_hand() -> None:
    """Two pages, one signifier each, three times among the 4 terms of `div`; the page has X = 3 and Y = 2."""
    pages = [page_of(f'<div class="a">{word} {word} {word} shared</div><p>shared</p>') for word in ("tea", "mud")]
    wrapper = next(w for w in Forest().learn(pages).ranked if w.pattern.tag == "div")
    density = (3.5 - (3.5 * 1.5 / 4) ** 0.5) / 5
    surprise = 4 * np.log(5) - 3 * np.log(3) - 1 * np.log(2)
    assert pytest.approx(2 * density * surprise * 2 * 2) == wrapper.relevance


def test_terms_on_all_pages_are_no_signifiers() -> None:
    pages = [page_of("<p>tea tea tea</p>"), page_of("<p>tea</p>")]
    assert () == Forest().learn(pages).ranked


def test_keywords_of_a_query_by_hand() -> None:
    """The query is on both pages, so that its idf is 0; as a keyword it counts as in the example before."""
    pages = [page_of('<div class="a">tea tea tea shared</div><p>shared</p>') for _ in range(2)]
    wrapper = next(w for w in Forest(keywords=("Tea",)).learn(pages).ranked if w.pattern.tag == "div")
    density = (3.5 - (3.5 * 1.5 / 4) ** 0.5) / 5
    surprise = 4 * np.log(5) - 3 * np.log(3) - 1 * np.log(2)
    assert pytest.approx(2 * density * surprise * 2 * 2) == wrapper.relevance


def test_signifiers_of_two_words_by_hand() -> None:
    """Of the 3 pairs in `div`, `green tea` comes twice; `tea green` stands between; `p` has the pair `big sale`."""
    pages = [
        page_of(f'<div class="a">{a} {b} {a} {b}</div><p>big sale</p>') for a, b in (("green", "tea"), ("sea", "mud"))
    ]
    wrapper = next(w for w in Forest(signifiers=1, length=2).learn(pages).ranked if w.pattern.tag == "div")
    density = (2.5 - (2.5 * 1.5 / 3) ** 0.5) / 4
    surprise = 3 * np.log(4) - 2 * np.log(2) - 1 * np.log(2)
    assert pytest.approx(2 * density * surprise * 2 * 2) == wrapper.relevance


# --------------------------------------------------------------------------------------------------------- the method


@pytest.mark.parametrize("names", [True, False])
def test_the_article_is_found_on_a_page_that_was_not_learned_from(names: bool) -> None:
    wrappers = Forest().learn([site_page(n, names=names) for n in range(5)])
    assert plain(article(9)) == kept_text(wrappers.segment(site_page(9, names=names)))


def test_the_wrapper_runs_on_the_page_as_it_is() -> None:
    wrappers = Forest().learn([site_page(n) for n in range(5)])
    page = site_page(9)
    tree = lxml.html.document_fromstring(page.markup)
    found = tree.xpath(wrappers.ranked[0].xpath)
    assert [plain(article(9)).split()] == [element.text_content().replace(".", ". ").split() for element in found]


def test_an_element_that_moves_from_page_to_page_is_still_found() -> None:
    def page(n: int) -> Page:
        return page_of(
            "<div><p>banner of the week</p></div>" * (n % 3) + f"<div>{article(n)}</div><div><p>end</p></div>"
        )

    wrappers = Forest().learn([page(n) for n in range(6)])
    assert plain(article(7)) == kept_text(wrappers.segment(page(7)))


def test_what_recurs_inside_of_the_article_is_left_out() -> None:
    extra = "<p>Follow us on all channels</p>"
    wrappers = Forest().learn([site_page(n, extra) for n in range(4)])
    assert plain(article(9)) == kept_text(wrappers.segment(site_page(9, extra)))


def test_lists_of_links_and_comments_inside_of_the_article_are_left_out_with_their_roles() -> None:
    def page(n: int) -> Page:
        links = f"<ul><li><a href=/x>{WORDS[n]} one</a></li><li><a href=/y>{WORDS[n]} two</a></li></ul>"
        return site_page(n, links + f'<div id="comments"><p>I like {WORDS[n]}</p></div>')

    segmentation = Forest().learn([page(n) for n in range(4)]).segment(page(9))
    left = {leaf.role for leaf in segmentation.sections[0].leaves() if not leaf.kept}
    assert plain(article(9)) == kept_text(segmentation)
    assert left >= {Role.RELATED, Role.COMMENTS}


def test_a_page_of_another_layout_is_read_by_a_wrapper_further_down_the_list() -> None:
    def other(n: int) -> Page:
        return page_of(f'<section><div class="story"><p>more</p></div><div class="essay">{article(n)}</div>')

    wrappers = Forest().learn([*(site_page(n) for n in range(5)), *(other(n) for n in range(5, 7))])
    assert Pattern("div", 3, (("class", "story"),)) == wrappers.ranked[0].pattern
    assert plain(article(9)) == kept_text(wrappers.segment(other(9)))


def test_the_order_of_sample_pages_does_not_matter() -> None:
    pages = [site_page(n) for n in range(5)]
    first, last = Forest().learn(pages), Forest().learn(pages[::-1])
    assert (first.ranked, first.recurring, first.frequencies) == (last.ranked, last.recurring, last.frequencies)


def test_one_page_alone_is_read_by_what_it_says_of_itself() -> None:
    markup = f"<title>Subjectja ember</title><h1>Subjectja</h1><div><p>menu one two</p></div><div>{article(9)}</div>"
    page = parse(markup, "https://a.example/subjectja")
    segmentation = Forest().learn([page]).segment(page)
    assert plain(article(9)) == kept_text(segmentation)
    assert segmentation.confidence <= 0.3
    assert "fewer than two pages" in segmentation.notes[0]


@pytest.mark.parametrize("markup", ["", "<p>", "<title>Tea</title>", "plain text without any element around it"])
def test_pages_with_nothing_to_learn_give_an_answer(markup: str) -> None:
    page = parse(markup)
    wrappers = Forest().learn([page, page])
    assert ["no wrapper of the site matches this page"] == list(wrappers.segment(page).notes)


def test_no_pages_at_all_give_wrappers_that_lead_nowhere() -> None:
    assert () == Forest().learn([]).ranked
    assert 2 == len(Forest().learn([]).segment(site_page(1)).notes)


def test_what_was_learned_is_plain_data() -> None:
    wrappers = Forest().learn([site_page(n) for n in range(5)])
    written = msgspec.json.encode(wrappers)
    read = msgspec.json.decode(written, type=Wrappers)
    assert wrappers == read
    assert len(written) < 256_000


def test_feed_signifiers_lead_to_the_article() -> None:
    def page(n: int) -> Page:
        return parse(site_page(n).markup, f"https://a.example/{n}")

    items = tuple(FeedItem(f"http://www.a.example/{n}/", "Note", page_of(article(n)).text[:150]) for n in range(10))
    wrappers = forest_feeds().learn([page(n) for n in range(3)], Feed("Notes", items))
    assert plain(article(9)) == kept_text(wrappers.segment(page(9)))


def test_two_words_a_signifier_lead_to_the_article() -> None:
    wrappers = Forest(length=2).learn([site_page(n) for n in range(5)])
    assert plain(article(9)) == kept_text(wrappers.segment(site_page(9)))


def test_texts_of_links_lead_to_the_article() -> None:
    """Each page is linked to from the next, with its subject as the text of the link."""

    def page(n: int) -> Page:
        before = f"<p><a href=/{n - 1}>subject{chr(96 + n)}a</a></p>" if n else ""
        return parse(site_page(n).markup + before, f"https://a.example/{n}")

    wrappers = Forest(source="anchors").learn([page(n) for n in range(4)])
    assert wrappers.feed
    assert "subjectaa" in {item.title for item in wrappers.feed.items}
    assert plain(article(9)) == kept_text(wrappers.segment(page(9))).removesuffix("subjectia").rstrip()


def response(query: str, n: int, field: bool = True) -> Page:
    """The answer of a search form: records that all mention the query, amid the words of the site."""
    rows = "".join(f"<p>{query} {' '.join(random.Random(n * 9 + row).choices(WORDS, k=6))}.</p>" for row in range(6))
    form = f"<form><input name=q value='{query}'></form>" if field else ""
    return page_of(f'{form}<div>{article(n)}</div><div class="results">{rows}</div>')


@pytest.mark.parametrize("method", [Forest(keywords=("walrus",)), Forest(source="form")])
def test_the_results_of_a_form_are_found_by_what_was_asked_for(method: Forest) -> None:
    """The words of the query are on all answers; tf-idf finds the long advertisement beside the results instead."""
    pages = [response("walrus", n) for n in range(4)]
    assert Pattern("div", 2, (("class", "results"),)) == method.learn(pages).ranked[0].pattern
    assert Pattern("div", 2, (("class", "results"),)) != Forest().learn(pages).ranked[0].pattern
    assert kept_text(method.learn(pages).segment(response("walrus", 8))).startswith("walrus")


def test_pages_without_the_keywords_go_by_tf_idf() -> None:
    wrappers = Forest(keywords=("walrus",)).learn([site_page(n) for n in range(5)])
    assert plain(article(9)) == kept_text(wrappers.segment(site_page(9)))


@pytest.mark.parametrize(
    "body",
    [
        "<li>tea {}</li>",
        "<div><p>tea {}</p></div>",
        "<b>tea {}</b> ",
        '<p class="a{}">tea</p>',
        "<ul><li><a href=/>{}</a>",
    ],
)
def test_long_pages_take_time_in_proportion_to_their_size(body: str) -> None:
    pages = {count: page_of("".join(body.format(n) for n in range(count))) for count in (10, 300, 1_200)}
    assert_linear(lambda count: lambda: Forest().learn([pages[count], pages[count]]).segment(pages[count]))


PIECES = st.sampled_from(
    [
        "<div>",
        "</div>",
        "<div class='story'>",
        "<ul><li>",
        "<p>",
        "<a href=/>more</a>",
        "tea ",
        "mud ",
        "3 May 2026 at 1:05",
        "<h1>Tea</h1>",
        "<div id=comments>",
        "<table><td>",
        "<p hidden>",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=30), min_size=1, max_size=4))
def test_sections_partition_the_blocks_and_importance_is_in_bounds(bodies: list[list[str]]) -> None:
    pages = [page_of("".join(body)) for body in bodies]
    feed = Feed("", (FeedItem("https://a.example/", "Test", "tea mud"),))
    for method in (Forest(), forest_feeds(), Coverage(), SigFeed(), Description()):
        leaves = list(method.learn(pages[1:], feed).segment(pages[0]).sections[0].leaves())
        edges = [0, *(leaf.block_end for leaf in leaves)]
        assert edges == [*(leaf.block_start for leaf in leaves), len(pages[0].blocks)]
        assert all(0 <= leaf.importance <= 1 for leaf in leaves)
