"""`pagestrata links`, `feeds` and `sitemap`: the addresses that a page or a site names, one on a line."""

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Annotated
from urllib.parse import urlsplit

import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.cli.jobs import is_address, one_job
from pagestrata.cli.messages import hint_for, report
from pagestrata.errors import FetchError, InputError, UsageError
from pagestrata.inputs.feeds import is_feed, read_feed
from pagestrata.inputs.polite import DELAY, PoliteFetcher
from pagestrata.inputs.site_addresses import LARGE, addresses_in, is_home, sitemaps_of
from pagestrata.page.page import Page
from pagestrata.parts import Link
from pagestrata.render.links import WEB_SCHEMES, safe_link
from pagestrata.work.read_page import with_address
from pagestrata.work.site_listing import feeds_of

Include = Annotated[
    list[str] | None,
    typer.Option(metavar="REGEX", help="Only addresses that match this regular expression. Repeatable."),
]
Exclude = Annotated[
    list[str] | None, typer.Option(metavar="REGEX", help="No addresses that match this regular expression. Repeatable.")
]
SameSite = Annotated[bool, typer.Option("--same-site", help="Only addresses of the same host.")]


def links(
    *,
    page: settings.OnePage,
    content: Annotated[bool, typer.Option("--content", help="Only links in the main content.")] = False,
    with_text: Annotated[bool, typer.Option("--with-text", help="Add the text of each link, after a tab.")] = False,
    include: Include = None,
    exclude: Exclude = None,
    same_site: SameSite = False,
    origin: settings.Origin,
    config: settings.Config = None,
) -> None:
    """List the links of a page."""
    raw = one_job(page, origin.url, settings.policy_of(origin.allow))[0].read()
    options = settings.make_options(config)
    parsed = with_address(api.parse(raw, options=options))
    found = api.extract(parsed, options=options).links if content else all_links(parsed)
    texts = {link.url: link.text for link in reversed(found)}
    wanted = filtered((link.url for link in found), include, exclude, parsed.url if same_site else None)
    for address in wanted:
        typer.echo(f"{address}\t{texts[address]}" if with_text else address)
    relative = sum(1 for address in wanted if not is_address(address))
    if relative:
        report(f"{relative:,} relative: the address of the page is not known, give it with --url")


def feeds(
    *,
    page: settings.OnePage,
    pages: Annotated[bool, typer.Option("--pages", help="List the pages in the feeds instead.")] = False,
    include: Include = None,
    exclude: Exclude = None,
    same_site: SameSite = False,
    delay: settings.Delay = DELAY,
    origin: settings.Origin,
) -> None:
    """List the feeds that a page names, or their pages."""
    policy = settings.policy_of(origin.allow)
    raw = one_job(page, origin.url, policy)[0].read()
    parsed = with_address(api.parse(raw))
    address = raw.url or parsed.url
    if is_feed(raw.data):
        addresses = [item.link for item in read_feed(raw.data).items] if pages else [address or page]
    else:
        addresses = feeds_of(parsed)
        if not addresses:
            raise InputError(f"{page} names no feed")
        if pages:
            with closing(PoliteFetcher(policy, delay)) as fetcher:
                addresses = [*_pages_in(addresses, fetcher)]
    for one in filtered(addresses, include, exclude, address if same_site else None):
        typer.echo(one)


def sitemap(
    *,
    site: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="A sitemap; or the home page of a site, whose sitemaps are found by its robots.txt."
        ),
    ],
    include: Include = None,
    exclude: Exclude = None,
    same_site: SameSite = False,
    fetching: settings.Fetching,
) -> None:
    """List the pages in the sitemaps of a site."""
    if not is_address(site):
        raise UsageError(f"{site!r} is not a web address, which begins with http:// or https://")
    with closing(PoliteFetcher(settings.policy_of(fetching.allow), fetching.delay)) as fetcher:
        sources = sitemaps_of(site, fetcher) if is_home(site) else [site]
        addresses = [*_pages_in(sources, fetcher)]
    if not addresses:
        raise InputError(f"no pages in the sitemaps of {site}")
    for address in filtered(addresses, include, exclude, site if same_site else None):
        typer.echo(address)


def all_links(page: Page) -> tuple[Link, ...]:
    """The links of a whole page to other pages of the web."""
    found = ((node, safe_link(page, page.attribute(node, "href"), WEB_SCHEMES)) for node in page.nodes_tagged("a"))
    return tuple(Link(url, " ".join(page.text_of(node).split())) for node, url in found if url is not None)


def _pages_in(sources: Iterable[str], fetcher: PoliteFetcher) -> Iterator[str]:
    """The pages that sitemaps or feeds list; one that cannot be read is reported."""
    for source in sources:
        try:
            addresses = addresses_in(fetcher.fetch(source, LARGE).data, fetcher)
        except FetchError as error:
            report(f"{source}: {error.explanation}{hint_for(error)}")
        else:
            if addresses is None:
                report(f"{source}: neither a sitemap nor a feed")
            yield from addresses or ()


def filtered(
    addresses: Iterable[str], include: list[str] | None, exclude: list[str] | None, site: str | None
) -> list[str]:
    """The addresses that pass the filters, each once, in their order.

    >>> filtered(["https://a.example/x", "https://b.example/x", "https://a.example/y"], None, ["y$"], "https://a.example")
    ['https://a.example/x']
    """
    wanted, unwanted = _patterns(include), _patterns(exclude)
    return [
        address
        for address in dict.fromkeys(addresses)
        if (not wanted or any(pattern.search(address) for pattern in wanted))
        and not any(pattern.search(address) for pattern in unwanted)
        and (site is None or urlsplit(address).hostname in (urlsplit(site).hostname, None))
    ]


def _patterns(texts: list[str] | None) -> list[re.Pattern[str]]:
    try:
        return [re.compile(text) for text in texts or ()]
    except re.error as error:
        raise UsageError(f"{error.pattern!r} is no regular expression: {error.msg}") from error
