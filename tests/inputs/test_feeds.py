import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from pagestrata.inputs.feeds import read_feed
from pagestrata.page.feed import Feed, FeedItem

ITEM = FeedItem("https://a.example/tea", "Tea & mud", "A pot of tea.", ("Drinks", "Mud"))

RSS_2 = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>Notes</title><link>https://a.example/</link><description>All notes</description>
<image><title>Logo</title><link>https://a.example/logo</link></image>
<item><title>Tea &amp; mud</title><media:title>A picture</media:title><link>https://a.example/tea</link>
<description><![CDATA[<p>A pot<br>of <b>tea</b>.</p>]]></description><category>Drinks</category>
<category><![CDATA[Mud]]></category><content:encoded>&lt;p&gt;All of it&lt;/p&gt;</content:encoded></item>
</channel></rss>"""

RSS_091 = """<rss version="0.91"><channel><title>Notes</title>
<item><title>Tea &#38; mud</title><link>https://a.example/tea</link><description>A pot of tea.</description>
<category>Drinks</category><category>Mud</category></item></channel></rss>"""

RSS_1 = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://a.example"><title>Notes</title>
<items><rdf:Seq><rdf:li resource="https://a.example/tea"/></rdf:Seq></items></channel>
<item rdf:about="https://a.example/tea"><title>Tea &amp; mud</title><link>https://a.example/tea</link>
<dc:description>A pot of tea.</dc:description><dc:subject>Drinks</dc:subject><dc:subject>Mud</dc:subject>
</item></rdf:RDF>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Notes</title>
<entry><title type="html">Tea &amp;amp; mud</title><link rel="self" href="https://a.example/self"/>
<link href="https://a.example/tea"/><id>tag:a.example,2026:1</id><category term="Drinks"/>
<category term="m" label="Mud"/><summary type="html">&lt;p&gt;A pot of tea.</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">All of it</div></content>
<source><id>x</id></source></entry></feed>"""

PREFIXED = """<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:title>Notes</atom:title><atom:entry>
<atom:title>Tea &amp; mud</atom:title><atom:id>https://a.example/tea</atom:id>
<atom:category term='Drinks'/><atom:category term='Mud'/>
<atom:content type="xhtml"><div>A pot of <em>tea</em>.</div></atom:content></atom:entry></atom:feed>"""


@pytest.mark.parametrize("markup", [RSS_2, RSS_091, RSS_1, ATOM, PREFIXED])
def test_every_dialect_gives_the_same_feed(markup: str) -> None:
    assert Feed("Notes", (ITEM,)) == read_feed(markup.encode())


def test_a_bare_ampersand_and_a_missing_end_do_no_harm() -> None:
    broken = (
        "<rss><channel><title>Notes</title><item><title>Tea & mud<link>https://a.example/tea</link><item><title>Two"
    )
    titles = [(item.title, item.link) for item in read_feed(broken.encode()).items]
    assert [("Tea & mud", "https://a.example/tea"), ("Two", "")] == titles


def test_markup_that_nobody_escaped_is_text() -> None:
    feed = read_feed(
        b"<rss><item><description><p>A <b>pot</b></p><p>of tea</p></description><title>T</title></item></rss>"
    )
    assert ("A pot of tea", "T") == (feed.items[0].description, feed.items[0].title)


def test_a_permalink_stands_in_for_a_missing_link() -> None:
    items = "<item><guid>https://a.example/1</guid></item><item><guid isPermaLink='false'>17</guid></item>"
    assert ["https://a.example/1", ""] == [item.link for item in read_feed(f"<rss>{items}</rss>".encode()).items]


def test_the_declared_encoding_is_used() -> None:
    data = '<?xml version="1.0" encoding="windows-1251"?><rss><item><title>Чай</title></item></rss>'.encode("cp1251")
    assert "Чай" == read_feed(data).items[0].title


def test_a_mark_at_the_start_wins_over_the_declaration() -> None:
    data = '\ufeff<?xml version="1.0" encoding="latin1"?><rss><item><title>Чай</title></item></rss>'.encode()
    assert "Чай" == read_feed(data).items[0].title


def test_entities_of_a_doctype_are_not_expanded() -> None:
    bomb = (
        '<!DOCTYPE r [<!ENTITY a "mud"><!ENTITY b SYSTEM "file:///etc/passwd">]><rss><item><title>&a;&b;</title></item>'
    )
    assert "&a;&b;" == read_feed(bomb.encode()).items[0].title


@pytest.mark.parametrize("data", [b"", b"<", b"<html><title>No feed</title>", b"\xff\xfe\x00", b"{}", b"<![CDATA["])
def test_what_is_no_feed_has_no_items(data: bytes) -> None:
    assert () == read_feed(data).items


@pytest.mark.parametrize("piece", ["<item>", "<![CDATA[", "<!--", "<title>", '<a b="', "<item><title>&amp;", "<"])
def test_hostile_feeds_take_time_in_proportion_to_their_size(piece: str) -> None:
    assert_linear(lambda count: lambda: read_feed(("<rss>" + piece * count).encode()))


@given(st.text(alphabet=st.sampled_from("<>/![]CDAT-\"'= abitemlnkg&;#1"), max_size=200))
def test_no_text_makes_it_fail(text: str) -> None:
    assert isinstance(read_feed(f"<rss><item>{text}".encode()), Feed)
