"""The options that commands share, alone and in groups.

The command line overrides the configuration file, which overrides the defaults.
"""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from pagestrata import api
from pagestrata.cli.jobs import piped
from pagestrata.errors import ModelError, PagestrataError, UsageError, raising, suggestion
from pagestrata.extraction import Extraction
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.inputs.polite import DELAY
from pagestrata.options import Options
from pagestrata.page.raw import RawPage
from pagestrata.registry import METHODS
from pagestrata.sites.choice import AUTO, StoredModel
from pagestrata.sites.store import VARIABLE, SiteStore, open_store
from pagestrata.work.guard import GuardLimits
from pagestrata.work.read_page import read_page

CONFIG_NAME = "pagestrata.toml"
STORE_NAME = "store"
"""The only setting in a TOML file that is not a field of `Options`."""
_KINDS = {field.name: type(field.default).__name__ for field in fields(Options)}
_KIND_NAMES = {
    "bool": "true or false",
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "tuple": 'a list of selectors, as in ["article"]',
}


def complete_site(context: typer.Context, incomplete: str) -> list[str]:
    """The sites of the store, for the shell; none if it cannot be read."""
    with suppress(PagestrataError):
        environment = Environment(context.params.get("store"), context.params.get("config"))
        return [row.name for row in environment.find_store().sites() if row.name.startswith(incomplete)]
    return []


def piped_page() -> str:
    """The page of a command without an argument: standard input, if a page is piped in."""
    if not piped():
        raise UsageError("no page is given: name a file or an address, or pipe a page in")
    return "-"


def complete_method(incomplete: str) -> list[str]:
    """The methods, for the shell."""
    return [name for name in METHODS if name.startswith(incomplete)]


Pages = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files, folders, zipped folders or addresses; - or nothing for standard input.",
        show_default=False,
    ),
]
OnePage = Annotated[
    str,
    typer.Argument(
        help="A file, an address, or - for standard input, which is also read if a page is piped in.",
        default_factory=piped_page,
        show_default=False,
    ),
]
SitePages = Annotated[
    list[str],
    typer.Argument(
        help="The address of a site, a folder of pages, a feed (RSS, Atom), or files or addresses of pages."
    ),
]
Url = Annotated[str | None, typer.Option("--url", help="The address of the page; its links are resolved against it.")]
Config = Annotated[
    Path | None,
    typer.Option("--config", help=f"A TOML file with options. Default: {CONFIG_NAME} in the current folder."),
]
Bias = Annotated[
    float | None,
    typer.Option(min=-1, max=1, help="How much to keep: from -1 (only what is surely content) to 1 (all that may be)."),
]
Scope = Annotated[
    str | None,
    typer.Option(help="How much of an article to keep: strict (its body), generous (also its surroundings), or auto."),
]
Keep = Annotated[
    list[str] | None, typer.Option(help="CSS selector or XPath of elements to keep, whatever their score. Repeatable.")
]
Drop = Annotated[list[str] | None, typer.Option(help="CSS selector or XPath of elements to leave out. Repeatable.")]
Comments = Annotated[
    str | None, typer.Option(help="Comments of readers: off (left out), on (kept), or only (nothing else is kept).")
]
Hidden = Annotated[
    str | None,
    typer.Option(help="Text hidden until scripts run: auto (kept where it is the content), or never (left out)."),
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow-address", help="Allow a private address or network, as in 127.0.0.1:8000. Repeatable."),
]
Language = Annotated[list[str] | None, typer.Option(help="Only pages in this language, as in en. Repeatable.")]
Delay = Annotated[float, typer.Option(min=0, help="Seconds between two requests to a host.")]
StorePath = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar=VARIABLE,
        help="The store of site models: a file or postgresql://…. Default: a file in the data folder of the user.",
    ),
]
Site = Annotated[
    str | None,
    typer.Option(
        "--site",
        help=f"Use a learned site model: the name of a site, {AUTO} (by the host of the page), or a file.",
        autocompletion=complete_site,
    ),
]
Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        help=f"The method that cuts the page: {', '.join(METHODS)}.",
        autocompletion=complete_method,
    ),
]
SiteName = Annotated[
    str,
    typer.Argument(help="The name of a site in the store.", autocompletion=complete_site),
]
Timeout = Annotated[float | None, typer.Option(min=0.1, help="The most seconds that a page may take.")]
Render = Annotated[bool, typer.Option("--render", help="Load the page in Chromium first, and run its scripts.")]
BrowserPath = Annotated[str | None, typer.Option("--browser", help="The path of Chromium. Default: the one on PATH.")]
NoSandbox = Annotated[
    bool, typer.Option("--no-sandbox", help="Disable Chromium's sandbox: required as root, for trusted pages only.")
]
Force = Annotated[bool, typer.Option(help="Overwrite existing files.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result and errors.")]


