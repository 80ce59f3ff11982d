"""A template prints as a tree expression that reads back to the same template."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.build import page_of

from pagestrata.algorithms.template import Match, Template, TemplateLearner, read_expression
from pagestrata.errors import UsageError

PAPER = "(A)*B(C)?D(E|F)"
ACCEPTED = ["ABCDE", "AABCDE", "ABDE", "ABDF", "ABCDF", "BCDE"]
REJECTED = ["ABCDEF", "ABCE", "ABCD", "BACDE", "ABCCDE", "ABCDX"]


def lettered(letters: str) -> str:
    """A body in which each letter is an element with a word."""
    return "".join(f"<x-{letter.lower()}>word</x-{letter.lower()}>" for letter in letters)


def of_letters(expression: str) -> Template:
    body = "".join(f"x-{sign.lower()}[#text]" if sign.isalpha() else sign for sign in expression)
    return read_expression(f"html[body[{body}]]")


def match(template: Template, letters: str) -> Match:
    return template.match(page_of(lettered(letters)))


@pytest.mark.parametrize("letters", ACCEPTED)
def test_the_papers_expression_accepts(letters: str) -> None:
    assert 0.0 == match(of_letters(PAPER), letters).distance


@pytest.mark.parametrize("letters", REJECTED)
def test_the_papers_expression_rejects(letters: str) -> None:
    assert match(of_letters(PAPER), letters).distance > 0


@pytest.mark.parametrize("letters", ["AABAB", "ABA", "BA", "A"])
def test_a_repeated_sequence_comes_in_whole_turns(letters: str) -> None:
    assert 0.0 == match(of_letters("(A B)* C"), "ABABC").distance
    assert match(of_letters("(A B)* C"), letters + "C").distance > 0


def test_the_papers_expression_is_learned_from_what_it_accepts() -> None:
    pages = [page_of(lettered(letters)) for letters in ("ABCDE", "AABCDE", "ABDE", "ABDF", "ABCDF")]
    template = TemplateLearner().learn(pages)
    assert str(of_letters(PAPER)) == str(template)
    assert [True] * len(ACCEPTED) == [match(template, letters).distance == 0 for letters in ACCEPTED]
    assert [False] * len(REJECTED) == [match(template, letters).distance == 0 for letters in REJECTED]


tags = st.sampled_from(["div", "p", "ul", "x-a", "div.post", "div#main", "#text"])
elements = st.recursive(
    tags,
    lambda inner: st.builds(
        "{}[{}]".format,
        tags.filter(lambda tag: tag != "#text"),
        st.lists(
            st.one_of(
                st.builds("{}{}".format, inner, st.sampled_from(["", "*", "?"])),
                st.builds("({})*".format, st.lists(inner, min_size=2, max_size=3).map(" ".join)),
                st.builds(
                    "({}){}".format, st.lists(inner, min_size=2, max_size=3).map("|".join), st.sampled_from("*?")
                ),
            ),
            min_size=1,
            max_size=4,
        ).map(" ".join),
    ),
    max_leaves=30,
)


@given(elements)
def test_what_is_written_reads_back(expression: str) -> None:
    template = read_expression(expression)
    again = read_expression(str(template))
    assert (template.label, template.operator, template.parent) == (again.label, again.operator, again.parent)
    assert "".join(expression.split()) == "".join(str(template).split())


def test_a_deep_template_is_written_and_read() -> None:
    deep = "div[" * 3000 + "p" + "]" * 3000
    assert deep == str(read_expression(deep))


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "*",
        "a b",
        "a[",
        "a]",
        "a[(b c)]",
        "a[(b c)?]",
        "a[(b? c)*]",
        "a[(b|)]",
        "a[((b c)* d)*]",
        "a**",
        "(a|b)",
        "a?",
        "a[!]",
    ],
)
def test_what_is_no_expression_is_refused(expression: str) -> None:
    with pytest.raises(UsageError, match="cannot read the expression"):
        read_expression(expression)
