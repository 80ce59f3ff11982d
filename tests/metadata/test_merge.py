import json
import pickle
from itertools import pairwise

import pytest
from tests.metadata.helpers import URL, meta, metadata_of, page_of, script

from pagestrata import Options, extract
from pagestrata.metadata.merge import FIELDS, ORDER, Metadata, read_metadata

# Something that makes each source say something of each field that it may answer; the value is the source's name.
DAYS = {"json-ld": 10, "opengraph": 11, "microdata": 12, "meta": 13, "visible": 14}
LANGUAGES = {"html": "cy", "meta": "de", "json-ld": "fr", "opengraph": "it"}


def said_by(source: str, field: str) -> str:
    if field.startswith("date"):
        return f"2024-05-{DAYS[source]}"
    if field in ("image", "url", "licence"):
        return f"https://tidewater.example/{source}"
    return LANGUAGES[source] if field == "language" else f"Told by {source}"


JSON_LD = {
    "title": "headline",
    "authors": "author",
    "date_published": "datePublished",
    "date_modified": "dateModified",
    "language": "inLanguage",
    "site_name": "publisher",
    "description": "description",
    "image": "image",
    "url": "url",
    "licence": "license",
    "categories": "articleSection",
    "tags": "keywords",
}
METAS = {
    "opengraph": {
        "title": "og:title",
        "authors": "article:author",
        "date_published": "article:published_time",
        "date_modified": "article:modified_time",
        "language": "og:locale",
        "site_name": "og:site_name",
        "description": "og:description",
        "image": "og:image",
        "url": "og:url",
        "categories": "article:section",
        "tags": "article:tag",
    },
    "twitter": {"title": "twitter:title", "description": "twitter:description", "image": "twitter:image"},
    "meta": {
        "title": "dc.title",
        "authors": "author",
        "date_published": "date",
        "date_modified": "last-modified",
        "language": "content-language",
        "site_name": "application-name",
        "description": "description",
        "image": "thumbnail",
        "url": "parsely-link",
        "licence": "dc.rights",
        "categories": "parsely-section",
        "tags": "keywords",
    },
}
# Not said by an attribute or a string alone; they have tests of their own.
NOT_SAID = {("html", "language"), ("twitter", "authors")} | {("visible", field) for field in ORDER}
LINKS = {"url": "canonical", "licence": "license", "image": "image_src"}


def markup(source: str, field: str) -> str:
    """What makes a source say its own name for a field."""
    text = said_by(source, field)
    if source == "json-ld":
        return script({"@type": "Article", JSON_LD[field]: text})
    if source == "microdata":
        return f'<meta itemprop="{JSON_LD[field]}" content="{text}">'
    if source == "link":
        return f'<link rel="{LINKS[field]}" href="{text}">'
    return f'<meta name="{METAS[source][field]}" content="{text}">'


@pytest.mark.parametrize(
    ("field", "first", "second"),
    [
        (field, first, second)
        for field, sources in ORDER.items()
        for first, second in pairwise(
            source
            for source in sources
            if source not in ("visible", "html") and (source, field) != ("twitter", "authors")
        )
    ],
)
def test_sources_are_believed_in_the_written_order(field: str, first: str, second: str) -> None:
    found = metadata_of(markup(second, field) + markup(first, field), url=None)
    expected = said_by(first, field)
    assert getattr(found, field) in (expected, (expected,))
    assert found.sources[field] == first


def test_what_the_page_shows_is_asked_last() -> None:
    body = "<h1>Mud</h1><p>By Ines Halloway</p><p>14 May 2024</p>"
    assert metadata_of("<title>Mud</title>", body).date_published == "2024-05-14"
    assert metadata_of("<title>Mud</title>", body).sources["authors"] == "visible"
    told = metadata_of("<title>Mud</title>" + meta(author="Dob Lomm", date="2024-05-13"), body)
    assert (told.authors, told.date_published) == (("Dob Lomm",), "2024-05-13")


def test_the_root_says_the_language_before_all_others() -> None:
    page = '<html lang="en_gb"><meta http-equiv="content-language" content="de"><p>x'
    found = extract(page).metadata
    assert (found.language, found.sources["language"]) == ("en-GB", "html")


