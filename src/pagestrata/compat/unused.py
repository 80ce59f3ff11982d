"""The warning about arguments without a meaning here."""

import warnings
from collections.abc import Iterable


class UnusedArgument(UserWarning):
    """An argument was set that has no effect."""


def warn_unused(call: str, names: Iterable[str], stacklevel: int = 3) -> None:
    """Warn once about all arguments that have no effect, if there are any.

    By default the warning points to the caller of the caller.
    """
    listed = ", ".join(names)
    if listed:
        warnings.warn(f"{call}() does nothing with {listed}", UnusedArgument, stacklevel)
