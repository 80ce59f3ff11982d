"""site: our own method. The template says what recurs, the slots say where the text of this site stands.

    importance(block) = σ( (logit engine + logit pooled + ⅓ logit place) / 2 ) * (1 - noise), and 0 in comments

- engine: how likely the engine thinks the block main text when it sees the page alone; pooled: the mean of that over
  the block's slot on the pages learned from. One page may mislead the engine, eight seldom do.
- place: what can be told without the engine, 1 - links in the core of the page, and `OUTSIDE` of that elsewhere, within
  .1 and .9. The core is the container of the running text: the one with the largest sum of what the slot was on the
  pages learned from and what it is on this page.
- links: the share of link text; half its own, half that of its slot over the site, so that a list of links
  stays one if an item has no link, and a paragraph stays one if it has many. In the core only links to the
  page's own site count: those to others are what the text is about.
- noise: how sure its text stands on most pages of the site, from the template. A text that only two or three pages
  share counts in full where most of the slot is such text. Headings in a slot that varies are no noise: many articles
  have an introduction.

What is kept is chosen as the engine does, by the F1 to expect. The weights of links, noise and core were set by hand
while looking at errors on sitesets, big9 and cnnews10. The ⅓ is the least at which nothing is lost on sitesets (.9967
from ⅓ to ¾, .9928 at ¼ and 0, 90 pages each); big9 and cnnews10 would have it smaller still (.9878 and .9545 at 0,
.9873 and .9524 at ⅓, .9841 and .9486 at ¾).
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
from pagestrata.engine.engine import decide
from pagestrata.engine.sections import DecidedSections
from pagestrata.landmarks import Floats, covered, running_sum, texts_of
from pagestrata.options import Options
from pagestrata.page import tags
from pagestrata.page.hosts import host_in, own_host
from pagestrata.page.nodes import Bools
from pagestrata.page.nodes import Ints as Columns
from pagestrata.page.page import Page
from pagestrata.sites.layouts import title_number
from pagestrata.sites.reading import Reading, read
from pagestrata.sites.slots import Slots

OUTSIDE: Final = 0.2
"""Below the 0.25 from which a section counts as informative."""
OWN_CORE: Final = 0.7
"""What the page itself counts against the pages learned from, when the core is chosen."""
CONSTANT_SLOT: Final = 0.5
"""Where this share of a slot recurs (each author's box on the pages of that author), what two pages share is noise."""
MOSTLY_LINKS: Final = 0.5
PLACE_WEIGHT: Final = 1 / 3
PLACE_WITHIN: Final = (0.1, 0.9)
MIN_PROBABILITY: Final = 1e-4
"""No probability is nearer to 0 or 1."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutSegmenter:
    """Cuts pages of a layout that was learned."""

    template: Template
    slots: Slots
    titles: Set[int] = frozenset()
    """Of pages of the site; see `layouts.title_number`."""

    def segment(
        self,
        page: Page,
        options: Options = DEFAULTS,
        match: Match | None = None,
        fits: bool = True,
        roles: Iterable[Part] = (),
    ) -> DecidedSections:
        """The sections of a page; if it does not fit, only what recurs is used. `roles`: what a person knows better."""
        match = match or self.template.match(page)
        decider = LayoutDecider(self, match, fits)
        return DecidedSections(page, options, decider, edits=tuple(roles), trust=1 - match.distance)


@dataclass(frozen=True, slots=True, eq=False)
class LayoutDecider:
    """Decides on a page of a layout that was learned."""

    layout: LayoutSegmenter
    match: Match
    fits: bool
    """If the page does not fit the layout, only what recurs is used of it."""

    def decide(self, page: Page, options: Options) -> Decision:
        """Decide which blocks are kept: the engine's steps, on scores that know the site."""
        layout, reading = self.layout, read(self.layout.template, page, self.match)
        core = find_core(reading, layout.slots, layout.template.pages if self.fits else 0)
        evidence = SlotEvidence(reading, layout.slots, core, layout.titles)
        scores = site_scores(reading, layout.slots, core, evidence)
        return decide(reading.landmarks, scores, options.bias, core, evidence)


def find_core(reading: Reading, slots: Slots, pages: int) -> int:
    """The container of the running text: by the pages learned from, if any count, and by this one.

    One is added to the pages, so that one page learned from says less than this one.
    """
    learned = of_slot(slots["core"], reading.match.template_node) / (pages + 1) if pages else 0.0
    own = reading.core_share
    value = np.where(own > 0, learned + OWN_CORE * own, 0.0)
    return int(value.argmax()) if len(value) else 0  # the first of the best: the outermost


@dataclass(frozen=True, eq=False)
class SlotEvidence:
    """What the slots of a site tell about each block of a page, each computed when it is first needed."""

    reading: Reading
    slots: Slots
    core: int
    titles: Set[int] = frozenset()

    @cached_property
    def noise(self) -> Floats:
        """How sure its text stands on most pages of the site, in [0, 1]."""
        return recurring(self.reading, self.slots)

    @cached_property
    def is_comment(self) -> Bools:
        """Whether it is a comment, seen with the records of other pages of the site."""
        reading, slots = self.reading, self.slots
        return comment_blocks(reading.landmarks, self.core, lambda records: known_records(reading, slots, records))

    @cached_property
    def is_related(self) -> Bools:
        """Whether it leads to other pages of the site."""
        return leads_to_siblings(self.reading, self.slots) | teasers(self.reading, self.titles)


def site_scores(reading: Reading, slots: Slots, core: int, evidence: SlotEvidence) -> Floats:
    """The probability that a word of each block is main text, with what the site knows; see the formula above."""
    landmarks, noise = reading.landmarks, evidence.noise
    inside = landmarks.is_inside(core)
    links = linked(reading, slots) * np.where(inside, inward_links(reading.page, core), 1.0)
    place = np.where(inside, 1.0, OUTSIDE) * (1 - noise) * (1 - links)
    scores = joined(reading, slots, place) * (1 - noise) * landmarks.is_usable * ~evidence.is_comment
    return np.asarray(scores, np.float64)


def joined(reading: Reading, slots: Slots, place: Floats) -> Floats:
    """What the engine says of this page and of others, and what can be told without it, as one probability."""
    pooled = of_slot(slots.pooled, reading.slot, -1.0)
    pooled = np.where(pooled >= 0, pooled, reading.scores)
    odds = _logit(reading.scores) + _logit(pooled) + PLACE_WEIGHT * _logit(place.clip(*PLACE_WITHIN))
    return np.asarray(1 / (1 + np.exp(-odds / 2)), np.float64)


def _logit(shares: Floats) -> Floats:
    shares = shares.clip(MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(np.log(shares / (1 - shares)), np.float64)


def leads_to_siblings(reading: Reading, slots: Slots) -> Bools:
    """Whether most links of the slot lead to pages like those learned from."""
    shares = of_slot(slots.share("sibling_links", "links"), reading.slot)
    return np.asarray((shares > MOSTLY_LINKS) & (reading.landmarks.link_share > MOSTLY_LINKS))


def teasers(reading: Reading, titles: Set[int]) -> Bools:
    """Whether a block is the title of another page of the site, as a link."""
    page, found = reading.page, reading.landmarks.link_share > MOSTLY_LINKS
    texts = texts_of(page, np.flatnonzero(found))
    found[found] = [title_number(text) in titles for text in texts]
    return found


def recurring(reading: Reading, slots: Slots) -> Floats:
    """The noise confidence of each block: in full where its slot mostly recurs, none for headings where it varies."""
    constant = of_slot(slots.share("constant_characters", "characters"), reading.slot) >= CONSTANT_SLOT
    heading = reading.landmarks.heading_level > 0
    return np.where(constant & reading.recurs, 1.0, np.where(heading & ~constant, 0.0, reading.noise))


def linked(reading: Reading, slots: Slots) -> Floats:
    """The share of links of each block, drawn to that of its slot."""
    usual = of_slot(slots.share("link_characters", "characters", -1.0), reading.slot, -1.0)
    return np.where(usual >= 0, (reading.landmarks.link_share + usual) / 2, reading.landmarks.link_share)


def of_slot(values: Floats, slot: npt.NDArray[np.intp] | Columns, otherwise: float = 0.0) -> Floats:
    """What a number per slot says of each block, or node."""
    if len(values) == 0:
        return np.full(len(slot), otherwise)
    return np.where(slot >= 0, values[np.maximum(slot, 0)], otherwise)


def known_records(reading: Reading, slots: Slots, records: npt.NDArray[np.intp]) -> tuple[float, float]:
    """How many records the slots of these had on the pages learned from, and how many were signed."""
    places = sorted({int(reading.match.template_node[record]) for record in records.tolist()} - {-1})
    return sum(float(slots["records"][place]) for place in places), sum(
        float(slots["signed"][place]) for place in places
    )


def inward_links(page: Page, core: int) -> Floats:
    """The share of the link text of each block that leads to the page's own site; 1 for a block without links.

    A list of links to other sites, amid the text, is what the text is about. Links outside of the core are not asked.
    """
    outward = outward_links(page, core)
    if not outward:
        return np.ones(len(page.blocks))
    nodes, blocks = page.nodes, page.blocks
    leads_out = covered(page, np.array(outward, np.intp)) > 0
    out = running_sum(np.where(nodes.is_text & nodes.in_link & leads_out, nodes.text_end - nodes.text_start, 0))
    lost = out[blocks.node_end] - out[blocks.node_start]
    return np.asarray(1 - lost / np.maximum(1, blocks.link_characters), np.float64).clip(0, 1)


def outward_links(page: Page, core: int) -> list[int]:
    """The links in a container, or around it, that lead to another site."""
    own = host_in(page.url or "") or own_host(page, [host_in(target) for _, target in page.links])
    hosts = ((node, host_in(target)) for node, target in links_inside(page, core))
    return [node for node, host in hosts if host and host != own and not host.endswith("." + own)]


def links_inside(page: Page, core: int) -> list[tuple[int, str]]:
    """The links in a container with their targets; all of the page for a container that is itself in a link."""
    nodes = page.nodes
    if not len(nodes) or nodes.in_link[core]:
        return page.links
    is_anchor = nodes.tag == tags.TAG["a"]
    targets = page.values_of("href", among=range(core, int(nodes.end[core])))
    return [(node, target) for node, target in targets if is_anchor[node]]
