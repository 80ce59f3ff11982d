"""A handful of sibling pages tells what recurs from what is new; the model can be read, edited and dated."""

import json
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from lxml import html as lxml_html

import pagestrata
from pagestrata import Options, Page, Role, parse
from pagestrata.errors import InputError, ModelError, UsageError
from pagestrata.render.text import _walked
from pagestrata.sites.layouts import drop_near_duplicates, group, layout_of, likeness
from pagestrata.sites.learn import learn
from pagestrata.sites.match import choose_cluster, max_learned_distance
from pagestrata.sites.model import MAGIC, Edit, SiteModel
from pagestrata.sites.worth import page_worth
from tests.build import EXAMPLES, ROOT

ARTICLES = sorted((ROOT / "examples" / "site" / "articles").glob("*.html"))
DAY = "2026-11-15"
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("news", "boats", "tides", "about"))
WORDS = (
    "tide boat rope mud gull harbour morning lamp wind oar sail chart bell fog stone shell crab net buoy ferry".split()
)


def prose(seed: int, length: int = 60) -> str:
    return " ".join(
        WORDS[(seed * 7 + place * (seed + 3)) % len(WORDS)] + str((seed * place) % 5) for place in range(length)
    )


def article(seed: int, comments: int = 0, note: str = "") -> str:
    said = "".join(
        f"<div><span>Reader {n}, {n + 1} May 2024 at {seed % 12}:3{n}</span><p>{prose(seed + 50 + n, 40)}</p></div>"
        for n in range(comments)
    )
    return (
        f"<html lang=en><title>Story {seed}</title><body><div><ul>{MENU}</ul></div><div><h1>Story {seed}</h1>"
        f"<div><p>{prose(seed)}</p><p>{prose(seed + 1)}</p>{note}<p>{prose(seed + 2)}</p></div>"
        f"<div><h3>Read on</h3><ul><li><a href=/s{seed + 1}>Story about {prose(seed + 9, 4)}</a></li>"
        f"<li><a href=/s{seed + 2}>Story about {prose(seed + 8, 4)}</a></li></ul></div><div>{said}</div></div>"
        "<div><p>All rights reserved by the harbour office.</p></div>"
    )


def pages(count: int, **more: object) -> list[Page]:
    return [parse(article(seed, **more), f"https://harbour.example/s{seed}") for seed in range(count)]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn(pages(8), day=DAY)


def test_new_text_is_kept_and_what_recurs_is_not(model: SiteModel) -> None:
    text = model.extract(article(20)).text
    assert prose(20) in text
    assert "rights reserved" not in text
    assert "boats" not in text
    assert "Read on" not in text


def test_two_pages_are_enough_for_the_menu() -> None:
    text = learn(pages(2), day=DAY).extract(article(20)).text
    assert prose(20) in text
    assert "rights reserved" not in text


@pytest.mark.parametrize("method", ["forest", "site"])
def test_pages_without_attributes_that_mention_comments_can_be_learned_and_read(method: str) -> None:
    plain = [f"<html><body><p>No comments yet.<p>{prose(seed)}</body></html>" for seed in range(3)]
    assert prose(9) in pagestrata.learn(plain, site="plain").extract(plain[0].replace(prose(0), prose(9))).text
    assert method == pagestrata.extract(plain[0], method=method).method


def test_a_long_discussion_does_not_win_over_a_short_article() -> None:
    model = learn([*pages(4), *pages(4, comments=3)], day=DAY)
    found = model.extract(article(30, comments=8))
    assert prose(30) in found.text
    assert "Reader 3" not in found.text
    assert Role.COMMENTS in {leaf.role for leaf in found.leaves()}
    assert "Reader 3" in model.extract(article(30, comments=8), options=Options(comments="on")).text


def test_every_section_has_a_reason_and_the_leaves_partition(model: SiteModel) -> None:
    found = model.extract(article(21))
    assert all(leaf.reasons and 0 <= leaf.importance <= 1 for leaf in found.leaves())
    blocks = [block for leaf in found.leaves() for block in range(leaf.block_start, leaf.block_end)]
    assert list(range(len(found.page.blocks))) == blocks


