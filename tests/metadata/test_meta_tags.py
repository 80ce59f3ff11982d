import pytest
from tests.metadata.helpers import page_of, values

from pagestrata import parse
from pagestrata.metadata.meta_tags import NAMES, LinkTags, MetaTags, RootElement


def metas(head: str) -> MetaTags:
    return MetaTags(page_of(head))


def links(head: str, body: str = "") -> LinkTags:
    return LinkTags(page_of(head, body))


@pytest.mark.parametrize(
    ("name", "field"),
    [(name, field) for field, names in NAMES.items() for name in names],
)
def test_names_stand_for_fields(name: str, field: str) -> None:
    assert values(metas(f'<meta name="{name.title()}" content="value">'), field) == [("value",)]


def test_http_equiv_counts_as_a_name() -> None:
    assert values(metas('<meta http-equiv="Content-Language" content="cy">'), "language") == [("cy",)]


def test_names_with_a_prefix_of_their_own_are_tried_last() -> None:
    found = metas('<meta name="acme:author" content="Dob"><meta name="author" content="Ines">')
    assert values(found, "authors") == [("Ines",), ("Dob",)]


def test_parsely_began_with_an_object() -> None:
    page = '{"title": "Mud", "author": "Ines", "pub_date": "2024-05-17", "section": 5}'
    found = metas(f"<meta name='parsely-page' content='{page}'>")
    assert [values(found, field) for field in ("title", "authors", "date_published", "image")] == [
        [("Mud",)],
        [("Ines",)],
        [("2024-05-17",)],
        [],
    ]


@pytest.mark.parametrize("content", ["[]", "{", "5", '{"pub_date": {}}'])
def test_a_broken_object_of_parsely_says_nothing(content: str) -> None:
    assert values(metas(f"<meta name='parsely-page' content='{content}'>"), "date_published") == []


def test_names_of_opengraph_are_left_to_that_source() -> None:
    assert values(metas('<meta property="article:author" content="Ines">'), "authors") == []


def test_several_authors_are_one_candidate() -> None:
    found = metas('<meta name="citation_author" content="A B"><meta name="citation_author" content="C D">')
    assert values(found, "authors") == [("A B", "C D")]


def test_keywords_are_split() -> None:
    assert values(metas('<meta name="keywords" content="mud,tide;eel">'), "tags") == [("mud", "tide", "eel")]


def test_links_of_the_head() -> None:
    found = links(
        '<link rel="canonical" href="/mud"><link rel="license" href="/licence"><link rel="image_src" href="/mud.jpg">'
        '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
        '<link rel="alternate" type="application/atom+xml; charset=utf-8" href="/atom.xml">'
        '<link rel="alternate" type="application/feed+json" href="/feed.json">'
        '<link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="/a.css">'
    )
    assert values(found, "url") == [("/mud",)]
    assert values(found, "licence") == [("/licence",)]
    assert values(found, "image") == [("/mud.jpg",)]
    assert values(found, "feeds") == [("/feed.xml", "/atom.xml", "/feed.json")]


def test_a_link_in_the_text_is_not_canonical_but_may_name_the_licence() -> None:
    found = links("", '<a rel="canonical" href="/spam">x</a> <a rel="license" href="/licence">y</a>')
    assert values(found, "url") == []
    assert values(found, "licence") == [("/licence",)]


def test_a_creative_commons_link_without_rel_counts_if_it_is_the_only_one() -> None:
    one = '<a href="https://creativecommons.org/licenses/by/4.0/">CC</a>'
    assert values(links("", one + one), "licence") == [("https://creativecommons.org/licenses/by/4.0/",)]
    assert values(links("", one + one.replace("by", "by-sa")), "licence") == []
    assert values(links("", one.replace("licenses", "about")), "licence") == []


def test_the_language_of_the_root() -> None:
    assert values(RootElement(parse('<html lang="cy" xml:lang="en">')), "language") == [("cy",), ("en",)]


def test_too_many_metas_are_named() -> None:
    found = metas('<meta name="author" content="Ines">' * 6_000)
    assert found.warnings == ("metas: 6,000 where 5,000 are allowed; the rest was not read",)
