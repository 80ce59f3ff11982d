"""site: our own method. The template holds the texts that recur, the slots hold where the text of this site is.

    importance(block) = σ( ((2 - w) logit engine + w logit pooled + ½ logit place) / 2 ) * (1 - noise), 0 in comments

- engine: the engine's probability that the block is main text, from the page alone; pooled: the mean of that over
  the block's slot on the pages learned from. One page may mislead the engine, eight seldom do. The weight w is one
  divided by the blocks that a page has in the slot: the mean of a page's paragraphs says little about one of them.
- place: evidence without the engine, 1 - links in the flow of the text, and `OUTSIDE_WEIGHT` times that elsewhere,
  within .1 and .9. The core is the container of the running text: the one with the largest sum of its share on the
  pages learned from and its share on this page. The flow is all of the core except boxes set into the text (figures,
  embedded posts, related links), and what stands between the title and the core (the lead).
- links: the share of link text; half its own, half that of its slot over the site, so that a list of links
  stays one if an item has no link, and a paragraph stays one if it has many. In the core only links to the
  page's own site count: those to others are what the text is about.
- noise: the confidence that its text is on most pages of the site, from the template. A text that only two or three
  pages share counts in full where most of the slot is such text. Headings in a slot that varies are no noise: many
  articles have an introduction.

The threshold is chosen as in the engine, by the expected F1. The weights of links, noise and core were set by hand
while looking at errors on sitesets, big9 and cnnews10. The ½ of `place` was chosen on all three, by blocks with labels
from the truth: .9818, .9828 and .9672 at ½, .9817, .9825 and .9674 at .7; at 1 sitesets loses .0003 more.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.algorithms.base import DEFAULTS, Part
from pagestrata.algorithms.template import Match, Template
from pagestrata.engine.decide.comments import comment_blocks
from pagestrata.engine.decide.decision import Decision
from pagestrata.engine.decide.threshold import MIN_WORDS
from pagestrata.engine.engine import decide
from pagestrata.engine.sections import DecidedSections
from pagestrata.landmarks import Floats, Landmarks, covered, running_sum, tag_bits, texts_of
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.hosts import host_in, own_host
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.sites.layouts import title_number
from pagestrata.sites.reading import Reading, read
from pagestrata.sites.slots import Slots

OUTSIDE_WEIGHT: Final = 0.2
"""The weight of blocks outside the flow of the text: below the 0.25 from which a section counts as informative."""
MAX_BOXED_SHARE: Final = 0.5
"""If boxes hold more than this share of the words of the core, they are how its text is laid out, and not set into it;
.3 and .7 give the same F1 within .0001."""
PAGE_CORE_WEIGHT: Final = 0.7
"""The weight of the page itself beside the pages learned from, when the core is chosen."""
MIN_CONSTANT_SHARE: Final = 0.5
"""If this share of a slot recurs (as the author's box on the pages of one author), text on only two pages is noise."""
MIN_LINK_SHARE: Final = 0.5
PLACE_WEIGHT: Final = 1 / 2
PLACE_RANGE: Final = (0.1, 0.9)
MIN_PROBABILITY: Final = 1e-4
"""Probabilities are clipped to this distance from 0 and 1."""
EXCERPT_LENGTH: Final = 40
"""Characters by which an excerpt is recognised; the rest of it may be shortened."""
_IS_BOX: Final = tag_bits("div figure aside article section center form header footer") > 0


@dataclass(frozen=True, slots=True, eq=False)
class LayoutSegmenter:
    """Cuts pages of a layout that was learned."""

    template: Template
    slots: Slots
    titles: Set[int] = frozenset()
    """Hashes of the titles of pages of the site; see `layouts.title_number`."""

    def segment(
        self,
        page: Page,
        options: Options = DEFAULTS,
        match: Match | None = None,
        fits: bool = True,
        roles: Iterable[Part] = (),
    ) -> DecidedSections:
        """Cut a page; if it does not fit, only recurring texts are removed. `roles` are parts that a person set."""
        match = match or self.template.match(page)
        decider = LayoutDecider(self, match, fits)
        return DecidedSections(page, options, decider, edits=tuple(roles), trust=1 - match.distance)


@dataclass(frozen=True, slots=True, eq=False)
class LayoutDecider:
    """Decides on a page of a layout that was learned."""

    layout: LayoutSegmenter
    match: Match
    fits: bool
    """If the page does not fit the layout, only recurring texts are removed."""

    def decide(self, page: Page, options: Options) -> Decision:
        """Decide which blocks are kept: the engine's steps, on scores that include the evidence of the site."""
        layout = self.layout
        reading = read(layout.template, page, self.match, scope=options.scope)
        core = find_core(reading, layout.slots, layout.template.pages if self.fits else 0)
        evidence = SlotEvidence(reading, layout.slots, core, layout.titles)
        scores = site_scores(reading, layout.slots, core, evidence)
        return decide(reading.landmarks, scores, options.bias, reading.is_strict, core, evidence)


def find_core(reading: Reading, slots: Slots, pages: int) -> int:
    """Return the container of the running text, from the pages learned from, if there are any, and this page.

    One is added to the number of pages, so that a single page learned from has less weight than this page.
    """
    learned = slot_values(slots["core"], reading.match.template_node) / (pages + 1) if pages else 0.0
    own = reading.core_share
    value = np.where(own > 0, learned + PAGE_CORE_WEIGHT * own, 0.0)
    return int(value.argmax()) if len(value) else 0  # the first of the best: the outermost


@dataclass(frozen=True, eq=False)
class SlotEvidence:
    """The evidence of the slots for each block of a page; each column is computed when it is first needed."""

    reading: Reading
    slots: Slots
    core: int
    titles: Set[int] = frozenset()

    @cached_property
    def noise(self) -> Floats:
        """The confidence that its text is on most pages of the site, in [0, 1]; one for all of a list of links."""
        return average_over(self.link_list, self.reading.page, block_noise(self.reading, self.slots))

    @cached_property
    def link_list(self) -> Ints:
        """The outermost list of links that it is in, as a number from 0; -1 for none."""
        return link_lists(self.reading.landmarks)

    @cached_property
    def is_comment(self) -> Bools:
        """Whether it is a comment, counting also the records of other pages; none is if nothing would be left."""
        reading, slots = self.reading, self.slots
        comments = comment_blocks(
            reading.landmarks, self.core, lambda records: learned_record_counts(reading, slots, records)
        )
        text_outside = float((reading.scores * reading.page.blocks.words)[~comments].sum())
        return comments if text_outside >= MIN_WORDS else np.zeros_like(comments)

    @cached_property
    def is_related(self) -> Bools:
        """Whether it links to other pages of the site."""
        return leads_to_siblings(self.reading, self.slots) | teasers(self.reading, self.titles)


def site_scores(reading: Reading, slots: Slots, core: int, evidence: SlotEvidence) -> Floats:
    """Compute the probability that the words of each block are main text; see the formula in the module docstring."""
    landmarks, noise = reading.landmarks, evidence.noise
    inside = landmarks.is_inside(core)
    links = smoothed_link_share(reading, slots)
    if (inside & (landmarks.link_share > 0)).any():
        links *= np.where(inside, inward_links(reading.page, core), 1.0)
    place = np.where(text_flow(landmarks, core), 1.0, OUTSIDE_WEIGHT) * (1 - noise) * (1 - links)
    scores = combine_scores(reading, slots, place) * (1 - noise) * landmarks.is_usable * ~evidence.is_comment
    return average_over(evidence.link_list, landmarks.page, np.asarray(scores, np.float64))


def text_flow(landmarks: Landmarks, core: int) -> Bools:
    """Return whether each block is in the flow of the text: in the core and in no box there, or in the lead.

    Lists, tables and preformatted text are part of the flow, also in a box.
    """
    page = landmarks.page
    in_box = covered(page, inserted_boxes(landmarks, core))[page.blocks.node_start] > 0
    flow = landmarks.is_inside(core) & ~(in_box & (landmarks.group < 0))
    flow[lead_blocks(landmarks, core)] = True
    return np.asarray(flow)


def lead_blocks(landmarks: Landmarks, core: int) -> list[int]:
    """Return the blocks between the title and the core; no excerpts, which repeat how a text of the core begins."""
    page, title = landmarks.page, landmarks.page.title_heading
    if title is None:
        return []
    first, last = landmarks.blocks_of(np.array([title, core]))
    between = np.arange(last[0], first[1])
    starts, ends = page.blocks.text_start, page.blocks.text_end
    core_text = page.text[starts[first[1]] : ends[last[1] - 1]] if first[1] < last[1] else ""
    beginnings = (text[:EXCERPT_LENGTH] for text in texts_of(page, between))
    return [block for block, text in zip(between.tolist(), beginnings, strict=True) if text not in core_text]


def inserted_boxes(landmarks: Landmarks, core: int) -> npt.NDArray[np.intp]:
    """Return the boxes that are set into the running text of a container; none if most of its words are in boxes."""
    nodes, words = landmarks.page.nodes, running_sum(landmarks.page.blocks.words)
    boxes = np.flatnonzero((nodes.parent == core) & _IS_BOX.take(nodes.tag, mode="clip"))
    first, last = landmarks.blocks_of(np.append(boxes, core))
    *boxed, total = (words[last] - words[first]).tolist()
    return boxes if sum(boxed) <= MAX_BOXED_SHARE * total else boxes[:0]


def link_lists(landmarks: Landmarks) -> Ints:
    """Return for each block the number of the outermost list that it is in and that consists of links, or -1."""
    page, is_link = landmarks.page, landmarks.link_share > MIN_LINK_SHARE
    numbers = np.full(len(page.blocks), -1, np.int32)
    links_before = np.concatenate(([0], np.cumsum(is_link)))
    first, last = landmarks.blocks_of(page.nodes_tagged("ul", "ol", "dl"))
    is_list = (last - first > 1) & (links_before[last] - links_before[first] == last - first)
    for number, (start, end) in enumerate(zip(first[is_list].tolist(), last[is_list].tolist(), strict=True)):
        if numbers[start] < 0:  # an outer list comes before those inside it
            numbers[start:end] = number
    return numbers


def average_over(group: Ints, page: Page, values: Floats) -> Floats:
    """Return the values, with the mean of the group, by words, for blocks that are in one."""
    is_member = group >= 0
    if not is_member.any():
        return values
    members, weights = group[is_member], page.blocks.words[is_member] + 1.0
    sums = np.bincount(members, weights * values[is_member])
    averaged = values.copy()
    averaged[is_member] = sums[members] / np.bincount(members, weights)[members]
    return averaged


def combine_scores(reading: Reading, slots: Slots, place: Floats) -> Floats:
    """Combine the engine's scores of this page and of other pages with the evidence of the place."""
    pooled = slot_values(slots.pooled, reading.slot, -1.0)
    pooled = np.where(pooled >= 0, pooled, reading.scores)
    weight = slot_values(slots.pooled_weight, reading.slot)
    engine = (2 - weight) * _logit(reading.scores) + weight * _logit(pooled)
    log_odds = engine + PLACE_WEIGHT * _logit(place.clip(*PLACE_RANGE))
    return np.asarray(1 / (1 + np.exp(-log_odds / 2)), np.float64)


def _logit(shares: Floats) -> Floats:
    shares = shares.clip(MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(np.log(shares / (1 - shares)), np.float64)


def leads_to_siblings(reading: Reading, slots: Slots) -> Bools:
    """Return whether most links of the slot of each block lead to pages like those learned from."""
    shares = slot_values(slots.sibling_share, reading.slot)
    return np.asarray((shares > MIN_LINK_SHARE) & (reading.landmarks.link_share > MIN_LINK_SHARE))


def teasers(reading: Reading, titles: Set[int]) -> Bools:
    """Return whether each block is a link with the title of another page of the site."""
    page, is_teaser = reading.page, reading.landmarks.link_share > MIN_LINK_SHARE
    texts = texts_of(page, np.flatnonzero(is_teaser))
    is_teaser[is_teaser] = [title_number(text) in titles for text in texts]
    return is_teaser


def block_noise(reading: Reading, slots: Slots) -> Floats:
    """Compute the noise confidence of each block: 1 if its slot mostly recurs, 0 for headings in a slot that varies."""
    is_constant = slot_values(slots.constant_share, reading.slot) >= MIN_CONSTANT_SHARE
    is_heading = reading.landmarks.heading_level > 0
    return np.where(is_constant & reading.recurs, 1.0, np.where(is_heading & ~is_constant, 0.0, reading.noise))


def smoothed_link_share(reading: Reading, slots: Slots) -> Floats:
    """Return the mean of the link share of each block and that of its slot."""
    slot_share = slot_values(slots.link_share, reading.slot, -1.0)
    return np.where(slot_share >= 0, (reading.landmarks.link_share + slot_share) / 2, reading.landmarks.link_share)


def slot_values(values: Floats, slot: npt.NDArray[np.intp] | Ints, default: float = 0.0) -> Floats:
    """Look up a value per slot for each block, or node; `default` for those without a slot."""
    if len(values) == 0:
        return np.full(len(slot), default)
    return np.where(slot >= 0, values[np.maximum(slot, 0)], default)


def learned_record_counts(reading: Reading, slots: Slots, records: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Return how many records the slots of these had on the pages learned from, and how many of them were signed."""
    places = sorted({int(reading.match.template_node[record]) for record in records.tolist()} - {-1})
    return sum(float(slots["records"][place]) for place in places), sum(
        float(slots["signed"][place]) for place in places
    )


def inward_links(page: Page, core: int) -> Floats:
    """Return the share of the link text of each block that leads to the page's own site; 1 for a block without links.

    A list of links to other sites in the text is part of the content. Links outside of the core are not checked.
    """
    outward = outward_links(page, core)
    if not outward:
        return np.ones(len(page.blocks))
    nodes, blocks = page.nodes, page.blocks
    leads_out = covered(page, np.array(outward, np.intp)) > 0
    outward_sums = running_sum(
        np.where(nodes.is_text & nodes.in_link & leads_out, nodes.text_end - nodes.text_start, 0)
    )
    outward_characters = outward_sums[blocks.node_end] - outward_sums[blocks.node_start]
    return np.asarray(1 - outward_characters / np.maximum(1, blocks.link_characters), np.float64).clip(0, 1)


def outward_links(page: Page, core: int) -> list[int]:
    """Return the links in a container, or around it, that lead to another site."""
    page_host = host_in(page.url or "") or own_host(page, [host_in(target) for _, target in page.links])
    hosts = ((node, host_in(target)) for node, target in links_inside(page, core))
    return [node for node, host in hosts if host and host != page_host and not host.endswith("." + page_host)]


def links_inside(page: Page, core: int) -> list[tuple[int, str]]:
    """Return the links in a container with their targets; all of the page if the container is itself in a link."""
    nodes = page.nodes
    if not len(nodes) or nodes.in_link[core]:
        return page.links
    end = int(nodes.end[core])
    if not page.url:  # all links are read already, to find the host of the page
        return [link for link in page.links if core <= link[0] < end]
    is_anchor = nodes.tag == tags.TAG["a"]
    return [(node, target) for node, target in page.values_of("href", among=range(core, end)) if is_anchor[node]]
