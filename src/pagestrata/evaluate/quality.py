"""Runs contenders over a data set: every page once, or once for every number of siblings."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from pagestrata.errors import MissingExtra, UsageError
from pagestrata.evaluate.contenders import Contender, InputPage, MethodAnswer, ReadPage
from pagestrata.evaluate.datasets.truth import DataSet, MainText, SitePages, TruePage
from pagestrata.evaluate.listing_regions import listing_regions
from pagestrata.evaluate.metrics import SEED
from pagestrata.evaluate.page_score import Figures, score, score_listing
from pagestrata.evaluate.siblings import Fold, folds_of
from pagestrata.evaluate.type_labels import answered_type, is_three_way
from pagestrata.inputs.feeds import read_feed
from pagestrata.page.feed import Feed

SIBLINGS: Final = (1, 2, 3, 5, 8)
"""The default numbers of siblings."""

Advance = Callable[[int], None]
"""Called after each page with the number of failures so far."""


class PageResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The scores of one method on one page; a line of the JSONL file."""

    dataset: str
    site: str
    page: str
    method: str
    figures: Figures
    siblings: int | None = None
    """The number of pages that were learned from; None for a method that does not learn."""
    names_removed: bool = False
    page_type: str | None = None
    true_type: str = ""
    failed: str | None = None
    """The error, if one was raised; the answer then counts as empty."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of an evaluation."""

    siblings: tuple[int, ...] = SIBLINGS
    names_removed: bool = False
    """Whether all class and id attributes are removed, from what is tested and what is learned from alike."""
    feed: bool = False
    """Whether learners get the feed of the site; sites without one are left out."""
    same_sites: bool = False
    """Whether only sites are measured that are counted at every number of siblings, so that lines can be compared."""
    pages: int | None = None
    """Test only so many pages, drawn from all sites; what is learned from stays the same."""
    seed: int = SEED


DEFAULT_PLAN: Final = Plan()


def evaluate(
    dataset: DataSet, contenders: Sequence[Contender], plan: Plan = DEFAULT_PLAN, advance: Advance = lambda failed: None
) -> Iterator[PageResult]:
    """Yield a result for every contender, page and number of siblings."""
    _check(dataset, contenders)
    wanted = _drawn(dataset, plan)
    three_way = is_three_way(_true_type(page) for page in _pages(dataset) if _true_type(page))
    failed = 0
    for site in dataset.sites:
        if _is_measured(site, plan, wanted):
            for row in _SiteRun(dataset, site, plan, wanted, three_way).rows(contenders):
                failed += row.failed is not None
                advance(failed)
                yield row


def _check(dataset: DataSet, contenders: Sequence[Contender]) -> None:
    """Refuse learners on a data set without siblings."""
    if all(len(site.pages) < 2 for site in dataset.sites):
        for each in contenders:
            if each.learn:
                raise UsageError(f"{each.name} learns from siblings, and {dataset.name} has one page a site")


def _is_measured(site: SitePages, plan: Plan, wanted: set[tuple[str, str]]) -> bool:
    """Whether a site has pages to test, and meets the conditions of the plan."""
    is_drawn = any((page.site, page.name) in wanted for page in (*site.pages, *site.listings))
    has_feed = site.feed is not None or not plan.feed
    is_counted = not plan.same_sites or set(folds_of(site, plan.siblings)) == set(plan.siblings)
    return is_drawn and has_feed and is_counted


def _pages(dataset: DataSet) -> Iterator[TruePage]:
    for site in dataset.sites:
        yield from (*site.pages, *site.listings)


def _drawn(dataset: DataSet, plan: Plan) -> set[tuple[str, str]]:
    """The pages that are tested."""
    everything = [(page.site, page.name) for page in _pages(dataset)]
    if plan.pages is None or plan.pages >= len(everything):
        return set(everything)
    return set(random.Random(plan.seed).sample(everything, plan.pages))  # noqa: S311 - not for secrets


def _true_type(page: TruePage) -> str:
    return page.truth.page_type if isinstance(page.truth, MainText) else ""