def test_a_wrong_answer_gives_way_to_the_next_source() -> None:
    wrong = script({"@type": "Article", "datePublished": "soon", "image": "data:,", "author": "https://a.example"})
    right = meta(article__published_time="2024-05-17", og__image="/mud.jpg", author="Ines Halloway")
    found = metadata_of(wrong + right)
    assert found.date_published == "2024-05-17"
    assert found.image == "https://tidewater.example/mud.jpg"
    assert found.authors == ("Ines Halloway",)


def test_the_site_itself_is_the_author_only_if_nobody_else_is_named() -> None:
    site = meta(og__site_name="Tidewater", author="Tidewater")
    assert metadata_of(site).authors == ("Tidewater",)
    assert metadata_of(site, "<h1>Mud</h1><p>By Ines Halloway</p>").authors == ("Ines Halloway",)
    assert metadata_of(meta(og__site_name="Tidewater", author="Ines Halloway, Tidewater")).authors == ("Ines Halloway",)


def test_the_address_we_came_by_is_the_last_resort() -> None:
    found = metadata_of(url="https://tidewater.example/2024/05/17/mud")
    assert (found.url, found.sources["url"]) == ("https://tidewater.example/2024/05/17/mud", "url")
    assert (found.date_published, found.sources["date_published"]) == ("2024-05-17", "url")


def test_a_time_in_utc_is_of_the_day_in_the_address() -> None:
    head = meta(article__published_time="2024-05-18T02:18:11Z")
    assert "2024-05-17" == metadata_of(head, url="https://tidewater.example/2024/05/17/mud").date_published
    assert "2024-05-18T02:18:11+00:00" == metadata_of(head).date_published


FAR = "<h1>Mud</h1><p>" + "Mud is what the tide leaves behind. " * 100 + "</p>"


@pytest.mark.parametrize(
    "text",
    [
        '<div class="sno-story-date"><span>May 17, 2024</span></div>',
        '<div class="single-post-date">17 May 2024</div>',
        '<abbr class="published" title="2024-05-17T10:00:00+02:00">10:00</abbr>',
        '<span class="postDate">17 May 2024</span>',
        '<a class="post-meta-time" href="/2024">17/05/2024</a>',
        '<div class="post-footer">Dieser Artikel wurde am 17. Mai 2024 um 14:48 von Ines verfasst.</div>',
        "<p>Dieser Text wurde am 17. Mai 2024 um 11 Uhr veröffentlicht.</p>",
        "<h4>Published</h4><div>17 May 2024</div>",
        "<p>Here, on 17 May 2024</p>",
    ],
)
def test_a_date_far_from_the_title_counts_if_nothing_else_does(text: str) -> None:
    found = metadata_of("<title>Mud</title>", FAR + text)
    assert ("2024-05-17", "visible") == ((found.date_published or "")[:10], found.sources["date_published"])


@pytest.mark.parametrize(
    "text",
    [
        "<p>From 17 May 2024</p><p>to 19 May 2024</p>",
        "".join(f'<p class="date">{day} May 2024</p>' for day in range(10, 16)),
        "".join(f"<p>Posted on {day} May 2024</p>" for day in range(10, 16)),
        '<p class="comment-date">on 17 May 2024</p><p class="comment-date">on 18 May 2024</p>',
    ],
)
def test_several_dates_far_from_the_title_prove_nothing(text: str) -> None:
    assert metadata_of("<title>Mud</title>", FAR + text).date_published is None


def test_a_change_that_the_page_shows_counts_as_its_date_if_there_is_no_other() -> None:
    found = metadata_of(
        "<title>Mud</title>", "<h1>Mud</h1><p>Last updated: 17 May 2024</p><p>From 19 May 2024</p>" + FAR
    )
    assert found.date_modified == "2024-05-17"
    shown = metadata_of("<title>Mud</title>", "<h1>Mud</h1><p>Last updated: 17 May 2024</p>" + FAR)
    assert (shown.date_published, shown.date_modified) == ("2024-05-17", "2024-05-17")
    assert shown.sources["date_published"] == "date_modified"
    below = metadata_of("<title>Mud</title>", FAR + "<p>Last updated: 17 May 2024</p>")
    assert (below.date_published, below.sources["date_published"]) == ("2024-05-17", "date_modified")
    declared = metadata_of(meta(article__modified_time="2024-05-17T10:00:00Z"), FAR)
    assert (declared.date_published, declared.date_modified) == (None, "2024-05-17T10:00:00+00:00")


