"""The pages that a site is learned from: a folder, files, addresses, the items of a feed, or what a site lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pagestrata import api
from pagestrata.cli.jobs import is_address, jobs_of
from pagestrata.cli.messages import report
from pagestrata.cli.progress import Step
from pagestrata.errors import InputError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.feeds import is_feed, read_feed
from pagestrata.inputs.polite import PoliteFetcher
from pagestrata.inputs.site_addresses import is_home, spread
from pagestrata.options import Options
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.work.job import Job
from pagestrata.work.read_page import with_address
from pagestrata.work.site_listing import sample_of_site

MAX_PAGES = 15
"""Eight to ten give nearly all that can be learned of a layout, and most sites have two or three."""


@dataclass(frozen=True, slots=True)
class FoundPages:
    """The pages that arguments name."""

    jobs: list[Job]
    feed: Feed | None = None
    """The feed that named them."""
    listed: int = 0
    """The number of all pages, if only some were chosen."""
    fetcher: PoliteFetcher | None = None
    """Fetches pages that were not named individually: it obeys robots.txt and waits between requests."""

    def read(self, job: Job) -> RawPage:
        """Read a page, or fetch it."""
        return self.fetcher.fetch(job.address) if self.fetcher and job.address else job.read()


def find_pages(
    sources: Sequence[str],
    policy: AddressPolicy,
    delay: float,
    most: int | None = None,
    most_of_site: int | None = None,
) -> FoundPages:
    """Find the pages that the arguments name, at most `most`.

    A feed as the only argument stands for the pages of its items; the address of a site for a sample of the pages that
    its sitemaps or feeds list, at most `most_of_site`, or a dozen of each form of address.
    """
    jobs = [job for job, _ in jobs_of(list(sources), None, policy)]
    if not jobs:
        raise InputError(f"no pages in {', '.join(sources)}")
    if len(jobs) > 1 or jobs[0].name != sources[0]:
        return FoundPages(spread(jobs, most or len(jobs)), listed=len(jobs))
    fetcher = PoliteFetcher(policy, delay)
    raw = jobs[0].read()
    if is_feed(raw.data):
        return _pages_of_feed(raw, sources[0], fetcher, policy, most)
    if is_address(sources[0]) and is_home(sources[0]):
        addresses = sample_of_site(raw, fetcher, most_of_site)
        return FoundPages(_jobs(addresses, policy), fetcher=fetcher)
    return FoundPages([Job(jobs[0].name, page=raw)])


def _pages_of_feed(
    raw: RawPage, name: str, fetcher: PoliteFetcher, policy: AddressPolicy, most: int | None
) -> FoundPages:
    feed = read_feed(raw.data)
    links = [*dict.fromkeys(item.link for item in feed.items if is_address(item.link))]
    if not links:
        raise InputError(f"no links to pages in the feed {name}")
    return FoundPages(_jobs(spread(links, most or len(links)), policy), feed, len(links), fetcher)


def _jobs(addresses: Sequence[str], policy: AddressPolicy) -> list[Job]:
    return [Job(address, address=address, policy=policy) for address in addresses]


def feed_in(raw: RawPage) -> Feed:
    """The feed in a file or response."""
    if not is_feed(raw.data):
        raise InputError(f"{raw.source or raw.url} is not a feed in RSS or Atom")
    return read_feed(raw.data)


def read_pages(
    jobs: Sequence[Job], options: Options, step: Step, read: Callable[[Job], RawPage] = Job.read
) -> list[Page]:
    """Read the pages; one that cannot be read or has no text is reported and left out."""
    pages = []
    for done, job in enumerate(jobs, start=1):
        try:
            page = api.parse(read(job), options=options)
        except InputError as error:
            report(f"left out {job.name}: {error}")
        else:
            if page.text:
                pages.append(with_address(page))
            else:
                report(f"left out {job.name}: {' '.join(page.warnings) or 'it has no text'}")
        step("reading", done, len(jobs))
    if not pages:
        raise InputError("none of the pages could be read")
    return pages
