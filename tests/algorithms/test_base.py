"""Whatever parts a method names, the sections partition the page, and selectors, title and comments are obeyed."""

from hypothesis import given
from hypothesis import strategies as st
from tests.build import EXAMPLES, page_of

from pagestrata import Options, Page, Role, Section, parse
from pagestrata.algorithms.base import Part, section_tree

PAGE = parse(EXAMPLES[0].read_bytes())
BODY = "<h1>Test</h1><div><p>One</p><p>Two <b>strong</b> end</p></div><div><p>Three</p></div>"


def leaves_of(roots: tuple[Section, ...]) -> list[Section]:
    return [leaf for root in roots for leaf in root.leaves()]


def part_of(page: Page, tag: str, place: int = 0, importance: float = 1.0, **more: object) -> Part:
    node = int(page.nodes_tagged(tag)[place])
    return Part(node, int(page.nodes.end[node]), importance, **more)  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.integers(0, len(PAGE.nodes)), st.integers(0, len(PAGE.nodes))), max_size=8))
def test_leaves_partition_the_page(edges: list[tuple[int, int]]) -> None:
    parts = [Part(min(edge), max(edge), 0.7) for edge in edges]
    leaves = leaves_of(section_tree(PAGE, parts))
    for start, end, size in (("node_start", "node_end", PAGE.nodes), ("block_start", "block_end", PAGE.blocks)):
        assert [0, *(getattr(leaf, end) for leaf in leaves)] == [*(getattr(leaf, start) for leaf in leaves), len(size)]


def test_what_no_part_covers_is_a_section_too() -> None:
    page = page_of(BODY)
    leaves = leaves_of(section_tree(page, [part_of(page, "p")], Part(0, 0, 0.1, reasons=("outside",))))
    assert [("Test", True), ("One", True), ("Two strong end\nThree", False)] == [
        (leaf.text, leaf.kept) for leaf in leaves
    ]
    assert "outside" in leaves[-1].reasons


def test_a_line_is_never_torn() -> None:
    page = page_of(BODY)
    leaves = leaves_of(section_tree(page, [part_of(page, "b")]))
    assert ["Test", "One\nTwo strong end\nThree"] == [leaf.text for leaf in leaves]


def test_parts_in_parts_make_a_tree() -> None:
    page = page_of(BODY)
    (root,) = section_tree(page, [part_of(page, "div", importance=0.2), part_of(page, "p", 1, 0.8)])
    outer = root.children[1]
    assert ["One", "Two strong end"] == [child.text for child in outer.children]
    assert [0.2, 0.8] == [child.importance for child in outer.children]
    assert "/html[1]/body[1]/div[1]" == outer.xpath


def test_drop_wins_over_keep_and_both_over_the_score() -> None:
    options = {"keep": ("p",), "drop": ("div + div",)}
    page = page_of(BODY, **options)
    leaves = leaves_of(section_tree(page, [], options=Options(**options)))  # type: ignore[arg-type]
    assert ["Test", "One", "Two strong end"] == [leaf.text for leaf in leaves if leaf.kept]


def test_comments_are_as_the_options_say() -> None:
    page = page_of(BODY)
    parts = [part_of(page, "div", 0), part_of(page, "div", 1, role=Role.COMMENTS)]
    for comments, expected in (("off", {"title", "main"}), ("on", {"title", "main", "comments"})):
        sections = section_tree(page, parts, options=Options(comments=comments))  # type: ignore[arg-type]
        assert expected == {leaf.role.value for leaf in leaves_of(sections) if leaf.kept}


def test_a_page_without_elements_has_no_sections() -> None:
    assert all(not leaf.text for leaf in leaves_of(section_tree(parse(b""), [Part(0, 1, 1.0)])))
