"""`pagestrata sites`: list, show, edit, update, watch, export, import and delete the models of sites."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from pagestrata.cli import settings
from pagestrata.cli.learn import counted, layout_summary, write_model
from pagestrata.cli.messages import report
from pagestrata.cli.option_groups import GroupedTyper
from pagestrata.cli.outputs import output_for
from pagestrata.cli.progress import Step, steps
from pagestrata.cli.site_pages import find_pages, read_pages
from pagestrata.errors import UsageError
from pagestrata.page.json_text import indented_json
from pagestrata.page.text import without_controls
from pagestrata.results import Role
from pagestrata.sites.choice import check_name, unknown_site
from pagestrata.sites.store import SiteStore

if TYPE_CHECKING:
    from pagestrata.page.page import Page
    from pagestrata.sites.model import Cluster, Edit, SiteModel

CHANGED = 1
"""The exit code of `watch` if the site has changed, as of `diff --exit-code`."""

sites = GroupedTyper(help="Show, edit, update, watch and forget models of sites.", invoke_without_command=True)


@sites.callback()
def _default(context: typer.Context) -> None:
    """List, show, edit, update, watch, export or forget site models."""
    if context.invoked_subcommand is None:
        show_list(environment=settings.Environment())


@sites.command("list")
def show_list(
    environment: settings.Environment,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")] = False,
) -> None:
    """List the sites in the store."""
    place = environment.find_store()
    rows = place.sites()
    if as_json:
        typer.echo(indented_json(rows), nl=False)
    elif not rows:
        report(f"nothing was learned yet in {place.where}: pagestrata learn PAGES")
    longest = max((len(row.name) for row in rows), default=0)
    for row in () if as_json else rows:
        dates = f"learned {row.learned}" + (f", updated {row.updated}" if row.updated else "")
        figures = f"{counted(row.clusters, 'layout'):>10}  {counted(row.pages, 'page'):>9}  {row.bytes / 1000:>6.0f} KB"
        typer.echo(without_controls(f"{row.name:<{longest}} {figures}  {dates}"))


@sites.command()
def show(
    *,
    name: settings.SiteName,
    as_json: Annotated[bool, typer.Option("--json", help="The whole model as JSON.")] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="The nodes of each template, with the pages that have them and their noise.")
    ] = False,
    environment: settings.Environment,
) -> None:
    """Show what was learned of a site."""
    model = load(environment.find_store(), name)
    if as_json:
        typer.echo(model.to_json(), nl=False)
    elif tree:
        for cluster in model.clusters:
            typer.echo(without_controls(describe_template(cluster)))
    else:
        typer.echo(describe(model))


@sites.command()
def edit(
    *,
    name: settings.SiteName,
    keep: settings.Keep = None,
    drop: settings.Drop = None,
    role: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=SELECTOR", help="Set the role of the selected elements. Repeatable."),
    ] = None,
    node: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH=MARK",
            help="Mark a node of the template as noise, optional or section; the end of its path in `show --tree` "
            "is enough if no other node has it.",
        ),
    ] = None,
    undo: Annotated[list[int] | None, typer.Option(help="The number of an edit to remove; `show` lists them.")] = None,
    note: Annotated[str, typer.Option(help="A note on the reason, stored in the model.")] = "",
    environment: settings.Environment,
) -> None:
    """Correct the model of a site. Edits are kept when the site is learned again."""
    place = environment.find_store()
    added = make_edits(keep or (), drop or (), role or (), node or (), note)
    if not added and not undo:
        raise UsageError("nothing to edit: give --keep, --drop, --role, --node or --undo")

    def change(model: "SiteModel | None") -> "SiteModel":
        if model is None:
            raise unknown_site(name, place)
        kept = model.without_edits(undo or ())
        return replace(kept, edits=(*kept.edits, *map(model.checked_edit, added)))

    typer.echo(without_controls(describe_edits(place.change(name, change))))


@sites.command()
def export(
    *,
    name: settings.SiteName,
    output: Annotated[
        str,
        typer.Option("--output", "-o", help="A file: JSON if the name ends in .json, otherwise the compact format."),
    ] = "-",
    wrappers: Annotated[bool, typer.Option("--wrappers", help="Only the paths to the content, as JSON.")] = False,
    environment: settings.Environment,
    force: settings.Force = False,
) -> None:
    """Write a model to a file. It can be edited by hand and used elsewhere."""
    model = load(environment.find_store(), name)
    if not wrappers:
        write_model(model, output, force)
        return
    rows = [{"cluster": cluster, **msgspec.to_builtins(wrapper)} for cluster, wrapper in model.wrappers()]
    output_for(output, "", force).write(Path(name), indented_json(rows))


@sites.command("import")
def import_model(
    *,
    file: Annotated[Path, typer.Argument(help="A model written by `sites export`, in either format.")],
    name: Annotated[str | None, typer.Option(help="Another name for the site. Default: the name in the model.")] = None,
    environment: settings.Environment,
) -> None:
    """Import a model from a file. It replaces the model of that site in the store."""
    from pagestrata.sites.model import SiteModel

    with settings.naming(file):
        model = SiteModel.load(file)
    model = replace(model, site=check_name(name if name is not None else model.site))
    for one in model.edits:
        if one.selector:
            model.checked_edit(one)
    place = environment.find_store()
    place.save(model)
    typer.echo(f"{model.site} is in {place.where}")


@sites.command()
def update(
    name: settings.SiteName,
    sources: settings.SitePages,
    fetching: settings.Fetching,
    environment: settings.Environment,
    quiet: settings.Quiet = False,
) -> None:
    """Learn from more pages of a site. Reports which layouts they fit, and whether the site has changed."""
    place = environment.find_store()
    load(place, name)
    with steps(enabled=not quiet) as step:
        addition = Addition(further_pages(sources, fetching, environment.config, step), name, place, step)
        model = place.change(name, addition)
    if not quiet:
        typer.echo(
            without_controls(
                f"{name}: learned from {counted(addition.new, 'more page')}{addition.known}\n{describe(model)}"
            )
        )


@sites.command()
def watch(
    *,
    name: settings.SiteName,
    sources: settings.SitePages,
    learn: Annotated[bool, typer.Option("--learn", help="Also learn from the pages, as `update` does.")] = False,
    fetching: settings.Fetching,
    environment: settings.Environment,
    quiet: settings.Quiet = False,
) -> None:
    """Report whether a site has changed since it was learned. If so, the exit code is 1."""
    place = environment.find_store()
    model = load(place, name)
    with steps(enabled=not quiet) as step:
        addition = Addition(further_pages(sources, fetching, environment.config, step), name, place, step)
        model = place.change(name, addition) if learn else addition(model)
    change = model.drift()
    if not quiet:
        lines = [f"{name}: {addition.layouts_reached(model)}", change or no_change(model, addition)]
        typer.echo(without_controls("\n".join(lines)))
    if change:
        raise typer.Exit(CHANGED)


def further_pages(sources: Sequence[str], fetching: settings.Fetching, config: Path | None, step: Step) -> list["Page"]:
    """Read the pages that the arguments name."""
    found = find_pages(sources, settings.policy_of(fetching.allow), fetching.delay)
    return read_pages(found.jobs, settings.make_options(config), step, found.read)


@dataclass(slots=True)
class Addition:
    """The change of a model that learns from further pages."""

    pages: Sequence["Page"]
    name: str
    place: SiteStore
    step: Step
    new: int = 0
    """The pages that the model has not learned from before."""
    layouts: list[str] = field(default_factory=list)
    """The name of the layout of each page."""

    def __call__(self, model: "SiteModel | None") -> "SiteModel":
        """Return the model that has learned from the pages."""
        from pagestrata.sites.match import choose_cluster

        if model is None:
            raise unknown_site(self.name, self.place)
        self.new, self.layouts = 0, []
        for done, page in enumerate(self.pages, start=1):
            before, model = model, model.update(page)
            self.new += model is not before
            self.layouts.append(model.recent[-1] if model is not before else choose_cluster(model, page).nearest.name)
            self.step("learning", done, len(self.pages))
        return model

    @property
    def known(self) -> str:
        """How many pages it has learned from before, to go on a line; empty if none."""
        known = len(self.pages) - self.new
        return f", {known:,} known already" if known else ""

    def layouts_reached(self, model: "SiteModel") -> str:
        """Return in which layouts the pages are; those that an update began were not there when it was learned."""
        new = {cluster.name for cluster in model.clusters if cluster.begun_later}
        counts = Counter(self.layouts).most_common()
        parts = [f"{pages} in {layout}{' (new)' * (layout in new)}" for layout, pages in counts]
        return f"{counted(len(self.pages), 'page')}, {', '.join(parts)}{self.known}"


def no_change(model: "SiteModel", addition: Addition) -> str:
    """Say that the site has not changed, or that there are too few pages to tell."""
    from pagestrata.sites.drift import MIN_PAGES

    later = len(model.recent) + len(addition.pages) - addition.new
    return "no change" if later >= MIN_PAGES else f"no change seen, but {MIN_PAGES} pages are needed to tell"


@sites.command()
def forget(
    name: settings.SiteName,
    environment: settings.Environment,
) -> None:
    """Remove a site from the store."""
    place = environment.find_store()
    if not place.forget(name):
        raise unknown_site(name, place)
    typer.echo(f"{name} is forgotten")


def load(store: SiteStore, name: str) -> "SiteModel":
    """Load a model by name; the error for an unknown name lists the existing ones."""
    model = store.load(name)
    if model is None:
        raise unknown_site(name, store)
    return model


def describe(model: "SiteModel") -> str:
    """A model in a few lines."""
    dates = f"learned {model.learned}" + (f", updated {model.updated}" if model.updated else "")
    lines = [f"{model.site}: {dates}, {len(model.to_bytes()) / 1000:.0f} KB"]
    lines += [f"  {layout_summary(cluster)}" for cluster in model.clusters]
    lines += [f"  {note}" for note in (*model.notes, model.drift() or "") if note]
    return without_controls("\n".join([*lines, describe_edits(model)]))


def describe_template(cluster: "Cluster") -> str:
    """The nodes of a template as a tree, one per line; steps from the root make the path of a node."""
    from pagestrata.sites.node_edits import template_nodes

    lines = [
        f"{node.support:>5}  {'' if node.noise is None else f'{node.noise:.2f}':>5}  {node.operator:<2}  "
        f"{' ' * node.depth}{node.step}"
        for node in template_nodes(cluster)
    ]
    return "\n".join([f"{cluster.name}: {counted(cluster.pages, 'page')}", "pages  noise  op  node", *lines, ""])


def describe_edits(model: "SiteModel") -> str:
    """The edits with the numbers that `--undo` takes."""
    lines = [
        f"  {number}. {one.action}{'=' + one.role if one.role else ''} {one.selector or one.node}"
        f"{' (' + one.note + ')' if one.note else ''}{_where(model, one)}  {one.date}".rstrip()
        for number, one in enumerate(model.edits, start=1)
    ]
    return "\n".join(["edits:", *lines]) if lines else "no edits"


def _where(model: "SiteModel", edit: "Edit") -> str:
    """The layouts that have the node of an edit; a site that was learned again may have it no longer."""
    layouts = model.layouts_of(edit) if edit.node else []
    if not edit.node or any(edit.node.startswith(f"{layout}/") for layout in layouts):
        return ""
    return f" in {', '.join(layouts) or 'no layout'}"


def make_edits(
    keep: Sequence[str], drop: Sequence[str], roles: Sequence[str], nodes: Sequence[str], note: str
) -> list["Edit"]:
    """Build the requested edits."""
    from pagestrata.sites.model import NODE_ACTIONS, Edit, today

    edited = partial(Edit, note=note, date=today())
    made = [edited(action="keep", selector=selector) for selector in keep]
    made += [edited(action="drop", selector=selector) for selector in drop]
    for argument in roles:
        role, equals, selector = argument.partition("=")
        if not equals or role not in set(Role):
            raise UsageError(f"--role is {argument!r}, but must be ROLE=SELECTOR with one of {', '.join(Role)}")
        made.append(edited(action="role", selector=selector, role=Role(role)))
    for argument in nodes:
        path, _, mark = argument.rpartition("=")
        action = next((each for each in NODE_ACTIONS if each == mark), None)
        if not path or action is None:
            raise UsageError(f"--node is {argument!r}, but must be PATH=MARK with one of {', '.join(NODE_ACTIONS)}")
        made.append(edited(action=action, node=path))
    return made
