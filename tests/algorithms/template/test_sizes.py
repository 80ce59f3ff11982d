"""Work grows with the page, not faster, whatever the page looks like."""

from collections.abc import Callable

import pytest
from tests.build import page_of
from tests.growth import lines_run

from pagestrata import Page
from pagestrata.algorithms.template import TemplateLearner

TAGS = "p ul h2 pre x-a x-b x-c x-d x-e x-f x-g div span".split()


def rows(count: int) -> str:
    return "<ul>" + "".join(f"<li><a href='/{i}'>item {i}</a> and</li>" for i in range(count)) + "</ul>"


def uneven_rows(count: int) -> str:
    inner = ["".join(f"<{tag}>w</{tag}>" for tag in TAGS[i % 7 : i % 11]) for i in range(count)]
    return "".join(f"<div>{row}</div>" for row in inner)


def medley(count: int) -> str:
    return "".join(f"<{TAGS[i * i % 13]}>w</{TAGS[i * i % 13]}>" for i in range(count))


def unknown_tags(count: int) -> str:
    return "".join(f"<x-{i}>w</x-{i}>" for i in range(count))


def shapes(count: int) -> str:
    return "".join(
        f"<div><x-{i * 7 % 200}>a</x-{i * 7 % 200}><x-{i * i % 200}>b</x-{i * i % 200}></div>" for i in range(count)
    )


def deep(count: int) -> str:
    return "<div>" * 480 + "".join(f"<p>word {i}</p>" for i in range(count)) + "</div>" * 480


def learn_and_segment(page: Page) -> None:
    TemplateLearner().learn([page, page]).segment(page)


@pytest.mark.parametrize("body", [rows, uneven_rows, medley, unknown_tags, shapes, deep])
def test_four_times_the_page_is_about_four_times_the_work(body: Callable[[int], str]) -> None:
    small, large = page_of(body(300), tags_base=10**6), page_of(body(1200), tags_base=10**6)
    assert lines_run(lambda: learn_and_segment(large)) < 6 * lines_run(lambda: learn_and_segment(small))


def test_a_list_of_a_hundred_thousand_rows() -> None:
    page = page_of("<ul>" + "".join(f"<li>item {i}</li>" for i in range(100_000)) + "</ul>", tags_base=10**6)
    template = TemplateLearner().learn([page])
    assert "html[body[ul[li[#text]*]]]" == str(template)
    assert 0.0 == template.match(page).distance


def test_a_template_does_not_grow_without_bound() -> None:
    learner = TemplateLearner()
    bodies = [
        f"<main>{''.join(f'<x-{(i * k) % 97}>w</x-{(i * k) % 97}>' for i in range(30))}</main>" for k in range(1, 60)
    ]
    template = learner.learn([page_of(body) for body in bodies])
    assert len(template) < 200
    assert len(template.to_json()) < 20_000


def test_elements_five_hundred_deep() -> None:
    page = page_of("<div>" * 500 + "word" + "</div>" * 500)
    template = TemplateLearner().learn([page, page])
    assert 0.0 == template.match(page).distance
    assert template.segment(page).sections
