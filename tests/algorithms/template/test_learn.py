"""What a template learns: operators, supports, and which of what it saw is noise."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import page_of

from pagestrata import Page
from pagestrata.algorithms.template import Template, TemplateLearner
from pagestrata.errors import ModelError

MENU = "<nav><ul><li><a href='/'>Home</a></li><li><a href='/about'>About us</a></li></ul></nav>"
STORIES = ["The tide came late", "A boat was built", "Mussels were smoked", "Songs were sung", "Knots were seen", "Mud"]


def pages_of(*bodies: str) -> list[Page]:
    return [page_of(body) for body in bodies]


def story(place: int, around: str = "") -> str:
    return f"{around}<article><h1>Story {STORIES[place]}</h1><p>{STORIES[place]} today.</p></article>"


def learn(*bodies: str) -> Template:
    return TemplateLearner().learn(pages_of(*bodies))


def noise_by_text(template: Template, page: Page, inside: bool = False) -> dict[str, float]:
    noise = template.noise(page, inside=inside)
    return {
        page.text_of(node): round(float(noise[node]), 4) for node in range(len(page.nodes)) if page.nodes.tag[node] == 0
    }


def inner(template: Template) -> str:
    return str(template).removeprefix("html[body[").removesuffix("]]").replace("[#text]", "")


# ----------------------------------------------------------------------------------------------------------- structure


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        (["<p>a</p>"], "p"),
        (["<p>a</p><p>b</p><p>c</p>"], "p*"),
        (["<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>"], "dl[(dt dd)*]"),
        (["<h3>a</h3><p>b</p><h3>c</h3><p>d</p><h3>e</h3><p>f</p>"], "(h3 p)*"),
        (["<p>a</p><h2>b</h2><p>c</p><ul><li>d</li></ul><p>e</p><p>f</p>"], "(p|h2|ul[li])*"),
        (["<h1>a</h1><p>b</p>", "<h1>a</h1>"], "h1 p?"),
        (["<h1>a</h1>", "<h1>a</h1><p>b</p>"], "h1 p?"),
        (["<h1>a</h1><p>b</p>", "<h1>a</h1><ul><li>b</li></ul>"], "h1 (p|ul[li])"),
        (["<ul><li>a</li></ul>", "<ul><li>a</li><li>b</li><li>c</li></ul>"], "ul[li*]"),
        (["<p>a</p><p>b</p>", "<p>a</p><h2>b</h2><p>c</p><pre>d</pre><p>e</p>"], "(p|h2|pre)*"),
        (["<div class='post one'>a</div>", "<div class=post>b</div>"], "div.post"),
        (["<div class=post>a</div>", "<div class=page>b</div>"], "div"),
    ],
)
def test_operators_are_learned(bodies: list[str], expected: str) -> None:
    assert expected == inner(learn(*bodies))


@pytest.mark.parametrize("period", range(1, 9))
def test_periods_up_to_eight_are_folded(period: int) -> None:
    tags = [f"x-{letter}" for letter in "abcdefgh"[:period]]
    body = "".join(f"<{tag}>word</{tag}>" for tag in tags) * 3
    expected = f"({' '.join(tags)})*" if period > 1 else "x-a*"
    assert expected == inner(learn(body))


def test_what_is_no_content_is_no_structure() -> None:
    with_more = "<script>x</script><p>a</p><div class=ad></div><style>y</style><br><svg><path d=M0 /></svg>"
    assert "p" == inner(learn(with_more))
    assert 0.0 == learn("<p>a</p>").match(page_of(with_more)).distance


def test_items_that_differ_slightly_are_one_list() -> None:
    cards = [
        "<div><h3>One</h3><p>Text</p><img src=1.png></div>",
        "<div><h3>Two</h3><p>Text <b>bold</b></p></div>",
        "<div><h3>Three</h3><p>Text</p><ul><li>Sale</li></ul><img src=3.png></div>",
    ]
    (item,) = [node for node, label in enumerate(learn("".join(cards)).label) if label == "div"]
    assert "*" == learn("".join(cards)).operator[item]


def test_the_big_part_of_a_page_is_no_item_of_a_list() -> None:
    part = "<div><div><p>{}</p></div><ul><li>{}</li></ul></div>"
    body = (
        part.format("short", "menu") + part.format("The main text of the page. " * 20, "note") + part.format("x", "end")
    )
    assert ["", "", ""] == [sign for label, sign, parent in body_items(learn(body)) if label == "div"]


def body_items(template: Template) -> list[tuple[str, str, int]]:
    columns = zip(template.label, template.operator, template.parent, strict=True)
    return [(label, sign, parent) for label, sign, parent in columns if parent == 1]


def test_a_moved_menu_is_still_the_menu() -> None:
    box = "<div><div><a href='/{0}'>{0}</a></div></div>"
    template = learn(*(box.format("Imprint") + box.format(STORIES[i]) for i in range(3)))
    page = page_of(box.format("Offer") + box.format("Imprint") + box.format("Other"))
    assert {"Imprint": 1.0, "Offer": 0.0, "Other": 0.0} == noise_by_text(template, page)


# ------------------------------------------------------------------------------------------------------------ supports


def test_supports_and_noise_confidence() -> None:
    """Steps 2 to 4: a page counts once however often the feature repeats in it."""
    bodies = [f"<h1>{STORIES[i]}</h1><p>Read more</p><p>Read more</p>" for i in range(3)] + ["<h1>Songs</h1><p>New</p>"]
    template = learn(*bodies)
    paragraph = template.label.index("p") + 1
    assert (4, 4) == (template.pages, template.support[paragraph])
    assert {"text read more": 3} == template.features[paragraph]
    assert {"Songs": 0.0, "Read more": 0.75, "Fresh": 0.0} == noise_by_text(
        template, page_of("<h1>Songs</h1><p>Read more</p><p>Fresh</p>")
    )


def test_noise_on_a_third_of_the_site_is_all_noise_there() -> None:
    template = learn(*(story(i, MENU if i < 2 else "") for i in range(6)))
    found = noise_by_text(template, page_of(story(0, MENU).replace("tide", "moon")))
    assert {"Home": 1.0, "About us": 1.0} == {text: found[text] for text in ("Home", "About us")}


def test_a_node_on_a_fifth_of_the_pages_has_no_features() -> None:
    bodies = [story(i % 6) + f"<p>{i}</p>" for i in range(8)] + [story(i, MENU) for i in range(2)]
    found = noise_by_text(learn(*bodies), page_of(story(0, MENU)))
    assert 0.0 == found["Home"]
    assert (
        1.0
        == noise_by_text(TemplateLearner(node_support=0.19).learn(pages_of(*bodies)), page_of(story(0, MENU)))["Home"]
    )


def test_varying_content_at_a_fixed_node_is_informative() -> None:
    template = learn(*(story(i, MENU) for i in range(5)))
    assert {0.0} == {value for text, value in noise_by_text(template, page_of(story(5, MENU))).items() if "Mud" in text}


def test_what_one_page_has_alone_says_nothing() -> None:
    assert {0.0} == set(noise_by_text(learn(story(0, MENU)), page_of(story(0, MENU))).values())


def test_a_page_of_the_sample_does_not_vouch_for_itself() -> None:
    bodies = ["<p>Same</p><h2>Twice</h2>", "<p>Same</p><h2>Twice</h2>", "<p>Same</p><h2>Once</h2>"]
    template, page = learn(*bodies), page_of(bodies[0])
    assert {"Same": 1.0, "Twice": 0.6667} == noise_by_text(template, page)
    assert {"Same": 1.0, "Twice": 0.5} == noise_by_text(template, page, inside=True)
    assert {"Same": 1.0, "Once": 0.0} == noise_by_text(template, page_of(bodies[2]), inside=True)


def test_links_and_images_repeat_too() -> None:
    bodies = [f"<a href='/go?utm_source=x{i}#top'>{STORIES[i]}</a><img src=logo.png>" for i in range(3)]
    page = page_of("<a href='/go'>Fresh words</a><img src=logo.png>")
    template = learn(*bodies)
    noise = template.noise(page)
    assert [1.0, 1.0] == [float(noise[node]) for node in (*page.nodes_tagged("a"), *page.nodes_tagged("img"))]


def test_numbers_are_masked_as_a_weaker_feature() -> None:
    template = learn(*(f"<p>{i} comments</p><h2>{i}.5</h2>" for i in range(3)))
    assert {"77 comments": 0.9, "8.25": 0.0} == noise_by_text(template, page_of("<p>77 comments</p><h2>8.25</h2>"))


def test_noise_of_an_element_is_the_mean_of_its_leaves_by_size() -> None:
    template = learn(*(f"<div><p>ten  chars</p><h2>{STORIES[i]}</h2></div>" for i in range(3)))
    page = page_of("<div><p>ten chars</p><h2>twenty-seven new characters</h2></div>")
    (box,) = page.nodes_tagged("div")
    assert pytest.approx(9 / 36) == float(template.noise(page)[box])


# ------------------------------------------------------------------------------------------------------- order and size


@settings(deadline=None)
@given(st.permutations(range(5)))
def test_constant_text_is_noise_whatever_the_order_of_the_sample(order: list[int]) -> None:
    bodies = [story(i, MENU) + ("<ul><li>x</li></ul>" if i % 2 else "") + "<footer>The end</footer>" for i in range(5)]
    found = noise_by_text(learn(*(bodies[i] for i in order)), page_of(story(5, MENU) + "<footer>The end</footer>"))
    assert {"Home": 1.0, "About us": 1.0, "The end": 1.0} == {t: v for t, v in found.items() if v}


def test_one_page_at_a_time_is_the_same_as_all_at_once() -> None:
    pages = pages_of(*(story(i, MENU) for i in range(4)))
    builder = TemplateLearner().builder()
    for page in pages:
        builder.add(page)
    assert TemplateLearner().learn(pages) == builder.template()


def test_a_template_goes_on_learning_after_it_was_saved() -> None:
    pages = pages_of(*(story(i, MENU) for i in range(5)))
    saved = Template.from_json(TemplateLearner().learn(pages[:4]).to_json())
    assert TemplateLearner().learn(pages) == saved.update(pages[4])


def test_a_template_is_saved_as_json_and_pickled() -> None:
    template = learn(*(story(i, MENU) for i in range(3)))
    template.match(page_of(story(4)))
    assert template == Template.from_json(template.to_json())
    assert template == pickle.loads(pickle.dumps(template))  # noqa: S301 - our own


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"parent":[-1,0,1', b'"parent":[-1,0,7'),
        (b'"parent":[-1,0', b'"parent":[-1,-1'),
        (b'"parent":[-1', b'"parent":[5'),
        (b'"end":[', b'"end":[1'),
        (b'"operator":[""', b'"operator":["+"'),
        (b'"label":["html"', b'"label":["html","b"'),
        (b'"end":[', b'"end":["x",'),
        (b'"pages"', b'"pages'),
    ],
)
def test_what_is_no_template_is_refused(old: bytes, new: bytes) -> None:
    saved = learn(story(0, MENU), story(1, MENU)).to_json()
    assert old in saved
    with pytest.raises(ModelError, match="this is no template"):
        Template.from_json(saved.replace(old, new))


def test_what_has_no_room_is_counted() -> None:
    template = TemplateLearner(most_nodes=6).learn(pages_of(story(0, MENU)))
    assert len(template) <= 6
    assert len(template) + template.cut >= 13


html = st.recursive(
    st.sampled_from(["word", "<img src=a.png>", "<br>", "<a href='/x'>link</a>", "7 days"]),
    lambda inner: st.builds(
        "<{0}>{1}</{0}>".format,
        st.sampled_from("div p ul li table td b span h2 x-y".split()),
        st.lists(inner).map("".join),
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.lists(html, min_size=1, max_size=4), html)
def test_any_pages_can_be_learned_and_matched(bodies: list[str], body: str) -> None:
    template = learn(*bodies)
    page = page_of(body)
    match = template.match(page)
    assert 0 <= match.distance <= 1
    assert len(page.nodes) == len(match.template_node)
    assert (match.template_node < len(template)).all()
    noise = template.noise(page, match)
    assert ((noise >= 0) & (noise <= 1.0001)).all()


@settings(deadline=None)
@given(html)
def test_all_of_the_page_it_was_learned_from_has_a_place(body: str) -> None:
    assert -1 not in learn(body).match(page_of(body)).places