def make_options(config: Path | None, **arguments: Any) -> Options:
    """Options from the file and from the arguments of the command line (None: not given)."""
    settings = read_config(config)
    settings.pop(STORE_NAME, None)
    settings.update({name: value for name, value in arguments.items() if value is not None})
    for name in ("keep", "drop"):
        if name in settings:
            settings[name] = tuple(settings[name])
    return Options(**settings)


@dataclass(frozen=True)
class Content:
    """The options on what of a page is wanted; `make_options` takes them with `**vars(content)`."""

    scope: Scope = None
    bias: Bias = None
    keep: Keep = None
    drop: Drop = None
    comments: Comments = None
    hidden: Hidden = None


@dataclass(frozen=True)
class Origin:
    """The options on where one page is from."""

    url: Url = None
    allow: Allow = None


@dataclass(frozen=True)
class Fetching:
    """The options on how pages of a site are fetched."""

    delay: Delay = DELAY
    allow: Allow = None


def policy_of(allow: list[str] | None) -> AddressPolicy:
    """The addresses that may be fetched: public ones, and those that are allowed by name."""
    return AddressPolicy(allow=tuple(allow or ()))


def limits_of(timeout: float | None) -> GuardLimits:
    """The limits of a worker, with the seconds for a page if they are given."""
    return GuardLimits() if timeout is None else GuardLimits(seconds=timeout)


@dataclass(frozen=True)
class Environment:
    """The options on where site models and settings are kept."""

    store: StorePath = None
    config: Config = None

    def find_store(self) -> SiteStore:
        """The store of the command line or environment, else of the file (relative to it), else that of the system."""
        address = self.store
        if address is None:
            address = read_config(self.config).get(STORE_NAME)
            if address is not None and not isinstance(address, str):
                raise UsageError(f"{STORE_NAME} is {address!r}, but must be a path or an address")
            if address and "://" not in address:
                address = str((self.config or Path(CONFIG_NAME)).parent / address)
        return open_store(address)

    def choose(self, site: str | None) -> StoredModel | None:
        """The site model that pages are read with; a missing one is an error at once, not one for each page."""
        if site is None:
            return None
        choice = StoredModel(site, self.find_store())
        if not choice.by_host:
            with naming(site):
                choice.model()
        return choice


@dataclass(frozen=True)
class MethodOrSite:
    """The options on how a page is cut, of which only one can be given."""

    method: Method = None
    site: Site = None

    def __post_init__(self) -> None:
        if self.method is not None and self.site is not None:
            raise UsageError("--site is a method too: give one of --site and --method")

    def read(self, raw: RawPage, options: Options, choice: StoredModel | None) -> Extraction:
        """Read a page with the method, or with the chosen model of the site."""
        if self.method is not None:
            return api.extract(raw, options=options, method=self.method)
        return read_page(raw, options, choice)[0]


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Add the name of the file to the error if it holds no model."""
    try:
        yield
    except ModelError as error:
        raise ModelError(f"{place}: {error}") from error


def read_config(path: Path | None) -> dict[str, Any]:
    """The settings of a TOML file; unknown names are errors, so that a misspelt one is not lost."""
    place = path or Path(CONFIG_NAME)
    if path is None and not place.is_file():
        return {}
    with raising(UsageError, f"cannot read {place}", UnicodeDecodeError, tomllib.TOMLDecodeError):
        settings = tomllib.loads(place.read_text(encoding="utf-8"))
    names = sorted({*_KINDS, STORE_NAME})
    for name, value in settings.items():
        if name not in names:
            raise UsageError(f"{place} has the unknown option {name!r}; {suggestion(name, names)}")
        if name in _KINDS and not _is_of_kind(value, _KINDS[name]):
            raise UsageError(f"{place}: {name} is {value!r}, but must be {_KIND_NAMES[_KINDS[name]]}")
    return settings


def _is_of_kind(value: object, kind: str) -> bool:
    if kind == "bool" or isinstance(value, bool):
        return kind == "bool" and isinstance(value, bool)
    if kind == "tuple":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, {"str": str, "int": int, "float": int | float}[kind])


def split_names(listed: str) -> list[str]:
    """The names in an argument with commas between them.

    >>> split_names("density, vips,")
    ['density', 'vips']
    """
    return [name.strip() for name in listed.split(",") if name.strip()]
