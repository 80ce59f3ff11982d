"""Scores of the roles of sections, against block sets (kreuzer-seg) and labelled segments (l3s-gn1).

Both sets have their own labels; `TRUE_ROLES` maps each to the roles of ours that are right for it. Where a label allows
several, naming any of them is right, and naming none of them is a miss of the first. What lies in the header, the
footer or a sidebar may also have that role. Roles for which a set has no label count as `other`, which l3s-gn1 calls
not content. Labels that correspond to no role of ours are left out, and so are words without a label.

There are two measurements: the role of each true block, where each block counts once, and the role of the section of
each word, where each word counts once.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from pagestrata.engine.decide.comments import comment_blocks
from pagestrata.engine.engine import Engine
from pagestrata.engine.roles import RoleReader
from pagestrata.errors import UsageError
from pagestrata.evaluate.contenders import InputPage
from pagestrata.evaluate.datasets.block_folders import block_nodes
from pagestrata.evaluate.datasets.site_folders import read_page_file
from pagestrata.evaluate.datasets.truth import DataSet, MarkedBlocks
from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.metrics import score_of, tokens
from pagestrata.landmarks import landmarks_of
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.results import Role, Section

if TYPE_CHECKING:
    from rich.table import Table

Roles = tuple[Role, ...]
"""The roles that are right; the first one counts as missed when none of them is named."""

_LINKS: Final = (Role.RELATED, Role.NAVIGATION, Role.CONTENTS, Role.SHARE)
TRUE_ROLES: Final[dict[str, Roles]] = {
    # kreuzer-seg; Image, Video and Searchbar have no role of ours, nor has Title, which is the heading of any box.
    "Article": (Role.MAIN,),
    "Content": (Role.MAIN,),
    "Table": (Role.MAIN,),
    "Comments": (Role.COMMENTS,),
    "Menu": (Role.NAVIGATION,),
    "LinkList": _LINKS,
    "Header": (Role.HEADER,),
    "Logo": (Role.HEADER,),
    "Footer": (Role.FOOTER,),
    "Sidebar": (Role.SIDEBAR,),
    "Ad": (Role.ADVERTISEMENT,),
    "Author": (Role.AUTHOR,),
    # l3s-gn1; "supplemental" is what belongs to the article beside its text: bylines, captions, dates.
    "headline": (Role.TITLE,),
    "fulltext": (Role.MAIN,),
    "supplemental": (Role.AUTHOR, Role.MAIN),
    "related": (Role.RELATED,),
    "comments": (Role.COMMENTS,),
    "not_content": (Role.OTHER,),
}
REGIONS: Final = (Role.HEADER, Role.FOOTER, Role.SIDEBAR)
MAX_LOOK_AHEAD: Final = 400
"""Words among which a segment of the truth is searched for; one that is not there is skipped."""


@dataclass(frozen=True, slots=True)
class TrueBlock:
    """A part of a page with a label: a range of nodes, and the places of its words."""

    start: int
    end: int
    roles: Roles
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class RoleAnswer:
    """The role that was assigned, the roles that are right, and the number of words (or blocks)."""

    named: Role
    right: Roles
    size: int = 1


@dataclass(frozen=True, slots=True)
class RoleScore:
    """F1 of every role that is the first right role of at least one block."""

    f1: dict[Role, float]
    sizes: dict[Role, int]

    @property
    def macro(self) -> float:
        """The mean over the roles."""
        return sum(self.f1.values()) / len(self.f1) if self.f1 else 0.0


def score_roles(answers: Iterable[RoleAnswer]) -> RoleScore:
    """Compute F1 by role from all answers.

    Of two menus one is called a menu, the other a footer; the footer is right.

    >>> menu, footer = (Role.NAVIGATION,), (Role.FOOTER,)
    >>> score = score_roles([RoleAnswer(menu[0], menu), RoleAnswer(footer[0], menu), RoleAnswer(footer[0], footer)])
    >>> {role.value: round(f1, 2) for role, f1 in score.f1.items()}, round(score.macro, 2)
    ({'navigation': 0.67, 'footer': 0.67}, 0.67)
    """
    answers = list(answers)
    classes = {answer.right[0] for answer in answers}
    labelled = {role for answer in answers for role in answer.right}
    named, wanted, shared = Counter[Role](), Counter[Role](), Counter[Role]()
    for answer in answers:
        role = answer.named if answer.named in labelled else Role.OTHER  # the set has no label for it
        truth = role if role in answer.right else answer.right[0]
        named[role] += answer.size
        wanted[truth] += answer.size
        shared[role] += answer.size * (role is truth)
    return RoleScore(
        {role: score_of(shared[role], named[role], wanted[role]).f1 for role in Role if role in classes},
        {role: wanted[role] for role in Role if role in classes},
    )


# -------------------------------------------------------------------------------------------------------------- truth


def true_blocks(entry: InputPage) -> list[TrueBlock]:
    """The labelled parts of a page whose label corresponds to a role; outer ones first."""
    truth = entry.true.truth
    if isinstance(truth, MarkedBlocks):
        return list(_marked(entry, truth))
    return list(_segments(entry))


def _marked(entry: InputPage, truth: MarkedBlocks) -> Iterator[TrueBlock]:
    """The blocks that people marked, in document order."""
    ends, at = entry.page.nodes.end.tolist(), entry.words.nodes
    located = zip(truth.blocks, block_nodes(entry.true.path, truth.blocks), strict=True)
    labels = [(block.kind.split()[0], node) for block, nodes in located for node in nodes]
    open_regions: list[tuple[int, Role]] = []
    for node, kind in sorted((node, kind) for kind, node in labels if kind in TRUE_ROLES):
        while open_regions and open_regions[-1][0] <= node:
            open_regions.pop()
        roles = TRUE_ROLES[kind]
        regions = tuple(role for _, role in open_regions)
        places = range(bisect_left(at, node), bisect_left(at, ends[node]))
        if places:
            yield TrueBlock(node, ends[node], roles + regions, places)
        if roles[0] in REGIONS:
            open_regions.append((ends[node], roles[0]))


def _segments(entry: InputPage) -> Iterator[TrueBlock]:
    """Runs of blocks with the same label, located by the words of the labelled texts, which are in page order."""
    label_of: dict[int, str] = {}
    reached = 0
    for label, text in read_page_file(entry.true.path.with_suffix(".json")).segments:
        start = _find(entry.words.lowered, tokens(text), reached)
        if start is not None:
            reached = start + len(tokens(text))
            label_of |= dict.fromkeys(range(start, reached), label)
    page, words = entry.page, entry.words
    votes: dict[int, Counter[str]] = {}
    for place, label in label_of.items():
        votes.setdefault(words.blocks[place], Counter())[label] += 1
    labels = {block: max(votes[block], key=lambda label: (votes[block][label], label)) for block in votes}
    for (label, _), run in groupby(sorted(labels), _run_key(labels)):
        blocks = list(run)
        start, end = int(page.blocks.node_start[blocks[0]]), int(page.blocks.node_end[blocks[-1]])
        places = range(bisect_left(words.blocks, blocks[0]), bisect_left(words.blocks, blocks[-1] + 1))
        yield TrueBlock(start, end, TRUE_ROLES[label], places)


def _run_key(labels: dict[int, str]) -> Callable[[int], tuple[str, int]]:
    """Blocks have the same key if no block of another label, or of none, is between them."""
    runs: dict[int, tuple[str, int]] = {}
    number, last, before = 0, "", -2
    for block in sorted(labels):
        number += labels[block] != last or block != before + 1
        last, before = labels[block], block
        runs[block] = (last, number)
    return runs.__getitem__


def _find(words: Sequence[str], wanted: Sequence[str], start: int) -> int | None:
    """The next position at which the wanted words occur."""
    if not wanted:
        return None
    for place in range(start, min(len(words) - len(wanted), start + MAX_LOOK_AHEAD) + 1):
        if words[place] == wanted[0] and words[place : place + len(wanted)] == list(wanted):
            return place
    return None


# ------------------------------------------------------------------------------------------------------------- answers


def answers_on_blocks(entry: InputPage, leaves: Sequence[Section]) -> Iterator[RoleAnswer]:
    """The roles that are assigned to the true blocks."""
    blocks = true_blocks(entry)
    starts, ends = np.array([b.start for b in blocks], np.intp), np.array([b.end for b in blocks], np.intp)
    verdicts = reader_of(entry.page, leaves).roles(starts, ends)
    return (RoleAnswer(verdict.role, block.roles) for verdict, block in zip(verdicts, blocks, strict=True))


def answers_on_words(entry: InputPage, leaves: Sequence[Section], roles: Sequence[Role]) -> Iterator[RoleAnswer]:
    """The roles of the sections, counted by the words in them."""
    role_of = [role for leaf, role in zip(leaves, roles, strict=True) for _ in range(leaf.block_start, leaf.block_end)]
    named = [role_of[block] for block in entry.words.blocks]
    right: list[Roles] = [()] * len(named)
    for block in true_blocks(entry):
        for place in block.places:
            right[place] = block.roles  # the innermost comes last, and includes the roles of the regions around it
    counts = Counter((name, allowed) for name, allowed in zip(named, right, strict=True) if allowed)
    return (RoleAnswer(name, allowed, size) for (name, allowed), size in counts.items())


def reader_of(page: Page, leaves: Sequence[Section]) -> RoleReader:
    """Create a role reader with the kept blocks and the comment blocks of a page."""
    kept = np.zeros(len(page.blocks), np.bool_)
    for leaf in leaves:
        kept[leaf.block_start : leaf.block_end] = leaf.kept
    return RoleReader(page, kept, comments_of(page) & ~kept)


def comments_of(page: Page) -> Bools:
    """Whether each block is in a record with name and time."""
    landmarks = landmarks_of(page)
    return comment_blocks(landmarks, landmarks.core)


# --------------------------------------------------------------------------------------------------------------- table


@dataclass(frozen=True, slots=True)
class RoleLine:
    """The scores of one measurement."""

    measured_on: str
    names_removed: bool
    score: RoleScore


def evaluate_roles(
    dataset: DataSet, names_removed: bool = False, advance: Callable[[int], None] = lambda failed: None
) -> list[RoleLine]:
    """Score a data set: the true blocks, the roles of the engine's sections, and what the reader assigns to them."""
    engine = Engine()
    answers: dict[str, list[RoleAnswer]] = {"true blocks": [], "sections, by engine": [], "sections, by reader": []}
    for site in dataset.sites:
        for true in site.pages:
            entry = InputPage(true, names_removed)
            (root,) = engine.segment(entry.page).sections or (None,)
            leaves = list(root.leaves()) if root else []
            read = reader_of(entry.page, leaves).roles(*_edges(leaves))
            answers["true blocks"] += answers_on_blocks(entry, leaves)
            answers["sections, by engine"] += answers_on_words(entry, leaves, [leaf.role for leaf in leaves])
            answers["sections, by reader"] += answers_on_words(entry, leaves, [verdict.role for verdict in read])
            advance(0)
    if not any(answers.values()):
        raise UsageError(f"{dataset.name} has no labels that stand for roles")
    return [RoleLine(name, names_removed, score_roles(measured)) for name, measured in answers.items()]


def _edges(leaves: Sequence[Section]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([leaf.node_start for leaf in leaves], np.intp),
        np.array([leaf.node_end for leaf in leaves], np.intp),
    )


def to_table(title: str, lines: Sequence[RoleLine], markdown: bool) -> "Table":
    """Write F1 of every role and their mean as a table."""
    roles = [role for role in Role if any(role in line.score.f1 for line in lines)]
    table = figures_table(title, ["measured on"], ["names", "macro F1", *roles], markdown)
    for line in lines:
        cells = [f"{line.score.f1[role]:.3f}" if role in line.score.f1 else "" for role in roles]
        kept = "removed" if line.names_removed else "kept"
        table.add_row(line.measured_on, kept, f"{line.score.macro:.3f}", *cells)
    return table