def test_numbers_are_read_as_the_language_of_the_page_writes_them() -> None:
    body = "<title>Mud</title><h1>Mud</h1><p>05/06/2024</p>"
    found = [extract(f'<html lang="{tag}"><body>{body}').metadata.date_published for tag in ("de", "en-US", "en")]
    assert found == ["2024-06-05", "2024-05-06", None]


def test_the_site_may_be_named_by_the_title() -> None:
    found = metadata_of("<title>Mud - Tide Water</title>")
    assert (found.site_name, found.sources["site_name"], found.title) == ("Tide Water", "title", "Mud")


def test_the_language_is_detected_if_nothing_says_it() -> None:
    text = "Das Wasser kommt jeden Tag etwas später, und niemand konnte sagen, warum das eigentlich so ist. " * 3
    found = metadata_of(body=f"<p>{text}")
    assert (found.language, found.sources["language"]) == ("de", "detected")


def test_a_home_page_has_no_author_and_no_date() -> None:
    shown = "<h1>News</h1><p>By Ines Halloway</p><p>17 May 2024</p>"
    found = metadata_of("<title>Tidewater</title>", shown, url="https://tidewater.example/")
    assert (found.authors, found.date_published) == ((), None)


def test_the_section_with_the_title_comes_before_other_headings() -> None:
    page = "<title>Mud | Tidewater</title><h1>Mud</h1><p>" + "Mud is what the tide leaves behind. " * 30
    found = extract(page, url=URL).metadata
    assert (found.title, found.sources["title"]) == ("Mud", "visible")


def test_lengths_are_bounded() -> None:
    long = "word " * 10_000
    found = metadata_of(
        f"<title>{long}</title>"
        + meta(description=long, author=long, keywords=",".join(map(str, range(1_000))), og__site_name=long)
        + '<link rel="alternate" type="application/rss+xml" href="/feed.xml">' * 100
    )
    assert len(found.title or "") <= 500
    assert len(found.description or "") <= 2_000
    assert found.authors == ()
    assert len(found.site_name or "") <= 100
    assert len(found.tags) == 50
    assert found.feeds == ("https://tidewater.example/feed.xml",)


def test_an_empty_page_is_an_answer() -> None:
    assert read_metadata(page_of(url=None), Options()) == Metadata()
    assert Metadata().as_dict() == {}


def test_plain_values_hold_only_what_is_there() -> None:
    found = metadata_of("<title>Mud</title>" + meta(keywords="a,b"))
    assert found.as_dict() == {"title": "Mud", "url": URL, "tags": ["a", "b"]}
    assert json.loads(json.dumps(found.as_dict())) == found.as_dict()


def test_each_value_has_its_source_in_the_order_of_the_fields() -> None:
    found = metadata_of("<title>Mud</title>" + meta(keywords="a", author="Ines Halloway"))
    assert list(found.sources) == [name for name in FIELDS if name in found.as_dict()]
    assert list(found.sources) == list(found.as_dict())


def test_metadata_can_be_hashed_and_pickled() -> None:
    found = metadata_of("<title>Mud</title>")
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own bytes
    assert hash(found) == hash(metadata_of("<title>Mud</title>"))


def test_limits_that_bit_are_named() -> None:
    found = metadata_of(script({"@type": "Article"}), options=Options(json_ld_bytes=3))
    assert found.warnings == ("JSON-LD: 3 bytes are allowed; from script 1 of 1 on it was not read",)


def test_every_field_has_an_order() -> None:
    assert set(ORDER) == set(FIELDS)


def test_an_entity_does_not_part_the_keywords_of_json_ld() -> None:
    found = metadata_of(script({"@type": "Article", "headline": "Mud", "keywords": "salt &amp; sea, eels"}))
    assert found.tags == ("salt & sea", "eels")


def test_tags_and_categories_in_one_string_are_told_apart() -> None:
    found = metadata_of(meta(article__tag="mud, tides, eels", article__section="Coast, Nature, News"))
    assert (found.tags, found.categories) == (("mud", "tides", "eels"), ("Coast", "Nature", "News"))


RECIPE = {"@type": "Recipe", "name": "Mussel chowder"}


def test_a_page_with_one_recipe_has_its_name_if_the_title_says_it() -> None:
    article = {"@type": "Article", "headline": "Mussel Chowder, as Served in Skarrow"}
    body = "<h1>Mussel Chowder, as Served in Skarrow</h1>"
    found = metadata_of(script([article, RECIPE]), body)
    assert (found.title, found.sources["title"]) == ("Mussel chowder", "json-ld")
    others = [{**RECIPE, "name": "Eel pie"}], [RECIPE, {**RECIPE, "name": "Eel pie"}]
    assert {metadata_of(script([article, *items]), body).title for items in others} == {article["headline"]}


