"""`pagestrata learn`: a few pages of a site become a model of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagestrata import api
from pagestrata.cli import settings
from pagestrata.cli.jobs import one_job
from pagestrata.cli.messages import report
from pagestrata.cli.outputs import output_for
from pagestrata.cli.progress import steps
from pagestrata.cli.site_pages import MAX_PAGES, feed_in, find_pages, read_pages
from pagestrata.errors import UsageError
from pagestrata.page.page import Page
from pagestrata.page.text import without_controls
from pagestrata.sites.choice import check_name

if TYPE_CHECKING:
    from pagestrata.sites.model import Cluster, SiteModel
    from pagestrata.sites.worth import Worth


def learn(
    *,
    sources: settings.SitePages,
    feed: Annotated[str | None, typer.Option(help="The feed of the site: a file or an address.")] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--pages",
            "-k",
            min=2,
            help=f"The most pages to learn from. Default: {MAX_PAGES}; for the address of a site, 12 of each kind.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="The name of the site. Default: the host of its pages.")] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the model to this file instead of the store.")
    ] = None,
    fetching: settings.Fetching,
    environment: settings.Environment,
    force: settings.Force = False,
    quiet: settings.Quiet = False,
) -> None:
    """Learn the template of a site from some of its pages."""
    from pagestrata.sites.learn import host_of
    from pagestrata.sites.worth import measure

    policy = settings.policy_of(fetching.allow)
    options = settings.make_options(environment.config)
    found = find_pages(sources, policy, fetching.delay, count or MAX_PAGES, count)
    items = found.feed if feed is None else feed_in(one_job(feed, None, policy)[0].read())
    with steps(enabled=not quiet) as step:
        pages = read_pages(found.jobs, options, step, found.read)
        site = check_name(name if name is not None else name_of(pages, Path(sources[0])))
        model = api.learn(pages, items, site, options, lambda done, total: step("learning", done, total))
    worth = None if quiet else measure(model, pages)
    if output is not None:
        write_model(model, output, force)
    else:
        kept_in = environment.find_store()
        model = kept_in.change(site, lambda old: replace(model, edits=old.edits if old else ()))
    if worth is not None:
        by_host = any(host_of(page.url) == site for page in pages)
        advice = next_in_store(site, kept_in.where, by_host) if output is None else next_in_file(output)
        told = f"{summary(model, len(pages), found.listed, worth)}\n\n{advice}"
        report(told) if output == "-" else typer.echo(without_controls(told))


def name_of(pages: Sequence[Page], source: Path) -> str:
    """The host of all pages, or the name of their folder if no page contains its address."""
    from pagestrata.sites.learn import host_of

    hosts = Counter(host for host in (host_of(page.url) for page in pages) if host)
    if len(hosts) > 1:
        listed = ", ".join(f"{host} ({count})" for host, count in hosts.most_common())
        raise UsageError(f"these pages are of different sites: {listed}; learn each, or use --name if they are one")
    return next(iter(hosts), source.resolve().name or "site")


# ---------------------------------------------------------------------------------------------------- messages


def write_model(model: "SiteModel", output: str, force: bool) -> None:
    """Write JSON to standard output or a `.json` file, the compact form to any other."""
    readable = output == "-" or output.endswith(".json")
    written = model.to_json().encode() if readable else model.to_bytes()
    output_for(output, "", force).write(Path(model.site), written)


def summary(model: "SiteModel", pages: int, there: int, worth: "Worth") -> str:
    """The learned model in a few lines."""
    of = f" of {there}" if there > pages else ""
    lines = [f"{model.site}: {pages}{of} pages, {counted(len(model.clusters), 'layout')}"]
    lines += [f"  {layout_summary(cluster)}" for cluster in model.clusters]
    lines += [f"  {worth}", *(f"  {note}" for note in model.notes)]
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
