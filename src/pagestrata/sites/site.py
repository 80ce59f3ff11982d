"""site: our own method. The template holds the texts that recur, the slots hold where the text of this site is.

    importance(block) = σ( ((2 - w) logit engine + w logit pooled + ½ logit place) / 2 ) * (1 - noise), 0 in comments

- engine: the engine's probability that the block is main text, from the page alone; pooled: the mean of that over
  the block's slot on the pages learned from. One page may mislead the engine, eight seldom do. The weight w is one
  divided by the blocks that a page has in the slot: the mean of a page's paragraphs says little about one of them.
- place: evidence without the engine, (1 - noise) * (1 - links) in the flow of the text and 0 elsewhere, within .1
  and .9. The core is the container of the running text: the one with the largest sum of its share on the pages
  learned from and its share on this page. The flow is all of the core except boxes set into the text (figures,
  embedded posts, related links), and what stands between the title and the core (the lead). An introduction there
  (see `flow`) has an importance of .9 at least.
- links: the share of link text; half its own, half that of its slot over the site, so that a list of links
  stays one if an item has no link, and a paragraph stays one if it has many. In the core only links to the
  page's own site count: those to others are what the text is about.
- noise: the confidence that its text is on most pages of the site, from the template and the slot; see `slot_noise`.

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
from pagestrata.landmarks import Floats, Landmarks, texts_of
from pagestrata.options import Options
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page
from pagestrata.sites.flow import introductions, lead_blocks, text_flow
from pagestrata.sites.layouts import title_number
from pagestrata.sites.outward import inward_links
from pagestrata.sites.reading import Reading, read
from pagestrata.sites.slot_noise import block_noise
from pagestrata.sites.slots import Slots, slot_values

PAGE_CORE_WEIGHT: Final = 0.7
"""The weight of the page itself beside the pages learned from, when the core is chosen."""
MIN_LINK_SHARE: Final = 0.5
PLACE_WEIGHT: Final = 1 / 2
PLACE_RANGE: Final = (0.1, 0.9)
INTRODUCTION_SCORE: Final = PLACE_RANGE[1]
"""The least score of an introduction. What the engine thinks of it does not count: it knows that most lines between
title and text are none. With .7 F1 is the same."""
MIN_PROBABILITY: Final = 1e-4
"""Probabilities are clipped to this distance from 0 and 1."""


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
        pages = layout.template.pages if self.fits else 0
        core = find_core(reading, layout.slots, pages)
        evidence = SlotEvidence(reading, layout.slots, core, layout.titles)
        scores = site_scores(reading, layout.slots, evidence, pages)
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
        return average_over(self.link_list, self.reading.page, block_noise(self.reading, self.slots, self.core))

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


def site_scores(reading: Reading, slots: Slots, evidence: SlotEvidence, pages: int) -> Floats:
    """Compute the probability that the words of each block are main text; see the formula in the module docstring."""
    landmarks, noise, core = reading.landmarks, evidence.noise, evidence.core
    inside = landmarks.is_inside(core)
    links = smoothed_link_share(reading, slots)
    if (inside & (landmarks.link_share > 0)).any():
        links *= np.where(inside, inward_links(reading.page, core), 1.0)
    lead = lead_blocks(landmarks, core)
    place = text_flow(landmarks, core, lead) * (1 - noise) * (1 - links)
    scores = combine_scores(reading, slots, place)
    introduction = introductions(reading, slots, lead, pages)
    scores[introduction] = np.maximum(scores[introduction], INTRODUCTION_SCORE)
    scores *= (1 - noise) * landmarks.is_usable * ~evidence.is_comment
    return average_over(evidence.link_list, landmarks.page, np.asarray(scores, np.float64))


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


def smoothed_link_share(reading: Reading, slots: Slots) -> Floats:
    """Return the mean of the link share of each block and that of its slot."""
    slot_share = slot_values(slots.link_share, reading.slot, -1.0)
    return np.where(slot_share >= 0, (reading.landmarks.link_share + slot_share) / 2, reading.landmarks.link_share)


def learned_record_counts(reading: Reading, slots: Slots, records: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Return how many records the slots of these had on the pages learned from, and how many of them were signed."""
    places = sorted({int(reading.match.template_node[record]) for record in records.tolist()} - {-1})
    return sum(float(slots["records"][place]) for place in places), sum(
        float(slots["signed"][place]) for place in places
    )
