"""Measuring chunks: sizes, questions from headings, and BM25 on texts whose ranking is known."""

import pytest

from pagestrata.evaluate.chunk_quality import Bm25, main, normalised, questions_of, share_of_sizes, shares_found

MARKDOWN = """# Mud

## Tides

The tide comes in twice on most days.

- It goes out twice as well, of course.

## Eels

Short.
"""


def test_a_question_is_a_heading_with_text_below_it() -> None:
    (question,) = questions_of(MARKDOWN, "Mud")
    assert "Mud Tides" == question.text
    assert (" the tide comes in twice on most days ", " it goes out twice as well of course ") == (
        question.first,
        question.last,
    )


def test_rare_words_rank_higher_and_long_texts_lower() -> None:
    texts = ["mud and more mud", "eels in the mud", f"eels and {'sand ' * 50}"]
    assert [1, 0] == [Bm25(texts).best(query) for query in ("mud eels", "mud")]
    assert 0 == Bm25(texts).best("nothing of that")


def test_an_answer_is_found_in_the_chunk_that_is_ranked_first() -> None:
    questions = list(questions_of(MARKDOWN, "Mud"))
    together, apart = [[MARKDOWN, "Sand is dry."]], [["## Tides of mud", *MARKDOWN.split("\n\n")[2:]]]
    assert ((1.0, 1.0), (0.0, 0.0)) == (shares_found(together, questions), shares_found(apart, questions))


def test_sizes_of_short_pages_do_not_count() -> None:
    assert 0.5 == share_of_sizes([["one two three four", "one"], ["one"]], 4)


def test_targets_of_links_are_no_words() -> None:
    assert " the mud here " == normalised("The [mud](https://mud.example/eels) here")


def test_it_runs_on_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    main(["examples/site", "--pages", "3", "--words", "100"])
    assert "| pagestrata |" in capsys.readouterr().out
