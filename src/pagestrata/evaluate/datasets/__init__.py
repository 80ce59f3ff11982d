"""Data sets: pages with their truth, read from a folder or by name under $PAGESTRATA_DATA."""

from pagestrata.evaluate.datasets.choose_reader import read_dataset
from pagestrata.evaluate.datasets.page_folders import Sample, Truth, draw, find_folder, samples_of
from pagestrata.evaluate.datasets.truth import DataSet, MainText, MarkedBlock, MarkedBlocks, SitePages, TruePage

__all__ = [
    "DataSet",
    "MainText",
    "MarkedBlock",
    "MarkedBlocks",
    "Sample",
    "SitePages",
    "TruePage",
    "Truth",
    "draw",
    "find_folder",
    "read_dataset",
    "samples_of",
]
