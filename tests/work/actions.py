"""What the workers of `test_guard` do: a module of its own, so that the children need not import pytest."""

import ctypes
import os
import stat
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

KEPT: list[bytearray] = []


def perform(job: str) -> bytes:
    """Do what the first word says with the second, and tell which process did it."""
    verb, _, rest = job.partition(" ")
    ACTIONS[verb](rest)
    return str(os.getpid()).encode()


def echo(job: bytes) -> bytes:
    return job


def answer_text(job: str) -> bytes:
    return job  # type: ignore[return-value]


def note_process(path: str) -> None:
    partial = Path(path + ".partial")
    partial.write_text(str(os.getpid()))
    partial.rename(path)
    time.sleep(60)


def wait_for(path: str) -> None:
    while not Path(path).exists():
        time.sleep(0.01)


def raise_unpicklable(_: str) -> None:
    class LocalError(Exception):
        def __str__(self) -> str:
            raise ValueError

        def __reduce__(self) -> str:
            raise TypeError

    raise LocalError


def raise_long(_: str) -> None:
    raise ValueError("first\nsecond \x1b[31m" + "x" * 1000)


def print_everywhere(_: str) -> None:
    print("printed by Python", flush=True)
    os.write(1, b"printed by C")
    assert not sys.stdin.read()


def gorge_and_abort(_: str) -> None:
    try:
        while True:
            KEPT.append(bytearray(b"x") * (4 << 20))
    except MemoryError:
        os.abort()


def start_process_and_hang(path: str) -> None:
    if os.fork() == 0:
        note_process(path)
    time.sleep(60)


def say(said: int, length: int, payload: bytes = b"") -> None:
    """Speak to the parent as a page could that took the worker over."""
    channel = next(number for number in range(3, 100) if is_socket(number))
    os.write(channel, struct.pack("!BQ", said, length) + payload)


def is_socket(number: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False


def trickle(_: str) -> None:
    say(1, 1 << 20)
    channel = next(number for number in range(3, 100) if is_socket(number))
    while True:
        os.write(channel, b"x")
        time.sleep(0.001)


def answer_for_the_next(_: str) -> None:
    say(1, 4, b"mine" + struct.pack("!BQ", 1, 6) + b"forged")
    time.sleep(60)


ACTIONS: dict[str, Callable[[str], object]] = {
    "fine": lambda _: None,
    "sleep": lambda seconds: time.sleep(float(seconds)),
    "hang": lambda _: time.sleep(60),
    "note_process": note_process,
    "wait_for": wait_for,
    "segfault": lambda _: ctypes.string_at(0),
    "abort": lambda _: os.abort(),
    "exit": lambda _: os._exit(3),
    "leave": lambda _: sys.exit(4),
    "raise": raise_long,
    "raise_unpicklable": raise_unpicklable,
    "recurse": lambda _: perform("recurse"),
    "ask_much": lambda _: bytearray(8 << 30),
    "gorge_and_abort": gorge_and_abort,
    "keep": lambda megabytes: KEPT.append(bytearray(int(megabytes) << 20)),
    "print": print_everywhere,
    "start_process_and_hang": start_process_and_hang,
    "announce_much": lambda _: say(1, 1 << 60),
    "ready_again": lambda _: say(0, 8, bytes(8)),
    "babble": lambda _: say(99, 0),
    "trickle": trickle,
    "answer_for_the_next": answer_for_the_next,
}