def test_both_forms_of_the_model_read_back(model: SiteModel) -> None:
    assert model.to_json() == SiteModel.from_json(model.to_json()).to_json()
    assert model.to_bytes() == SiteModel.from_bytes(model.to_bytes()).to_bytes()
    assert model.to_json() == SiteModel.from_bytes(model.to_bytes()).to_json()
    assert (DAY, "harbour.example") == (model.learned, model.site)


def test_the_same_pages_give_the_same_bytes() -> None:
    assert learn(pages(5), day=DAY).to_bytes() == learn(pages(5), day=DAY).to_bytes()


def test_a_model_of_real_size_is_small() -> None:
    model = pagestrata.learn([path.read_bytes() for path in ARTICLES])
    assert all(
        len(json.dumps(json.loads(model.to_json())["clusters"][n])) < 256_000 for n in range(len(model.clusters))
    )


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        b'{"format": "pagestrata site model", "version": 99, "site": "x", "learned": "", "clusters": []}',
        b'{"format": "pagestrata site model", "version": 2, "site": "x", "learned": "", "clusters": []}',
        b"pagestrata-site\x01garbage",
        b"pagestrata-site\x01\x78\x9c\x03\x00\x00\x00\x00\x01",
    ],
)
def test_what_is_no_model_is_a_typed_error(damage: bytes) -> None:
    with pytest.raises(ModelError):
        SiteModel.from_bytes(damage) if damage.startswith(b"pagestrata") else SiteModel.from_json(damage)


@pytest.mark.parametrize("place", range(0, 2_000, 37))
def test_a_byte_changed_anywhere_never_gives_another_error(model: SiteModel, place: int) -> None:
    data = bytearray(model.to_bytes())
    data[place % len(data)] ^= 0x55
    with suppress(ModelError):
        assert SiteModel.from_bytes(bytes(data)).clusters


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("parent", 5_000),
        ("parent", -7),
        ("support", -1),
        ("words", 1 << 60),
        ("features", {"text a": -3}),
        ("main", -0.5),
        ("main", 1e300),
        ("main", "much"),
    ],
)
def test_a_hostile_slot_is_refused(model: SiteModel, field: str, value: object) -> None:
    data = json.loads(model.to_json())
    data["clusters"][0]["slots"][3][field] = value
    with pytest.raises(ModelError):
        SiteModel.from_json(json.dumps(data))


def test_a_sketch_of_another_length_is_refused(model: SiteModel) -> None:
    data = json.loads(model.to_json())
    data["clusters"][0]["sketch"].pop()
    with pytest.raises(ModelError, match="sketch"):
        SiteModel.from_json(json.dumps(data))


def test_text_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(ModelError):
        SiteModel.from_json('{"site": "\ud800"}')


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_share_that_is_no_number_is_refused(model: SiteModel, value: float) -> None:
    data = msgspec.msgpack.decode(zlib.decompress(model.to_bytes()[len(MAGIC) :]))
    data["clusters"][0]["slots"][3]["main"] = value
    with pytest.raises(ModelError):
        SiteModel.from_bytes(MAGIC + zlib.compress(msgspec.msgpack.encode(data)))


def test_what_a_person_decided_wins(model: SiteModel) -> None:
    edited = model.with_edit(Edit(action="drop", selector="p:nth-of-type(2)", date=DAY))
    assert prose(21) not in edited.extract(article(20)).text
    assert prose(20) in edited.extract(article(20)).text
    assert edited.edits == SiteModel.from_json(edited.to_json()).edits


def test_paths_to_the_article_are_counted_over_the_pages(model: SiteModel) -> None:
    """No element has a name, so that the path goes by position."""
    [(name, wrapper)] = model.wrappers()
    assert ("layout-1", "/html[1]/body[1]/div[2]/div[1]", 8, 1.0) == (
        name,
        wrapper.xpath,
        wrapper.pages,
        wrapper.relevance,
    )
    assert "html > body:nth-of-type(1) > div:nth-of-type(2) > div:nth-of-type(1)" == wrapper.css


