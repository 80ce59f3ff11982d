"""How many posts and cards of pages of known platforms are found: floors that only rise."""

import os
from pathlib import Path

import pytest

from pagestrata.evaluate.datasets import samples_of
from pagestrata.evaluate.item_scores import ALL, score_items

FLOORS = {
    "forums": {"found": 0.925, "body": 0.905, "author": 0.92, "time": 0.92},
    "shops": {"found": 0.975, "price": 0.975},
    "wpsites": {"found": 0.92},
}


@pytest.mark.parametrize("name", FLOORS)
def test_items(name: str) -> None:
    folder = Path(os.environ.get("PAGESTRATA_DATA", "")) / name
    if not (os.environ.get("PAGESTRATA_DATA") and folder.is_dir()):
        pytest.skip(f"real pages are not here: set PAGESTRATA_DATA to a folder that holds {name}/")
    fields = score_items(samples_of(folder))[ALL].fields
    found = {field: round(fields[field].f1, 4) for field in FLOORS[name]}
    print(found)
    assert {} == {field: value for field, value in found.items() if value < FLOORS[name][field]}
