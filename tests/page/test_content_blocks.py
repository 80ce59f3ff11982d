"""Content blocks are runs of visible text under one organising element."""

import numpy as np
from tests.build import page_of

from pagestrata.page.content_blocks import block_of, content_blocks

BODY = "<div><p>One</p><p>Two</p><ul><li>Three<li>Four</ul><p>Five</p><p hidden>Six</p></div>"


def test_a_run_ends_where_another_element_organises() -> None:
    page = page_of(BODY)
    lines = [page.text[page.blocks.text_start[i] : page.blocks.text_end[i]] for i in range(len(page.blocks))]
    blocks = content_blocks(page)
    assert [["One", "Two"], ["Three", "Four"], ["Five"]] == [[lines[i] for i in block.blocks] for block in blocks]
    assert ["div", "ul", "div"] == [page.nodes.tag_name(block.node) for block in blocks]


def test_each_text_node_is_in_one_block() -> None:
    page = page_of(BODY)
    texts = np.flatnonzero(page.nodes.is_text).astype(np.int32)
    inside = [page.text_of(int(node)) for node in texts]
    found = dict(zip(inside, block_of(content_blocks(page), texts).tolist(), strict=True))
    assert [0, 0, 1, 1, 2, -1] == [found[word] for word in "One Two Three Four Five Six".split()]


def test_an_empty_page_has_none() -> None:
    page = page_of("")
    assert ([], []) == (content_blocks(page), block_of([], np.arange(0, dtype=np.int32)).tolist())
