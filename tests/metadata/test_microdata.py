import pytest
from tests.metadata.helpers import page_of, values

from pagestrata.metadata import microdata
from pagestrata.metadata.schema_org import SchemaItems

ARTICLE = 'itemscope itemtype="https://schema.org/Article"'


def read(body: str, title: str = "") -> SchemaItems:
    return microdata.read(page_of(f"<title>{title}</title>", body))


def test_values_come_from_attributes_or_text() -> None:
    found = read(
        f"""<article {ARTICLE}><h1 itemprop="headline">Mud</h1><meta itemprop="dateModified" content="2024-05-18">
        <time itemprop="datePublished" datetime="2024-05-17">yesterday</time><img itemprop="image" src="/mud.jpg">
        <a itemprop="license" href="/licence">free</a> <b itemprop="keywords">mud, tides</b></article>"""
    )
    assert values(found, "title") == [("Mud",)]
    assert values(found, "date_modified") == [("2024-05-18",)]
    assert values(found, "date_published") == [("2024-05-17",)]
    assert values(found, "image") == [("/mud.jpg",)]
    assert values(found, "licence") == [("/licence",)]
    assert values(found, "tags") == [("mud", " tides")]


def test_the_name_inside_an_author_item_is_the_author() -> None:
    person = '<p itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ines</b></p>'
    found = read(f'<div {ARTICLE}><i itemprop="headline">Mud</i>{person}</div>')
    assert values(found, "authors") == [("Ines",)]
    assert values(found, "title") == [("Mud",)]


def test_properties_of_a_comment_do_not_count_for_the_article() -> None:
    comment = (
        '<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><b itemprop="author">Dob</b>'
        '<time itemprop="datePublished" datetime="2024-06-01"></time></div>'
    )
    found = read(f'<div {ARTICLE}><i itemprop="headline">Mud</i>{comment}<b itemprop="author">Ines</b></div>')
    assert values(found, "authors") == [("Ines",)]
    assert values(found, "date_published") == []


def test_a_comment_beside_the_article_does_not_count_either() -> None:
    comment = '<div itemscope itemtype="https://schema.org/Comment"><b itemprop="author">Dob</b></div>'
    assert values(read(f'<div {ARTICLE}><i itemprop="headline">Mud</i></div>{comment}'), "authors") == []


def test_an_article_inside_a_page_item_is_found() -> None:
    body = f"""<main itemscope itemtype="https://schema.org/WebPage"><i itemprop="name">Page</i>
    <div itemprop="mainEntity" {ARTICLE}><b itemprop="headline">Mud</b></div></main>"""
    assert values(read(body), "title") == [("Mud",), ("Page",)]


def test_a_list_of_articles_describes_none_of_them() -> None:
    cards = "".join(f'<div {ARTICLE}><b itemprop="headline">{name}</b></div>' for name in ("Tides", "Birds", "Boats"))
    assert values(read(cards), "title") == []
    assert values(read(cards, title="Birds - Tidewater"), "title") == [("Birds",)]


def test_of_properties_without_an_item_the_first_counts() -> None:
    found = read('<b itemprop="author">Ines</b> <b itemprop="author">Dob</b>')
    assert values(found, "authors") == [("Ines",)]


def test_a_page_without_microdata_says_nothing() -> None:
    assert read("<p>Mud") == SchemaItems()


def test_too_many_properties_are_named() -> None:
    found = read('<meta itemprop="keywords" content="mud">' * 6_000)
    assert found.warnings == ("microdata: more than 5,000 items and properties; the rest was not read",)
    assert values(found, "tags") == [("mud",)]


BLOG_POST = 'itemprop="blogPost" itemscope itemtype="https://schema.org/BlogPosting"'


@pytest.mark.parametrize("scope", [BLOG_POST, 'itemscope itemtype="https://schema.org/CreativeWork"'])
def test_the_post_of_a_blog_describes_the_page(scope: str) -> None:
    post = '<meta itemprop="datePublished" content="2024-05-17"><b itemprop="author">Ines Halloway</b>'
    found = read(f'<div itemscope itemtype="https://schema.org/Blog"><article {scope}>{post}</article></div>')
    assert values(found, "date_published") == [("2024-05-17",)]
    assert values(found, "authors") == [("Ines Halloway",)]
