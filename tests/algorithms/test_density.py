"""The SD Algorithm decides as the paper says, and its regions are sections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.build import page_of, real_pages
from tests.growth import assert_linear

from pagestrata import Options, Page, PageType, Role, parse
from pagestrata.algorithms.density import Density, PageKind, Regions, fit
from pagestrata.algorithms.density.decide import find_candidates
from pagestrata.algorithms.density.measures import mean_precision, mean_recall
from pagestrata.algorithms.density.method import T1
from pagestrata.algorithms.density.tree import T2, SDTree

ARTICLE = "<h1>Tea</h1><div><p>" + "Water, leaves and time. " * 20 + "</p></div>"


def words(characters: int) -> str:
    """A text of so many characters."""
    return ("tea " * characters)[: characters - 1] + "."


def regions_of(body: str, t1: float = T1, t2: int = T2) -> Regions:
    return Density(t1, t2).regions(page_of(body))


def text_of(page: Page, role: Role) -> list[str]:
    (root,) = Density().segment(page, Options(comments="on")).sections
    return [leaf.text for leaf in root.leaves() if leaf.role is role]


def comment(text: str = "I like mine with milk, and so does my cat.") -> str:
    return f"<li><p>Mary, 3 May 2011 at 10:12</p><div><p>{text}</p></div></li>"


def test_the_example_of_the_paper() -> None:
    # two regions, one of density 1000 and one far smaller: at T1 = 10 the second is ignored
    body = f"<h1>Tea</h1><div><p>{words(600)}</p><p>{words(400)}</p></div><div><p>{words(60)}</p></div>"
    regions = regions_of(body, t1=10)
    assert (PageKind.ARTICLE, 1000) == (regions.kind, regions.article and regions.article.density)


def test_distance_from_the_densest_region() -> None:
    # dfm = 100 - 100 * 250 / 1000
    page = page_of(f"<div><p>{words(1000)}</p></div><div><p>{words(250)}</p></div>")
    found = find_candidates(SDTree(page).regions, maximum=1000, t1=75)
    assert [0.0, 75.0] == [region.dfm for region in found]
    assert 1 == len(find_candidates(SDTree(page).regions, maximum=1000, t1=74))


def test_features_of_a_region() -> None:
    page = page_of(
        f'<div><h2>Tea</h2><div class="text" id="a" style="color:red"><p>{words(50)}<p>{words(30)}</div></div>'
    )
    (region,) = SDTree(page).regions
    assert (80, 3, 0, 2) == (region.density, region.dfr, region.title_diff, region.cardinality)
    assert ("text", "a", "color:red", "h2") == (
        region.class_name,
        region.id,
        region.style,
        page.nodes.tag_name(region.title or 0),
    )


def test_weak_nodes_are_merged_into_the_nearest_strong_one() -> None:
    page = page_of(f"<div><blockquote><p>{words(40)}</p></blockquote><p>{words(50)}</p></div>")
    assert [("div", 90)] == [(page.nodes.tag_name(r.node), r.density) for r in SDTree(page).regions]


def test_a_region_is_not_its_subtree() -> None:
    page = page_of(f"<div><p>{words(50)}</p><div><p>{words(300)}</p></div></div>")
    assert [50, 300] == [region.density for region in SDTree(page).regions]


@pytest.mark.parametrize("inner", ["<ul><li>{}</ul>", "<table><tr><td>{}</table>", "<div><pre>{}</pre></div>"])
def test_lists_tables_and_code_belong_to_the_text_around(inner: str) -> None:
    page = page_of(f"<div><p>{words(50)}</p>{inner.format(words(300))}</div>")
    assert [350] == [region.density for region in SDTree(page).regions]


def test_hidden_and_short_text_is_not_valid() -> None:
    page = page_of(f'<div><p style="display:none">{words(90)}</p><p>{words(20)}</p><p>{words(21)}</p></div>')
    assert [21] == [region.density for region in SDTree(page).regions]


def test_of_several_candidates_the_article_is_closest_to_the_root() -> None:
    body = f"<h1>Tea</h1><div><div><p>{words(500)}</p></div></div><section><p>{words(400)}</p></section>"
    regions = regions_of(body)
    assert (PageKind.ARTICLE, 400) == (regions.kind, regions.article and regions.article.density)


def test_candidates_alike_on_one_level_are_multiple_areas() -> None:
    body = f"<h1>Forum</h1><div><p>{words(300)}</p></div><div><p>{words(280)}</p></div>"
    regions = regions_of(body)
    assert (PageKind.MULTIPLE, [300, 280]) == (regions.kind, [region.density for region in regions.multiple])
    assert PageKind.ARTICLE == regions_of(body, t1=5).kind


def test_candidates_without_a_title_are_multiple_areas() -> None:
    body = f"<div><p>{words(300)}</p></div><section><div><p>{words(280)}</p></div></section>"
    assert PageKind.MULTIPLE == regions_of(body).kind


def test_teasers_are_multiple_areas_with_their_titles() -> None:
    post = '<div><h2><a href="/{0}">Post {0}</a></h2><div><p>{1}</p></div><p>{1}</p></div>'
    page = page_of("<h1>Blog</h1>" + "".join(post.format(i, words(90)) for i in range(3)))
    regions = Density().regions(page)
    assert (PageKind.MULTIPLE, [180] * 3) == (regions.kind, [region.density for region in regions.multiple])
    assert [f"Post {i}\n{words(90)}\n{words(90)}" for i in range(3)] == text_of(page, Role.MAIN)


def test_titles_that_lead_elsewhere_or_to_the_page_itself_are_no_teasers() -> None:
    links = "https://shop.example.com/1", "https://shop.example.com/2", "#a", "#b"
    text = "".join(f'<h2><a href="{link}">Best pot</a></h2><p>{words(90)}</p>' for link in links)
    page = parse(f"<body><h1>Pots</h1><div>{text}</div>", "https://example.org/pots")
    assert PageKind.ARTICLE == Density().regions(page).kind


def test_comments_share_a_parent_with_the_article() -> None:
    page = page_of(f"<main>{ARTICLE}<section><h2>2 comments</h2><ol>{comment() * 2}</ol></section></main><p>End</p>")
    regions = Density().regions(page)
    assert (PageKind.ARTICLE_WITH_COMMENTS, 2) == (regions.kind, len(regions.comments))
    assert "main" == page.nodes.tag_name(regions.common_parent or 0)
    start, end = regions.area or (0, 0)
    assert ("section", int(page.nodes.end[start])) == (page.nodes.tag_name(start), end)


SIGNS = {
    "a keyword in a name": f'<section class="comments">{comment()}</section>',
    "a keyword in the title": f"<section><h2>1 response</h2>{comment()}</section>",
    "a keyword in a line": f"<section>{comment()}<p>Reply</p></section>",
    "a box to write in": f"<section>{comment()}</section><form><textarea></textarea></form>",
    "another like it": f"<section>{comment() * 2}</section>",
}


@pytest.mark.parametrize("sign", SIGNS)
def test_a_signed_text_with_one_more_sign_is_a_comment(sign: str) -> None:
    assert PageKind.ARTICLE_WITH_COMMENTS == regions_of(f"<main>{ARTICLE}{SIGNS[sign]}</main>").kind


NO_COMMENTS = {
    "signed only": f"<section>{comment()}</section>",
    "not signed": '<section class="comments"><div><p>Comments are closed since last summer.</p></div></section>',
    "an invitation": '<form class="comment-form"><p>Since 2011</p><p>Your address will not be published.</p></form>',
    "outside": f"</main><section><h2>1 response</h2>{comment()}</section>",
}


@pytest.mark.parametrize("case", NO_COMMENTS)
def test_what_is_no_comment(case: str) -> None:
    assert PageKind.ARTICLE == regions_of(f"<div><main>{ARTICLE}</div>{NO_COMMENTS[case]}").kind


def test_a_comment_may_be_denser_than_the_article() -> None:
    body = f"<main>{ARTICLE}<ol>{comment(words(9000))}{comment()}</ol></main>"
    regions = regions_of(body)
    assert (PageKind.ARTICLE_WITH_COMMENTS, 479) == (regions.kind, regions.article and regions.article.density)


def test_the_article_is_no_comment_though_short_lines_in_the_same_markup_are_dated() -> None:
    """Both rows are signed and alike; without them, nothing longer than a byline is left."""
    row = "<tr><td><p>3 May 2011 at 10:12</p></td></tr><tr><td><p>{}</p></td></tr>"
    body = f"<table>{row.format(words(40))}{row.format(words(600))}</table><div><p>{words(90)}</p></div>"
    regions = regions_of(body)
    assert (PageKind.ARTICLE, 600) == (regions.kind, regions.article and regions.article.density)


def test_headlines_that_are_links_are_no_text_of_a_listing() -> None:
    """Together they have more characters than the article, but all of these are in links."""
    titles = "".join(f"<div><h3><a href=/{n}>{n}</a></h3><p><a href=/{n}>{words(200)}</a></p></div>" for n in range(5))
    regions = regions_of(f"<main>{ARTICLE}</main><aside>{titles}</aside>")
    assert (PageKind.ARTICLE, 479) == (regions.kind, regions.article and regions.article.density)
    assert PageKind.MULTIPLE == regions_of(f"<aside>{titles}</aside>").kind
    texts = titles.replace("<p><a ", "<p><b ").replace("</a></p>", "</b></p>")
    assert PageKind.MULTIPLE == regions_of(f"<main>{ARTICLE}</main><aside>{texts}</aside>").kind


def test_sections_have_the_roles_of_their_regions() -> None:
    body = f"<main>{ARTICLE}<section><h2>2 comments</h2><ol>{comment() * 2}</ol></section></main><div>{words(80)}</div>"
    segmentation = Density().segment(page_of(body), Options(comments="on"))
    leaves = [leaf for root in segmentation.sections for leaf in root.leaves()]
    assert {True: {"title", "main", "comments"}, False: {"other"}} == {
        kept: {leaf.role.value for leaf in leaves if leaf.kept is kept} for kept in (True, False)
    }
    assert PageType.ARTICLE == segmentation.page_type
    assert ("article with comments: regions with comments below the article: 2",) == segmentation.notes


def test_t1_is_learned_from_labelled_pages() -> None:
    # the second region of the article is at 40, that of the two areas at 20
    head = "<h1>Tea</h1>"
    article = page_of(f"{head}<div><p>{words(500)}</p></div><div><p>{words(300)}</p></div>")
    areas = page_of(f"{head}<div><p>{words(500)}</p></div><div><p>{words(400)}</p></div>")
    learned = fit([(article, PageKind.ARTICLE), (areas, PageKind.MULTIPLE)])
    assert Density(t1=39.0) == learned
    assert [PageKind.ARTICLE, PageKind.MULTIPLE] == [learned.regions(page).kind for page in (article, areas)]


def two_regions(dfm: int) -> Page:
    """A page whose second region is this far from the densest: an article at T1 below it, multiple areas from it on."""
    return page_of(f"<h1>Tea</h1><div><p>{words(500)}</p></div><div><p>{words(500 - 5 * dfm)}</p></div>")


def test_precision_and_recall_of_kinds_by_hand() -> None:
    """Two of two articles are right, and one of two listings is called an article."""
    article, multiple = PageKind.ARTICLE, PageKind.MULTIPLE
    answers = [(article, article), (article, article), (article, multiple), (multiple, multiple)]
    assert pytest.approx((2 / 3 + 1) / 2) == mean_precision(answers)
    assert pytest.approx((1 + 1 / 2) / 2) == mean_recall(answers)


@pytest.mark.parametrize("published", [False, True])
def test_t1_is_learned_for_precision_unless_recall_is_asked_for(published: bool) -> None:
    """Worked by hand, with three articles at 40, 40, 80 and ten listings, three at 60 and seven at 20.

    From 60 to 79 one article and all listings are right: precision (1/1 + 10/12) / 2 = .92, recall (1/3 + 1) / 2 = .67.
    From 20 to 39 all articles and seven listings are: precision (3/6 + 7/7) / 2 = .75, recall (1 + 7/10) / 2 = .85.
    """
    truth = {PageKind.ARTICLE: (40, 40, 80), PageKind.MULTIPLE: (60,) * 3 + (20,) * 7}
    samples = [(two_regions(dfm), kind) for kind, distances in truth.items() for dfm in distances]
    assert Density(60.0, published=published) == fit(samples, published=published)
    assert Density(39.0, published=published) == fit(samples, measure="recall", published=published)


# ------------------------------------------------------------------------------------------------------- as published


def published(body: str, t1: float = T1) -> Regions:
    return Density(t1, published=True).regions(page_of(body))


def test_as_published_the_example_of_the_paper() -> None:
    """Figure 1: the maximum is R1 with d = 1000; R2 is farther from it than T1 = 10, so that R1 is an article."""
    body = f"<h1>Tea</h1><div><p>{words(600)}</p><p>{words(400)}</p></div><div><p>{words(60)}</p></div>"
    regions = published(body, t1=10)
    assert (PageKind.ARTICLE, 1000) == (regions.kind, regions.article and regions.article.density)


def test_as_published_a_keyword_makes_a_comment() -> None:
    """The word "user" is enough, wherever the region stands below the parent that it shares with the article."""
    body = f"<main><h1>Tea</h1><div><p>{words(600)}</p></div><div><p>What every user of a pot knows.</p></div></main>"
    regions = published(body)
    assert (PageKind.ARTICLE_WITH_COMMENTS, 1) == (regions.kind, len(regions.comments))
    assert "main" == page_of(body).nodes.tag_name(regions.common_parent or 0)
    assert PageKind.ARTICLE == regions_of(body).kind


def test_as_published_comments_have_a_parent_below_the_body() -> None:
    body = f"<h1>Tea</h1><div><p>{words(600)}</p></div><div><p>What every user of a pot knows.</p></div>"
    assert PageKind.ARTICLE == published(body).kind


def test_as_published_candidates_on_one_level_are_multiple_areas() -> None:
    """Ours also asks for the same class."""
    body = f'<h1>Tea</h1><div class="a"><p>{words(500)}</p></div><div class="b"><p>{words(400)}</p></div>'
    assert (PageKind.MULTIPLE, PageKind.ARTICLE) == (published(body).kind, regions_of(body).kind)


def test_as_published_a_lone_candidate_without_title_is_multiple() -> None:
    body = f"<div><p>{words(600)}</p></div>"
    assert (PageKind.MULTIPLE, PageKind.ARTICLE) == (published(body).kind, regions_of(body).kind)


def test_as_published_a_list_is_a_region_of_its_own() -> None:
    page = page_of(f"<div><p>{words(50)}</p><ul><li>{words(300)}</ul></div>")
    assert [50, 300] == [region.density for region in Density(published=True).tree(page).regions]


def test_an_empty_page_has_no_areas() -> None:
    assert () == published("").multiple
    assert (PageKind.MULTIPLE, ()) == (regions_of("").kind, regions_of("").multiple)


TAGS = st.sampled_from("div section ul li p h1 h2 a table tr td form textarea span".split())
TREES = st.recursive(
    st.sampled_from(["tea", words(30), words(150), "3 May 2011, 10:12", "Reply"]),
    lambda inner: st.builds(
        lambda tag, parts: f'<{tag} href="/{len(parts)}">{"".join(parts)}</{tag}>', TAGS, st.lists(inner, max_size=4)
    ),
    max_leaves=30,
)


@given(TREES, st.floats(0, 100), st.integers(0, 300))
def test_sections_partition_any_page(body: str, t1: float, t2: int) -> None:
    page = page_of(body)
    segmentation = Density(t1, t2).segment(page, Options(comments="on"))
    leaves = [leaf for root in segmentation.sections for leaf in root.leaves()]
    assert [0, *(leaf.block_end for leaf in leaves)] == [*(leaf.block_start for leaf in leaves), len(page.blocks)]
    assert all(0 <= leaf.importance <= 1 for leaf in leaves)
    assert 0 <= segmentation.confidence <= 1


@pytest.mark.parametrize(
    "row",
    [
        "<div><p>{}</p></div>",
        '<div><h2><a href="/{}">A title of a post</a></h2><p>Some words that are more than noise.</p></div>',
        comment(),
        "<section><h2>Reply</h2><p>3 May 2011</p><p>Some words that are more than noise.</p></section>",
    ],
)
def test_cost_is_linear(row: str) -> None:
    pages = {rows: page_of(f"<main>{ARTICLE}" + "".join(map(row.format, range(rows)))) for rows in (10, 300, 1_200)}
    assert_linear(lambda rows: lambda: Density().regions(pages[rows]))


def test_real_pages_never_fail() -> None:
    for path in real_pages(40):
        page = parse(path.read_bytes())
        segmentation = Density().segment(page)
        assert len(page.blocks) == sum(
            leaf.block_end - leaf.block_start for root in segmentation.sections for leaf in root.leaves()
        )
