import json

import pytest
from tests.metadata.helpers import URL, page_of, script, values

from pagestrata.metadata import jsonld
from pagestrata.metadata.jsonld import decode, nesting
from pagestrata.metadata.schema_org import SchemaItems
from pagestrata.options import Options

ARTICLE = {"@type": "Article", "headline": "Mud"}


def read(*scripts: object, title: str = "", options: Options | None = None) -> SchemaItems:
    return jsonld.read(page_of(f"<title>{title}</title>{script(*scripts)}"), options or Options())


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1,}\n ',
        '<!-- {"a": 1} -->',
        '//<![CDATA[\n{"a": 1}\n//]]>',
        '/* <![CDATA[ */ {"a": 1} /* ]]> */',
        '{"a": 1};',
    ],
)
def test_wrappers_and_trailing_marks_are_tolerated(text: str) -> None:
    assert [{name: int(value) for name, value in decode(text)[0].items()}] == [{"a": 1}]


def test_line_breaks_in_strings_are_tolerated() -> None:
    assert decode('{"a": "two\nlines"}') == [{"a": "two\nlines"}]


def test_several_values_in_one_script_are_all_read() -> None:
    assert decode('{"a": "1"}\n{"b": "2"}, {"c": "3"}') == [{"a": "1"}, {"b": "2"}, {"c": "3"}]


@pytest.mark.parametrize("text", ["", "nothing", "{", '{"a": "b" "c"}', "[" * 100_000, '{"a": ' + "1" * 10_000 + "}"])
def test_broken_json_gives_what_can_be_read_and_never_raises(text: str) -> None:
    assert isinstance(decode(text), list)


def test_brackets_in_strings_do_not_nest() -> None:
    assert nesting(json.dumps({"a": ["[[[[", 'quote " and [', "back\\"]})) == 2
    assert nesting("[" * 9) == 9
    assert nesting("") == 0


def test_the_properties_of_an_article() -> None:
    found = read(
        {
            "@context": "https://schema.org",
            "@type": ["NewsArticle", "Thing"],
            "headline": "Mud",
            "author": [{"@type": "Person", "name": "Signe Ødegarth"}, "Théo Marchbank"],
            "datePublished": "2024-05-17",
            "dateModified": "2024-05-18",
            "image": {"@type": "ImageObject", "url": "/mud.jpg"},
            "inLanguage": {"@type": "Language", "name": "en"},
            "publisher": {"@type": "Organization", "name": "Tidewater"},
            "articleSection": ["Lore", "Ground"],
            "keywords": "mud, tides",
            "license": "https://creativecommons.org/licenses/by/4.0/",
        }
    )
    assert values(found, "title") == [("Mud",)]
    assert values(found, "authors") == [("Signe Ødegarth", "Théo Marchbank")]
    assert values(found, "date_published") == [("2024-05-17",)]
    assert values(found, "date_modified") == [("2024-05-18",)]
    assert values(found, "image") == [("/mud.jpg",)]
    assert values(found, "language") == [("en",)]
    assert values(found, "site_name") == [("Tidewater",)]
    assert values(found, "categories") == [("Lore", "Ground")]
    assert values(found, "tags") == [("mud", " tides")]
    assert values(found, "licence") == [("https://creativecommons.org/licenses/by/4.0/",)]


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("A B", ["A B"]),
        (["A B", "C D"], ["A B", "C D"]),
        ({"name": "A B"}, ["A B"]),
        ({"name": ["A B", "C D"]}, ["A B", "C D"]),
        ({"@list": [{"name": "A B"}, "C D"]}, ["A B", "C D"]),
        ({"givenName": "A", "familyName": "B"}, ["A B"]),
        ({"@id": "#me"}, ["A B"]),
        ({"@id": "#nobody"}, []),
        (7, []),
        (None, []),
        ({"name": {"name": {"name": "A B"}}}, ["A B"]),
    ],
)
def test_authors_in_all_shapes(author: object, expected: list[str]) -> None:
    found = read({"@graph": [{**ARTICLE, "author": author}, {"@type": "Person", "@id": "#me", "name": "A B"}]})
    assert values(found, "authors") == ([tuple(expected)] if expected else [])


