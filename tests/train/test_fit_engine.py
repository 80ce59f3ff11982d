"""Trees come over from the booster as they are, and the same pages give the same model."""

from dataclasses import replace

import pytest
from tests.build import EXAMPLES

from pagestrata import parse
from pagestrata.train.fit_engine import SHRINKAGE, Settings, fit, from_catboost, label
from pagestrata.trees import UNIT


def test_a_tree_that_is_less_deep_says_no_to_what_it_does_not_ask() -> None:
    tree = {"splits": [{"float_feature_index": 3, "border": 1.5}], "leaf_values": [-0.5, 0.25]}
    trees, base = from_catboost({"oblivious_trees": [tree], "scale_and_bias": [2.0, [0.1]]}, depth=2)
    assert [[3, 0]] == trees.feature.tolist()
    assert [[1.5, float("inf")]] == trees.threshold.tolist()
    assert [[round(-1 * SHRINKAGE * UNIT), round(0.5 * SHRINKAGE * UNIT), 0, 0]] == trees.leaf.tolist()
    assert 0.1 * SHRINKAGE == base


def test_the_same_pages_give_the_same_bytes() -> None:
    pytest.importorskip("catboost", reason="catboost is not here: pip install 'pagestrata[train]'")
    articles = [path for path in EXAMPLES if path.parent.name == "articles"]
    pages = [parse(path.read_bytes()) for path in articles]
    known = [label(page, f"site {place % 4}", page.text[: len(page.text) // 2]) for place, page in enumerate(pages)]
    settings = Settings(trees=5, depth=3)
    first, again = (fit(known, settings, lambda stage, done, total: None).to_bytes() for _ in range(2))
    assert first == again


def test_a_page_that_counts_twice_is_as_two() -> None:
    page = label(parse(EXAMPLES[0].read_bytes()), "a site", "")
    assert (2 * page.weights).tolist() == replace(page, weight=2.0).weights.tolist()
