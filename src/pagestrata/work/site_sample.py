"""The site of a page, and the model of a site from a sample of its pages: one step each of learning many sites."""

from collections.abc import Iterable
from typing import Final

from pagestrata.api import parse
from pagestrata.errors import InputError
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.sites.learn import host_of, learn
from pagestrata.work.read_page import address_of

LEAST_PAGES: Final = 2
"""One page shows nothing that recurs."""
LEARN_SECONDS: Final = 300.0
"""For one site: learning costs some 14 times the parse of its pages, so this is enough for fifteen pages of 20 MB."""


def site_of(raw: RawPage) -> str:
    """The host of a page; it is parsed only if it came without its address, and "" if it does not contain one."""
    return host_of(raw.url) or host_of(address_of(parse(raw)))


def learn_sample(sample: Iterable[RawPage], site: str, options: Options) -> bytes:
    """The model of a site in its compact form, from sampled pages in the order of their digests."""
    pages = [page for page in (parse(raw, options=options) for raw in sample) if page.text]
    if len(pages) < LEAST_PAGES:
        raise InputError("fewer than two pages have text")
    return learn(pages, site=site).to_bytes()
