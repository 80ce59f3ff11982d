import numpy as np
from tests.build import page_of

from pagestrata import parse
from pagestrata.page.terms import Frequencies, Vocabulary, by_tf_idf, language_of, most_frequent, page_counts


def terms_of(vocabulary: Vocabulary, body: str) -> list[str]:
    return [vocabulary.terms[number] for number in vocabulary.read(page_of(body)).numbers]


def test_words_are_stemmed_and_stop_words_left_out() -> None:
    assert ["sailor", "sail", "ship"] == terms_of(Vocabulary("en"), "<p>The sailors were sailing <b>ships</b>.</p>")


def test_a_language_without_a_stemmer_leaves_words_as_they_are() -> None:
    assert ["the", "sailors"] == terms_of(Vocabulary("xx"), "<p>The sailors</p>")


def test_scripts_without_spaces_go_by_pairs_of_characters() -> None:
    assert ["東京", "京都", "in", "2026", "駅"] == terms_of(Vocabulary("ja"), "<p>東京都 in 2026、駅</p>")


def test_each_term_is_told_the_text_node_it_stands_in() -> None:
    page = page_of("<p>tea <b>pot</b></p><p>mud</p>")
    terms = Vocabulary().read(page)
    assert ["tea", "pot", "mud"] == [page.text_of(node).strip() for node in terms.nodes]


def test_words_that_touch_across_nodes_are_two_terms() -> None:
    assert ["t", "ea"] == terms_of(Vocabulary(), "<p><b>T</b>ea</p>")


def test_hidden_text_has_no_terms() -> None:
    body = "<p hidden>mud</p><noscript>mud</noscript><p>tea</p><script>var mud</script>"
    assert ["tea"] == terms_of(Vocabulary(), body)


def test_before_counts_the_chosen_terms_up_to_each_node() -> None:
    page = page_of("<div><p>tea tea</p><p>mud</p></div>")
    terms = Vocabulary().read(page)
    div = page.nodes_tagged("div")[0]
    before = terms.before(terms.numbers == 0)
    assert (2, 2) == (before[page.nodes.end[div]] - before[div], before[-1])


def test_frequencies_keep_the_order_of_first_occurrence() -> None:
    vocabulary = Vocabulary()
    vocabulary.numbers_of("mud")
    numbers, counts = vocabulary.read(page_of("<p>tea mud tea</p>")).frequencies()
    assert [("tea", 2), ("mud", 1)] == [(vocabulary.terms[n], c) for n, c in zip(numbers, counts, strict=True)]


def test_a_term_on_all_pages_has_no_weight() -> None:
    places, _ = by_tf_idf(np.array([5, 1]), np.array([3.0, 1.0]), pages=3, limit=10)
    assert [1] == places.tolist()


def test_ties_go_to_the_term_that_comes_first() -> None:
    places, _ = by_tf_idf(np.array([1, 1, 1]), np.array([1.0, 1.0, 1.0]), pages=2, limit=2)
    assert [0, 1] == places.tolist()


def test_pages_are_counted_per_term_and_the_most_frequent_terms_kept() -> None:
    vocabulary = Vocabulary()
    read = [vocabulary.read(page_of(body)) for body in ("<p>tea tea mud</p>", "<p>tea pot mud</p>")]
    counts = page_counts(vocabulary, read)
    assert [2.0, 2.0, 1.0] == counts.tolist()
    assert Frequencies(2, {"tea": 2, "mud": 2}) == most_frequent(vocabulary, counts, pages=2, limit=9)
    assert Frequencies(2, {"mud": 2}) == most_frequent(vocabulary, counts, pages=2, limit=1)


def test_a_term_that_is_not_remembered_is_new() -> None:
    vocabulary = Vocabulary()
    vocabulary.numbers_of("tea mud")
    assert [2.0, 0.0] == Frequencies(2, {"tea": 2}).of(vocabulary).tolist()


def test_the_language_is_what_most_pages_declare() -> None:
    pages = [parse(f'<html lang="{lang}"><p>text') for lang in ("en-GB", "de", "de-AT", "")]
    assert "de" == language_of(pages)


def test_an_undeclared_language_is_told_by_the_text() -> None:
    page = page_of("<p>" + "Das Watt ist der Boden des Meeres, den man bei Ebbe sieht und bei Flut nicht. " * 5)
    assert "deu" == language_of([page])


def test_the_codes_of_a_language_share_its_stop_words() -> None:
    assert terms_of(Vocabulary("de"), "<p>die Flut und das Watt") == terms_of(
        Vocabulary("deu"), "<p>die Flut und das Watt"
    )


def test_runs_of_words_do_not_reach_over_the_end_of_a_text() -> None:
    """`the` is a stop word, so that its neighbours are neighbours."""
    assert ["tide boat"] == terms_of(Vocabulary("en", 2), "<p>Tide the boat <b>rope</b></p>")
    assert ["tide boat rope"] == terms_of(Vocabulary("en", 3), "<p>Tide the boat, rope</p><p>mud gull</p>")


def test_a_text_shorter_than_a_run_has_no_terms() -> None:
    vocabulary = Vocabulary("en", 3)
    assert ([], []) == (terms_of(vocabulary, "<p>Tide boat</p>"), vocabulary.numbers_of("tide boat"))


def test_runs_of_a_text_have_the_numbers_of_those_on_a_page() -> None:
    vocabulary = Vocabulary("en", 2)
    terms_of(vocabulary, "<p>tide boat rope</p>")
    assert ["boat rope"] == [vocabulary.terms[number] for number in vocabulary.numbers_of("Boats, ropes")]
