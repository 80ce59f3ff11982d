"""Parts of a page that names or headings call comments."""

import pytest
from tests.build import held_landmarks, page_of

from pagestrata.landmarks.comments import comment_regions_of

TEXT = "<p>One line of text that is long enough to count.</p>"
ARTICLE = f"<h1>Mud</h1>{TEXT * 6}"


def inside(body: str) -> list[bool]:
    found: list[bool] = comment_regions_of(held_landmarks(page_of(body))).is_inside.tolist()
    return found


@pytest.mark.parametrize("name", ["class=comments", "id=comment-list", "class=readerComments", "class=usercommentbox"])
def test_an_element_is_a_region_by_its_name(name: str) -> None:
    assert [False] * 7 + [True] * 2 == inside(f"{ARTICLE}<div {name}>{TEXT * 2}</div>")


def test_the_page_with_its_comments_is_none() -> None:
    assert not any(inside(f"<div class='post comments-open'>{ARTICLE}</div>"))
    assert not any(inside(f"<article class=comments>{TEXT}</article>"))


@pytest.mark.parametrize("heading", ["3 Comments", "Kommentare (2)", "Responses to Mud", "网友评论"])
def test_a_heading_begins_a_region_up_to_the_end_of_its_element(heading: str) -> None:
    body = f"{ARTICLE}<div><div><h3>{heading}</h3></div>{TEXT}</div>{TEXT}"
    assert [False] * 7 + [True, True, False] == inside(body)


def test_a_short_line_below_text_is_a_heading_and_a_link_is_not() -> None:
    assert [False] * 7 + [True, True] == inside(f"{ARTICLE}<div><b>Comments</b>{TEXT}</div>")
    assert not any(inside(f"{ARTICLE}<div><a href=/c>Comments</a>{TEXT}</div>"))
    assert not any(inside(f"<div><b>Comments</b>{ARTICLE}</div>"))
    assert not any(inside(f"{ARTICLE}<h2>Nine people whose comments on the old mill were heard in the town</h2>{TEXT}"))
