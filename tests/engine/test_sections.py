"""Sections know what they are for, and a list of very many items stays one of them."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from tests.build import EXAMPLES, real_pages

from pagestrata import Extraction, Options, Role, Section, extract, parse
from pagestrata.algorithms.base import Part
from pagestrata.engine import sections
from pagestrata.engine.engine import Engine
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


# ------------------------------------------------------------------------------------------------------------ headings

SENTENCE = "Mud is what is left when the tide has gone and the river has not yet come back to take it. "
ARTICLE = (
    f"<title>Mud</title><article><h1>Mud</h1><p>{SENTENCE * 2}</p><h2 id=tides>Tides</h2><p>{SENTENCE * 2}</p>"
    f"<h3>Spring</h3><p>{SENTENCE * 2}</p><section id=eels><h2>Eels</h2><ul><li>{SENTENCE}</ul></section></article>"
)


def tree(section: Section) -> Any:
    """A section with those inside it, by their headings."""
    return [section.heading, *(tree(child) for child in section.children)] if section.children else section.heading


def test_a_kept_section_is_cut_at_its_headings() -> None:
    found = extract(ARTICLE, "https://mud.example/mud")
    title, lead, tides, eels = found.sections[0].children
    assert (Role.TITLE, ["Tides", "Tides", "Spring"]) == (title.role, tree(tides))
    assert [("", 0, None), ("Tides", 2, "tides"), ("Eels", 2, "eels")] == [
        (each.heading or "", each.level, each.anchor) for each in (lead, tides, eels)
    ]
    assert ("Tides", "Spring") == tides.children[1].heading_path
    assert [42, 1 + 42 + 1 + 42, 1 + 21] == [each.words for each in (lead, tides, eels)]
    assert all(each.importance >= 0.5 and each.reasons for each in found.sections[0].walk())


def test_a_section_is_written_by_itself() -> None:
    found = extract(ARTICLE)
    (eels,) = (leaf for leaf in found.leaves() if leaf.heading == "Eels")
    assert f"## Eels\n\n- {SENTENCE.strip()}\n" == eels.markdown
    assert '<h2 id="eels">Eels</h2>' in eels.html
    assert found.markdown == "\n".join(leaf.markdown for leaf in found.leaves())


def test_what_is_not_kept_can_be_written_too() -> None:
    found = extract(ARTICLE.replace("<article>", "<nav><a href=/a>Weather</a></nav><article>"))
    (menu,) = (leaf for leaf in found.leaves() if not leaf.kept)
    assert "Weather\n" == menu.markdown.replace("[", "").replace("](/a)", "")


def test_headings_that_are_not_kept_cut_nothing() -> None:
    box = "<aside><h2>Read more</h2><a href=/a>Sand</a></aside>"
    found = extract(ARTICLE.replace("<h3>", f"{box}<p>{SENTENCE}</p><h3>"), options=Options(drop=("aside",)))
    leaf = next(leaf for leaf in found.leaves() if leaf.text == SENTENCE.strip())
    assert ("Tides",) == leaf.heading_path


def test_cuts_at_headings_do_not_change_what_is_written() -> None:
    layout = ARTICLE.replace("<article>", "<table><tr><td>").replace("</article>", "<td>Menu</table>")
    for page in (ARTICLE, layout):
        plain, dropped = extract(page), extract(page, options=Options(drop=("nav",)))
        assert (plain.markdown, plain.html) == (dropped.markdown, dropped.html)


def test_leaves_partition_real_pages_and_cuts_have_headings() -> None:
    for path in real_pages(40):
        found = extract(path.read_bytes())
        leaves = list(found.leaves())
        edges = [leaf.block_start for leaf in leaves] + [len(found.page.blocks)]
        assert edges == [0, *(leaf.block_end for leaf in leaves)]
        for leaf in leaves:
            assert leaf.heading_path[-1:] == (leaf.heading,) or leaf.heading is None


def test_what_a_person_named_is_not_cut_at_headings() -> None:
    page = parse(ARTICLE)
    (node,) = page.nodes_tagged("section").tolist()
    edit = Part(node, int(page.nodes.end[node]), 0.0, Role.RELATED, ("a person said so",))
    found = replace(Engine().segment(page), edits=(edit,))
    assert [Role.RELATED] == [leaf.role for root in found.sections for leaf in root.leaves() if "Eels" in leaf.text]


def test_too_many_headings_cut_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MAX_ITEMS", 2)
    assert not any(leaf.kept and leaf.heading == "Tides" for leaf in extract(ARTICLE).leaves())