def test_an_object_that_names_itself_does_not_go_round_in_circles() -> None:
    found = read({"@graph": [{**ARTICLE, "author": {"@id": "#a"}}, {"@id": "#a", "name": {"@id": "#a"}}]})
    assert values(found, "authors") == []


@pytest.mark.parametrize(
    "value",
    [
        {"@graph": [{"@type": "Organization", "name": "Tidewater"}, ARTICLE]},
        [[ARTICLE]],
        {"@type": "WebPage", "mainEntity": ARTICLE},
        {"@type": "http://schema.org/BlogPosting", "headline": "Mud"},
        {"@type": "schema:TechArticle", "headline": "Mud"},
    ],
)
def test_the_article_is_found_wherever_it_stands(value: object) -> None:
    assert values(read(value), "title") == [("Mud",)]


@pytest.mark.parametrize("kind", ["Organization", "BreadcrumbList", "WebSite", "Person", "ImageObject", "Nonsense"])
def test_what_does_not_describe_a_page_gives_no_title(kind: str) -> None:
    assert values(read({"@type": kind, "name": "Tidewater"}), "title") == []


def test_a_site_gives_its_name() -> None:
    assert values(read({"@type": "WebSite", "name": "Tidewater"}), "site_name") == [("Tidewater",)]


def test_of_several_articles_the_one_with_the_address_of_the_page_counts() -> None:
    articles = [{**ARTICLE, "headline": name, "url": f"https://tidewater.example/{name}"} for name in ("a", "b")]
    found = read([*articles, {**ARTICLE, "mainEntityOfPage": {"@id": URL}}])
    assert values(found, "title") == [("Mud",)]


def test_of_several_articles_the_one_with_the_title_of_the_page_counts() -> None:
    found = read([{**ARTICLE, "headline": "Tides"}, ARTICLE], title="Mud | Tidewater")
    assert values(found, "title") == [("Mud",)]


def test_a_list_of_articles_describes_none_of_them() -> None:
    found = read([{**ARTICLE, "headline": name, "author": name} for name in ("Tides", "Birds", "Boats")])
    assert values(found, "title") == []
    assert values(found, "authors") == []


def test_an_article_comes_before_what_else_is_on_its_page() -> None:
    found = read([{"@type": "Product", "name": "Lead"}, {"@type": "WebPage", "name": "Page"}, ARTICLE])
    assert values(found, "title") == [("Mud",), ("Page",)]


def test_questions_of_a_list_of_questions_are_not_the_page() -> None:
    assert values(read({"@type": "FAQPage", "mainEntity": {"@type": "Question", "name": "Why?"}}), "title") == []


def test_comments_inside_an_article_are_not_looked_at() -> None:
    found = read({**ARTICLE, "comment": {"@type": "Comment", "author": "Dob"}, "review": {"author": "Eelgrass"}})
    assert values(found, "authors") == []


def test_what_is_over_the_bytes_is_named_and_not_read() -> None:
    found = read(ARTICLE, {"@type": "WebPage", "name": "Late"}, options=Options(json_ld_bytes=60))
    assert values(found, "title") == [("Mud",)]
    assert found.warnings == ("JSON-LD: 60 bytes are allowed; from script 2 of 2 on it was not read",)


def test_what_is_nested_too_deep_is_named_and_the_rest_is_read() -> None:
    deep = {"@type": "Article", "about": [[[1]]]}
    found = read(deep, ARTICLE, options=Options(json_ld_depth=3))
    assert values(found, "title") == [("Mud",)]
    assert found.warnings == ("JSON-LD: nested 4 deep where 3 are allowed; script 1 was not read",)


@pytest.mark.parametrize(("value", "expected"), [(1676551869, [("1676551869",)]), (1.5, [])])
def test_a_date_may_be_a_number(value: object, expected: list[tuple[str, ...]]) -> None:
    assert values(read({**ARTICLE, "datePublished": value}), "date_published") == expected
