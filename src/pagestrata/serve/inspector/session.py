"""A session of the inspector: its pages, the results of each method, and the site of the pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pagestrata import api, registry
from pagestrata.algorithms.base import Learner, Segmenter
from pagestrata.errors import InputError, UsageError
from pagestrata.extraction import Extraction
from pagestrata.inputs.site_addresses import spread
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage
from pagestrata.serve.inspector.sites import SiteView, site_view
from pagestrata.serve.inspector.view import PageCopy, ReaderPart, View, copy_of, reader_parts, view_of, with_threshold
from pagestrata.sites.choice import unknown_site
from pagestrata.sites.model import Edit, SiteModel, today
from pagestrata.sites.store import SiteStore
from pagestrata.work.job import Job
from pagestrata.work.read_page import address_of

if TYPE_CHECKING:
    from pagestrata.serve.inspector.difference import PeerDifference, VersionDifference

SITE: Final = "site"
MAX_TRAINING_PAGES: Final = 15
"""Pages that methods learn from, spread evenly over the folder, as in `pagestrata learn`."""
MAX_CACHED: Final = 64
"""Pages and results that are cached, so that going back and forth is fast."""

_NEVER_DROPPED = ("sample", "method", "model")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """Requests the result of a method for a page."""

    page: int = 0
    method: str = api.DEFAULT_METHOD
    bias: float = 0.0
    keep_from: float | None = None
    """Replaces the threshold of the method."""


class InspectorSession:
    """The pages and all cached results. Thread-safe: one request is handled at a time."""

    def __init__(
        self,
        jobs: Sequence[Job],
        store: SiteStore,
        options: Options,
        site: str | None = None,
        against: int | None = None,
    ) -> None:
        self.jobs, self.store, self.options = list(jobs), store, options
        self.against = against
        """The number of the page that is another version of the first, if they are to be compared."""
        self._site = site
        self._page_edits: dict[int, tuple[Edit, ...]] = {}
        self._cache: dict[tuple[Any, ...], Any] = {}
        self._learned: dict[tuple[Any, ...], Any] = {}
        self._in_store: tuple[tuple[int, ...], SiteModel | None] | None = None
        self._lock = RLock()

    # --------------------------------------------------------------------------------------------------- pages

    def names(self) -> list[str]:
        """The names of the pages."""
        return [job.name for job in self.jobs]

    def copy(self, number: int) -> PageCopy:
        """A copy of the page that can be displayed."""
        return self._once(("copy", number), lambda: copy_of(self._raw(number), self._page(number)))

    def view(self, request: ViewRequest, formats: Sequence[str] = ()) -> View:
        """The result of a method for a page, with the kept content in these formats."""
        with self._lock:
            edits = [edit.selector for edit in self._page_edits.get(request.page, ())]
            return view_of(self._extraction(request), self._learned_from(request.method), formats, edits)

    def reader(self, request: ViewRequest) -> list[ReaderPart]:
        """The kept sections for the reader view."""
        with self._lock:
            return reader_parts(self._extraction(request))

    def peer(self, request: ViewRequest, name: str) -> "PeerDifference":
        """What another extractor keeps of the page."""
        from pagestrata.serve.inspector.difference import peer_difference  # here, as a report compares no others

        with self._lock:
            return peer_difference(self._extraction(request), self._raw(request.page), name)

    def changes(self, request: ViewRequest, other: int) -> "VersionDifference":
        """What changed from the page to another version of it."""
        from pagestrata.serve.inspector.difference import version_difference

        with self._lock:
            return version_difference(self._extraction(request), self._extraction(replace(request, page=other)))

    def render(self, request: ViewRequest, name: str) -> bytes:
        """The kept content in a format."""
        with self._lock:
            return self._extraction(request).render_bytes(name)

    def _extraction(self, request: ViewRequest) -> Extraction:
        extraction: Extraction = self._once(
            ("extract", replace(request, keep_from=None), self._edits(), self._page_edits.get(request.page)),
            lambda: self._read(request),
        )
        return extraction if request.keep_from is None else with_threshold(extraction, request.keep_from)

    def _read(self, request: ViewRequest) -> Extraction:
        options = replace(self._options(request.page), bias=request.bias)
        model = self.model() if request.method == SITE else None
        if model is not None:
            return model.extract(self._raw(request.page), options=options)
        page = self._page(request.page)
        return Extraction(page, options, self._segmenter(request).segment(page, options), request.method, page.limits)

    def _segmenter(self, request: ViewRequest) -> Segmenter:
        """The method; one that learns uses the pages of the session, or only this page."""
        method: Segmenter | Learner = registry.method(request.method)
        if not isinstance(method, Learner):
            return method
        learner = method
        if len(self.jobs) == 1:
            return learner.learn([self._page(request.page)])
        return self._once(("method", request.method), lambda: learner.learn([page for _, page in self._sample()]))

    def _learned_from(self, method: str) -> str:
        if not isinstance(registry.method(method), Learner):
            return ""
        if method == SITE and self.is_stored():
            return "the store"
        return f"{len(self._sample())} pages" if len(self.jobs) > 1 else "this page only"

    # ---------------------------------------------------------------------------------------------------- site

    def model(self) -> SiteModel | None:
        """The stored model, or else one learned from the pages; None for a single page or several sites."""
        stored = self._stored()
        if stored is not None:
            return stored
        if len(self.jobs) < 2 or not self.site():
            return None
        return self._once(("model",), lambda: api.learn([page for _, page in self._sample()], site=self.site()))

    def site(self) -> str:
        """The name of the site: as specified, or else the host or folder of the pages; empty for several sites."""
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
        """Whether the store has a model of the site."""
        return self._stored() is not None

    def site_view(self) -> SiteView | None:
        """The model of the site for display; None if there is none."""
        with self._lock:
            if not self.site():
                hosts = ", ".join(self._hosts()[:5])
                raise UsageError(f"these pages are of different sites: {hosts}; use --name if they are one")
            model = self.model()
            if model is None:
                return None
            stored = self.is_stored()
            return self._once(
                ("site", stored, model.edits), lambda: site_view(model, self._sample(), stored, self.store.where)
            )

    def edit_page(self, number: int, edit: Edit) -> None:
        """Record a decision of a person about one page, for this session; it wins over earlier ones about the same."""
        _check_selector(edit)
        self._raw(number)  # raises an error if there is no such page
        if edit.role is not None or edit.node:
            raise UsageError("a role, or a node of the template, is marked for the site, not for one page")
        with self._lock:
            others = [other for other in self._page_edits.get(number, ()) if other.selector != edit.selector]
            self._page_edits[number] = (*others, edit)

    def undo_page(self, number: int) -> None:
        """Forget what was decided about one page."""
        self._page_edits.pop(number, None)

    def _options(self, number: int) -> Options:
        """The options for a page: those of the session, and what was decided about the page."""
        chosen: dict[str, tuple[str, ...]] = {"keep": (), "drop": ()}
        for edit in self._page_edits.get(number, ()):
            chosen[edit.action] += (edit.selector,)
        return replace(self.options, keep=self.options.keep + chosen["keep"], drop=self.options.drop + chosen["drop"])

    def edit(self, edit: Edit) -> None:
        """Record a decision of a person about the site; the first edit also saves the model."""
        dated = replace(edit, date=today())
        self._change(lambda model: model.with_edit(model.checked_edit(dated)))

    def undo(self, number: int) -> None:
        """Remove an edit, counted from 0."""
        self._change(lambda model: model.without_edits([number + 1]))

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
        """The pages to learn from; those that cannot be read are omitted."""
        return self._once(("sample",), self._read_sample)

    def _read_sample(self) -> list[tuple[int, Page]]:
        sample = []
        for number in spread(range(len(self.jobs)), MAX_TRAINING_PAGES):
            try:
                page = self._page(number)
            except InputError:
                continue
            if page.text:
                sample.append((number, replace(page, url=address_of(page))))
        if not sample:
            raise InputError("none of the pages could be read, or none has text")
        return sample

    def _page(self, number: int) -> Page:
        options = self._options(number)
        return self._once(("page", number, options), lambda: api.parse(self._raw(number), options=options))

    def _raw(self, number: int) -> RawPage:
        if not 0 <= number < len(self.jobs):
            raise UsageError(f"there is no page {number + 1}; there are {len(self.jobs)}")
        return self._once(("raw", number), self.jobs[number].read)

    def _once(self, key: tuple[Any, ...], function: Callable[[], _Value]) -> _Value:
        """Return a cached value or compute it; the oldest pages and results are dropped from the cache."""
        with self._lock:
            cache = self._learned if key[0] in _NEVER_DROPPED else self._cache
            if key not in cache:
                computed = function()
                while cache is self._cache and len(cache) >= MAX_CACHED:
                    cache.pop(next(iter(cache)))
                cache[key] = computed
            value: _Value = cache[key]
            return value


def _check_selector(edit: Edit) -> None:
    """Raise an error for an invalid selector."""
    api.parse("<p>", options=Options(keep=(edit.selector,)))
