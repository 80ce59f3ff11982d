"""Finding pages to measure on."""

import json
from pathlib import Path

import pytest
from tests.build import EXAMPLES, ROOT

from pagestrata.errors import InputError
from pagestrata.evaluate.datasets import draw, find_folder, samples_of


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data set of three pages, one without truth, as `mine` under PAGESTRATA_DATA."""
    folder = tmp_path / "mine"
    for name in ("html", "truth"):
        (folder / name).mkdir(parents=True)
    for name in ("a", "b", "c"):
        (folder / "html" / f"{name}.html").write_text(f"<p>page {name}")
    for name in ("a", "b"):
        truth = {"id": name, "main_content": f"page {name}", "with": ["page"], "without": [], "author": None}
        (folder / "truth" / f"{name}.json").write_text(json.dumps(truth))
    monkeypatch.setenv("PAGESTRATA_DATA", str(tmp_path))
    return folder


def test_a_data_set_is_found_by_name_and_by_path(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert data == find_folder("mine") == find_folder(str(data))
    here = tmp_path / "here"
    (here / "mine").mkdir(parents=True)
    monkeypatch.chdir(here)
    assert (data, Path("mine")) == (find_folder("mine"), find_folder("./mine"))


def test_pages_come_with_their_truth(data: Path) -> None:
    a, b, c = samples_of(data)
    assert (a.read(), c.truth()) == (b"<p>page a", None)
    truth = b.truth()
    assert truth is not None
    assert (truth.main_content, truth.must_have, truth.must_not_have) == ("page b", ["page"], [])


def test_any_folder_of_pages_will_do() -> None:
    found = samples_of(ROOT / "examples" / "site")
    assert sorted(sample.path for sample in found) == EXAMPLES


def test_a_draw_depends_on_the_seed_alone(data: Path) -> None:
    samples = samples_of(data)
    assert draw(samples, 2, seed=1) == draw(samples, 2, seed=1)
    assert samples == draw(samples, 99, seed=1)


def test_what_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAGESTRATA_DATA", raising=False)
    with pytest.raises(InputError, match="no folder nosuch"):
        find_folder("nosuch")
    with pytest.raises(InputError, match="no pages"):
        samples_of(tmp_path)


def test_broken_truth_is_an_error(data: Path) -> None:
    (data / "truth" / "a.json").write_text("{")
    with pytest.raises(InputError, match=r"a\.json"):
        samples_of(data)[0].truth()