def test_a_path_begins_with_a_name_that_no_other_element_has() -> None:
    """The digits of an id do not count, and browsers put a `tbody` in the table."""
    boxed = "<div class=box>x</div><div class=box><table id=post-{}><td><p>"
    named = [parse(article(seed).replace("<div><p>", boxed.format(seed), 1)) for seed in range(4)]
    [(_, wrapper)] = learn(named, site="named", day=DAY).wrappers()
    steps = "tbody:nth-of-type(1) > tr:nth-of-type(1) > td:nth-of-type(1)"
    assert f'table[id^="post-"] > {steps}' == wrapper.css
    test = 'starts-with(translate(normalize-space(@id),"0123456789",""),"post-")'
    assert f"//table[{test}]//tr[1]/td[1]" == wrapper.xpath


def test_updates_refresh_the_paths_to_the_article() -> None:
    moved = [page.replace("<h1>", "<section class=story><h1>") for page in map(article, range(20, 26))]
    model = learn([parse(article(0)), parse(article(1))], site="moving", day=DAY)
    for page in moved:
        model = model.update(page)
    first = model.clusters[0].wrappers[0] if len(model.clusters) == 1 else model.clusters[-1].wrappers[0]
    assert first.css.startswith('section[class^="story"]')


def test_a_model_updated_page_by_page_answers_as_one_learned_at_once() -> None:
    sample = [path.read_bytes() for path in ARTICLES]
    at_once, updated = pagestrata.learn(sample[:8]), pagestrata.learn(sample[:2])
    for page in sample[2:8]:
        updated = updated.update(page)
    assert [at_once.extract(page).text for page in sample] == [updated.extract(page).text for page in sample]
    assert at_once.clusters[0].wrappers[0].css == updated.clusters[0].wrappers[0].css


def with_role(model: SiteModel, role: Role, selector: str, **more: str) -> SiteModel:
    return model.with_edit(Edit(action="role", selector=selector, role=role, date=DAY, **more))


@pytest.mark.parametrize("role", [Role.ADVERTISEMENT, Role.RELATED, Role.OTHER])
def test_a_role_given_by_hand_that_is_not_content_drops_all_inside(model: SiteModel, role: Role) -> None:
    found = with_role(model, role, "h1 + div", note="paid for").extract(article(20))
    assert prose(20) not in found.text
    assert prose(20) not in found.markdown
    [leaf] = [leaf for leaf in found.leaves() if prose(20) in leaf.text]
    assert (role, False, 0.0) == (leaf.role, leaf.kept, leaf.importance)
    assert (f"edited by hand: h1 + div is {role} (paid for)",) == leaf.reasons[:1]


def test_main_given_by_hand_keeps_all_inside(model: SiteModel) -> None:
    found = with_role(model, Role.MAIN, "body > div:last-child").extract(article(20))
    assert "rights reserved" in found.text
    [leaf] = [leaf for leaf in found.leaves() if "rights reserved" in leaf.text]
    assert (Role.MAIN, True) == (leaf.role, leaf.kept)
    assert leaf.reasons[0].startswith("edited by hand")


def test_of_roles_given_by_hand_that_contain_each_other_the_inner_one_wins_unless_the_outer_one_drops(
    model: SiteModel,
) -> None:
    """Elements that are dropped are gone with all that is in them, as with drop selectors."""
    inner = with_role(with_role(model, Role.MAIN, "h1 + div"), Role.RELATED, "h1 + div > p:first-child")
    text = inner.extract(article(20)).text
    assert prose(20) not in text
    assert prose(21) in text
    outer = with_role(with_role(model, Role.RELATED, "h1 + div"), Role.MAIN, "h1 + div > p:first-child")
    assert prose(20) not in outer.extract(article(20)).text


