"""Items as data: comments and posts with replies and votes, cards with price, picture and one title each."""

import csv
import io

import pandas
import pytest

from pagestrata import Extraction, Options, extract
from pagestrata.page.prices import PRICE
from pagestrata.parts import ITEM_COLUMNS

STORY = "".join(
    f"<p>The river rose in the night, and number {i} of the barges was loose by the morning.</p>" for i in range(12)
)


def comment(name: str, day: int, inside: str = "") -> str:
    byline = f"<a href=/users/{name}>{name}</a> <time datetime=2024-05-{day:02}>May {day}</time>"
    text = f"{name} says that this is a fine story, whatever others may think of it."
    votes = f"<span class=vote-count>{day + 3} points</span>"
    return f"<li class=comment><div class=byline>{byline}</div><p>{text}</p>{votes}{inside}</li>"


def article(replies: str, **options: object) -> Extraction:
    region = f"<section id=comments><h2>12 comments</h2><ol>{replies}</ol></section>"
    page = f"<title>The flood</title><article><h1>The flood</h1>{STORY}</article>{region}"
    return extract(page, "https://mud.example/1", Options(**options))  # type: ignore[arg-type]


NESTED = "".join(
    comment(f"nessa{day}", day, f"<ul>{comment('bran', 20)}</ul>" if day == 3 else "") for day in range(1, 12)
)


def test_every_comment_is_an_item_if_comments_are_returned() -> None:
    items = article(NESTED, comments="on").items
    assert (12, 0) == (len(items), len(article(NESTED).items))
    assert {"post"} == {item.kind for item in items}
    assert ("nessa1", "2024-05-01", 4, None) == (items[0].author, items[0].time, items[0].votes, items[0].reply_to)
    assert ("bran", 2) == (items[3].author, items[3].reply_to)
    assert "nessa1 says that this is a fine story, whatever others may think of it.\n4 points" == items[0].text
    assert "bran says" not in items[2].text


def test_comments_are_a_list_in_markdown_with_author_and_time() -> None:
    markdown = article(NESTED, comments="on").markdown
    assert "1. **nessa1** · 2024-05-01\n\n   nessa1 says" in markdown
    assert "   - **bran** · 2024-05-20\n" in markdown


def test_replies_in_a_box_behind_their_post_are_quotes() -> None:
    def post(name: str) -> str:
        time = "<time datetime=2024-05-01>May 1</time>"
        return (
            f"<div class=post><a href=/user/{name}>{name}</a> {time}<p>{name} says that the mud is deep here.</p></div>"
        )

    boxes = f"<div class=indented>{post('mair')}<div class=indented>{post('rhys')}</div></div>"
    thread = post("nessa") + post("bran") + boxes + post("olwen")
    found = extract(f"<title>Mud</title><main><h1>Mud</h1>{thread}</main>", options=Options(bias=1))
    assert [("nessa", None), ("bran", None), ("mair", 1), ("rhys", 2), ("olwen", None)] == [
        (item.author, item.reply_to) for item in found.items
    ]
    assert "> **mair** · 2024-05-01" in found.markdown
    assert "> > **rhys** · 2024-05-01" in found.markdown
    assert "\n**olwen**" in found.markdown


CARDS = "".join(
    f"<li class=card><div><a href=/p/{name}><img src=/{name}.png width=90 height=90></a><a href=#>Quick view</a></div>"
    f"<div><h2><a href=/p/{name}>{name.title()} boots</a></h2><p>Waterproof up to the knee, lined with wool.</p>"
    f"<span class=price><del>$90.00</del> <ins>${70 + place}.00</ins></span></div></li>"
    for place, name in enumerate(("heron", "curlew", "plover", "dunlin"))
)


@pytest.fixture(scope="module")
def listing() -> Extraction:
    page = f"<title>Boots</title><main><h1>Boots</h1><ul>{CARDS}</ul></main>"
    return extract(page, "https://mud.example/boots", Options(bias=1))


def test_a_card_is_one_item_with_title_link_price_and_picture(listing: Extraction) -> None:
    assert ["Heron boots", "Curlew boots", "Plover boots", "Dunlin boots"] == [item.title for item in listing.items]
    first = listing.items[0]
    assert ("card", "$70.00", None) == (first.kind, first.price, first.votes)
    assert ("https://mud.example/p/heron", "https://mud.example/heron.png") == (first.link, first.image)


def test_items_are_tables(listing: Extraction) -> None:
    header, *rows = csv.reader(io.StringIO(listing.items.to_csv()))
    assert (list(ITEM_COLUMNS), 4) == (header, len(rows))
    frame = listing.items.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert ["$70.00", "$71.00", "$72.00", "$73.00"] == frame["price"].tolist()


def test_a_page_without_items_has_an_empty_table() -> None:
    assert (list(ITEM_COLUMNS), 0) == (list(extract("").items.to_pandas().columns), len(extract("").items))


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("Sale! 21,99 € each", "21,99 €"),
        ("$1,299.00 CAD", "$1,299.00"),
        ("10000,00CFA", "10000,00CFA"),
        ("27,99 € – 31,99 €", "27,99 € – 31,99 €"),
        ("rated 5\n$ 4.99", "$ 4.99"),
        ("save -$12, now $78.", "$78"),
        ("3 of 12 boats", None),
    ],
)
def test_prices_are_read_as_they_stand(text: str, price: str | None) -> None:
    match = PRICE.search(text)
    assert price == (match and match[0])


def test_cards_of_a_carousel_are_items_once() -> None:
    card = "<li><h3><a href=/{0}>Jar {0}</a></h3><p>Mud of the best banks.</p><p>${0}.50</p></li>"
    cards = "".join(map(card.format, range(2, 9)))
    copies = "<li><h3><a href=/2>Jar 2</a></h3></li>" + card.format(3)
    page = f"<title>Jars</title><main><h1>Jars</h1><ul>{cards}{{}}</ul></main>"
    once, repeated = (extract(page.format(end), "https://mud.example/", Options(bias=1.0)) for end in ("", copies))
    assert [f"Jar {n}" for n in range(2, 9)] == [item.title for item in once.items]
    assert once.items == repeated.items
    other = card.format(3).replace("best", "worst")
    assert 8 == len(extract(page.format(other), "https://mud.example/", Options(bias=1.0)).items)
