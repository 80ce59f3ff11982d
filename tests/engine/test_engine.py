"""The engine keeps running text, drops what leads elsewhere, obeys selectors, and says why."""

from dataclasses import replace

import numpy as np
import pytest
from tests.build import EXAMPLES, held_landmarks, page_of

from pagestrata import Options, Role, Section, extract, parse
from pagestrata.engine.engine import Engine
from pagestrata.engine.features import COLUMNS, features_of
from pagestrata.engine.model import EngineModel, shipped
from pagestrata.errors import ModelError

PROSE = "The tide turned before the boats were in, and nobody on the quay had seen it coming. " * 3
LINKS = "".join(f"<li><a href=/{n}>Another article, number {n}</a></li>" for n in range(8))
BODY = (
    f"<header><a href=/>The Almanac</a></header><nav><ul>{LINKS}</ul></nav>"
    f"<main><article><h1>The tide</h1><p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p></article>"
    f"<aside><h3>Related</h3><ul>{LINKS}</ul></aside></main><footer><p>All rights reserved by the Almanac.</p></footer>"
)


def leaves(body: str, **options: object) -> list[Section]:
    settings = Options(**options)  # type: ignore[arg-type]
    return list(extract(page_of(body, **options), options=settings).leaves())


def test_text_is_kept_and_links_are_not() -> None:
    kept = " ".join(leaf.text for leaf in leaves(BODY) if leaf.kept)
    assert PROSE.strip() in kept
    assert "Another article" not in kept
    assert "rights reserved" not in kept


def test_every_section_says_why_and_the_leaves_partition() -> None:
    for path in EXAMPLES:
        found = list(extract(path.read_bytes()).leaves())
        assert all(leaf.reasons and 0 <= leaf.importance <= 1 for leaf in found)
        assert [0, *(leaf.block_end for leaf in found[:-1])] == [leaf.block_start for leaf in found]


def test_bias_moves_one_way() -> None:
    words = [sum(leaf.words for leaf in leaves(BODY, bias=bias) if leaf.kept) for bias in (-1, 0, 1)]
    assert sorted(words) == words


def test_drop_wins_over_keep_and_over_scores() -> None:
    found = leaves(BODY, keep=("footer", "nav"), drop=("nav", "article p"))
    assert ["The tide", "All rights reserved by the Almanac."] == [leaf.text for leaf in found if leaf.kept]


def test_selectors_inside_a_run_cut_it() -> None:
    found = leaves(f"<div><p>{PROSE}<p class=ad>{PROSE}<p>{PROSE}</div>", drop=(".ad",))
    assert [("matched by a drop selector", PROSE.strip())] == [
        (leaf.reasons[0], leaf.text) for leaf in found if not leaf.kept
    ]


def test_hidden_text_is_left_with_a_reason() -> None:
    hidden = next(leaf for leaf in leaves(f"<p>{PROSE}</p><div hidden>{PROSE}</div>") if not leaf.kept)
    assert (0.0, True) == (hidden.importance, any("hidden attribute" in reason for reason in hidden.reasons))


def test_comments_are_a_stream_of_their_own() -> None:
    said = "".join(
        f"<div><b>Reader {n}</b>, {n + 1} May 2024 at 10:3{n}<p>{PROSE[: 90 + n]}</p></div>" for n in range(4)
    )
    body = f"<main><article><h1>Test</h1><p>{PROSE * 3}</p><p>{PROSE * 2}</p></article></main>"
    body += f"<section id=comments><h2>4 comments</h2>{said}</section>"
    for comments, expected in (("off", False), ("on", True), ("only", True)):
        found = leaves(body, comments=comments)
        assert expected == any(leaf.kept and leaf.role is Role.COMMENTS for leaf in found)
    assert not any(leaf.kept and leaf.role is Role.MAIN for leaf in leaves(body, comments="only"))


def test_the_title_is_the_heading_that_the_title_tag_names() -> None:
    assert "On mud" == extract("<title>Mud</title><h1>Site</h1><h1>On mud</h1>").title_section.text  # type: ignore[union-attr]
    assert extract("<h1>a</h1><h1>b</h1>").title_section is None


def test_a_page_with_hardly_any_text_is_left_empty_with_a_reason() -> None:
    found = extract("<body><div id=root></div><noscript>Please turn on scripts</noscript>")
    assert ("", True) == (found.text, bool(found.reason))


@pytest.mark.parametrize("page", [b"", b"<p>x", b"<body>" + b"<div>" * 400 + b"deep"])
def test_features_of_odd_pages_are_finite(page: bytes) -> None:
    landmarks = held_landmarks(parse(page))
    assert shipped().columns == COLUMNS
    assert np.isfinite(features_of(landmarks, shipped().lexicon)).all()
    assert len(parse(page).blocks) == len(Engine().score(landmarks)[0])


def test_the_model_reads_back_and_damage_is_told() -> None:
    data = shipped().to_bytes()
    assert data == EngineModel.from_bytes(data).to_bytes()
    assert len(data) < 600_000
    with pytest.raises(ModelError):
        EngineModel.from_bytes(data[:1000])


def test_a_model_that_leads_the_kernel_astray_is_refused() -> None:
    model = shipped()
    feature = model.trees.feature.copy()
    feature[0, 0] = len(model.columns)
    with pytest.raises(ModelError, match="not there"):
        EngineModel.from_bytes(replace(model, trees=replace(model.trees, feature=feature)).to_bytes())


def test_a_model_of_other_features_or_words_is_refused() -> None:
    model = shipped()
    with pytest.raises(ModelError, match="other features"):
        EngineModel.from_bytes(replace(model, columns=model.columns[::-1]).to_bytes())
    short = replace(model.lexicon, names=model.lexicon.names[:-1])
    with pytest.raises(ModelError, match="one byte for each bucket"):
        EngineModel.from_bytes(replace(model, lexicon=short).to_bytes())
