"""Sections know what they are for, and a list of very many items stays one of them."""

from itertools import pairwise

import pytest
from tests.build import EXAMPLES, real_pages

from pagestrata import Extraction, Options, extract
from pagestrata.engine import sections
from pagestrata.results import Leaves, leaf_columns

CARD = "<li><h3><a href=/{n}>Mud, part {n}</a></h3><p>What there is to say of {n}, in a few words of its own.</p></li>"


def listing(cards: int) -> Extraction:
    body = "".join(CARD.format(n=number) for number in range(cards))
    return extract(f"<title>Mud</title><main><ul>{body}</ul></main>", options=Options(bias=1.0))


def test_items_are_sections_of_their_own() -> None:
    assert 20 == sum(leaf.item is not None for leaf in listing(20).leaves())


def test_too_many_items_stay_together_and_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MAX_ITEMS", 20)
    found = listing(21)
    (leaf,) = (leaf for leaf in found.leaves() if leaf.kept)
    assert leaf.item is None
    assert "21 items; not cut apart, as the page has more than 20" in leaf.reasons
    assert found.text.startswith(listing(20).text)
    assert "Mud, part 20" in found.text


def kept_nodes(leaves: Leaves, count: int) -> list[bool]:
    edges = [*leaves.node_start.tolist(), count]
    rows = zip(leaves.kept.tolist(), pairwise(edges), strict=True)
    return [kept for kept, (start, end) in rows for _ in range(start, end)]


def test_the_leaves_that_renderers_read_are_those_of_the_sections() -> None:
    for path in [*EXAMPLES, *real_pages(60)]:
        found = extract(path.read_bytes())
        texts = found.page.nodes.is_text.tolist()
        cut, tree = found.segmentation.leaves, leaf_columns(found.sections)
        both = zip(kept_nodes(cut, len(texts)), kept_nodes(tree, len(texts)), texts, strict=True)
        assert [] == [node for node, (one, other, is_text) in enumerate(both) if is_text and one != other], path


def test_the_sections_of_a_page_are_computed_only_when_they_are_asked_for() -> None:
    found = extract(EXAMPLES[0].read_bytes())
    assert found.metadata.title
    assert "decision" not in vars(found.segmentation)
    assert found.markdown
    assert "sections" not in vars(found.segmentation)
