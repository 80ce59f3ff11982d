"""Reads the pages of data sets for training, with labels or with page types."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pagestrata.api import parse
from pagestrata.errors import UsageError
from pagestrata.evaluate.datasets import find_folder, read_dataset
from pagestrata.evaluate.datasets.page_folders import Truth, samples_of
from pagestrata.evaluate.datasets.truth import MainText
from pagestrata.evaluate.names import without_names
from pagestrata.page.raw import RawPage
from pagestrata.results import PageType
from pagestrata.train.fit_engine import LabelledPage, Progress, label
from pagestrata.train.fit_page_types import TypedPage, read_typed_page
from pagestrata.train.training_sets import LEFT_OUT, MAX_SITE_PAGES, MAX_THEME_PAGES, TrainingSet, training_set

NAMELESS_EVERY: Final = 3
"""One page in so many is read without its class and id names, so that the trees do not depend on them."""
NAMELESS_EVERY_BY_RULES: Final = 2
"""The same for sets whose true text was found by such names."""


UNJUDGED_TYPE: Final = 0.5
"""Factor on the weight of a page whose type was not judged by a person, in the training of page types. With 1 wcxb
loses .003 in accuracy and .009 in calibration, with .25 wpsites loses .04."""


@dataclass(frozen=True, slots=True)
class SampledPage:
    """A page of a data set with its truth."""

    raw: RawPage
    site: str
    truth: Truth
    titles: Sequence[str] | None = ()
    """Titles that an answer may have or not; None if they are searched for on the page."""


def read_labelled(name: str, progress: Progress) -> tuple[str, list[LabelledPage]]:
    """Read a data set: its name, and its pages with labels.

    Pages without a truth for text are left out.
    """
    folder = find_folder(name)
    samples = list(_samples(name))
    if not samples:
        raise UsageError(f"no page of {name} has a main text to learn from")
    kind = training_set(folder.name)
    weights = page_weights(kind, samples)
    every = NAMELESS_EVERY_BY_RULES if kind.labelled_by_rules else NAMELESS_EVERY
    labelled = []
    for done, (sample, weight) in enumerate(zip(samples, weights, strict=True), 1):
        example = read_page(sample, kind, nameless=done % every == 0)
        labelled.append(replace(example, weight=weight, dataset=folder.name))
        progress(f"labels of {folder.name}", done, len(samples))
    return folder.name, labelled


def read_page(sample: SampledPage, kind: TrainingSet, *, nameless: bool) -> LabelledPage:
    """Read one page with labels, as it is or without its names."""
    raw, truth = sample.raw, sample.truth
    page = parse(RawPage(without_names(raw.markup), url=raw.url)) if nameless else parse(raw)
    return replace(
        label(page, sample.site, truth.main_content, truth.optional),
        raw=raw,
        group=truth.theme or sample.site,
        page_type=truth.page_type,
        titles=sample.titles,
        must_have=truth.must_have,
        must_not_have=truth.must_not_have,
        is_strict=truth.page_type in kind.strict_types,
    )


def page_weights(kind: TrainingSet, samples: Sequence[SampledPage]) -> list[float]:
    """Return the weight of each page: that of the set, less for sites with many pages and for widely used themes."""
    if not kind.is_capped:
        return [kind.weight] * len(samples)
    sites = Counter(sample.site for sample in samples)
    themes = Counter(sample.truth.theme for sample in samples if sample.truth.theme)
    return [
        kind.weight
        * min(1.0, MAX_SITE_PAGES / sites[sample.site])
        * min(1.0, MAX_THEME_PAGES / themes.get(sample.truth.theme, 1))
        for sample in samples
    ]


def read_typed(name: str, progress: Progress) -> tuple[str, list[TypedPage]]:
    """Read a data set: its name, and those of its pages whose type is known."""
    folder = find_folder(name)
    kind = training_set(folder.name)
    samples = [sample for sample in _samples(name) if _type_of(sample, kind)]
    if not samples:
        raise UsageError(f"no page of {name} has a type to learn from")
    factor = 1.0 if kind.has_judged_types else UNJUDGED_TYPE
    typed = []
    for done, (sample, weight) in enumerate(zip(samples, page_weights(kind, samples), strict=True), 1):
        page = read_typed_page(parse(sample.raw), sample.site, PageType(_type_of(sample, kind)))
        group = sample.truth.theme or sample.site
        typed.append(replace(page, dataset=folder.name, group=group, weight=factor * weight))
        progress(f"signs of {folder.name}", done, len(samples))
    return folder.name, typed


def _type_of(sample: SampledPage, kind: TrainingSet) -> str:
    """Return the type of a page: sets of which it is known that they have only articles state none."""
    return sample.truth.page_type or ("article" if "" in kind.strict_types else "")


def _samples(name: str) -> Iterator[SampledPage]:
    """Yield each page with its site and its truth."""
    folder = find_folder(name)
    if (folder / "truth").is_dir():
        for sample in samples_of(folder):
            truth = sample.truth()
            if isinstance(truth, Truth) and truth.labeller not in LEFT_OUT:
                url = truth.url if truth.url.startswith("http") else None  # in some sets this is a path in a repository
                yield SampledPage(RawPage(sample.read(), url=url), truth.domain, truth)
        return
    for site in read_dataset(name).sites:
        for page in site.pages:
            if isinstance(page.truth, MainText) and page.truth.main is not None:
                truth = Truth(page.name, page.truth.main)
                yield SampledPage(RawPage(page.read(), url=page.url), page.site, truth, page.truth.titles)
