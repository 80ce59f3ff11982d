"""The `<meta>` elements of a page by name, and the description among them."""

import pytest
from tests.metadata.helpers import page_of

from pagestrata.page.head import MAX_METAS, description_of, metas_by_name


def test_metas_are_found_by_any_naming_attribute_in_lower_case() -> None:
    metas = metas_by_name(page_of('<meta name=" Author "><meta property="og:title"><meta http-equiv="Refresh"><meta>'))
    assert list(metas) == ["author", "og:title", "refresh"]


def test_metas_of_one_name_are_in_document_order_wherever_they_stand() -> None:
    metas = metas_by_name(page_of('<meta name="a"><meta name="b">', '<p><meta name="a">'))
    assert len(metas["a"]) == 2
    assert metas["a"] == sorted(metas["a"])


def test_no_more_metas_are_read_than_allowed() -> None:
    assert len(metas_by_name(page_of('<meta name="a">' * (MAX_METAS + 1)))["a"]) == MAX_METAS


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<meta name="description" content="Salt &amp; mud">', "Salt & mud"),
        ('<meta property="og:description" content="Graph"><meta name="description" content="Plain">', "Plain"),
        ('<meta property="og:description" content="Graph"><meta name="twitter:description" content="Card">', "Graph"),
        ('<meta name="description" content="First"><meta name="description" content="Second">', "First"),
        ('<meta name="description">', ""),
        ('<meta name="Description" content="In capitals">', ""),
        ("", ""),
    ],
)
def test_description(head: str, expected: str) -> None:
    assert description_of(page_of(head)) == expected
