"""The items that a page of a known platform shows: its posts or cards, read by the class names of the platform.

Cards are limited to those whose title is in the truth of the page, so that boxes of other products are none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pagestrata.api import parse
from pagestrata.evaluate.datasets import Truth
from pagestrata.evaluate.metrics import folded
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.text import collapse


@dataclass(frozen=True, slots=True)
class TrueItem:
    """A post or card of the truth; empty where the platform shows nothing."""

    author: str = ""
    time: str = ""
    body: str = ""
    optional: str = ""
    """What of the body may be missing in an item: quotes of other posts, and bylines."""
    title: str = ""
    price: str = ""


@dataclass(frozen=True, slots=True)
class Platform:
    """Selectors of the items of a platform and of what they show; the first match in an item counts."""

    item: str
    author: str = ""
    time: str = ""
    body: str = ""
    optional: str = ""
    """All elements with what of the body may be missing, not only the first; those of other posts do not count."""
    title: str = ""
    price: str = ""
    is_flat: bool = False
    """Whether the selector of items is that of the first element of each, which reaches up to the next."""

    @property
    def selectors(self) -> dict[str, str]:
        """The selectors by the name of what they find."""
        names = ("item", "author", "time", "body", "optional", "title", "price")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


PLATFORMS: Final = {
    "xenforo": Platform("article.message--post", ".message-name", "time", ".message-body", "blockquote"),
    "phpbb3": Platform(
        "div.post", ".postprofile .username, .postprofile .username-coloured", "p.author", ".content", "blockquote"
    ),
    "phpbb3-subsilver": Platform(
        ".postauthor", ".postauthor", "td.gensmall", ".postbody", ".quotetitle, .quotecontent", is_flat=True
    ),
    "phpbb2": Platform(
        "span.name",
        "span.name",
        "td[width='100%'] > span.postdetails",
        "span.postbody",
        "td.quote, span.genmed",
        is_flat=True,
    ),
    "bbpress": Platform(
        ".bbp-reply-header",
        ".bbp-author-name",
        ".bbp-reply-post-date",
        ".bbp-reply-content",
        "blockquote",
        is_flat=True,
    ),
    "vbulletin": Platform(
        "table[id^=post]",
        ".bigusername, div[id^=postmenu]",
        "td.thead",
        "div[id^=post_message]",
        "div.smallfont, td.alt2",
    ),
    "vbulletin5": Platform(
        "li.b-post",
        ".b-userinfo__details .author, .author, .b-comment__author",
        "time, .b-comment .b-post__timestamp",
        ".js-post__content-text, .b-comment .js-post__content",
        ".bbcode_container",
    ),
    "discourse": Platform(".crawler-post", "[itemprop=author] [itemprop=name]", "time", ".post", "blockquote"),
    "discourse-archive": Platform(".post_container", ".user_name", "", ".post_content", "blockquote"),
    "opendcl": Platform("article.post", ".post-author", ".post-date", ".post-body", "blockquote"),
    "forem": Platform("div.post", ".username", "time", ".contents", "time, .in_reply_to, blockquote"),
    "drupal-forum": Platform(".comment, .forum-post", ".username", ".submitted, .posted-on", ".content", "blockquote"),
    "invision": Platform(
        "article.ipsComment", ".cAuthorPane_author", ".ipsComment_meta time", "[data-role=commentContent]", ".ipsQuote"
    ),
    "mybb": Platform(
        "div.post", ".author_information .largetext", ".post_date", ".post_body", "blockquote", is_flat=True
    ),
    "nodebb": Platform(
        "[component=post]", "[itemprop=author]", ".permalink .timeago", "[component='post/content']", "blockquote"
    ),
    "wpforo": Platform(
        ".post-wrap", ".author-name", ".wpf-post-date, .cbleft", ".wpforo-post-content", "blockquote", is_flat=True
    ),
    "asgaros": Platform(
        ".post-element", ".profile-link", ".forum-post-date", "[id^=post-quote-container]", "blockquote"
    ),
    "flaskbb": Platform("div.post-row", ".author-name", ".post-meta time", ".post-content", "blockquote"),
    "woo-archive": Platform(
        ".products .product",
        title=".woocommerce-loop-product__title, .product-title, .product_title, .title, h2, h3, h4",
        price=".price ins .amount, .price > .amount, .price > span .amount",
    ),
    "shopify-collection": Platform(
        ".card-wrapper, .product-card, .product-grid-item, .grid-product, .product-item, .product_wrapper, "
        ".product-block, .tt-product, .product-wrapper, .product_card, .grid-link, .product-container",
        title=".card__content .card__heading, .product-card__name, .product-card__title, .grid-link__title, "
        ".product__title, .product_name, .grid-product__title, .product-item__title, .product__grid__title, "
        ".tt-title, .product-title, .title, p, h3, h2",
        price=".price-item--sale, .new-price, .money, .price-item, .product-card__price, .product-item--price, "
        ".product__price, .product_price, .price",
    ),
    "wp-listing": Platform("article, .hentry, .type-post", title=".entry-title, .post-title, h1, h2, h3, h4"),
}
"""By the name of who labelled the page, or of the software."""


def platform_of(data: bytes, truth: Truth) -> str:
    """Return the platform of a page: its labeller, or for a thread that people labelled the one whose names it has."""
    if truth.labeller in PLATFORMS or truth.page_type != "forum":
        return truth.labeller
    platforms = {name: each for name, each in PLATFORMS.items() if each.body}
    selectors = {selector for each in platforms.values() for selector in (each.item, each.author, each.body)}
    page = parse(data, options=Options(keep=tuple(selectors)))
    posts = {
        name: min(len(page.marks[selector]) for selector in (each.item, each.author, each.body))
        for name, each in platforms.items()
    }
    best = max(posts, key=lambda name: posts[name])
    return best if posts[best] else ""


def true_items(data: bytes, truth: Truth, platform_name: str | None = None) -> list[TrueItem]:
    """Return the items of a page of a known platform; none if it is not known."""
    platform = PLATFORMS.get(platform_name or truth.labeller)
    if platform is None:
        return []
    selectors = platform.selectors
    page = parse(data, options=Options(keep=tuple(dict.fromkeys(selectors.values()))))
    known = folded(truth.main_content)
    items = [_item(page, span, selectors) for span in _spans(page, platform)]
    return [item for item in items if item.body or (item.title and f" {folded(item.title)} " in f" {known} ")]


def _spans(page: Page, platform: Platform) -> Iterator[tuple[int, int]]:
    """Yield the ranges of nodes of the items; the outermost of elements that lie in each other, but for posts."""
    starts = page.marks[platform.item]
    end = 0
    for start, following in pairwise((*starts, len(page.nodes))):
        if platform.is_flat:
            yield start, following
        elif platform.body:
            yield start, min(int(page.nodes.end[start]), following)
        elif start >= end:
            end = int(page.nodes.end[start])
            yield start, end


def _item(page: Page, span: tuple[int, int], selectors: dict[str, str]) -> TrueItem:
    values = {
        name: next(filter(None, (_value(page, node) for node in page.marks[selector] if span[0] <= node < span[1])), "")
        for name, selector in selectors.items()
        if name not in ("item", "optional")
    }
    return TrueItem(**values, optional=_optional(page, span, selectors))


def _optional(page: Page, span: tuple[int, int], selectors: dict[str, str]) -> str:
    """The texts in the body of a post that may be missing; what lies in another of them counts once."""
    if "optional" not in selectors:
        return ""
    body = next((node for node in page.marks[selectors["body"]] if span[0] <= node < span[1]), None)
    if body is None:
        return ""
    texts, end = [], body
    for node in page.marks[selectors["optional"]]:
        if end <= node < page.nodes.end[body]:
            texts.append(page.text_of(node))
            end = int(page.nodes.end[node])
    return "\n".join(texts)


def _value(page: Page, node: int) -> str:
    """The time that an element states, or its text."""
    return page.attribute(node, "datetime") or collapse(page.text_of(node))
