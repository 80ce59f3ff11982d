"""Which elements lie in which: compiled or interpreted, as a look at every pair finds it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of

from pagestrata.engine.nesting import are_inside, nearest_around
from pagestrata.native import kernel, nesting

PIECES = st.lists(st.sampled_from(["<div>", "</div>", "<p>x", "<ul><li>y</ul>"]), max_size=30)


@settings(deadline=None)
@given(PIECES, st.sets(st.integers(0, 40)))
def test_as_every_pair_says(pieces: list[str], chosen: set[int]) -> None:
    page = page_of("".join(pieces))
    end, members = page.nodes.end, sorted(node for node in chosen if node < len(page.nodes))
    around = {node: max((one for one in members if one < node < end[one]), default=-1) for node in members}
    assert around == nearest_around(page, members)
    nodes = np.arange(len(page.nodes))
    expected = [any(root <= node < end[root] for root in members) for node in nodes.tolist()]
    assert expected == are_inside(page, nodes, np.array(members, np.intp)).tolist()
    starts = np.array(members, np.int32)
    innermost = [
        max((place for place, one in enumerate(members) if one <= node < end[one]), default=-1) for node in nodes
    ]
    for loops in (kernel("nesting"), nesting):
        outer, found = np.zeros(len(members), np.int32), np.zeros(len(nodes), np.int32)
        loops.nest(starts, end[starts], outer)
        loops.find_innermost(starts, end[starts], outer, nodes.astype(np.int32), found)
        assert innermost == found.tolist()
