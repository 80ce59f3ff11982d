"""`pagestrata inspect`: look at a page and its sections, and correct what was learned of its site by clicking."""

from pathlib import Path
from typing import Annotated, Final

import typer

from pagestrata.cli import settings
from pagestrata.cli.jobs import jobs_of, one_job
from pagestrata.cli.outputs import output_for
from pagestrata.cli.serve import check_server
from pagestrata.errors import InputError
from pagestrata.sites.choice import check_name

HOST: Final = "127.0.0.1"


def inspect(
    *,
    page: Annotated[str, typer.Argument(help="A file, a folder with pages of a site, an address, or - for input.")],
    report: Annotated[
        str | None, typer.Option(help="Write the inspector to one HTML file instead of starting a server.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Another version of the page to compare with: a file or an address.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free one.")] = 0,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the default browser.")] = True,
    name: Annotated[str | None, typer.Option(help="The name of the site. Default: the host of its pages.")] = None,
    origin: settings.Origin,
    environment: settings.Environment,
    force: settings.Force = False,
) -> None:
    """Open the inspector: the page with its sections, comparisons, and corrections of the site model."""
    from pagestrata.serve.inspector.session import InspectorSession

    if report is None:  # a report is a file, and needs no server
        check_server()
    policy = settings.policy_of(origin.allow)
    jobs = [job for job, _ in jobs_of([page], origin.url, policy)]
    if not jobs:
        raise InputError(f"no pages in {page}")
    number = 1 if against is not None else None
    if against is not None:  # next to the page, since a report holds only the first pages
        jobs.insert(1, one_job(against, origin.url, policy)[0])
    site = check_name(name) if name is not None else None
    session = InspectorSession(jobs, environment.find_store(), settings.make_options(environment.config), site, number)
    if report is not None:
        from pagestrata.serve.inspector.shell import report as write_report

        output_for(report, ".html", force).write(Path("report"), write_report(session).encode())
        return
    session.copy(0)  # a page that cannot be read is reported here, not in the browser
    from pagestrata.serve.inspector.run import run

    run(session, HOST, port, typer.echo, typer.launch if open_browser else None)