def test_a_kicker_in_the_heading_is_not_part_of_the_title() -> None:
    head = "<title>Mud banks move</title>"
    assert metadata_of(head, "<h1><span>Column</span> Mud banks move</h1>").title == "Mud banks move"
    assert metadata_of(head, "<h1>Thread: Mud banks move</h1>").title == "Mud banks move"
    assert metadata_of(head, "<h1>All mud banks move</h1>").title == "All mud banks move"


def test_the_description_is_that_for_search_engines_first() -> None:
    found = metadata_of(meta(og__description="Come and see", description="What the tide leaves behind"))
    assert (found.description, found.sources["description"]) == ("What the tide leaves behind", "meta")


def test_an_organisation_is_the_author_only_if_nobody_else_is_named() -> None:
    article = {"@type": "Article", "author": {"@type": "NewsMediaOrganization", "name": "Skarrow Harbour Office"}}
    assert metadata_of(script(article)).authors == ("Skarrow Harbour Office",)
    assert metadata_of(script(article), "<h1>Mud</h1><p>By Ines Halloway</p>").authors == ("Ines Halloway",)
    assert metadata_of(script(article) + meta(author="Ines Halloway")).authors == ("Ines Halloway",)


def test_a_person_far_from_the_title_comes_before_an_organisation() -> None:
    article = script({"@type": "Article", "author": {"@type": "Organization", "name": "Skarrow Harbour Office"}})
    assert metadata_of(article, FAR + "<p>Written by Ines Halloway</p>").authors == ("Ines Halloway",)
    assert metadata_of(article, FAR + "<a rel=author>Boats</a>").authors == ("Skarrow Harbour Office",)


def test_the_first_word_of_the_site_is_no_person() -> None:
    site = meta(og__site_name="Skarrow Times", author="Skarrow Times")
    assert metadata_of(site, "<h1>Mud</h1><p>By Skarrow</p>").authors == ("Skarrow Times",)
    assert metadata_of(meta(og__site_name="Ines Halloway"), "<h1>Mud</h1><p>By Ines</p>").authors == ("Ines",)


def test_a_person_who_is_declared_as_an_organisation_too_is_a_person() -> None:
    both = {"@type": ["Person", "Organization"], "name": "Ines Halloway"}
    article = {"@type": "Article", "author": {"@type": "Person", "name": "Ines Halloway"}, "publisher": both}
    head = script(article) + meta(author="Ines", og__site_name="Tidewater")
    assert metadata_of(head).authors == ("Ines Halloway",)


def test_the_author_of_the_only_recipe_counts_if_the_article_names_the_site() -> None:
    article = {"@type": "Article", "url": URL, "author": "tidewater"}
    found = metadata_of(script([article, {**RECIPE, "author": {"@type": "Person", "name": "Ines Halloway"}}]))
    assert found.authors == ("Ines Halloway",)


@pytest.mark.parametrize(
    "text",
    [
        '<p class="name"><a href="/ines" rel="author">Ines Halloway</a></p>',
        '<div class="blog_author-text"><div>Ines Halloway</div><div>Keeper</div></div>',
        "<h3>Written by Ines Halloway</h3>",
        "<h2>Article by</h2><div>Ines Halloway</div>",
        "<p>Written by Ines Halloway</p><p>Written by Ines Halloway</p>",
    ],
)
def test_an_author_far_from_the_title_counts_if_there_is_only_one(text: str) -> None:
    found = metadata_of("<title>Mud</title>", FAR + text)
    assert (found.authors, found.sources.get("authors")) == (("Ines Halloway",), "visible")


@pytest.mark.parametrize(
    "text",
    [
        '<a rel="author">Ines Halloway</a><a rel="author">Dob Lomm</a>',
        '<p class="comment-author">Ines Halloway</p>',
        "<p>A boat is moved by Ines Halloway</p>",
        "<p>Written by Ines Halloway</p><p>Written by Dob Lomm</p>",
    ],
)
def test_other_names_far_from_the_title_prove_nothing(text: str) -> None:
    assert metadata_of("<title>Mud</title>", FAR + text).authors == ()