class _SiteRun:
    """The evaluation of one site; each page is parsed once."""

    def __init__(
        self, dataset: DataSet, site: SitePages, plan: Plan, wanted: set[tuple[str, str]], three_way: bool
    ) -> None:
        self.dataset, self.site, self.plan, self.wanted, self.three_way = dataset.name, site, plan, wanted, three_way
        everything = (*site.pages, *site.listings)
        self.entries = {page.name: InputPage(page, plan.names_removed) for page in everything}
        self.folds = folds_of(site, plan.siblings)

    def rows(self, contenders: Sequence[Contender]) -> Iterator[PageResult]:
        for each in contenders:
            if each.read:
                yield from self.read_all(each, each.read)
            else:
                for k, folds in self.folds.items():
                    for place, fold in enumerate(folds):
                        yield from self.learn_and_read(each, k, fold, with_listings=place == 0)

    def read_all(self, each: Contender, read: ReadPage) -> Iterator[PageResult]:
        """Read every page; recurring noise is determined with the largest number of siblings."""
        max_siblings = max(self.folds, default=None)
        folds = self.folds[max_siblings] if max_siblings else (Fold(self.site.pages, ()),)
        for fold in folds:
            for page in fold.tested:
                yield from self.row(each, None, fold, page, read)
        for page in self.site.listings:
            yield from self.row(each, None, Fold((), ()), page, read)

    def learn_and_read(self, each: Contender, k: int, fold: Fold, with_listings: bool) -> Iterator[PageResult]:
        """Learn once, and read all pages of the fold; listings are read in the first."""
        tested = fold.tested + (self.site.listings if with_listings else ())
        if not any((page.site, page.name) in self.wanted for page in tested):
            return
        read = self.learned(each, fold)
        for page in tested:
            yield from self.row(each, k, fold, page, read)

    def learned(self, each: Contender, fold: Fold) -> ReadPage:
        """The reader that was learned, or one that raises the error of learning."""
        assert each.learn is not None  # noqa: S101 - a contender reads or learns
        try:
            return each.learn([self.entries[page.name] for page in fold.learned], self.feed)
        except Exception as error:
            failure = error

            def fail(entry: InputPage) -> MethodAnswer:
                raise failure

            return fail

    @cached_property
    def feed(self) -> Feed | None:
        """The feed of the site, if the plan uses it. It may mention the tested page, as it does for any reader."""
        return read_feed(self.site.feed.read_bytes()) if self.plan.feed and self.site.feed else None

    def row(self, each: Contender, k: int | None, fold: Fold, page: TruePage, read: ReadPage) -> Iterator[PageResult]:
        """Read and score a page; a page that fails gives a result with the error."""
        if (page.site, page.name) not in self.wanted:
            return
        entry, failed = self.entries[page.name], None
        try:
            answer = read(entry)
        except MissingExtra:
            raise  # no page can be read
        except Exception as error:
            answer, failed = MethodAnswer(""), f"{type(error).__name__}: {error}"
        page_type = answered_type(answer.page_type, bool(answer.comments), self.three_way)
        if page in self.site.listings and not (failed or page_type):
            return  # a listing has no truth except its type
        yield PageResult(
            dataset=self.dataset,
            site=self.site.name,
            page=page.name,
            method=each.name,
            figures=self.figures(entry, answer, fold),
            siblings=k,
            names_removed=self.plan.names_removed,
            page_type=page_type,
            true_type=_true_type(page),
            failed=failed,
        )

    def figures(self, entry: InputPage, answer: MethodAnswer, fold: Fold) -> Figures:
        """The figures of an answer; those of a listing by what the articles of the site say about it."""
        if entry.true in self.site.listings:
            return score_listing(answer, listing_regions(entry.words, self.articles))
        return score(entry, answer, [self.entries[sibling.name] for sibling in fold.learned])

    @cached_property
    def articles(self) -> list[str]:
        """The main texts of the site."""
        truths = (page.truth for page in self.site.pages)
        return [truth.main for truth in truths if isinstance(truth, MainText) and truth.main]