def test_comments_given_by_hand_are_kept_when_comments_are_asked_for(model: SiteModel) -> None:
    edited = with_role(model, Role.COMMENTS, "h1 + div > p:first-child")
    assert prose(20) not in edited.extract(article(20)).text
    assert prose(20) in edited.extract(article(20), options=Options(comments="on")).text
    only = edited.extract(article(20), options=Options(comments="only")).text
    assert prose(20) in only
    assert prose(21) not in only


def test_a_role_given_to_a_piece_of_a_line_drops_that_piece(model: SiteModel) -> None:
    marked = article(20, note=f"<p>{prose(40)} <span class=ad>Buy rope.</span> {prose(41)}</p>")
    text = with_role(model, Role.ADVERTISEMENT, "span.ad").extract(marked).text
    assert "Buy rope" not in text
    assert prose(40) in text
    assert prose(41) in text


def test_a_selector_given_with_the_page_wins_over_an_edit(model: SiteModel) -> None:
    edited = with_role(model, Role.MAIN, "h1 + div")
    assert prose(20) not in edited.extract(article(20), options=Options(drop=("h1 + div",))).text


def test_wrappers_lead_to_the_article_on_the_page_as_it_is(model: SiteModel) -> None:
    tree = lxml_html.document_fromstring(article(20))
    found = [node for _, wrapper in model.wrappers() for node in tree.xpath(wrapper.xpath)]
    assert any(prose(20) in node.text_content() for node in found)


def test_a_page_of_another_layout_says_so(model: SiteModel) -> None:
    other = parse(
        "<main><section><article><aside><table><tr><td>" + prose(3) + "</table></aside></article></section></main>"
    )
    assert choose_cluster(model, other).cluster is None
    found = model.extract(other)
    assert "fits no layout" in found.warnings[0]
    assert prose(3) in found.text


def test_a_page_with_an_odd_article_still_fits_its_layout(model: SiteModel) -> None:
    """Most of its nodes are in a table that no page learned from has, but all around it is as it was."""
    table = "<table>" + "<tr><td><i>a</i><td><i>b</i></tr>" * 40 + "</table>"
    fit = choose_cluster(model, parse(article(20, note=table), "https://harbour.example/s20"))
    assert fit.match.distance > 0.4 > fit.layout_distance
    assert fit.cluster is not None


def test_a_list_of_links_has_one_importance_even_if_one_of_them_recurs() -> None:
    """The second link of the list stands on every page, the others do not."""

    def with_list(seed: int) -> str:
        return article(seed).replace("</li><li><a", "</li><li><a href=/ferry>When the ferry sails</a></li><li><a", 4)

    listed = [parse(with_list(seed), f"https://harbour.example/s{seed}") for seed in range(8)]
    found = learn(listed, day=DAY).extract(with_list(30), "https://harbour.example/s30")
    [around] = [leaf for leaf in found.leaves() if "ferry sails" in leaf.text and "Story about" in leaf.text]
    assert (Role.RELATED, False) == (around.role, around.kept)
    assert around.text.count("Story about") == 2


