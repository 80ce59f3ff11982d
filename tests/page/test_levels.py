"""What comes down a tree level by level is what a walk from the root would bring."""

import numpy as np
from tests.build import EXAMPLES, page_of

from pagestrata import parse
from pagestrata.page.levels import Levels
from pagestrata.page.tag_paths import tag_paths


def test_sums_over_ancestors_are_those_of_a_walk() -> None:
    nodes = parse(EXAMPLES[0].read_bytes()).nodes
    values = np.arange(len(nodes)) % 7
    expected = [values[node] + sum(values[above] for above in nodes.ancestors(node)) for node in range(len(nodes))]
    assert expected == Levels(nodes).down(values, np.add).tolist()


def test_equal_tag_paths_have_equal_numbers_on_any_page() -> None:
    one, other = page_of("<div><p>a</p><p>b</p><x-y>c</x-y></div>"), page_of("<hr><div><x-y>c</x-y><p>b</p></div>")
    numbers = [
        dict(zip(map(page.nodes.tag_name, range(len(page.nodes))), tag_paths(page.nodes), strict=True))
        for page in (one, other)
    ]
    assert numbers[0]["p"] == numbers[1]["p"] != numbers[0]["div"]
    assert numbers[0]["x-y"] == numbers[1]["x-y"]


def test_a_page_without_elements_has_no_levels() -> None:
    assert len(parse(b"").nodes) == len(tag_paths(parse(b"").nodes))
