"""What type of page it is: the probability of each of seven types; see docs/page-types.md."""

from pagestrata.page_type.model import probabilities_of

__all__ = ["probabilities_of"]