def test_a_model_takes_pages_in_every_form_that_extract_takes(model: SiteModel, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(article(20), encoding="utf-8")
    expected = model.extract(article(20)).text
    assert prose(20) in expected
    with file.open("rb") as opened:
        assert expected == model.extract(opened).text
    assert expected == model.extract(file).text
    assert model.explain(file).startswith(f"{file} as a page of")
    assert model.update(article(20)) == model.update(file)


NESTED = "".join(
    f"<section><{tag}><div><b>{tag}</b></div></{tag}></section>" for tag in ("aside", "nav", "header", "form")
)


def test_an_update_adds_a_page_to_the_layout_that_learning_at_once_would_put_it_in(model: SiteModel) -> None:
    """The page has nearly the same containers, and a table beside the text that is larger than all the rest."""
    table = "<aside><table>" + "<tr><td><i>a</i><td><i>b</i></tr>" * 200 + "</table></aside>"
    odd = parse(article(20).replace("<h3>Read on", f"{table}<h3>Read on"), "https://harbour.example/s20")
    assert choose_cluster(model, odd).cluster is None
    assert [8] == [cluster.pages for cluster in learn([*pages(7), odd], day=DAY).clusters]
    assert [9] == [cluster.pages for cluster in model.update(odd).clusters]


def test_a_layout_of_one_page_is_not_preferred_to_one_of_several_that_fits(model: SiteModel) -> None:
    [cluster] = model.clusters
    [single] = learn([parse(article(30, note=NESTED), "https://harbour.example/2/s30/")], day=DAY).clusters
    page = parse(article(31, note=NESTED), "https://harbour.example/2/s31/")
    wide = replace(cluster, distances=(0.3,))
    both = replace(model, clusters=(wide, replace(single, name="layout-2", begun_later=True)))
    assert likeness(single.layout, layout_of(page)) > likeness(cluster.layout, layout_of(page))
    assert "layout-1" == choose_cluster(both, page).nearest.name
    narrow = replace(both, clusters=(cluster, both.clusters[1]))
    assert "layout-2" == choose_cluster(narrow, page).nearest.name


def test_pages_that_were_added_count_for_how_far_a_page_may_be_from_its_template(model: SiteModel) -> None:
    [cluster] = model.clusters
    assert 0.3 == pytest.approx(max_learned_distance(replace(cluster, distances=(0.0, 0.1), recent=(0.2, 0.0))))


def test_a_page_that_was_learned_from_changes_nothing(model: SiteModel) -> None:
    """Not even if the list of other stories beside it has changed since."""
    learned = model.update(article(20))
    assert learned is learned.update(article(20))
    assert learned is learned.update(article(20).replace("Read on", "Read more"))
    assert learned is learned.update(article(3))
    assert learned is not learned.update(article(21))
    loaded = SiteModel.from_bytes(learned.to_bytes())
    assert loaded is loaded.update(article(20))


def test_a_known_page_in_a_new_design_is_learned_from(model: SiteModel) -> None:
    redesigned = (
        f"<title>Story 20</title><main><section><table><tr><td><p>{prose(20)}<p>{prose(21)}</table></section></main>"
    )
    assert 2 == len(model.update(article(20)).update(redesigned).clusters)


def test_pages_with_the_same_text_and_different_titles_are_different_pages(model: SiteModel) -> None:
    learned = model.update(article(20))
    assert learned is not learned.update(article(20).replace("<title>Story 20", "<title>Story 21"))


@pytest.mark.parametrize("call", ["extract", "explain", "update"])
@pytest.mark.parametrize("source", ["page.html", "https://harbour.example/s20", 7])
def test_a_name_is_no_page(model: SiteModel, call: str, source: object) -> None:
    with pytest.raises(UsageError, match=r"is a path, not a page|is an address, not a page|from int"):
        getattr(model, call)(source)


def test_a_file_that_is_not_there_is_named(model: SiteModel) -> None:
    with pytest.raises(InputError, match=r"cannot read nothing\.html"):
        model.extract(Path("nothing.html"))


def test_learning_on_is_like_learning_at_once() -> None:
    at_once = learn(pages(8), day=DAY)
    later = learn(pages(3), day=DAY)
    for page in pages(8)[3:]:
        later = later.update(page)
    assert at_once.clusters[0].pages == later.clusters[0].pages
    for seed in (20, 21, 22):
        one, other = at_once.extract(article(seed)), later.extract(article(seed))
        assert one.text == other.text
        for a, b in zip(one.leaves(), other.leaves(), strict=True):
            assert abs(a.importance - b.importance) <= 0.15


def test_a_text_first_seen_once_is_noticed_later() -> None:
    notice = "<p>The ferry does not sail on Sundays in winter.</p>"
    later = learn([*pages(4), parse(article(5, note=notice))], day=DAY)
    for seed in (6, 7, 8):
        later = later.update(parse(article(seed, note=notice)))
    counts = [
        count for slot in later.clusters[0].slots for text, count in slot.features.items() if "ferry does" in text
    ]
    assert [4] == counts


def test_near_duplicates_are_left_out_and_counted() -> None:
    twice = [*pages(4), *pages(2)]
    assert 2 == drop_near_duplicates(twice)[1]
    assert "2 pages have the same text" in learn(twice, day=DAY).notes[0]


def test_listings_and_articles_are_two_layouts() -> None:
    listing = (
        "<html lang=en><body><main>" + "<article><header><h2>T</h2></header><div>x</div></article>" * 9 + "</main>"
    )
    layouts = [layout_of(page) for page in (*pages(3), parse(listing), parse(listing))]
    assert [[0, 1, 2], [3, 4]] == group(layouts)


def test_languages_with_menus_of_their_own_are_two_layouts() -> None:
    german = [parse(article(seed).replace("lang=en", "lang=de-AT")) for seed in range(3)]
    assert [3, 3] == [len(members) for members in group([layout_of(page) for page in (*pages(3), *german)])]


def test_too_few_pages_are_refused_in_words() -> None:
    with pytest.raises(UsageError, match="at least two"):
        pagestrata.learn([article(1)])
    with pytest.raises(UsageError, match="no pages"):
        pagestrata.learn([])


def test_pages_of_different_sites_are_refused_unless_named() -> None:
    mixed = [parse(article(seed), f"https://{host}.example/{seed}") for seed, host in enumerate("abab")]
    with pytest.raises(UsageError, match="not one site"):
        learn(mixed)
    assert "both" == learn(mixed, site="both").site
    assert (
        "a.example"
        == learn([parse(article(1), "https://www.a.example/1"), parse(article(2), "https://blog.a.example/")]).site
    )


def test_links_to_sibling_pages_are_related_and_the_menu_is_navigation(model: SiteModel) -> None:
    found = model.extract(article(30), "https://harbour.example/s30")
    roles = {leaf.text.split()[0]: leaf.role for leaf in found.leaves() if leaf.text}
    assert Role.NAVIGATION is roles["news"]
    told = next(leaf for leaf in found.leaves() if leaf.role is Role.RELATED)
    assert "leads to other pages of the site" in told.reasons


def test_the_title_of_another_page_is_a_teaser(model: SiteModel) -> None:
    teased = article(20).replace("All rights reserved by the harbour office.", "<a href=elsewhere>Story 3</a>")
    found = [leaf for leaf in model.extract(teased).leaves() if leaf.text.endswith("Story 3")]
    assert [Role.RELATED] == [leaf.role for leaf in found]


def test_a_list_of_links_to_other_sites_amid_the_text_is_content(model: SiteModel) -> None:
    links = "".join(f"<li><a href=https://far{n}.example/>A chart of {WORDS[n]} waters</a></li>" for n in range(4))
    found = model.extract(article(20, note=f"<ul>{links}</ul>"), "https://harbour.example/s20")
    assert "A chart of mud waters" in found.text
    assert "Story about" not in found.text


def test_text_without_cutting_is_the_text_of_the_sections(model: SiteModel) -> None:
    for path in EXAMPLES:
        found = model.extract(path.read_bytes())
        assert found.segmentation.kept_blocks is not None
        assert "".join(_walked(found, after_title=False)) == found.text


def test_pages_whose_article_is_in_noscript_are_learned() -> None:
    """The template leaves `noscript` out: the path to the article leads to the nearest element around it."""
    post = "<p>" + "Warm the pot, then wait a while before you pour the water. " * 9
    page = "<body><div id=app></div><noscript><div class=thread><h1>Tea {0}</h1>" + post + "{0}" + post + "</noscript>"
    model = learn([parse(page.format(number)) for number in range(3)], site="tea")
    assert [3] == [wrapper.pages for _, wrapper in model.wrappers()]


def test_the_worth_of_a_model_on_a_page_is_told_in_numbers() -> None:
    worth = page_worth(learn(pages(8), site="tidewater"), parse(article(99), "https://tidewater.example/99.html"))
    assert 0 < worth.recurring_words <= worth.page.blocks.words[~worth.after].sum()
    assert f"{worth.removed_words:,} words removed, {worth.rescued_paragraphs} paragraphs rescued" == str(worth)
