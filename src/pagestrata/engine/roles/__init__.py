"""The role of each section of a page, and the reason for it: see `reader`."""

from pagestrata.engine.roles.reader import RoleReader
from pagestrata.engine.roles.votes import RoleVerdict

__all__ = ["RoleReader", "RoleVerdict"]
