"""The table of words: names by their words, no phrase twice, and the compiled pass reads names as Python does."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of, real_pages

from pagestrata import Page, Role, parse
from pagestrata.engine.roles.name_ranks import _vocabulary, ranks_of_names
from pagestrata.engine.roles.words import rank_of_name, role_of_name, role_words
from pagestrata.native.keywords import MAX_PHRASE, NO_RANK


def test_names_speak_by_their_words() -> None:
    names = {
        "cookie-banner": Role.CONSENT,
        "siteFooter": Role.FOOTER,
        "post__related-posts": Role.RELATED,
        "footer-ad": Role.ADVERTISEMENT,
        "header": Role.HEADER,
        "gradient shareholder adapter": None,
        "": None,
    }
    assert names == {name: role_of_name(name) for name in names}


def test_the_table_has_no_phrase_twice_and_no_role_we_do_not_know() -> None:
    table = role_words()
    assert set(table.rank) <= set(Role)
    assert all(
        phrase and word == word.lower()
        for phrases in (table.names, table.lines)
        for phrase in phrases
        for word in phrase
    )


def test_no_phrase_of_a_name_is_longer_than_the_compiled_pass_can_follow() -> None:
    assert max(len(phrase) for phrases in role_words().names.values() for phrase, _ in phrases) <= MAX_PHRASE
    assert len(_vocabulary().next_phrase) < 2**16


def ranks_by_reading(page: Page) -> dict[int, int]:
    """The best rank of each element, by reading every class and id."""
    ranks: dict[int, int] = {}
    for node, value in (*page.values_of("class"), *page.values_of("id")):
        ranks[node] = min(ranks.get(node, NO_RANK), rank_of_name(value))
    return {node: rank for node, rank in sorted(ranks.items()) if rank != NO_RANK}


def ranks_by_pass(page: Page) -> dict[int, int]:
    nodes, ranks = ranks_of_names(page)
    return dict(zip(nodes.tolist(), ranks.tolist(), strict=True))


WORDS = [
    "share",
    "Share",
    "nav",
    "table",
    "of",
    "contents",
    "Of",
    "Contents",
    "ad",
    "may",
    "also",
    "like",
    "é",
    "&amp;",
]


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from([*WORDS, " ", "-", "_", "x" * 190, "1"])).map("".join)))
def test_the_compiled_pass_reads_names_as_python_does(names: list[str]) -> None:
    page = page_of("".join(f'<p class="{name}" id="{name[::-1]}">x</p>' for name in names))
    assert ranks_by_reading(page) == ranks_by_pass(page)


def test_the_compiled_pass_reads_names_of_real_pages_as_python_does() -> None:
    for path in real_pages(40):
        page = parse(path.read_bytes())
        assert ranks_by_reading(page) == ranks_by_pass(page)


def test_of_a_class_and_an_id_the_role_that_says_more_counts() -> None:
    page = page_of("<p class=footer id=share>x</p>")
    (rank,) = ranks_of_names(page)[1].tolist()
    assert Role.SHARE == list(role_words().rank)[rank]
    assert np.uint8 == ranks_of_names(page)[1].dtype
