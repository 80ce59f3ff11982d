"""Sections know what they are for, and a list of very many items stays one of them."""

import pytest

from pagestrata import Extraction, Options, extract
from pagestrata.engine import sections

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
