"""Edits of the template itself: a person marks a node of it as noise, as optional, or as one section.

A node is named by its path in the template that `sites show --tree` prints: `html/body/div.side/ul`. A choice or a
sequence is no step of a path. A path that begins with the name of a layout holds for that layout only.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pagestrata.algorithms.base import EDITED, Override, Part
from pagestrata.algorithms.template import Match, Template
from pagestrata.algorithms.template.tree import CHOICE, SEQUENCE
from pagestrata.engine.decide.decision import Decision
from pagestrata.errors import UsageError
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.results import Role
from pagestrata.sites.cluster import Cluster, Edit, NodeAction, Slot

MOST: Final = 0.5
"""The share of its words that decides on a whole section: whether it is kept, and whether it is comments."""
MAX_NAMED: Final = 5
"""How many nodes an error names."""
TEXT: Final = "#text"
"""The label of a text, which is not listed: its element has the same support."""


@dataclass(frozen=True, slots=True)
class TemplateNode:
    """A node of a template for a person to read."""

    path: str
    depth: int
    """The number of elements around it."""
    step: str
    """The last step of its path."""
    operator: str
    """`?` may be missing, `*` comes any number of times, `|` is one of several."""
    support: int
    """Pages that have the node."""
    noise: float | None
    """The share of its text, with that of the nodes inside it, that other pages have there too; None without text."""


def template_nodes(cluster: Cluster) -> Iterator[TemplateNode]:
    """Yield the elements of a template in document order."""
    slots, steps, depths = cluster.slots, _steps(cluster.slots), list[int]()
    characters, constant = (_subtree_sums(slots, name) for name in ("characters", "constant_characters"))
    for place, (path, step, slot) in enumerate(zip(node_paths(slots), steps, slots, strict=True)):
        around = _element_around(slots, place)
        depths.append(depths[around] + 1 if around >= 0 else 0)
        if step and slot.label != TEXT:
            noise = constant[place] / characters[place] if characters[place] else None
            yield TemplateNode(path, depths[place], step, _operator(slots, place), slot.support, noise)


def node_paths(slots: Sequence[Slot]) -> list[str]:
    """Return the path of each node; empty for choices and sequences, which are not elements of a page."""
    paths: list[str] = []
    for place, step in enumerate(_steps(slots)):
        around = _element_around(slots, place)
        paths.append(f"{paths[around]}/{step}" if step and around >= 0 else step)
    return paths


def _steps(slots: Sequence[Slot]) -> list[str]:
    """Return the last step of each path: the label, and from the second sibling of that label on its number."""
    counts: Counter[tuple[int, str]] = Counter()
    steps = []
    for place, slot in enumerate(slots):
        sibling = _element_around(slots, place), slot.label
        counts[sibling] += 1
        number = f"[{counts[sibling]}]" if counts[sibling] > 1 else ""
        steps.append("" if _is_group(slot) else slot.label + number)
    return steps


def _element_around(slots: Sequence[Slot], place: int) -> int:
    """Return the element that holds a node; choices and sequences hold elements only, and not each other."""
    parent = slots[place].parent
    return slots[parent].parent if parent >= 0 and _is_group(slots[parent]) else parent


def find_node(cluster: Cluster, path: str) -> int | None:
    """Return the node of the template with this path, or None."""
    wanted = path.removeprefix(f"{cluster.name}/")
    return next((place for place, each in enumerate(node_paths(cluster.slots)) if each and each == wanted), None)


def full_path(clusters: Sequence[Cluster], path: str, needs_lines: bool) -> str:
    """Return the path from the root of the one node that has this path or whose path ends in it, else raise.

    With `needs_lines` the node holds lines of text, and not a piece of one as `em` does: a line is never cut.
    """
    named = next((cluster for cluster in clusters if path.startswith(f"{cluster.name}/")), None)
    prefix = f"{named.name}/" if named else ""
    wanted = path.removeprefix(prefix)
    nodes = [node for cluster in ([named] if named else clusters) for node in template_nodes(cluster)]
    matches = _paths_ending_in(wanted, [node for node in nodes if node.noise is not None or not needs_lines])
    if len(matches) != 1:
        raise UsageError(_why_not_one(wanted, matches, nodes, needs_lines))
    return prefix + matches[0]


def _paths_ending_in(wanted: str, nodes: Sequence[TemplateNode]) -> list[str]:
    """Return the path if a node has it, otherwise all paths that end in it."""
    paths = {node.path for node in nodes}
    return [wanted] if wanted in paths else sorted(path for path in paths if path.endswith(f"/{wanted}"))


def _why_not_one(wanted: str, matches: Sequence[str], nodes: Sequence[TemplateNode], needs_lines: bool) -> str:
    """Say why a path does not name one node: none has it, several have it, or it is a part of a line."""
    kind = "nodes with lines of text" if needs_lines else "nodes"
    if matches:
        more = ", …" if len(matches) > MAX_NAMED else ""
        return f"{len(matches)} {kind} end in {wanted!r}: {', '.join(matches[:MAX_NAMED])}{more}"
    if _paths_ending_in(wanted, nodes):
        return f"{wanted!r} has no lines of its own, and a line is never divided: drop it by a selector"
    return f"no {kind} end in {wanted!r}; `sites show --tree` prints the nodes"


def _is_group(slot: Slot) -> bool:
    return slot.label in (CHOICE, SEQUENCE)


def _operator(slots: Sequence[Slot], place: int) -> str:
    parent = slots[place].parent
    group = slots[parent] if parent >= 0 and _is_group(slots[parent]) else None
    return f"{group.label}{group.operator}" if group else slots[place].operator


def _subtree_sums(slots: Sequence[Slot], name: str) -> list[int]:
    sums = [getattr(slot, name) for slot in slots]
    for place in range(len(slots) - 1, 0, -1):
        sums[slots[place].parent] += sums[place]
    return sums


def with_optional_nodes(cluster: Cluster, edits: Sequence[Edit]) -> Template:
    """Return the template with `?` at the nodes that a person made optional; those with an operator have enough."""
    template = cluster.template
    nodes = [find_node(cluster, edit.node) for edit in edits if edit.action == "optional"]
    places = {_operator_place(cluster.slots, node) for node in nodes if node is not None}
    if not places:
        return template
    return replace(
        template,
        operator=tuple(sign or "?" if place in places else sign for place, sign in enumerate(template.operator)),
    )


def _operator_place(slots: Sequence[Slot], node: int) -> int:
    """Return the node whose operator says how often a node comes: the choice or sequence it is in, or itself."""
    parent = slots[node].parent
    return parent if parent >= 0 and _is_group(slots[parent]) else node


def noise_parts(cluster: Cluster, edits: Sequence[Edit], page: Page, match: Match) -> Iterator[Part]:
    """Yield the parts of a page that a person marked as noise."""
    for edit, nodes in _marked_nodes(cluster, edits, "noise", match):
        for node in nodes:
            override = Override(kept=False, reason=_reason(edit, "noise"))
            yield Part(node, int(page.nodes.end[node]), 0.0, Role.OTHER, override=override)


def section_parts(
    cluster: Cluster, edits: Sequence[Edit], match: Match, decision: Decision, options: Options
) -> Iterator[Part]:
    """Yield the parts of a page that a person marked as one section: each is kept or dropped as a whole."""
    nodes = decision.landmarks.page.nodes
    for edit, places in _marked_nodes(cluster, edits, "section", match):
        runs: dict[int, tuple[int, int]] = {}
        for place in places:
            parent = int(nodes.parent[place])
            runs[parent] = runs.get(parent, (place, 0))[0], int(nodes.end[place])
        for start, end in runs.values():
            yield _section(edit, start, end, decision, options)


def _section(edit: Edit, start: int, end: int, decision: Decision, options: Options) -> Part:
    """Build a section from neighbouring nodes; most of its words decide, and its importance is their mean."""
    blocks = decision.landmarks.page.blocks
    inside = slice(*np.searchsorted(blocks.node_start, (start, end)).tolist())
    words = blocks.words[inside] + 1.0
    columns = decision.importance, decision.keep, decision.is_comment
    importance, kept_share, comment_share = (
        float((words * column[inside]).sum() / max(1.0, words.sum())) for column in columns
    )
    is_comments = comment_share > MOST
    kept = options.comments != "off" if is_comments else kept_share > MOST and options.comments != "only"
    override = Override(kept, _reason(edit, "one section"))
    return Part(start, end, importance, Role.COMMENTS if is_comments else None, override=override)


def _marked_nodes(
    cluster: Cluster, edits: Sequence[Edit], action: NodeAction, match: Match
) -> Iterator[tuple[Edit, list[int]]]:
    """Yield the edits with this action, each with the nodes of the page that match the node it names."""
    for edit in edits:
        node = find_node(cluster, edit.node) if edit.action == action else None
        if node is not None:
            yield edit, np.flatnonzero(match.template_node == node).tolist()


def _reason(edit: Edit, mark: str) -> str:
    note = f" ({edit.note})" if edit.note else ""
    return f"{EDITED}: {edit.node} is {mark}{note}"
