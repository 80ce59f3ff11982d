"""How good the metadata are on the development half of metaset: floors that only rise."""

import os
from pathlib import Path

import pytest

from pagestrata.evaluate.metadata_scores import OURS, evaluate_metadata, methods_of, read_metadata_set

EXACT = {"title": 0.925, "authors": 0.84, "date": 0.925, "language": 0.965, "site": 0.92, "image": 0.85}
"""The share of pages on which each field is exactly right."""
DATES_RIGHT_WHEN_GIVEN = 0.975


def test_fields() -> None:
    folder = Path(os.environ.get("PAGESTRATA_DATA", ""), "metaset")
    if not folder.is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds metaset/")
    scores = evaluate_metadata(read_metadata_set(folder), {OURS: methods_of([])[OURS]})
    shares = {score.field: score.exact / score.pages for score in scores}
    print(shares)
    assert {field: floor for field, floor in EXACT.items() if shares[field] < floor} == {}
    assert all(score.exact / score.answered >= DATES_RIGHT_WHEN_GIVEN for score in scores if score.field == "date")
