import lxml.html
import pytest
from tests.build import page_of

from pagestrata import Page, parse
from pagestrata.page.element_types import ElementTypes, Occurrence, Pattern, Wrapper, dfs_numbers, rank


def pattern_of(body: str, tag: str) -> Pattern:
    page = page_of(body)
    return ElementTypes(page).pattern(int(page.nodes_tagged(tag)[-1]))


def test_the_numbers_that_pages_put_in_names_do_not_matter() -> None:
    assert pattern_of('<p class="post wrapper-02">', "p") == pattern_of('<p class="post wrapper-09">', "p")


def test_all_attributes_count_in_any_order() -> None:
    expected = Pattern("div", 2, (("class", "post"), ("data-n", ""), ("id", "post-")))
    assert expected == pattern_of('<div id="post-7" data-n="7" class="post">', "div")


def test_addresses_and_data_count_by_their_presence() -> None:
    expected = Pattern("div", 2, (("data-a", ""), ("data-b", ""), ("data-c", "")))
    assert expected == pattern_of(f'<div data-a="/tea" data-b=\'{{"a":"b"}}\' data-c="{"x" * 200}">', "div")


def test_the_same_type_at_another_level_is_another_pattern() -> None:
    page = page_of('<div class="idem"><div class="idem">')
    first, second = (ElementTypes(page).pattern(int(node)) for node in page.nodes_tagged("div"))
    assert (first.attributes, first.level + 1) == (second.attributes, second.level)
    assert first != second


def test_an_element_without_attributes_is_told_by_the_tags_above_it() -> None:
    assert Pattern("td", 5, (), "html/body/table/tbody/tr/td") == pattern_of('<table class="a"><td>', "td")


def test_a_paragraph_is_told_by_its_number_as_published() -> None:
    assert Pattern("p", 3, (), "dfs=3") == pattern_of("<div><p>", "p")


def test_and_so_is_any_element_if_asked_for() -> None:
    page = page_of("<p></p><div>")
    div = int(page.nodes_tagged("div")[0])
    assert Pattern("div", 2, (), "dfs=3") == ElementTypes(page, is_aligned=False).pattern(div)


def test_numbers_leave_out_what_the_paper_cleans_away() -> None:
    page = page_of("<script></script><noscript><p>no</p></noscript><p>yes</p><i></i>")
    numbers = dfs_numbers(page)
    assert (1, 2, 3) == tuple(int(numbers[page.nodes_tagged(tag)[-1]]) for tag in ("body", "p", "i"))


def test_of_several_elements_of_a_pattern_the_best_counts() -> None:
    page = page_of("<div>a</div><div>b</div>")
    nodes = page.nodes_tagged("div").tolist()
    found = ElementTypes(page).occurrences(nodes, [1.0, 2.0])
    assert [(2.0, (1, 1, 2))] == [(occurrence.value, occurrence.places) for occurrence in found]


def test_relevance_is_the_sum_of_values_times_pages_times_level() -> None:
    story, body = Pattern("div", 6, (("class", "story"),)), Pattern("body", 1, (), "html/body")
    pages = [
        [Occurrence(story, 2.0, 78, tuple("abcdefg"), (1,) * 7), Occurrence(body, 4.0, 1, ("html", "body"), (1, 1))],
        [Occurrence(story, 3.0, 82, tuple("abcdefg"), (1,) * 7), Occurrence(body, 5.0, 1, ("html", "body"), (1, 1))],
        [Occurrence(body, 6.0, 1, ("html", "body"), (1, 1))],
    ]
    ranked = [(wrapper.pattern, wrapper.relevance, wrapper.pages) for wrapper in rank(pages)]
    assert [(story, 5.0 * 2 * 6, 2), (body, 15.0 * 3 * 1, 3)] == ranked


def test_the_order_of_pages_does_not_matter() -> None:
    patterns = [Pattern("div", level, (("class", "a"),)) for level in (2, 3, 4)]
    pages = [[Occurrence(pattern, 0.1 * n, n, (), ()) for pattern in patterns] for n in range(1, 8)]
    assert rank(pages) == rank(pages[::-1])


def test_places_that_differ_from_page_to_page_are_left_open() -> None:
    pattern = Pattern("div", 2, (), "html/body/div")
    pages = [[Occurrence(pattern, 1.0, n, ("html", "body", "div"), (1, 1, n))] for n in (1, 2)]
    assert ("/html[1]/body[1]/div", "html > body:nth-of-type(1) > div") == (rank(pages)[0].xpath, rank(pages)[0].css)


def test_of_elements_with_one_pattern_those_at_the_usual_place_are_found() -> None:
    page = page_of("<div><div>a</div></div><div><div>b</div><div>c</div></div>")
    way = ("html", "body", "div", "div")

    def found(places: tuple[int, ...]) -> list[str]:
        wrapper = Wrapper(Pattern("div", 3, (), "html/body/div/div"), 1.0, 1, (3,), way, places)
        return [page.text_of(node) for node in ElementTypes(page).find(wrapper)]

    assert (["b", "c"], ["a", "b"], ["a", "b", "c"]) == (found((1, 1, 2, 0)), found((1, 1, 0, 1)), found((1, 1, 3, 0)))


MARKUP = """<!DOCTYPE html><html><head><title>Tea</title></head><body class="home page-2">
<div id="top"><p>menu</p></div>
<table><tr><td><p>first</p></td><td data-x="/a" class="cell-1 wide"><p>second</p></td></tr></table>
<div><div class="story lead-1" id="s81"><p>tea</p></div>
<section><div class="story" id="s7"><p>mud</p></div></section></div>
</body></html>"""


@pytest.mark.parametrize("tag", ["body", "div", "td", "p", "section", "tr"])
def test_every_xpath_and_selector_leads_to_its_element_on_the_page_as_it_is(tag: str) -> None:
    page, tree = parse(MARKUP), lxml.html.document_fromstring(MARKUP)
    for node in page.nodes_tagged(tag).tolist():
        wrapper = wrapper_of(page, node)
        expected = "".join(page.text_of(node).split())
        assert expected in map(text_of, tree.xpath(wrapper.xpath))
        assert expected in map(text_of, browser_tree(page).cssselect(wrapper.css))
        assert node in ElementTypes(page).find(wrapper)


def wrapper_of(page: Page, node: int) -> Wrapper:
    return rank([ElementTypes(page).occurrences([node], [1.0])])[0]


def text_of(element: lxml.html.HtmlElement) -> str:
    return "".join(element.text_content().split())


def browser_tree(page: Page) -> lxml.html.HtmlElement:
    """The page with what a browser adds, such as `tbody`."""
    return lxml.html.document_fromstring(page.markup)


def test_the_xpath_is_as_strict_as_the_pattern() -> None:
    tree = lxml.html.document_fromstring(MARKUP)
    attributes = (("class", "story"), ("id", "s"))
    wrapper = Wrapper(Pattern("div", 3, attributes), 1.0, 1, (7,), ("html", "body", "div", "div"), (1, 1, 2, 1))
    assert ["tea"] == [element.text_content() for element in tree.xpath(wrapper.xpath)]
