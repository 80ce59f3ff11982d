"""Parts of the training pages for cross-validation: what is alike is in one part."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class Grouped(Protocol):
    """A page that is told apart by its site, and by the theme that several sites share."""

    @property
    def site(self) -> str:
        """The site of the page."""

    @property
    def group(self) -> str:
        """The theme, or the site where no theme is known."""


def kept_together(pages: Sequence[Grouped], parts: int, seed: int = 0) -> list[int]:
    """Assign each page to a part; all pages of a group, and all of a site, are in the same one."""
    group_of_site: dict[str, str] = {}
    groups = [group_of_site.setdefault(page.site, page.group) for page in pages]
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names)).tolist()
    part = {name: place % parts for name, place in zip(names, order, strict=True)}
    return [part[group] for group in groups]
