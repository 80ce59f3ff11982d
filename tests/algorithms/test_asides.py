import pytest
from tests.build import page_of

from pagestrata.algorithms.asides import anchor_lists, comment_regions, link_runs, record_lists

LINKS = "".join(f"<div><a href=/{n}>Story number {n}</a></div>" for n in range(4))


def comment(name: str, hour: int) -> str:
    return f"<div><p>{name} said on 3 May 2026 at {hour}:05</p><p>I have never seen so much mud in one place.</p></div>"


def texts(body: str, find: object) -> list[str]:
    page = page_of(body)
    starts, ends = page.nodes.text_start, page.nodes.text_end
    return [page.text[starts[start] : ends[end - 1]].strip() for start, end in find(page)]  # type: ignore[operator]


def test_a_list_is_one_of_anchors_when_nearly_all_of_it_is_links() -> None:
    body = "<ul><li><a href=/a>Tea</a></li><li><a href=/b>Mud</a>, too</li></ul><ul><li><a href=/c>Pot</a> of tea</ul>"
    assert [] == texts(body, anchor_lists)
    assert ["Tea\nMud"] == texts(body.replace(", too", ""), anchor_lists)


def test_links_in_a_row_are_found_whatever_their_markup_with_their_heading() -> None:
    body = (
        f"<p>{'A paragraph of the article itself. ' * 3}</p><h4>More stories</h4>{LINKS}<p>{'The end of it. ' * 9}</p>"
    )
    assert [f"More stories\n{page_of(LINKS).text}"] == texts(body, link_runs)


def test_two_links_are_not_a_row() -> None:
    assert [] == texts(f"<p>{'text ' * 20}</p><p><a href=/a>One</a></p><p><a href=/b>Two</a></p>", link_runs)


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ('<div id="comments">', ["mud"]),
        ('<section class="post-comments-9 wide">', ["mud"]),
        ('<div class="wide comments">', []),
        ('<article class="comments-open">', []),
    ],
)
def test_comments_are_told_by_the_first_token_of_a_name(element: str, expected: list[str]) -> None:
    assert expected == texts(f"{element}mud", comment_regions)


def test_text_that_mentions_comments_on_a_page_without_attributes_is_no_region() -> None:
    assert [] == texts("<p>No comments yet.</p>", comment_regions)
    assert [] == texts("<p>No comments yet.</p><p class=wide>mud</p>", comment_regions)


def test_records_with_a_time_each_are_comments_that_no_name_gives_away() -> None:
    article = f"<div><h2>Mud</h2><p>3 May 2026</p><p>{'The tide went out. ' * 9}</p></div>"
    comments = comment("Ann Lee", 9) + comment("Bo", 10) + comment("C. Dee", 11)
    assert [page_of(comments).text] == texts(f"<div>{article}<div>{comments}</div></div>", record_lists)


def test_an_article_and_a_column_that_both_have_dates_are_no_records() -> None:
    body = (
        f"<div><div><div><p>3 May 2026</p></div><p>{'The tide went out. ' * 9}</p></div>"
        f"<div><p>Saturday: 4 May 2026</p><p>{'Rain in the west. ' * 9}</p></div></div>"
    )
    assert [] == texts(body, record_lists)


def test_years_alone_make_no_record() -> None:
    body = "<ul>" + "".join(
        f"<li><b>{year}</b><p>The tide went out again that year.</p></li>" for year in range(1990, 1999)
    )
    assert [] == texts(body + "</ul>", record_lists)


def test_rows_of_a_table_are_no_records() -> None:
    rows = "".join(
        f"<tr><td>3 May {year}</td><td>The tide went out again that year.</td></tr>" for year in range(1990, 1999)
    )
    assert [] == texts(f"<table>{rows}</table>", record_lists)


def test_of_lists_in_each_other_the_outermost_is_given() -> None:
    inner = f"<div>{comment('Ann', 9)}{comment('Bo', 10)}</div>"
    outer = f"<div>{comment('Cy', 8)[:-6]}{inner}</div>{comment('Di', 11)}</div>"
    assert 1 == len(texts(f"<p>{'The tide went out. ' * 9}</p><div>{outer}", record_lists))
