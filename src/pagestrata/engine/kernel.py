"""The words of a page, by the compiled loops or by patterns."""

from typing import Any

from pagestrata.native import IS_COMPILED


def _words() -> Any:
    if IS_COMPILED:
        from pagestrata.engine import _words  # type: ignore[attr-defined]

        return _words
    from pagestrata.engine import words_by_pattern

    return words_by_pattern


words = _words()
