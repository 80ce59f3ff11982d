"""What is said of arguments that have no meaning here."""

import warnings
from collections.abc import Iterable


class UnusedArgument(UserWarning):
    """An argument was given that changes nothing."""


def warn_unused(call: str, names: Iterable[str], stacklevel: int = 3) -> None:
    """Warn once, with all their names, of arguments that change nothing; nothing is said of none.

    The warning points to who called the caller; `stacklevel` says otherwise.
    """
    told = ", ".join(names)
    if told:
        warnings.warn(f"{call}() does nothing with {told}", UnusedArgument, stacklevel)
