"""One call in a child: every end it can come to."""

import os
import signal
import time

import msgspec

from pagestrata.evaluate.forked_call import ChildLimits, call_in_child


def spin() -> None:
    while True:
        pass


def test_an_answer_comes_back() -> None:
    cost = call_in_child(lambda: {"words": [1, 2]})
    assert (cost.status, msgspec.json.decode(cost.answer)) == ("ok", {"words": [1, 2]})


def test_an_answer_larger_than_a_pipe_comes_back() -> None:
    assert len(call_in_child(lambda: "x" * 3_000_000).answer) == 3_000_002


def test_an_exception_is_told() -> None:
    cost = call_in_child(lambda: [][1])
    assert (cost.status, cost.detail) == ("exception", "IndexError: list index out of range")


def test_a_loop_is_ended_by_the_processor_limit() -> None:
    cost = call_in_child(spin, ChildLimits(cpu_seconds=1))
    assert cost.status == "timeout"
    assert "processor" in cost.detail


def test_sleep_is_ended_by_the_wall_limit() -> None:
    assert call_in_child(lambda: time.sleep(60), ChildLimits(wall_seconds=0.3)).status == "timeout"


def test_too_much_memory_is_told() -> None:
    assert call_in_child(lambda: bytearray(8 << 30), ChildLimits(memory=4 << 30)).status == "memory"


def test_a_crash_is_told() -> None:
    cost = call_in_child(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert (cost.status, cost.detail) == ("crash", "SIGKILL")


def test_growth_is_that_of_the_call() -> None:
    small, large = call_in_child(lambda: 1), call_in_child(lambda: len(b"x" * (80 << 20)))
    assert small.growth < 20 << 20 < large.growth
