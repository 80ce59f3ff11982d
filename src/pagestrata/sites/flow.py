"""The flow of the text of a page: the core without the boxes set into it, and the lead between title and core."""

from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks import Landmarks, covered, running_sum, tag_bits, texts_of
from pagestrata.page.nodes import Bools
from pagestrata.sites.reading import Reading
from pagestrata.sites.slots import Slots, slot_values

MAX_BOXED_SHARE: Final = 0.5
"""If boxes hold more than this share of the words of the core, they are how its text is laid out, and not set into it;
.3 and .7 give the same F1 within .0001."""
EXCERPT_LENGTH: Final = 40
"""Characters by which an excerpt is recognised; the rest of it may be shortened."""
MIN_INTRODUCTION_PROSE: Final = 8
"""Words of running text from which a line of the lead may be an introduction."""
MIN_PROSE_SHARE: Final = 0.75
"""The share of running text among its words; in the names of several authors it is smaller."""
MIN_PAGES_SHARE: Final = 0.5
"""An introduction stands in a slot that at least this share of the pages fills, and two of them."""
MIN_LONELINESS: Final = 0.6
"""One divided by the blocks that a page has in that slot is at least so much: nearly always it has one."""
MAX_CONSTANT_SHARE: Final = 0.25
"""At most this share of the text in that slot stands on other pages, too."""
MAX_INTRODUCTION_NOISE: Final = 0.1
MAX_INTRODUCTION_LINKS: Final = 0.1
_IS_BOX: Final = tag_bits("div figure aside article section center form header footer") > 0


def text_flow(landmarks: Landmarks, core: int, lead: npt.NDArray[np.intp]) -> Bools:
    """Return whether each block is in the flow of the text: in the core and in no box there, or in the lead.

    Lists, tables and preformatted text are part of the flow, also in a box.
    """
    page = landmarks.page
    in_box = covered(page, inserted_boxes(landmarks, core))[page.blocks.node_start] > 0
    flow = landmarks.is_inside(core) & ~(in_box & (landmarks.group < 0))
    flow[lead] = True
    return np.asarray(flow)


def lead_blocks(landmarks: Landmarks, core: int) -> npt.NDArray[np.intp]:
    """Return the blocks between the title and the core; no excerpts, which repeat how a text of the core begins."""
    page, title = landmarks.page, landmarks.page.title_heading
    if title is None:
        return np.zeros(0, np.intp)
    first, last = landmarks.blocks_of(np.array([title, core]))
    between = np.arange(last[0], first[1])
    starts, ends = page.blocks.text_start, page.blocks.text_end
    core_text = page.text[starts[first[1]] : ends[last[1] - 1]] if first[1] < last[1] else ""
    beginnings = (text[:EXCERPT_LENGTH] for text in texts_of(page, between))
    is_lead = [text not in core_text for text in beginnings]
    return np.asarray(between[np.array(is_lead, np.bool_)], np.intp)


def inserted_boxes(landmarks: Landmarks, core: int) -> npt.NDArray[np.intp]:
    """Return the boxes that are set into the running text of a container; none if most of its words are in boxes."""
    nodes, words = landmarks.page.nodes, running_sum(landmarks.page.blocks.words)
    boxes = np.flatnonzero((nodes.parent == core) & _IS_BOX.take(nodes.tag, mode="clip"))
    first, last = landmarks.blocks_of(np.append(boxes, core))
    *boxed, total = (words[last] - words[first]).tolist()
    return boxes if sum(boxed) <= MAX_BOXED_SHARE * total else boxes[:0]


def introductions(reading: Reading, slots: Slots, lead: npt.NDArray[np.intp], pages: int) -> npt.NDArray[np.intp]:
    """Return the blocks of the lead that introduce the article: most of the `pages` have one there, each its own.

    An introduction is running text without links, in a slot for a single block. A line with a date is none, nor is the
    title once more; of a page that fits no layout (`pages` is 0) nothing is known. On big9 and cnnews10 all 66 lines
    that are found so are in the truth but one, which consists of names.
    """
    if pages == 0 or len(lead) == 0:
        return lead[:0]
    landmarks, page = reading.landmarks, reading.page
    prose, slot = landmarks.prose[lead], reading.slot[lead]
    is_running = (prose >= MIN_INTRODUCTION_PROSE) & (prose >= MIN_PROSE_SHARE * page.blocks.words[lead])
    is_own = (reading.noise[lead] <= MAX_INTRODUCTION_NOISE) & ~landmarks.is_stamp[lead]
    has_links = np.maximum(landmarks.link_share[lead], slot_values(slots.link_share, slot)) > MAX_INTRODUCTION_LINKS
    is_usual = slot_values(slots["pages"], slot) >= max(2, MIN_PAGES_SHARE * pages)
    is_single = slot_values(slots.pooled_weight, slot) >= MIN_LONELINESS
    varies = slot_values(slots.constant_share, slot) < MAX_CONSTANT_SHARE
    found = lead[is_running & is_own & ~has_links & is_usual & is_single & varies]
    repeats_title = [text in page.title for text in texts_of(page, found)]
    return np.asarray(found[~np.array(repeats_title, np.bool_)], np.intp)
