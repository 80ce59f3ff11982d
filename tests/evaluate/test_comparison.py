"""`pagestrata bench quality`: us beside others, on pages of several types."""

import json
from pathlib import Path

import pytest
from tests.build import ROOT
from tests.evaluate.made_up import main_text, markup
from typer.testing import CliRunner, Result

from pagestrata.cli.main import app
from pagestrata.errors import InputError, UsageError
from pagestrata.evaluate import peers
from pagestrata.evaluate.comparison import compare
from pagestrata.evaluate.contenders import peer
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.node_peers import NODE_PACKAGES
from pagestrata.evaluate.quality import evaluate
from pagestrata.evaluate.summary import summarise
from pagestrata.evaluate.training_note import trained_on, training_note

TYPES = ("article", "article", "article", "forum", "forum", "service")


def make_set(folder: Path) -> Path:
    """Six pages of three types, as wcxb has them; the menu is what must not be there."""
    for name in ("html", "truth"):
        (folder / name).mkdir(parents=True)
    for number, kind in enumerate(TYPES):
        main = main_text(1, number)
        truth = {
            "id": f"{number}",
            "page_type": kind,
            "main_content": main,
            "with": [main.split("\n")[0][:60].upper(), "A sentence that nobody wrote"],
            "without": ["About our kettle shop"],
        }
        (folder / "html" / f"{number}.html").write_text(markup(f"On matter {number}", main), encoding="utf-8")
        (folder / "truth" / f"{number}.json").write_text(json.dumps(truth), encoding="utf-8")
    return folder


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", "quality", *map(str, arguments)])


def test_every_method_stands_in_every_type(tmp_path: Path) -> None:
    report = compare("made up", str(make_set(tmp_path / "coast")), ["main_content"], None, 1, 0)
    assert [
        (kind, method, pages)
        for kind, pages in (("all", 6), ("article", 3), ("forum", 2), ("service", 1))
        for method in ("engine", "main_content")
    ] == [(each.page_type, each.method, each.pages) for each in report.standings]
    assert {None} == {each.milliseconds for each in report.standings}


def test_figures_are_those_of_evaluate_and_snippets_are_counted(tmp_path: Path) -> None:
    folder = str(make_set(tmp_path / "coast"))
    engine = compare("made up", folder, [], None, 1, 0).standings[0].figures
    whole = summarise(evaluate(read_dataset(folder), [peer("whole-text")]))[0].figures
    assert {"word_f1", "word_p", "word_r", "with", "without"} == set(engine)
    assert (0.5, 0.0) == (engine["with"].value, engine["without"].value)
    assert (0.5, 1.0) == (whole["with"].value, whole["without"].value)
    assert engine["word_p"].value > whole["word_p"].value


def test_the_same_pages_are_drawn_for_the_same_seed(tmp_path: Path) -> None:
    folder = str(make_set(tmp_path / "coast"))
    drawn = [compare("x", folder, [], 2, seed, 0).standings for seed in (1, 1, 2, 3, 4, 5)]
    assert drawn[0] == drawn[1]
    assert {2} == {each[0].pages for each in drawn}
    assert len({tuple(standing.page_type for standing in each) for each in drawn}) > 1


def test_a_set_that_the_engine_was_trained_on_is_marked_everywhere(tmp_path: Path) -> None:
    seen = invoke(make_set(tmp_path / "wcxb"), "--peers", "main_content", "--json", tmp_path / "seen.json")
    assert "CAUTION: the engine was trained on wcxb." in seen.output
    assert 4 == seen.output.count("engine (has seen these pages)")
    assert "CAUTION" in json.loads((tmp_path / "seen.json").read_bytes())["note"]
    unseen = invoke(make_set(tmp_path / "coast"), "--peers", "main_content")
    assert 0 == unseen.exit_code, unseen.output
    assert "| type " in unseen.output
    assert "CAUTION" not in unseen.output
    assert "has seen" not in unseen.output


def test_the_card_of_the_model_says_what_it_was_trained_on() -> None:
    assert {"wcxb", "sitesets", "fundus"} <= trained_on()
    assert not trained_on() & {"big9", "cnnews10", "l3s-gn1", "cleanportaleval", "data set", "---"}
    assert "" == training_note("big9", ["engine"])
    assert "" == training_note("wcxb", ["trafilatura"])


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_drawing_has_quality_and_speed(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib", reason="to draw: pip install 'pagestrata[plot]'")
    target, figures = tmp_path / f"picture{suffix}", tmp_path / "figures.json"
    done = invoke(make_set(tmp_path / "wcxb"), "--peers", "main_content", "--plot", target, "--json", figures)
    assert 0 == done.exit_code, (done.output, done.exception)
    assert target.stat().st_size > 5_000
    times = [each["milliseconds"] for each in json.loads(figures.read_bytes())["standings"]]
    assert [True, True] + [False] * 6 == [time is not None for time in times]
    assert all(0 < time < 1_000 for time in times[:2])
    assert "ms" in done.output


def test_what_cannot_be_measured_is_refused_before_anything_is(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "coast")
    assert isinstance(invoke(folder, "--plot", tmp_path / "picture.pdf").exception, UsageError)
    assert isinstance(invoke(folder, "--peers", "nosuch").exception, UsageError)
    assert isinstance(invoke(tmp_path / "nosuch").exception, InputError)
    assert "has no main text" in str(invoke(make_bare(tmp_path / "bare"), "--peers", "").exception)


def make_bare(folder: Path) -> Path:
    """Pages of which nothing is known."""
    (folder / "html").mkdir(parents=True)
    (folder / "truth").mkdir()
    (folder / "html" / "1.html").write_bytes((ROOT / "examples" / "site" / "index.html").read_bytes())
    return folder


def test_every_peer_returns_its_text_and_can_be_timed() -> None:
    assert set(peers.PEERS) == set(peers.TEXT_PEERS) - set(NODE_PACKAGES)
    page = (ROOT / "examples" / "site" / "articles" / "a-glossary-of-mud.html").read_bytes()
    for call in peers.load_all(None):
        assert "mud" in str(call.run(call.prepare(page))), call.name
    for name in peers.installed():
        assert "mud" in peers.load_text(name)(page), name
