"""What each section of a page is for, and the reason in words: see `reader`."""

from pagestrata.engine.roles.reader import RoleReader
from pagestrata.engine.roles.votes import RoleVerdict

__all__ = ["RoleReader", "RoleVerdict"]
