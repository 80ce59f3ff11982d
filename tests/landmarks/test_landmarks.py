"""Each landmark on the smallest page that shows it, and on pages with what draws nothing in between."""

import numpy as np
import pytest
from tests.build import held_landmarks, page_of, real_pages

from pagestrata import parse
from pagestrata.landmarks import Landmarks, landmarks_of, weighted_core_share

LINE = "one two three four five six seven eight"
RECORD = "<div><b>Ann</b>, 4 May 2024<p>What a fine day it was</p></div>"


def landmarks(body: str) -> Landmarks:
    return held_landmarks(page_of(body))


def tag_of(found: Landmarks, node: int) -> str:
    return found.page.nodes.tag_name(node)


def test_they_are_found_once() -> None:
    page = page_of(f"<p>{LINE}")
    assert landmarks_of(page) is landmarks_of(page)


def test_the_core_is_the_container_of_the_running_text() -> None:
    found = landmarks(f"<div><a href=/>menu</a></div><section><p>{LINE}</p><p>{LINE}</p></section><div>foot</div>")
    assert "section" == tag_of(found, found.core)
    assert [False, True, True, False] == found.is_inside(found.core).tolist()
    assert 1.0 == found.core_share[found.core]


def test_text_that_recurs_on_the_site_does_not_make_a_core() -> None:
    found = landmarks(f"<div><p>{LINE}</p><p>{LINE}</p></div><section><p>{LINE}</p></section>")
    assert found.records_inside.any() == 0  # columns that were read before do not stand in the way
    share = weighted_core_share(found, np.array([0.0, 0.0, 1.0]))
    assert ("div", "section") == (tag_of(found, found.core), tag_of(found, int(share.argmax())))


def test_records_repeat_side_by_side_and_may_be_signed() -> None:
    found = landmarks(f"<section>{RECORD * 3}</section><div><p>{LINE}</p><p>{LINE}</p></div>")
    assert ["div"] * 3 == [tag_of(found, int(node)) for node in found.records]
    assert [True] * 3 == found.is_signed.tolist()
    assert not landmarks(f"<section>{RECORD.replace('4 May 2024', 'wrote') * 3}</section>").is_signed.any()


@pytest.mark.parametrize(
    ("line", "is_stamp", "tells_time"),
    [
        ("Nessa, 9 May 2024", True, True),
        ("2 hours ago", True, True),
        ("$ 2,099.99", True, False),
        ("1.5 l, 24 h", True, False),
        ("Chapter 4", False, False),
        (f"{LINE} {LINE} on 9 May 2024", False, False),
    ],
)
def test_times(line: str, is_stamp: bool, tells_time: bool) -> None:
    found = landmarks(f"<p>{line}</p>")
    assert ([is_stamp], [tells_time]) == (found.is_stamp.tolist(), found.tells_time.tolist())


def test_groups_are_plain_lists_and_data_tables() -> None:
    found = landmarks(
        "<ul><li>a<ul><li>b</ul></ul><table><tr><td>c</table><table><tr><td><p>d</table><table><tr><td><div>e</div></table><pre>f\n\ng</pre>"
    )
    assert ["ul", "ul", "table", "table", "", "pre"] == [
        tag_of(found, node) if node >= 0 else "" for node in found.group.tolist()
    ]
    linked = "<ul><li><a href=/1>A headline that leads to another page</a></ul>"
    assert [-1] == landmarks(linked).group.tolist()


def test_copies_headings_and_links() -> None:
    found = landmarks(f"<h2>{LINE}</h2><p>Other</p><p>{LINE}</p><p><a href=/>to</a></p>")
    assert [0, 1, 0, 3] == found.first_copy.tolist()
    assert [2, 0, 0, 0] == found.heading_level.tolist()
    assert [0, 0, 0, 1] == found.link_share.tolist()


def test_controls_and_hidden_text_are_not_usable() -> None:
    found = landmarks("<p>seen</p><button>press</button><p hidden>not seen</p>")
    assert [True, False, False] == found.is_usable.tolist()


UNDRAWN = ("<script></script>", "<style></style>", "<template></template>", "<!-- -->", "<div hidden></div>")


@pytest.mark.parametrize("undrawn", UNDRAWN)
def test_what_draws_nothing_changes_nothing(undrawn: str) -> None:
    body = f"<section>{RECORD * 2}{RECORD.replace('<p>', '{}<p>')}</section><div><p>{LINE}</p>{{}}<p>{LINE}</p></div>"
    plain, with_undrawn = landmarks(body.replace("{}", "")), landmarks(body.replace("{}", undrawn))
    for column in ("is_stamp", "is_usable", "first_copy", "prose"):
        assert getattr(plain, column).tolist() == getattr(with_undrawn, column).tolist()
    assert len(plain.records) == len(with_undrawn.records)
    assert plain.is_inside(plain.core).tolist() == with_undrawn.is_inside(with_undrawn.core).tolist()


def test_columns_fit_together_on_real_pages() -> None:
    for path in real_pages(20):
        page = parse(path.read_bytes())
        found = landmarks_of(page)
        first, last = found.blocks_of(np.arange(len(page.nodes)))
        assert (first <= last).all()
        assert (found.first_copy <= np.arange(len(page.blocks))).all()
        assert (found.tells_time <= found.is_stamp).all()
        assert not found.first_block.flags.writeable
        for record in found.records.tolist():
            assert found.records_inside[page.nodes.parent[record]] >= 2
