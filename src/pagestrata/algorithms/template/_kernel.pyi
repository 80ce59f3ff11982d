"""The kernel's face; see `_columns.py` for what the functions mean."""

from pagestrata.algorithms.template._columns import Columns
from pagestrata.page.page import Page

def columns(page: Page) -> Columns: ...
def shapes(tag: list[str], parent: list[int]) -> list[int]: ...
