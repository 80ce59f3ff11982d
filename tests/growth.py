"""How work grows with a page: counted in lines of ours that are run, the same on every machine."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(act: Callable[[], object]) -> int:
    """How many lines of pagestrata are run."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if "pagestrata" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def assert_linear(work: Callable[[int], Callable[[], object]], small: int = 300) -> None:
    """Four times the size is about four times the work; `work` makes what is to be run for a size."""
    lines_run(work(10))  # what is made once and kept
    assert lines_run(work(4 * small)) < 6 * lines_run(work(small)) + 1_000
