"""All exceptions of pagestrata, as a tree.

PagestrataError                 exit code 1
├── InputError                  3   the page could not be read
│   ├── FetchError              3   the page could not be fetched
│   │   └── AddressRefused      3   the address or port is not one we connect to
│   ├── DrawError               3   the page could not be drawn by a browser
│   └── ModelError              3   a site model cannot be read
├── StoreError                  3   the store of site models cannot be read or written
├── PageKilled                  3   a worker was stopped by a limit, or died, while it read the page
│   ├── PageTimeout             3   it took longer than allowed
│   └── PageOutOfMemory         3   it needed more memory than allowed
└── UsageError                  2   an argument is wrong, or names something that does not exist
    ├── SelectorError           2   a CSS or XPath selector cannot be read
    └── MissingExtra            2   an optional package is not installed
        └── MissingNodePackage  2   Node, or a package for it, is not installed

Bad HTML is never an error: the `Extraction` reports what happened.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class PagestrataError(Exception):
    """The base class of all exceptions of pagestrata."""

    exit_code = 1


class InputError(PagestrataError):
    """The page could not be read."""

    exit_code = 3


class FetchError(InputError):
    """The page could not be fetched."""

    def __init__(self, message: str, status: int | None = None, url: str = "") -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status of the response, if that is the reason."""
        self.url = url
        """The address that was asked for, if a person asked for that one page."""

    @property
    def explanation(self) -> str:
        """The reason in full, for the person who runs pagestrata."""
        return str(self)


class AddressRefused(FetchError):
    """The address or port is not permitted; the message is the same for every cause."""

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause
        """The actual failure of a permitted address. For the operator only, since it reveals the local network."""

    @property
    def explanation(self) -> str:
        """What failed, or else that a policy refuses the address."""
        return self.cause or "the address is refused"


class DrawError(InputError):
    """The page could not be drawn by a browser; the message names the limit, or quotes the browser."""


class StoreError(PagestrataError):
    """The store of site models cannot be read or written; the message says what to do."""

    exit_code = 3


class ModelError(InputError):
    """A site model cannot be read: it is damaged, of another version, or not a site model."""


class PageKilled(PagestrataError):
    """A worker was stopped by a limit, or died, while it read the page."""

    exit_code = 3


class PageTimeout(PageKilled, TimeoutError):
    """A worker took longer than allowed to read the page."""


class PageOutOfMemory(PageKilled, MemoryError):
    """A worker needed more memory than allowed to read the page."""


class UsageError(PagestrataError):
    """An argument is wrong, or names something that does not exist."""

    exit_code = 2


class SelectorError(UsageError):
    """A CSS or XPath selector cannot be read."""


class MissingExtra(UsageError):
    """An optional package is not installed; the message says what to install."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'pagestrata[{extra}]'")

    @classmethod
    def by(cls, error: ImportError, extra: str) -> "MissingExtra":
        """Make the error from that of an import, for code that needs several packages."""
        package = error.name if isinstance(error, ModuleNotFoundError) else None
        return cls(package or f"a package ({error})", extra)


class MissingNodePackage(MissingExtra):
    """Node, or a package for it, is not installed; the message says what to install."""

    def __init__(self, name: str, packages: Iterable[str]) -> None:
        command = f"npm install {' '.join(packages)}"
        UsageError.__init__(
            self, f"{name} is not installed: it needs Node, {command}, and NODE_PATH set to the folder node_modules"
        )


@contextmanager
def needs(package: str, extra: str) -> Iterator[None]:
    """Import an optional package; raise `MissingExtra` if it is not installed."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(package, extra) from error


@contextmanager
def raising(kind: type[PagestrataError], problem: str, *others: type[Exception]) -> Iterator[None]:
    """Turn an error of the operating system, or one of these others, into one of ours that says what and why."""
    caught: tuple[type[Exception], ...] = (OSError, *others)
    try:
        yield
    except caught as error:
        raise kind(f"{problem}: {getattr(error, 'strerror', None) or error}") from error


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return the name that the user may have meant, or all names if none is similar.

    >>> suggestion("jsno", ["text", "json"]), suggestion("docx", ["text", "json"])
    ('did you mean json?', 'there are text, json')
    """
    from difflib import get_close_matches  # here, as few names are wrong

    names = list(names)
    likely = get_close_matches(name.lower(), names, n=1)
    return f"did you mean {likely[0]}?" if likely else f"there are {', '.join(names)}"
