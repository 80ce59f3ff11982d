"""What all formats write alike."""

import pytest

from pagestrata import Extraction, Options, extract

WORDS = ("<p>" + "word " * 60 + "</p>") * 3


def under_title(article: str, **options: bool) -> Extraction:
    """An article under the title that its site writes, all of it kept."""
    page = f"<title>Mud banks</title><header><h1>Mud banks</h1></header><article>{article}</article>"
    found = extract(page, options=Options(keep=("article",), **options))  # type: ignore[arg-type]
    assert found.title_section is not None
    return found


@pytest.mark.parametrize("heading", ["<h1>Mud banks</h1>", "<h2> <b>Mud</b>\nbanks</h2>"])
def test_a_heading_that_says_the_title_again_is_not_written_under_it(heading: str) -> None:
    found = under_title(heading + WORDS)
    assert [1, 1, 1] == [found.render(name).count("Mud") for name in ("md", "html", "xml")]


def test_it_is_written_where_the_title_is_not() -> None:
    article = f"<h1>Mud banks</h1>{WORDS}"
    assert 1 == under_title(article).text.count("Mud banks")
    assert 1 == under_title(article, title_in_text=True).text.count("Mud banks")
    assert 1 == under_title(article, title_in_markdown=False).markdown.count("Mud banks")


def test_another_heading_and_a_later_one_stay() -> None:
    found = under_title(f"<h1>Mud banks move</h1>{WORDS}<h2>Mud banks</h2>{WORDS}")
    assert 3 == found.markdown.count("Mud banks")
