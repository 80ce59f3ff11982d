"""Noise of a block by its slot: how sure its text stands on most pages of the site, as the template says, corrected.

- Where most of the slot recurs, text that stands on another page at all is noise.
- A heading in a slot that varies is none (many articles have an introduction), and one in the core is no more than
  what it heads: sections of a newsletter have the same headings each week.
- In a slot of the core that nearly always varies, a line is noise only if it stands on most of the pages: some
  articles thank their readers in the same words, or show the same code. Bylines, which have a date, are an exception.
"""

from typing import Final

import numpy as np

from pagestrata.landmarks import Floats, Landmarks
from pagestrata.page.nodes import Bools
from pagestrata.sites.reading import Reading
from pagestrata.sites.slots import Slots, slot_values

MIN_CONSTANT_SHARE: Final = 0.5
"""If this share of a slot recurs (as the author's box on the pages of one author), text on only two pages is noise."""
VARYING_SHARE: Final = 0.1
"""If less than this share of a slot recurs, it nearly always varies; .05 gives the same F1 within .0001."""
MIN_NOISE_OF_VARYING: Final = 0.75
"""From this noise confidence on, a line in such a slot is noise. Without the limit a notice of an agency on all its
articles is kept (big9 loses .0006)."""


def block_noise(reading: Reading, slots: Slots, core: int) -> Floats:
    """Compute the noise confidence of each block."""
    landmarks = reading.landmarks
    constant = slot_values(slots.constant_share, reading.slot)
    is_constant, is_heading = constant >= MIN_CONSTANT_SHARE, landmarks.heading_level > 0
    noise = np.where(is_constant & reading.recurs, 1.0, np.where(is_heading & ~is_constant, 0.0, reading.noise))
    in_core = landmarks.is_inside(core)
    varies = in_core & (constant < VARYING_SHARE) & (reading.slot >= 0)
    noise[varies & (noise < MIN_NOISE_OF_VARYING) & ~landmarks.is_stamp] = 0.0
    return _of_headings(noise, landmarks, in_core)


def _of_headings(noise: Floats, landmarks: Landmarks, in_core: Bools) -> Floats:
    """Return the noise, with that of each heading in the core at most the mean of what follows up to the next one."""
    is_heading = in_core & (landmarks.heading_level > 0)
    headings = np.flatnonzero(is_heading)
    if not noise[headings].any():
        return noise
    words = landmarks.blocks.words * (in_core & ~is_heading & landmarks.is_usable)
    totals = np.add.reduceat(words, headings)
    sums = np.add.reduceat(words * noise, headings)
    means = np.divide(sums, totals, out=np.ones(len(headings)), where=totals > 0)
    corrected = noise.copy()
    corrected[headings] = np.minimum(noise[headings], means)
    return corrected
