"""Scores of metadata by field, on pages whose title, author, date and so on are known (metaset, wcxb).

A field counts on the pages whose truth has it. It is right exactly if it says the same once case, quotation marks, the
degrees and sites behind names and the like are left out, or if the truth is the midnight of that day in a time zone. It
is right loosely if one contains the other (titles, names, descriptions), if they share an author, if they are a day
apart (the page may leave the time zone open), or if they name the same language or the same file.

The truths of recipes have the description of the recipe, which is seldom that of its page: it is a field of its own,
compared with the description of the recipe among `entities`.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import msgspec

from pagestrata.api import parse
from pagestrata.errors import InputError
from pagestrata.evaluate.datasets import samples_of
from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.metrics import folded, is_part
from pagestrata.evaluate.peers import load_peer
from pagestrata.metadata.authors import author_names
from pagestrata.metadata.entities import read_entities
from pagestrata.metadata.entity_values import EntityKind
from pagestrata.metadata.merge import read_metadata
from pagestrata.options import Options
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from rich.table import Table

INDEX: Final = "pages.jsonl"
"""The file that makes a folder a set of metadata: one page a line, with its file and its truth."""
RECIPES: Final = "recipes"
"""The value of `set` for pages whose truth is that of the recipe on them."""
MAX_DAYS_APART: Final = 1
_BAR: Final = re.compile(r"\s*(?:\||--)\s*")
_HONORIFIC: Final = re.compile(r"(?:Dr|Prof)\b\.?\s*")


class FieldValues(msgspec.Struct, frozen=True):
    """The fields that are compared; empty where nothing is known or answered."""

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    """Of publication, in ISO 8601."""
    language: str = ""
    site: str = ""
    description: str = ""
    recipe_description: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class TrueMetadata:
    """A page and its truth; the file is read on demand."""

    path: Path
    url: str
    truth: FieldValues


@dataclass(frozen=True, slots=True)
class FieldScore:
    """How often a method is right about a field."""

    field: str
    method: str
    pages: int
    """Pages whose truth has the field."""
    answered: int
    exact: int
    loose: int


# ------------------------------------------------------------------------------------------------------------- pages


def is_metadata_set(folder: Path) -> bool:
    """Whether a folder is a set of pages with their metadata."""
    return (folder / INDEX).is_file()


def read_metadata_set(folder: Path) -> list[TrueMetadata]:
    """Read the pages and truths of a set with an index, or of one with `html/` and `truth/`, as wcxb is."""
    return list(_indexed_pages(folder) if is_metadata_set(folder) else _sample_pages(folder))


def _indexed_pages(folder: Path) -> Iterator[TrueMetadata]:
    for number, line in enumerate((folder / INDEX).read_bytes().splitlines(), 1):
        try:
            entry = json.loads(line, parse_constant=lambda name: None)  # NaN stands for a value that is not known
            values = {name: value for name, value in entry["truth"].items() if value is not None}
            if entry.get("set") == RECIPES and "description" in values:
                values["recipe_description"] = values.pop("description")
            yield TrueMetadata(folder / entry["file"], entry["url"], msgspec.convert(values, FieldValues))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise InputError(f"cannot read line {number} of {folder / INDEX}: {error}") from error


def _sample_pages(folder: Path) -> Iterator[TrueMetadata]:
    for sample in samples_of(folder):
        truth = sample.truth()
        if truth is not None:
            authors = (truth.author,) if truth.author else ()
            values = FieldValues(title=truth.title or "", authors=authors, date=truth.publish_date or "")
            yield TrueMetadata(sample.path, truth.url, values)


# ----------------------------------------------------------------------------------------------------------- methods

Method = Callable[[bytes, str], FieldValues]
"""From the bytes and the address of a page to its metadata."""


def _values(
    answer: Any, authors: tuple[str, ...], date: str | None, site: str | None, recipe: str | None = None
) -> FieldValues:
    """The fields of an answer; those that are not given have the same names there."""
    same = {name: getattr(answer, name) or "" for name in ("title", "language", "description", "image")}
    return FieldValues(authors=authors, date=date or "", site=site or "", recipe_description=recipe or "", **same)


def _pagestrata() -> Method:
    def read(data: bytes, url: str) -> FieldValues:
        page, options = parse(RawPage(data, url or None)), Options()
        metadata, entities = read_metadata(page, options), read_entities(page, options)
        recipes = (entity.description for entity in entities if entity.kind is EntityKind.RECIPE)
        return _values(metadata, metadata.authors, metadata.date_published, metadata.site_name, next(recipes, None))

    return read


def _trafilatura() -> Method:
    from trafilatura.metadata import extract_metadata

    def read(data: bytes, url: str) -> FieldValues:
        document = extract_metadata(data, default_url=url or None)
        if document is None:
            return FieldValues()
        authors = tuple(name.strip() for name in (document.author or "").split(";") if name.strip())
        return _values(document, authors, document.date, document.sitename)

    return read


def _htmldate() -> Method:
    from htmldate import find_date

    def read(data: bytes, url: str) -> FieldValues:
        return FieldValues(date=find_date(data, url=url or None, original_date=True) or "")

    return read


OURS: Final = "pagestrata"
_PEERS: Final[Mapping[str, Callable[[], Method]]] = {"trafilatura": _trafilatura, "htmldate": _htmldate}


def methods_of(names: Sequence[str]) -> dict[str, Method]:
    """Our method and the named peers, or those that are installed if none is named."""
    names = names or [name for name in _PEERS if find_spec(name) is not None]
    return {OURS: _pagestrata(), **{name: load_peer(name, _PEERS) for name in names}}


# ------------------------------------------------------------------------------------------------------------ scores


def evaluate_metadata(
    pages: Sequence[TrueMetadata], methods: Mapping[str, Method], advance: Callable[[int], None] = lambda failed: None
) -> list[FieldScore]:
    """Measure each method on each field; fields without any truth are left out."""
    answers: dict[str, list[FieldValues]] = {name: [] for name in methods}
    for page in pages:
        data = page.path.read_bytes()
        for name, method in methods.items():
            answers[name].append(method(data, page.url))
        advance(0)
    truths = [page.truth for page in pages]
    scores = (_score(field, name, answers[name], truths) for field in FieldValues.__struct_fields__ for name in methods)
    return [score for score in scores if score.pages and score.answered]


def _score(field: str, method: str, answers: Iterable[FieldValues], truths: Iterable[FieldValues]) -> FieldScore:
    pairs = [
        (getattr(answer, field), getattr(truth, field))
        for answer, truth in zip(answers, truths, strict=True)
        if getattr(truth, field)
    ]
    answered = [pair for pair in pairs if pair[0]]
    is_exact, is_loose = _COMPARISONS[field]
    exact = [pair for pair in answered if is_exact(*pair)]
    loose = [pair for pair in answered if is_exact(*pair) or is_loose(*pair)]
    return FieldScore(field, method, len(pairs), len(answered), len(exact), len(loose))


def _same_text(answer: str, truth: str) -> bool:
    return folded(answer) == folded(truth)


def _contains(answer: str, truth: str) -> bool:
    return is_part(folded(answer), folded(truth))


def _same_names(answer: tuple[str, ...], truth: tuple[str, ...]) -> bool:
    """Whether two lists have the same names; behind a bar in a truth mostly stands the site.

    Some truths are the text of an element, in which one name begins right behind another.
    """
    is_glued = "".join(map(folded, answer)).replace(" ", "") == "".join(map(folded, truth)).replace(" ", "")
    return is_glued or _names(answer) in (_names(truth), _names(tuple(_BAR.split(name)[0] for name in truth)))


def _names(values: tuple[str, ...]) -> set[str]:
    """The names in values, which may list several or have degrees around them, or the values if they are no names."""
    return {folded(_HONORIFIC.sub("", name)) for name in author_names(values) or values}


def _share_a_name(answer: tuple[str, ...], truth: tuple[str, ...]) -> bool:
    return any(_contains(name, other) for name in answer for other in truth)


def _same_day(answer: str, truth: str) -> bool:
    """Whether two dates are the same day where they are written, or the same moment in two time zones."""
    return _days_apart(answer, truth) == 0 or _is_same_moment(answer, truth) or _is_midnight_of(answer, truth)


def _is_midnight_of(day: str, truth: str) -> bool:
    """Whether a time in UTC is the midnight with which a day begins in some time zone: the page names the day only."""
    try:
        begin, moment = date.fromisoformat(day), datetime.fromisoformat(truth)
    except ValueError:
        return False
    ahead = datetime(begin.year, begin.month, begin.day, tzinfo=UTC) - moment if moment.tzinfo else timedelta.max
    return timedelta(hours=-12) <= ahead <= timedelta(hours=14) and ahead % timedelta(hours=1) == timedelta()


def _is_same_moment(answer: str, truth: str) -> bool:
    try:
        first, second = datetime.fromisoformat(answer), datetime.fromisoformat(truth)
    except ValueError:
        return False
    return first.tzinfo is not None and second.tzinfo is not None and abs(first - second) < timedelta(seconds=1)


def _days_apart(answer: str, truth: str) -> int:
    try:
        return abs((date.fromisoformat(answer[:10]) - date.fromisoformat(truth[:10])).days)
    except ValueError:
        return MAX_DAYS_APART + 1


def _same_language(answer: str, truth: str) -> bool:
    return answer.lower().partition("-")[0] == truth.lower().replace("_", "-").partition("-")[0]


def _same_address(answer: str, truth: str) -> bool:
    first, second = urlsplit(answer), urlsplit(truth)
    return (first.netloc, unquote(first.path)) == (second.netloc, unquote(second.path))


def _same_file(answer: str, truth: str) -> bool:
    return urlsplit(answer).path.rpartition("/")[2] == urlsplit(truth).path.rpartition("/")[2] != ""


_COMPARISONS: Final[Mapping[str, tuple[Callable[..., bool], Callable[..., bool]]]] = {
    "title": (_same_text, _contains),
    "authors": (_same_names, _share_a_name),
    "date": (_same_day, lambda *pair: _days_apart(*pair) <= MAX_DAYS_APART),
    "language": (lambda answer, truth: answer.lower() == truth.lower().replace("_", "-"), _same_language),
    "site": (_same_text, _contains),
    "description": (_same_text, _contains),
    "recipe_description": (_same_text, _contains),
    "image": (_same_address, _same_file),
}
"""For each field: is an answer exactly right, and is it loosely right."""


def to_table(title: str, scores: Sequence[FieldScore], markdown: bool) -> "Table":
    """Write the shares of exact and loose answers of all pages, and of exact ones among the answers, as a table."""
    numbers = ("pages", "answered", "exact", "loose", "exact when answered")
    table = figures_table(title, ("field", "method"), numbers, markdown)
    for score in scores:
        shares = (score.exact / score.pages, score.loose / score.pages, score.exact / score.answered)
        cells = (str(score.pages), str(score.answered), *(f"{share:.3f}" for share in shares))
        table.add_row(score.field.replace("_", " "), score.method, *cells)
    return table
