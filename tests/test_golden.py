"""Every golden page comes out as a person said it should."""

from pathlib import Path

import pytest

from tests.golden_pages import FOLDER, expected_files


@pytest.mark.pure
@pytest.mark.parametrize("folder", sorted(FOLDER.glob("*--*")), ids=lambda folder: folder.name)
def test_golden_page(folder: Path) -> None:
    for name, actual in expected_files(folder).items():
        assert (folder / name).read_text(encoding="utf-8") == actual, name
