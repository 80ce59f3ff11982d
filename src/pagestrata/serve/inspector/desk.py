"""What lies on the desk: the pages to look at, what each method makes of them, and the site they are from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import RLock
from typing import Any, Final, TypeVar

from pagestrata import api, registry
from pagestrata.algorithms.base import Learner, Segmenter
from pagestrata.errors import InputError, UsageError
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.serve.inspector.sites import SiteView, site_view
from pagestrata.serve.inspector.view import PageCopy, View, copy_of, view_of, with_threshold
from pagestrata.sites.choice import unknown_site
from pagestrata.sites.model import Edit, SiteModel
from pagestrata.sites.store import SiteStore
from pagestrata.work.job import Job
from pagestrata.work.read_page import address_of

SITE: Final = "site"
MOST_LEARNED_FROM: Final = 15
"""Pages that methods learn from, evenly over the folder; as `pagestrata learn` does."""
MOST_REMEMBERED: Final = 64
"""Pages and answers that are kept, so that going back and forth costs nothing."""

_LEARNED = ("sample", "method", "model")
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Look:
    """What is asked for: a page as a method sees it."""

    page: int = 0
    method: str = api.DEFAULT_METHOD
    bias: float = 0.0
    keep_from: float | None = None
    """Instead of the threshold that the method has."""


class Desk:
    """The pages, and everything that is found out about them. Safe between threads: one look at a time."""

    def __init__(self, jobs: Sequence[Job], store: SiteStore, options: Options, site: str | None = None) -> None:
        self.jobs, self.store, self.options = list(jobs), store, options
        self._site = site
        self._known: dict[tuple[Any, ...], Any] = {}
        self._learned: dict[tuple[Any, ...], Any] = {}
        self._in_store: tuple[tuple[int, ...], SiteModel | None] | None = None
        self._lock = RLock()

    # --------------------------------------------------------------------------------------------------- pages

    def names(self) -> list[str]:
        """What the pages are called."""
        return [job.name for job in self.jobs]

    def copy(self, number: int) -> PageCopy:
        """The page itself."""
        return self._once(("copy", number), lambda: copy_of(self._raw(number), self._page(number)))

    def view(self, look: Look, formats: Sequence[str] = ()) -> View:
        """What a method says of a page, and what is kept in these formats."""
        with self._lock:
            return view_of(self._chosen(look), self._learned_from(look.method), formats)

    def render(self, look: Look, name: str) -> str:
        """What is kept, in a format."""
        with self._lock:
            return self._chosen(look).render(name)

    def _chosen(self, look: Look) -> Extraction:
        found: Extraction = self._once(
            ("extract", replace(look, keep_from=None), self._edits()), lambda: self._read(look)
        )
        return found if look.keep_from is None else with_threshold(found, look.keep_from)

    def _read(self, look: Look) -> Extraction:
        options = replace(self.options, bias=look.bias)
        model = self.model() if look.method == SITE else None
        if model is not None:
            return model.extract(self._raw(look.page), options=options)
        page = self._page(look.page)
        return Extraction(page, options, self._segmenter(look).segment(page, options), look.method, page.limits)

    def _segmenter(self, look: Look) -> Segmenter:
        """The method; one that learns does so from the pages here, or from this page alone."""
        found = registry.method(look.method)
        if not isinstance(found, Learner):
            return found
        learner = found
        if len(self.jobs) == 1:
            return learner.learn([self._page(look.page)])
        return self._once(("method", look.method), lambda: learner.learn([page for _, page in self._sample()]))

    def _learned_from(self, method: str) -> str:
        if not isinstance(registry.method(method), Learner):
            return ""
        if method == SITE and self.is_stored():
            return "the store"
        return f"{len(self._sample())} pages" if len(self.jobs) > 1 else "this page only"

    # ---------------------------------------------------------------------------------------------------- site

    def model(self) -> SiteModel | None:
        """The model in the store, or else what the pages here teach; None for one page, or several sites."""
        stored = self._stored()
        if stored is not None:
            return stored
        if len(self.jobs) < 2 or not self.site():
            return None
        return self._once(("model",), lambda: api.learn([page for _, page in self._sample()], site=self.site()))

    def site(self) -> str:
        """What the site is called: as was said, else by the host of the pages or its folder; empty for several."""
        if self._site is None:
            hosts = self._hosts()
            path = self.jobs[0].path
            folder = path.resolve().parent.name if path else ""
            self._site = "" if len(hosts) > 1 else next(iter(hosts), "") or folder or SITE
        return self._site

    def _hosts(self) -> list[str]:
        from pagestrata.sites.learn import host_of

        return sorted({host_of(page.url) for _, page in self._sample()} - {""})

    def is_stored(self) -> bool:
        """Whether the store knows the site."""
        return self._stored() is not None

    def site_view(self) -> SiteView | None:
        """Everything of the site; None if nothing was learned of it."""
        with self._lock:
            if not self.site():
                told = ", ".join(self._hosts()[:5])
                raise UsageError(f"these pages are of different sites: {told}; say --name if they are one")
            model = self.model()
            if model is None:
                return None
            stored = self.is_stored()
            return self._once(
                ("site", stored, model.edits), lambda: site_view(model, self._sample(), stored, self.store.where)
            )

    def edit(self, edit: Edit) -> None:
        """Write down what a person decided; with the first edit the model goes to the store."""
        api.parse("<p>", options=Options(keep=(edit.selector,)))  # a selector that cannot be read is found out here
        dated = replace(edit, date=datetime.now(UTC).date().isoformat())
        self._change(lambda model: model.with_edit(dated))

    def undo(self, number: int) -> None:
        """Take an edit back, counted from 0."""

        def without(model: SiteModel) -> SiteModel:
            if not 0 <= number < len(model.edits):
                raise UsageError(f"there is no edit {number + 1}; there are {len(model.edits)}")
            return replace(model, edits=model.edits[:number] + model.edits[number + 1 :])

        self._change(without)

    def _change(self, function: Callable[[SiteModel], SiteModel]) -> None:
        with self._lock:
            learned = self.model()
            if learned is None:
                raise unknown_site(self.site(), self.store)
            self.store.change(self.site(), lambda old: function(old or learned))

    def _stored(self) -> SiteModel | None:
        with self._lock:
            stamp = self.store.stamp()
            if self._in_store is None or self._in_store[0] != stamp:
                self._in_store = stamp, self.store.load(self.site()) if self.site() else None
            return self._in_store[1]

    def _edits(self) -> tuple[Edit, ...]:
        model = self._stored()
        return model.edits if model else ()

    # ------------------------------------------------------------------------------------------------- reading

    def _sample(self) -> list[tuple[int, Page]]:
        """Pages to learn from; one that cannot be read is left out."""
        return self._once(("sample",), self._read_sample)

    def _read_sample(self) -> list[tuple[int, Page]]:
        count = min(MOST_LEARNED_FROM, len(self.jobs))
        found = []
        for place in range(count):
            number = place * len(self.jobs) // count
            try:
                page = self._page(number)
            except InputError:
                continue
            if page.text:
                found.append((number, replace(page, url=address_of(page))))
        if not found:
            raise InputError("none of the pages could be read, or none has text")
        return found

    def _page(self, number: int) -> Page:
        return self._once(("page", number), lambda: api.parse(self._raw(number), options=self.options))

    def _raw(self, number: int) -> RawPage:
        if not 0 <= number < len(self.jobs):
            raise UsageError(f"there is no page {number + 1}; there are {len(self.jobs)}")
        return self._once(("raw", number), self.jobs[number].read)

    def _once(self, key: tuple[Any, ...], function: Callable[[], _Found]) -> _Found:
        """What was found before, or is found now; of pages and answers, the oldest are forgotten."""
        with self._lock:
            kept = self._learned if key[0] in _LEARNED else self._known
            if key not in kept:
                found = function()
                while kept is self._known and len(kept) >= MOST_REMEMBERED:
                    kept.pop(next(iter(kept)))
                kept[key] = found
            value: _Found = kept[key]
            return value
