"""Page types are learned from labelled pages: no site is on both sides, and the same pages give the same bytes."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pagestrata import parse
from pagestrata.errors import UsageError
from pagestrata.page_type.model import TYPES, PageTypeModel
from pagestrata.page_type.numbers import NUMBERS
from pagestrata.page_type.words import PLACES
from pagestrata.results import PageType
from pagestrata.train import fit_page_types as module
from pagestrata.train.fit_page_types import (
    TypedPage,
    assign_parts,
    best_temperature,
    boost,
    exported,
    fit,
    gather,
    information,
    out_of_fold,
    read_typed_page,
    regress,
    view,
)
from pagestrata.train.model_card import write_type_card

scipy_sparse = pytest.importorskip("scipy.sparse", reason="training needs: pip install 'pagestrata[train]'")

SAID = dict(zip(TYPES, "mayor reply cart grid news install hire".split(), strict=True))
SITES = 8


def typed(site: int, page_type: PageType) -> TypedPage:
    """A page that says the word of its type, a few times, on its site."""
    word = SAID[page_type]
    lines = "".join(f"<p>{word} {place}" for place in range(site % 4 + 2))
    page = parse(f"<title>{word}</title><body class={word}>{lines}", f"https://s{site}.example/")
    return replace(read_typed_page(page, f"s{site}.example", page_type), dataset="made up")


@cache
def pages() -> list[TypedPage]:
    return [typed(site, page_type) for site in range(SITES) for page_type in TYPES]


def ignore(stage: str, done: int, of: int) -> None:
    """No progress."""


def test_all_pages_of_a_site_fall_into_one_part_and_all_parts_have_some() -> None:
    known = pages()
    part = assign_parts(known, seed=3)
    assert SITES == len({(page.site, int(its)) for page, its in zip(known, part, strict=True)})
    assert set(range(module.PARTS)) == set(part.tolist())


def test_all_pages_of_a_theme_fall_into_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PARTS", 4)
    known = [replace(page, group=f"theme {int(page.site[1]) // 2}") for page in pages()]
    part = assign_parts(known, seed=3)
    assert 4 == len({(page.group, int(its)) for page, its in zip(known, part, strict=True)}) == len(set(part.tolist()))


def test_too_few_sites_are_refused() -> None:
    with pytest.raises(UsageError):
        assign_parts(pages()[:14], seed=0)


def test_a_word_that_only_few_sites_use_is_not_known() -> None:
    corpus = gather(pages())
    shared = set.intersection(*(set(page.words[0].tolist()) for page in pages()))
    assert sorted(shared) == corpus.words[0].tolist()
    assert (56, 2) == corpus.uses[0].shape


def test_a_word_tells_as_much_as_it_splits_the_types() -> None:
    uses = scipy_sparse.csr_array(np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0]]))
    always, splits, even = information(uses, np.array([0, 0, 1, 1]), np.ones(4))
    assert abs(always) < 1e-9
    assert splits > even


def test_weights_speak_for_the_type_that_uses_the_word() -> None:
    uses = scipy_sparse.csr_array(np.array([[1.0, 0.0], [0.0, 1.0]] * 5))
    weights, _ = regress(uses, np.array([2, 5] * 5), np.ones(10))
    assert [2, 5] == weights.argmax(axis=1).tolist()


def test_a_common_type_is_not_likelier_by_being_common() -> None:
    uses = scipy_sparse.csr_array(np.ones((80, 1)))
    one_of_each, many_of_one = np.arange(80) % len(TYPES), np.concatenate([np.arange(7), np.zeros(73, np.intp)])
    for types in (one_of_each, many_of_one):
        weights, base = regress(uses, types, np.ones(80))
        assert np.abs(weights[0] + base).max() < 0.2


def test_sums_that_say_too_much_are_cooled_down() -> None:
    sums, types = np.zeros((100, len(TYPES))), np.zeros(100, np.intp)
    sums[:, 0] = 8
    types[:20] = 1
    assert best_temperature(sums, types, np.ones(100)) > 1
    assert best_temperature(sums / 8, np.zeros(100, np.intp), np.ones(100)) < 1


def test_a_page_counts_as_much_as_its_weight() -> None:
    uses = scipy_sparse.csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]))
    weights, _ = regress(uses, np.array([2, 5, 2, 5]), np.array([9.0, 1.0, 1.0, 1.0]))
    assert weights[0, 2] > weights[0, 5]
    sums, types = np.zeros((2, len(TYPES))), np.array([0, 1])
    sums[:, 0] = 4
    trusted, doubted = (best_temperature(sums, types, np.array(counts)) for counts in ([9.0, 1.0], [1.0, 9.0]))
    assert trusted < doubted


def test_a_view_without_an_address_knows_nothing_of_it() -> None:
    words, numbers = view(pages()[0], ("address",))
    assert (0, -1) == (len(words[PLACES.index("address")]), numbers[NUMBERS.index("address_steps")])
    assert pages()[0].words[PLACES.index("title")].tolist() == list(words[PLACES.index("title")])


def test_a_tree_that_is_less_deep_answers_no_to_the_rest() -> None:
    splits = [{"float_feature_index": 3, "border": 0.5}]
    leaves = [*[1.0] * len(TYPES), *[-2.0] * len(TYPES)]
    trees = exported({"oblivious_trees": [{"splits": splits, "leaf_values": leaves}]})
    rows = np.zeros((2, 4), np.float32)
    rows[1, 3] = 1
    assert [pytest.approx(1, abs=0.01), pytest.approx(-2, abs=0.01)] == trees.score(rows.T)[0].tolist()


def test_a_type_without_pages_is_refused() -> None:
    with pytest.raises(UsageError, match="forum"):
        boost(np.zeros((3, 2), np.float32), np.array([0, 2, 3]), np.ones(3), 0)


def test_training_gives_the_same_bytes_and_knows_pages_of_sites_it_has_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("catboost", reason="training needs: pip install 'pagestrata[train]'")
    for name, value in (("TREES", 12), ("STEPS", 10), ("PARTS", 2), ("MIN_SITES", 3)):
        monkeypatch.setattr(module, name, value)
    known, steps = pages(), list[tuple[str, int, int]]()
    first = fit(known, 7, lambda stage, done, of: steps.append((stage, done, of)))
    content = first.model.to_bytes()
    assert content == fit(known, 7, ignore).model.to_bytes()
    assert [("page types", done, 3) for done in range(1, 4)] == steps
    assert content == PageTypeModel.from_bytes(content).to_bytes()
    assert {"made up": 1.0} == first.accuracy
    card = write_type_card([("made up", known)], first, content, 7)
    assert "`pagestrata train --page-types made up --seed 7`" in card
    assert f"| made up | {len(known)} | {SITES} | 1.000 | not stated |" in card
    corpus = gather(known)
    sums = out_of_fold(corpus, 7, ignore, ((), ("address",), ("names",)))
    assert [1.0, 1.0, 1.0] == [float((found.argmax(axis=1) == corpus.types).mean()) for found in sums.values()]
