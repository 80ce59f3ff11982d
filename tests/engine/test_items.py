"""The posts of a thread and the cards of a listing, with what they say of themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build import ROOT, page_of, real_pages
from tests.growth import assert_linear

from pagestrata import Options, Page, parse
from pagestrata.algorithms.base import Part, section_tree
from pagestrata.engine.items import find_items
from pagestrata.landmarks import landmarks_of
from pagestrata.results import Item, ItemKind

POST = (
    "<div class=post><p>{name}, 9 May 2024 at 1{n}:30</p>"
    "<p>The tide turned before the boats were in, and nobody on the quay had seen it coming.</p>{replies}</div>"
)
CARD = "<li><h3><a href=/{n}>Mud, part {n}</a></h3><p>What there is to say of it, in a few words.</p></li>"


def thread(*replies: str) -> str:
    return "".join(POST.format(name=f"Nessa {n}", n=n, replies=inner) for n, inner in enumerate(replies))


def items(body: str, among: str = "body") -> list[Item]:
    page = page_of(body, keep=(among,))
    kept = np.zeros(len(page.blocks), np.bool_)
    for first, last in zip(*landmarks_of(page).blocks_of(np.array(page.marks[among])), strict=True):
        kept[first:last] = True
    return find_items(page, kept)


def example(path: str, selector: str) -> tuple[Page, list[Item]]:
    """The items in a part of a page of the made-up site."""
    data = (ROOT / "examples" / "site" / path).read_bytes()
    page = parse(data, f"https://tidewater.example/{path}", Options(keep=(selector,)))
    ((first,), (last,)) = landmarks_of(page).blocks_of(np.array(page.marks[selector]))
    return page, find_items(page, (np.arange(len(page.blocks)) >= first) & (np.arange(len(page.blocks)) < last))


def test_a_thread_gives_its_posts_with_author_and_time() -> None:
    page, found = example("forum/thread.html", ".topic-posts")
    assert [ItemKind.POST] * 8 == [item.kind for item in found]
    assert "https://tidewater.example/forum/thread.html#p8803" == found[0].link
    assert ["Driftwood Dan", "Nessa K.", "oarlock"] == [item.author for item in found[:3]]
    times = [item.time or "" for item in found]
    assert "2024-08-02T19:12:00+00:00" == times[0]
    assert sorted(times) == times
    assert "Leaking centreboard case" == found[0].title
    assert ["p8803", "p8806", "p8809"] == [page.attribute(item.start, "id") for item in found[:3]]


def test_a_listing_gives_its_cards_with_title_and_link() -> None:
    _, found = example("index.html", "#main")
    assert {ItemKind.CARD} == {item.kind for item in found}
    assert (
        "A Glossary of Mud",
        "https://tidewater.example/articles/a-glossary-of-mud.html",
        "Théo Marchbank",
        "2025-02-07T06:45:00+00:00",
    ) == (found[0].title, found[0].link, found[0].author, found[0].time)
    assert len(found) >= 8


def test_an_article_has_none() -> None:
    assert [] == example("articles/why-the-tide-is-late.html", "main")[1]


def test_a_list_of_references_in_a_text_is_none() -> None:
    prose = "<p>The tide turned before the boats were in, and nobody on the quay had seen it coming.</p>" * 9
    references = "<ul>" + "".join(f"<li><a href=/{n}>Mud, part {n}</a></li>" for n in range(4)) + "</ul>"
    assert [] == items(prose + references)
    assert 4 == len(items(references))


def test_steps_with_a_link_in_their_text_are_none() -> None:
    step = (
        "<li>Look at the bolts first, all five of them, as told <a href=/b>here</a>, and tap each with a hammer.</li>"
    )
    assert [] == items(f"<ol>{step * 5}</ol>")


def test_two_are_too_few_and_three_are_enough() -> None:
    assert [0, 3] == [len(items(thread(*[""] * count))) for count in (2, 3)]


def test_two_posts_are_a_thread_if_both_name_author_and_time() -> None:
    pair = thread("", "")
    named = pair.replace("<p>Nessa", "<p><a href=/users/nessa>Nessa</a>")
    assert (0, 2) == (len(items(pair)), len(items(named)))


@pytest.mark.parametrize("head", ["<div>{}</div>", "<div><div>{}</div></div>"])
def test_a_byline_may_stand_in_a_row_of_its_own(head: str) -> None:
    text = "<div>The tide turned before the boats were in, and nobody had seen it coming.</div>"
    rows = "".join(
        f"{head.format(f'9 May 2024 at 1{n}:30')}<div><div><a href=/users/{name}>{name}</a></div>{text}</div>"
        for n, name in enumerate(("nessa", "bran", "olwen"))
    )
    found = items(rows)
    assert [(name, f"2024-05-09T1{n}:30:00") for n, name in enumerate(("nessa", "bran", "olwen"))] == [
        (item.author, item.time) for item in found
    ]


@pytest.mark.parametrize("name", ["author", "other"])
def test_two_posts_may_be_signed_in_the_rows_before_them(name: str) -> None:
    """Of which nothing is kept, as on boards of bbPress."""
    text = "The tide turned before the boats were in, and nobody on the quay had seen it coming."
    posts = "".join(
        f"<div class=head>9 May 2024 at 1{n}:30</div>"
        f"<div class='reply n{n}'><span class={name}>nessa {n}</span><p class=text>{text}</p></div>"
        for n in range(2)
    )
    found = items(f"<section>{posts}</section>", among=".text")
    expected = [("nessa 0", "2024-05-09T10:30:00"), ("nessa 1", "2024-05-09T11:30:00")]
    assert (expected if name == "author" else []) == [(item.author, item.time) for item in found]


@pytest.mark.parametrize(("name", "count"), [("post comment", 4), ("comment", 3)])
def test_a_comment_that_is_named_like_the_posts_may_be_built_a_little_differently(name: str, count: int) -> None:
    signed = "<a href=/user/{name}>{name}</a> <time datetime=2024-05-0{n}>May {n}, 2024</time>"
    text = "<p>The tide turned before the boats were in, and nobody on the quay had seen it coming.</p>"
    inside = f"{signed.format(name='dan', n=9)}<em>up</em> <b>or</b> <code>now</code>{text}"
    comment = f"<ul><li class='{name}'><i></i><div>{inside}</div></li></ul>"
    posts = "".join(
        f"<li class=post><i></i><div>{signed.format(name=f'nessa{n}', n=n)}{text}{comment if n == 1 else ''}</div></li>"
        for n in range(1, 4)
    )
    assert count == len(items(f"<ol>{posts}</ol>"))


def test_a_marked_time_at_which_the_author_joined_is_none() -> None:
    profile = "<p>Joined: <time datetime=2004-05-09T10:00>9 May 2004</time></p>"
    text = "<p>The tide turned before the boats were in, and nobody on the quay had seen it coming.</p>"
    post = f"<div>{profile}<p><span datetime=2024-06-01>1 June</span></p>{text}</div>"
    assert {"2024-06-01"} == {item.time for item in items(post * 3)}


def test_names_that_nothing_marks_are_the_first_short_lines() -> None:
    names = ("Driftwood Dan", "oarlock", "nessa2004", "oarlock")
    posts = "".join(
        f"<div><b>{name}</b><p>Posted 9 May 2024 at 1{n}:30</p><p>The tide turned before all boats were in.</p></div>"
        for n, name in enumerate(names)
    )
    assert list(names) == [item.author for item in items(posts)]


def test_a_line_that_most_cards_have_is_no_title() -> None:
    cards = "".join(
        f"<li><a href=/{n}><p>Sale</p><p>Boots, part {n}</p></a><a href=/cart{n}>Add to cart</a></li>" for n in range(4)
    )
    assert [f"Boots, part {n}" for n in range(4)] == [item.title for item in items(cards)]


def test_the_two_halves_of_a_card_are_one() -> None:
    cards = "".join(
        f"<article><div><h2><a href=/{n}>Mud, part {n}</a></h2></div>"
        f"<div><p>What there is to say of it, in a few words.</p><p><a href=/{n}>Continue</a></p></div></article>"
        for n in range(4)
    )
    assert [f"Mud, part {n}" for n in range(4)] == [item.title for item in items(cards)]


def test_short_posts_beside_long_profiles_are_posts() -> None:
    profile = f"<div class=profile>{'<p>Joined long ago, and has written a great many posts since.</p>' * 5}</div>"
    posts = "".join(
        f"<div class=post>{profile}<div class=body><p>9 May 2024 at 1{n}:30</p><p>That is so, thanks.</p></div></div>"
        for n in range(4)
    )
    page = page_of(posts, keep=(".body",))
    kept = np.zeros(len(page.blocks), np.bool_)
    for first, last in zip(*landmarks_of(page).blocks_of(np.array(page.marks[".body"])), strict=True):
        kept[first:last] = True
    assert 4 == len(find_items(page, kept))


@pytest.mark.parametrize("words", ["Thanks!", "Aye aye."])
def test_a_post_of_a_word_or_two_is_one_if_it_names_author_and_time(words: str) -> None:
    posts = thread("", "", "").replace("<p>Nessa", "<p><a href=/users/nessa>Nessa</a>")
    short = f"<div class=post><p><a href=/users/bran>Bran</a>, 9 May 2024 at 14:30</p><p>{words}</p></div>"
    unsigned = f"<div class=post><p>9 May 2024 at 14:30</p><p>{words}</p></div>"
    assert [4, 3] == [len(items(posts + last)) for last in (short, unsigned)]


def test_a_word_beside_a_long_profile_is_a_post_though_little_of_it_is_kept() -> None:
    profile = "<p class=profile><a class=author href=/users/nessa>Nessa</a>, who has sailed for twenty years</p>" * 3
    stamp, text = "<p>9 May 2024 at 14:30</p>", "<p>The tide turned before the boats were in.</p>"
    posts = f"<div class=post>{profile}{stamp}<div class=text>{text}</div></div>" * 3
    last = f"<div class=post>{profile}{stamp}<div class=text><p>Thanks!</p></div></div>"
    assert 4 == len(items(posts + last, ".text"))


def test_links_in_a_menu_that_is_not_kept_make_no_card_of_a_post() -> None:
    menu = "<p class=menu><a href=/search?by=7>All that this author has written so far</a></p>" * 2
    posts = thread("", "", "").replace("</div>", f"{menu}</div>").replace("<p>", "<p class=text>")
    assert [ItemKind.POST] * 3 == [item.kind for item in items(posts, ".text")]


def test_two_posts_with_links_to_themselves_are_a_thread() -> None:
    pair = thread("", "")
    linked = pair.replace(" at 1", " <a href=/topic?p=7#7>at</a> 1")
    assert [0, 2] == [len(items(posts)) for posts in (pair, linked)]


def test_the_title_of_a_reply_may_be_a_link_to_it() -> None:
    titled = "<div class=post><h4><a href={}>Re: Mud</a></h4>"
    kinds = [
        {item.kind for item in items(thread("", "", "").replace("<div class=post>", titled.format(target)))}
        for target in ("/comments.pl?sid=5&cid=64", "/mud?p=64")
    ]
    assert [{ItemKind.POST}, {ItemKind.CARD}] == kinds


def test_cards_in_rows_are_found_across_them() -> None:
    rows = [
        f"<div class=row>{''.join(CARD.format(n=n).replace('li>', 'div>') for n in pair)}</div>"
        for pair in ("12", "34")
    ]
    assert ["/1", "/2", "/3", "/4"] == [item.link for item in items("".join(rows))]


def test_columns_that_only_hold_cards_are_no_cards() -> None:
    columns = "".join(f"<div><ul>{''.join(CARD.format(n=10 * c + n) for n in range(4))}</ul></div>" for c in range(3))
    assert 12 == len(items(columns))


def test_replies_are_posts_in_posts() -> None:
    reply = POST.format(name="Dan", n=5, replies="")
    found = items(thread(reply, "", ""))
    assert [f"2024-05-09T1{n}:30:00" for n in (0, 5, 1, 2)] == [item.time for item in found]
    assert found[1].end <= found[0].end


def test_a_card_that_is_one_link_has_it_as_its_own() -> None:
    card = "<a href=/{n}><h3>Mud, part {n}</h3><p>A few words.</p></a>"
    found = items("".join(card.format(n=n) for n in range(3)))
    assert [("Mud, part 0", "/0"), ("Mud, part 1", "/1"), ("Mud, part 2", "/2")] == [(i.title, i.link) for i in found]


def test_when_someone_joined_and_what_something_costs_are_no_times() -> None:
    post = "<div><p>Joined 9 May 2004</p><p>Posted 1 June 2024</p><p>I saw it from the quay, they did not.</p></div>"
    assert {"2024-06-01"} == {item.time for item in items(post * 3)}
    card = "<li><a href=/x>A very small anchor</a><p>$ 2,099.99</p></li>"
    assert {None} == {item.time for item in items(card * 3)}


def test_items_lie_in_each_other_or_apart_and_make_sections() -> None:
    page, found = example("forum/thread.html", ".topic-posts")
    (root,) = section_tree(page, [Part(item.start, item.end, 1.0) for item in found])
    edges = [(leaf.block_start, leaf.block_end) for leaf in root.leaves()]
    assert edges[0][0] == 0
    assert edges[-1][1] == len(page.blocks)
    assert {page.text_of(item.start) for item in found} == {
        page.text_of(section.node) for section in root.walk() if section.node in {item.start for item in found}
    }


def test_nothing_kept_and_empty_pages() -> None:
    for markup in ("", "<p></p>", "<p>Some text"):
        page = parse(markup)
        assert [] == find_items(page, np.zeros(len(page.blocks), np.bool_))
        assert [] == find_items(page, np.ones(len(page.blocks), np.bool_))


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<li>", "<ul>", "</ul>", "<a href=/x>x</a>", "<h2>Mud", "<div>", "</div>", "<p>9 May 2024", "<p>a b c d"]
        )
    )
)
def test_any_page_has_items_in_order(pieces: list[str]) -> None:
    page = page_of("".join(pieces))
    found = find_items(page, np.ones(len(page.blocks), np.bool_))
    assert sorted(item.start for item in found) == [item.start for item in found]
    open_ends: list[int] = []
    for item in found:
        while open_ends and open_ends[-1] <= item.start:
            open_ends.pop()
        assert not open_ends or item.end <= open_ends[-1]
        open_ends.append(item.end)


UNDRAWN = ["<script></script>", "<style></style>", "<template></template>", "<!-- x -->", "<p hidden></p>"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(UNDRAWN), min_size=6, max_size=6), st.integers(3, 5))
def test_what_draws_nothing_changes_no_item(pieces: list[str], count: int) -> None:
    for piece in (POST.format(name="Nessa", n=1, replies=""), CARD.format(n=1), "<li><a href=/x>Mud and sand</a></li>"):
        plain = items(piece * count)
        mixed = items("".join(pieces[n] + piece.replace(">", f">{pieces[n]}", 1) for n in range(count)))
        assert count == len(plain)
        assert [described(item) for item in plain] == [described(item) for item in mixed]


def described(item: Item) -> tuple[object, ...]:
    return item.kind, item.author, item.time, item.title, item.link


def test_a_script_in_some_posts_does_not_set_them_apart() -> None:
    scripts = "<script></script><style></style><template></template><link rel=x><noscript></noscript><meta name=x>"
    posts = thread("", "", "")
    assert 3 == len(items(posts.replace("<p>Nessa 1", f"{scripts}<p>Nessa 1")))


def test_items_of_real_pages_are_in_order_and_hold_text() -> None:
    for path in real_pages(30):
        page = parse(path.read_bytes())
        items = find_items(page, page.blocks.words > 5)
        assert sorted(item.start for item in items) == [item.start for item in items]
        assert all(page.text_of(item.start).strip() for item in items)


@pytest.mark.parametrize(
    "piece",
    [
        "<li><a href=/x>x</a></li>",
        "<div><p>9 May 2024</p><p>one two three four</p>",
        "<div><div><a href=/x>one two</a></div></div>",
        "<div><h2><a href=/x>x</a></h2></div>",
        "<div class=author>9 May 2024 <p>one two three four",
    ],
)
def test_twice_the_page_is_twice_the_work(piece: str) -> None:
    def work(size: int) -> object:
        page = page_of(piece * size)
        kept = np.ones(len(page.blocks), np.bool_)
        return lambda: find_items(page, kept)

    assert_linear(work)  # type: ignore[arg-type]


def test_a_name_before_a_marked_time_is_the_author() -> None:
    line = (
        "<div class=post><p>{name} <time>1{n}:30</time></p><p>The tide turned before the boats were in today.</p></div>"
    )
    found = items("".join(line.format(name=name, n=n) for n, name in enumerate(("Nessa K.", "Theo", "Ines", "Theo"))))
    assert ["Nessa K.", "Theo", "Ines", "Theo"] == [item.author for item in found]


PRICED = "<li><a href=/{n}>Mud, in a jar of {n}</a><p>{price}</p></li>"
LONG_TEXT = (
    "<p>" + "Whoever buys mud should know where it was dug, and by whom, and at which state of the tide. " * 12 + "</p>"
)


def test_cards_with_prices_are_items_below_a_long_text() -> None:
    def found(price: str, beside: str = "") -> int:
        cards = "".join(PRICED.format(n=n, price=price) for n in range(9))
        return len(items(f"{beside}<ul>{cards}</ul>{LONG_TEXT}"))

    assert [9, 0] == [found("€ 4.50"), found("sold out")]
    assert 0 == found("€ 4.50", "<h1>A jar of mud</h1><p>€ 9.00</p>")


def test_what_is_named_the_title_of_a_card_is_its_title() -> None:
    card = "<li><a href=/{n}>{n} reviews of this mud</a><p class=card__title>Mud {name}</p><p>Dug at dawn.</p></li>"
    found = items("<ul>" + "".join(card.format(n=n, name=name) for n, name in enumerate("ABCD")) + "</ul>")
    assert [("Mud A", "/0"), ("Mud B", "/1")] == [(item.title, item.link) for item in found[:2]]
