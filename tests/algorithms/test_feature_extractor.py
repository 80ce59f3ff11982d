"""FeatureExtractor: of two clusters of blocks, one has what is wanted."""

import numpy as np
from tests.algorithms.learners import assert_learns_in_linear_time, assert_partition, importance_of, site
from tests.build import page_of

from pagestrata.algorithms.feature_extractor import FEATURES, Clusters, FeatureExtractor, features_of, two_means
from pagestrata.page.content_blocks import content_blocks

PAGE = (
    '<ul><li><a href="/a">Home</a><li><a href="/b">Tea</a></ul><div><p>' + "Water and leaves. " * 20 + "</p></div>"
    '<div>See <img src="a.png"><img src="b.png"></div><form><p>Name <input> <input></p></form>'
)


def test_features_are_measured_by_the_largest_block() -> None:
    page = page_of(PAGE)
    rows = features_of(page, content_blocks(page))
    largest = {feature: int(rows[:, column].argmax()) for column, feature in enumerate(FEATURES)}
    assert {"text": 1, "links": 0, "images": 2, "lists": 0, "forms": 3} == largest
    assert rows.max() == 1.0


def test_two_means_on_a_line() -> None:
    # 0, 1, 2 and 9, 10, 11: centres 1 and 10
    rows = np.array([[0.0], [9.0], [1.0], [10.0], [2.0], [11.0]])
    assert [[1.0], [10.0]] == two_means(rows, 0).tolist()


def test_the_wanted_feature_decides() -> None:
    bodies = {"text": "<p>Water" + " and leaves" * 30 + "</p>", "images": "<p>See <img><img><img></p>"}
    page = page_of("".join(f"<div>{body}</div>" * 3 for body in bodies.values()))
    for wanted, expected in (("text", "Water"), ("images", "See")):
        found = importance_of(FeatureExtractor(wanted), [page], page)  # type: ignore[arg-type]
        assert [expected] == [word for word, importance in found.items() if importance >= 0.5]


def test_importance_is_the_nearness_to_the_chosen_centre() -> None:
    # the only block has the features (1, 0, 0, 0, 0): 1 away from nothing, 0 from the chosen centre
    page = page_of("<div>Water and leaves</div>")
    nothing, text = (0.0,) * 5, (1.0, 0.0, 0.0, 0.0, 0.0)
    (root,) = Clusters("text", other=nothing, chosen=text).segment(page).sections
    assert 1.0 == root.importance


def test_sections_partition_the_page() -> None:
    for body in ("", "<div>tea</div>", PAGE):
        assert_partition(FeatureExtractor(), site(2), page_of(body))
        assert_partition(FeatureExtractor(), [], page_of(body))


def test_cost_is_linear() -> None:
    assert_learns_in_linear_time(FeatureExtractor())
