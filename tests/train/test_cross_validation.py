"""What cross-validation tells of a model: scores along the bias, snippets, calibration."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.build import EXAMPLES

from pagestrata import parse
from pagestrata.engine.engine import Engine
from pagestrata.train.cross_validation import BIASES, HeldOutPage, bias_curve, calibration_error, examine, reliability
from pagestrata.train.fit_engine import label
from pagestrata.train.model_card import draw_report, write_report

ARTICLES = [path for path in EXAMPLES if path.parent.name == "articles"]


@pytest.fixture(scope="module")
def tested() -> list[HeldOutPage]:
    engine, found = Engine(), []
    for path in ARTICLES[:4]:
        page = parse(path.read_bytes())
        truth = engine.segment(page).sections[0]
        known = label(page, path.stem, "\n".join(leaf.text for leaf in truth.leaves() if leaf.kept))
        found.append(
            examine(
                engine,
                replace(known, dataset="examples", must_have=[known.truth[-40:]], must_not_have=["no such words"]),
            )
        )
    return found


def test_the_curve_goes_from_precision_to_recall(tested: list[HeldOutPage]) -> None:
    curve = bias_curve(tested)
    assert list(BIASES) == [one.bias for one in curve]
    assert sorted(one.recall for one in curve) == [one.recall for one in curve]
    assert curve[0].recall < curve[-1].recall
    assert curve[-1].precision < curve[0].precision


def test_snippets_are_found_where_they_are(tested: list[HeldOutPage]) -> None:
    assert [{"with": 1.0, "without": 0.0}] * 4 == [one.snippets for one in tested]


def test_the_error_is_how_far_importance_is_from_what_holds(tested: list[HeldOutPage]) -> None:
    sure = [replace(one, importance=np.array(one.labels, np.float64)) for one in tested]
    assert 0 == calibration_error(reliability(sure))
    unsure = [replace(one, importance=1 - np.array(one.labels, np.float64)) for one in tested]
    assert calibration_error(reliability(unsure)) > 0.9


def test_the_report_tells_and_draws_all_of_it(tested: list[HeldOutPage], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not here: pip install 'pagestrata[plot]'")
    report = write_report("examples", tested, Engine().model)
    assert "| +0.50 |" in report
    assert "`without` snippets found: 0.000, in the mean over 4 pages." in report
    draw_report(tested, tmp_path / "report.svg")
    assert "importance" in (tmp_path / "report.svg").read_text()
