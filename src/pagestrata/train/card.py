"""The card of a model: what it was made of, and how."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from pagestrata.engine.model import EngineModel
from pagestrata.train.fit import LEAVES, RATE, TREES, Labelled

ORIGIN: Final = {
    "wcxb": "WCXB, Murrough Foley, 2026, CC BY 4.0",
    "fundus": "test pages of the Fundus project, MIT; 81 news publishers",
    "sitesets": "42 public blogs and sites, each under its own terms; no text of theirs is in the model",
    "kreuzer-seg": "Kreuzer et al., public domain",
}
"""Of the sets that we train on ourselves."""


def write_card(sets: Sequence[tuple[str, Sequence[Labelled]]], model: EngineModel, content: bytes, seed: int) -> str:
    """The card as Markdown."""
    lines = [
        "# Engine model",
        "",
        f"Made on {datetime.now(UTC).date().isoformat()} by `pagestrata train {' '.join(name for name, _ in sets)}`, "
        f"seed {seed}. {len(content):,} bytes, SHA-256 {sha256(content).hexdigest()}.",
        "",
        f"{len(model.trees.root)} trees ({TREES} asked for, {LEAVES} leaves, rate {RATE}) over {len(model.columns)} "
        f"features of a text block; {_words(model)}.",
        "",
        "| data set | pages | sites | main text | licence and origin |",
        "|---|---|---|---|---|",
    ]
    for name, pages in sets:
        words = sum(float(page.sizes.sum()) for page in pages)
        good = sum(float((page.labels * page.sizes).sum()) for page in pages)
        sites, share = len({page.site for page in pages}), good / max(1.0, words)
        lines.append(f"| {name} | {len(pages):,} | {sites:,} | {share:.0%} | {ORIGIN.get(name, 'not stated')} |")
    return "\n".join([*lines, ""])


def _words(model: EngineModel) -> str:
    lexicon = model.lexicon
    known = (("names", lexicon.names), ("lines", lexicon.lines), ("headings", lexicon.headings))
    return ", ".join(f"{len(words):,} words of {name}" for name, words in known)
