"""What all formats write alike."""

import pytest

from pagestrata import Options, extract

WORDS = ("<p>" + "word " * 60 + "</p>") * 3
THEME = "<title>Mud banks</title><header><h1>Mud banks</h1></header>"


@pytest.mark.parametrize("heading", ["<h1>Mud banks</h1>", "<h2> <b>Mud</b>\nbanks</h2>"])
def test_a_heading_that_says_the_title_again_is_not_written_under_it(heading: str) -> None:
    found = extract(f"{THEME}<article>{heading}{WORDS}</article>")
    assert [1, 1, 1] == [found.render(name).count("Mud") for name in ("md", "html", "xml")]


def test_it_is_written_where_the_title_is_not() -> None:
    page = f"{THEME}<article><h1>Mud banks</h1>{WORDS}</article>"
    assert 1 == extract(page).text.count("Mud banks")
    assert 1 == extract(page, options=Options(title_in_text=True)).text.count("Mud banks")
    assert 1 == extract(page, options=Options(title_in_markdown=False)).markdown.count("Mud banks")


def test_another_heading_and_a_later_one_stay() -> None:
    found = extract(f"{THEME}<article><h1>Mud banks move</h1>{WORDS}<h2>Mud banks</h2>{WORDS}</article>")
    assert 3 == found.markdown.count("Mud banks")
