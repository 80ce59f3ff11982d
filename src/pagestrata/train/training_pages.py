"""Reads the pages of data sets for training, with labels or with page types."""

from collections.abc import Iterator
from dataclasses import replace

from pagestrata.api import parse
from pagestrata.errors import UsageError
from pagestrata.evaluate.datasets import find_folder, read_dataset
from pagestrata.evaluate.datasets.page_folders import Truth, samples_of
from pagestrata.evaluate.datasets.truth import MainText
from pagestrata.page.raw import RawPage
from pagestrata.results import PageType
from pagestrata.train.fit_engine import LabelledPage, Progress, label
from pagestrata.train.fit_page_types import TypedPage, read_signs


def read_labelled(name: str, progress: Progress, times: int = 1) -> tuple[str, list[LabelledPage]]:
    """Read a data set: its name, and its pages with labels, each counted a number of times.

    Pages without a truth for text are left out.
    """
    folder = find_folder(name)
    samples = list(_samples(name))
    if not samples:
        raise UsageError(f"no page of {name} has a main text to learn from")
    labelled = []
    for done, (raw, site, truth) in enumerate(samples, 1):
        example = label(parse(raw), site, truth.main_content)
        labelled.append(
            replace(
                example,
                page_type=truth.page_type,
                must_have=truth.must_have,
                must_not_have=truth.must_not_have,
                times=times,
            )
        )
        progress(f"labels of {folder.name}", done, len(samples))
    return folder.name, labelled


def read_typed(name: str, progress: Progress) -> tuple[str, list[TypedPage]]:
    """Read a data set: its name, and those of its pages whose type is known."""
    folder = find_folder(name)
    samples = [(raw, site, PageType(truth.page_type)) for raw, site, truth in _samples(name) if truth.page_type]
    if not samples:
        raise UsageError(f"no page of {name} has a type to learn from")
    typed = []
    for done, (raw, site, page_type) in enumerate(samples, 1):
        typed.append(read_signs(parse(raw), site, page_type))
        progress(f"signs of {folder.name}", done, len(samples))
    return folder.name, typed


def _samples(name: str) -> Iterator[tuple[RawPage, str, Truth]]:
    """Yield each page with its site and its truth."""
    folder = find_folder(name)
    if (folder / "truth").is_dir():
        for sample in samples_of(folder):
            truth = sample.truth()
            if isinstance(truth, Truth):
                yield RawPage(sample.read(), url=truth.url or None), truth.domain, truth
        return
    for site in read_dataset(name).sites:
        for page in site.pages:
            if isinstance(page.truth, MainText) and page.truth.main is not None:
                yield RawPage(page.read(), url=page.url), page.site, Truth(page.name, page.truth.main)
