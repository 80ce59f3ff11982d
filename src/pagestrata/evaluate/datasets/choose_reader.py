"""Reads a data set with the reader that its folder needs."""

from pagestrata.evaluate.datasets.block_folders import is_block_set, read_block_set
from pagestrata.evaluate.datasets.page_folders import Sample, Truth, find_folder, samples_of
from pagestrata.evaluate.datasets.site_folders import read_site_set
from pagestrata.evaluate.datasets.truth import DataSet, MainText, SitePages, TruePage


def read_dataset(name: str) -> DataSet:
    """Read a data set by its path, or by its name under $PAGESTRATA_DATA."""
    folder = find_folder(name)
    if (folder / "truth").is_dir():
        return DataSet(folder.name, tuple(map(_single, samples_of(folder))))
    return read_block_set(folder) if is_block_set(folder) else read_site_set(folder)


def _single(sample: Sample) -> SitePages:
    """A page of a set without sites (wcxb). Its truth has the title or not, as it comes: it is scored as it stands."""
    truth = sample.truth()
    text = MainText(None) if truth is None else _main_text(truth)
    return SitePages(sample.id, (TruePage(sample.id, sample.id, sample.path, text, truth.url if truth else None),))


def _main_text(truth: Truth) -> MainText:
    wanted, unwanted = tuple(truth.must_have), tuple(truth.must_not_have)
    return MainText(
        truth.main_content, (), "", truth.page_type, wanted=wanted, unwanted=unwanted, optional=truth.optional
    )
