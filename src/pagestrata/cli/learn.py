"""`pagestrata learn`: a few pages of a site become a model of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.cli.jobs import is_address, jobs_of, one_job
from pagestrata.cli.outputs import output_for
from pagestrata.cli.progress import Step, steps
from pagestrata.errors import InputError, UsageError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.options import Options
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.page.text import without_controls
from pagestrata.sites.choice import check_name
from pagestrata.work.job import Job
from pagestrata.work.read_page import with_address

if TYPE_CHECKING:
    from pagestrata.sites.model import Cluster, SiteModel

MAX_PAGES = 15
"""Eight to ten give nearly all that can be learned of a layout, and most sites have two or three."""
_Item = TypeVar("_Item")


def learn(
    sources: Annotated[list[str], typer.Argument(help="A folder of pages, a feed (RSS, Atom), files or addresses.")],
    feed: Annotated[str | None, typer.Option(help="What the site says of its pages: a file or an address.")] = None,
    count: Annotated[int, typer.Option("--pages", "-k", min=2, help="Learn from at most so many.")] = MAX_PAGES,
    name: Annotated[str | None, typer.Option(help="What to call the site; its host if not given.")] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the model to this file, and not to the store.")
    ] = None,
    allow: settings.Allow = None,
    store: settings.StorePath = None,
    config: settings.Config = None,
    force: settings.Force = False,
    quiet: settings.Quiet = False,
) -> None:
    """Learn the template of a site from some of its pages."""
    policy = AddressPolicy(allow=tuple(allow or ()))
    options = settings.make_options(config)
    jobs, items = find_pages(sources, policy)
    if feed is not None:
        items = feed_in(one_job(feed, None, policy)[0].read())
    with steps(enabled=not quiet) as step:
        pages = read_pages(spread(jobs, count), options, step)
        site = check_name(name if name is not None else name_of(pages, Path(sources[0])))
        model = api.learn(pages, items, site, options, lambda done, total: step("learning", done, total))
    if output is not None:
        write_model(model, output, force)
    else:
        kept_in = settings.find_store(store, config)
        model = kept_in.change(site, lambda old: replace(model, edits=old.edits if old else ()))
    if not quiet:
        advice = next_in_store(site, kept_in.where, name is None) if output is None else next_in_file(output)
        typer.echo(f"{summary(model, len(pages), len(jobs))}\n\n{advice}", err=output == "-")


# --------------------------------------------------------------------------------------------------- finding pages


def find_pages(sources: Sequence[str], policy: AddressPolicy) -> tuple[list[Job], Feed | None]:
    """The pages that the arguments name; if the only argument is a feed, those of its items, and the feed."""
    jobs = [job for job, _ in jobs_of(list(sources), None, policy)]
    if not jobs:
        raise InputError(f"no pages in {', '.join(sources)}")
    if len(jobs) > 1 or jobs[0].name != sources[0]:
        return jobs, None
    from pagestrata.inputs.feeds import is_feed

    raw = jobs[0].read()
    if not is_feed(_bytes_of(raw)):
        return [Job(jobs[0].name, page=raw)], None
    feed = feed_in(raw)
    links = dict.fromkeys(item.link for item in feed.items if is_address(item.link))
    if not links:
        raise InputError(f"no links to pages in the feed {sources[0]}")
    return [Job(link, address=link, policy=policy) for link in links], feed


def feed_in(raw: RawPage) -> Feed:
    """The feed in a file or response."""
    from pagestrata.inputs.feeds import is_feed, read_feed

    if not is_feed(_bytes_of(raw)):
        raise InputError(f"{raw.source or raw.url} is no feed: RSS and Atom are")
    return read_feed(_bytes_of(raw))


def _bytes_of(raw: RawPage) -> bytes:
    return raw.markup.encode() if isinstance(raw.markup, str) else raw.markup


def spread(items: Sequence[_Item], count: int) -> list[_Item]:
    """At most `count` items, evenly spread over all: folders often hold pages by kind or by date.

    >>> spread("abcdefgh", 3), spread("ab", 3)
    (['a', 'c', 'f'], ['a', 'b'])
    """
    count = min(count, len(items))
    return [items[place * len(items) // count] for place in range(count)]


def read_pages(jobs: Sequence[Job], options: Options, step: Step) -> list[Page]:
    """Read the pages; one that cannot be read or has no text is reported and left out."""
    pages = []
    for done, job in enumerate(jobs, start=1):
        try:
            page = api.parse(job.read(), options=options)
        except InputError as error:
            typer.echo(f"left out {job.name}: {error}", err=True)
        else:
            if page.text:
                pages.append(with_address(page))
            else:
                typer.echo(f"left out {job.name}: {' '.join(page.warnings) or 'it has no text'}", err=True)
        step("reading", done, len(jobs))
    if not pages:
        raise InputError("none of the pages could be read")
    return pages


def name_of(pages: Sequence[Page], source: Path) -> str:
    """The host of all pages, or the name of their folder if no page contains its address."""
    from pagestrata.sites.learn import host_of

    hosts = Counter(host for host in (host_of(page.url) for page in pages) if host)
    if len(hosts) > 1:
        listed = ", ".join(f"{host} ({count})" for host, count in hosts.most_common())
        raise UsageError(f"these pages are of different sites: {listed}; learn each, or say --name if they are one")
    return next(iter(hosts), source.resolve().name or "site")


# ---------------------------------------------------------------------------------------------------- messages


def write_model(model: "SiteModel", output: str, force: bool) -> None:
    """Write JSON to standard output or a `.json` file, the compact form to any other."""
    readable = output == "-" or output.endswith(".json")
    written = model.to_json().encode() if readable else model.to_bytes()
    output_for(output, "", force).write(Path(model.site), written)


def summary(model: "SiteModel", pages: int, there: int) -> str:
    """The learned model in a few lines."""
    of = f" of {there}" if there > pages else ""
    lines = [f"{model.site}: {pages}{of} pages, {counted(len(model.clusters), 'layout')}"]
    lines += [f"  {layout_summary(cluster)}" for cluster in model.clusters]
    lines += [f"  {note}" for note in model.notes]
    if model.edits:
        lines.append(f"  {counted(len(model.edits), 'edit')} made before still hold")
    return without_controls("\n".join(lines))


def layout_summary(cluster: "Cluster") -> str:
    """One layout in a few lines."""
    characters = sum(slot.characters for slot in cluster.slots)
    constant = sum(slot.constant_characters for slot in cluster.slots)
    size = f"{counted(cluster.pages, 'page')}, a template of {counted(len(cluster.slots), 'node')}"
    lines = [f"{cluster.name}: {size}, {constant / max(1, characters):.0%} of the text recurs"]
    lines += [f"  the article is at {wrapper.css}" for wrapper in cluster.wrappers[:1]]
    lines += [f"  addresses like {' '.join(cluster.shapes)}"] if cluster.shapes else []
    return "\n  ".join(lines)


def counted(count: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "page"), counted(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def next_in_store(site: str, where: str, by_host: bool) -> str:
    """How to go on with a site in the store."""
    return f"""saved in {where}; next:
  pagestrata extract --site {site} PAGE...{"    (or --site auto, by the host of each page)" if by_host else ""}
  pagestrata sections --site {site} PAGE
  pagestrata sites show {site} --tree"""


def next_in_file(output: str) -> str:
    """How to go on with a model in a file."""
    file = "FILE" if output == "-" else output
    return f"""saved in {"standard output" if output == "-" else output}; next:
  pagestrata extract --site {file} PAGE...
  pagestrata sites import {file}"""
