"""Real children, really killed: every way a page can end its worker gives a row, and no process stays."""

import hashlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pagestrata.errors import UsageError
from pagestrata.work.guard import Failure, Guard, GuardLimits

from . import actions

IMPORT_ROOT = Path(__file__).parents[__name__.count(".")]
"""Where a child finds `actions` under the name that pytest gave it."""


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(IMPORT_ROOT)


@pytest.fixture(autouse=True)
def no_child_left() -> Iterator[None]:
    before = children()
    yield
    assert children() == before


def children() -> set[int]:
    """Processes whose parent we are, zombies too."""
    return {int(path.name) for path in Path("/proc").glob("[0-9]*") if state(int(path.name))[1:2] == [str(os.getpid())]}


def state(process: int) -> list[str]:
    """State letter and parent of a process; empty when there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return []


def is_running(process: int) -> bool:
    """Whether any thread of it is; the first may be a zombie while others still hold the files."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return False
    return len(threads) > 1 or state(process)[:1] not in ([], ["Z"])


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def run(jobs: list[str], workers: int = 1, **limits: Any) -> list[bytes | Failure]:
    with Guard(actions.perform, workers, GuardLimits(**limits)) as guard:
        return [outcome for _, outcome in guard.map(jobs)]


CULPRITS = [
    Failure("hang", "", "work", "deadline", "seconds=1.0", ""),
    Failure("segfault", "", "work", "died", "", "killed by signal 11 (SIGSEGV)"),
    Failure("abort", "", "work", "died", "", "killed by signal 6 (SIGABRT)"),
    Failure("exit", "", "work", "died", "", "exited with status 3"),
    Failure("ask_much", "", "work", "memory", "memory=134217728", "MemoryError"),
    Failure("announce_much", "", "send", "memory", "answer=1048576", ""),
    Failure("trickle", "", "send", "deadline", "seconds=1.0", ""),
    Failure("ready_again", "", "send", "died", "", "the worker spoke out of turn"),
    Failure("babble", "", "send", "died", "", "the worker spoke out of turn"),
]


@pytest.fixture(scope="module")
def rows_with_culprits() -> dict[str, bytes | Failure]:
    """One run in which every second page ends its worker."""
    jobs = [job for culprit in CULPRITS for job in (culprit.source, f"fine after {culprit.source}")]
    limits = GuardLimits(seconds=1.0, memory=128 << 20, answer=1 << 20)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(IMPORT_ROOT)
        with Guard(actions.perform, workers=2, limits=limits) as guard:
            return dict(guard.map(jobs))


@pytest.mark.parametrize("culprit", CULPRITS, ids=lambda culprit: culprit.source)
def test_a_page_that_ends_its_worker_is_one_row(
    culprit: Failure, rows_with_culprits: dict[str, bytes | Failure]
) -> None:
    assert rows_with_culprits[culprit.source] == culprit
    assert isinstance(rows_with_culprits[f"fine after {culprit.source}"], bytes)


def test_an_abort_for_want_of_memory_is_told_from_others() -> None:
    # In a small interpreter of its own: Linux counts the peak of a child from that of its parent, and pytest is large.
    script = (
        f"import sys; sys.path[:0] = [{str(IMPORT_ROOT)!r}]\n"
        f"from pagestrata.work.guard import Guard, GuardLimits\n"
        f"from {actions.perform.__module__} import perform\n"
        "with Guard(perform, limits=GuardLimits(memory=128 << 20)) as guard:\n"
        "    (_, row), = guard.map(['gorge_and_abort'])\n"
        "    print(row.reason, row.limit, row.detail)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "memory memory=134217728 killed by signal 6 (SIGABRT)\n"


def test_order_is_kept_with_two_workers(rows_with_culprits: dict[str, bytes | Failure]) -> None:
    assert list(rows_with_culprits)[::2] == [culprit.source for culprit in CULPRITS]
    assert list(rows_with_culprits)[1::2] == [f"fine after {culprit.source}" for culprit in CULPRITS]


def test_an_exception_is_a_row_and_the_worker_goes_on() -> None:
    first, raised, odd, left, deep, last = run(["fine", "raise", "raise_unpicklable", "leave", "recurse", "fine"])
    assert isinstance(raised, Failure)
    assert raised.detail.startswith("ValueError: first second [31mxxx")
    assert len(raised.detail) == 300
    details = [failure.detail for failure in (odd, left, deep) if isinstance(failure, Failure)]
    assert "LocalError" in details[0]
    assert details[1] == "SystemExit: 4"
    assert details[2].startswith("RecursionError")
    assert first == last


def test_a_deadline_is_kept_also_by_what_the_page_started(tmp_path: Path) -> None:
    note = tmp_path / "process"
    with Guard(actions.perform, limits=GuardLimits(seconds=0.5)) as guard:
        rows = guard.map(["fine", f"start_process_and_hang {note}"])
        next(rows)
        start = time.monotonic()
        next(rows)
        assert 0.4 < time.monotonic() - start < 30  # without the deadline it would never end
    wait_until(lambda: not is_running(int(note.read_text())))


def test_a_worker_killed_from_outside_is_one_row(tmp_path: Path) -> None:
    note = tmp_path / "process"

    def kill() -> None:
        wait_until(note.exists)
        os.kill(int(note.read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    failure, after = run([f"note_process {note}", "fine"])
    killer.join()
    assert isinstance(failure, Failure)
    assert (failure.reason, failure.detail) == ("died", "killed by signal 9 (SIGKILL)")
    assert isinstance(after, bytes)


def test_no_page_is_blamed_for_a_worker_that_died_idle() -> None:
    with Guard(actions.perform) as guard:
        for _ in range(2):
            [(_, answer)] = guard.map(["fine"])
            assert isinstance(answer, bytes)
            os.kill(int(answer), signal.SIGKILL)
            wait_until(lambda process=int(answer): not is_running(process))  # type: ignore[misc]


def test_other_workers_go_on_and_take_over_what_was_not_begun() -> None:
    failure, *answers = run(["hang", *["fine"] * 5], workers=2, seconds=0.3)
    assert isinstance(failure, Failure)
    assert isinstance(answers[0], bytes)
    assert answers == [answers[0]] * 5


def test_a_worker_is_no_session_of_its_own_so_that_niceness_counts() -> None:
    with Guard(actions.perform) as guard:
        [(_, answer)] = guard.map(["fine"])
        assert isinstance(answer, bytes)
        assert (os.getsid(0), int(answer)) == (os.getsid(int(answer)), os.getpgid(int(answer)))


def test_a_worker_is_replaced_after_its_pages() -> None:
    first, second, third, fourth = run(["fine"] * 4, pages=2)
    assert first == second != third == fourth


def test_a_worker_is_replaced_when_it_keeps_much() -> None:
    first, second, third, fourth = run(["keep 50", "fine", "keep 50", "fine"], memory=128 << 20)
    assert first == second == third != fourth
    assert isinstance(fourth, bytes)


def test_a_worker_that_speaks_unasked_is_replaced() -> None:
    with Guard(actions.perform) as guard:
        [(_, taken_over)] = guard.map(["answer_for_the_next"])
        assert taken_over == b"mine"
        [(_, after)] = guard.map(["fine"])
        assert isinstance(after, bytes)
        assert after.isdigit()


def test_order_can_be_given_up(tmp_path: Path) -> None:
    sign = tmp_path / "sign"
    slow = f"wait_for {sign}"
    with Guard(actions.perform, workers=2) as guard:
        rows = guard.map([slow, "fine"], ordered=False)
        assert "fine" == next(rows)[0]
        sign.touch()
        assert [slow] == [job for job, answer in rows if isinstance(answer, bytes)]


def test_an_endless_iterator_streams() -> None:
    taken = itertools.count()
    with Guard(actions.perform, workers=2) as guard:
        rows = guard.map("sleep 0.3" if number == 0 else "fine" for number in taken)
        next(rows)
        assert next(taken) <= 2 * 16 + 2
        list(itertools.islice(rows, 500))
        assert next(taken) <= 500 + 2 * 16 + 2


def test_a_large_page_goes_there_and_back() -> None:
    page = os.urandom(5 << 20)
    with Guard(partial(actions.echo)) as guard:
        assert list(guard.map([page, b"", page])) == [(page, page), (b"", b""), (page, page)]


def test_guards_in_several_threads_never_mix_their_answers() -> None:
    def mixed(letter: bytes) -> int:
        """How many of its answers are not what this guard sent."""
        sent = [letter * (4 << 20)] * 60
        with Guard(actions.echo, limits=GuardLimits(seconds=60)) as guard:
            return sum(answer != job for job, answer in guard.map(sent))

    with ThreadPoolExecutor(4) as threads:
        assert [0, 0, 0, 0] == list(threads.map(mixed, (b"a", b"b", b"c", b"d")))


def test_a_slow_reader_is_not_held_against_the_pages() -> None:
    page = os.urandom(5 << 20)
    with Guard(actions.echo, limits=GuardLimits(seconds=0.3)) as guard:
        for _, answer in guard.map([page] * 2):
            assert answer == page
            time.sleep(0.4)


def test_leaving_early_kills_the_children_and_the_guard_can_go_on() -> None:
    others = children()  # of tests that ran before
    with Guard(actions.perform, workers=2) as guard:
        rows = guard.map(itertools.chain(["fine"], itertools.repeat("hang")))
        next(rows)
        assert len(children() - others) == 2
        rows.close()  # type: ignore[attr-defined]
        assert children() == others
        [(_, answer)] = guard.map(["fine"])
        assert isinstance(answer, bytes)


def test_a_closed_guard_ends_its_run() -> None:
    with Guard(actions.perform) as guard:
        rows = guard.map(itertools.repeat("fine"))
        next(rows)
    with pytest.raises(UsageError):
        next(rows)


def test_ctrl_c_kills_the_children() -> None:
    others = children()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # who is started in the background has it ignored
    try:
        with Guard(actions.perform, workers=2) as guard:
            rows = guard.map(["fine", *["hang"] * 4])
            next(rows)
            threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
            with pytest.raises(KeyboardInterrupt):
                next(rows)
            assert children() == others
    finally:
        signal.signal(signal.SIGINT, before)


def test_prints_do_not_reach_our_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert all(isinstance(outcome, bytes) for outcome in run(["print"]))
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err == "printed by Python\n"


def test_a_failure_names_its_page() -> None:
    def digest(job: str) -> str:
        if job == "raise gone":
            raise FileNotFoundError
        return hashlib.sha256(job.encode()).hexdigest()

    with Guard(actions.perform, name=lambda job: f"page {job}", digest=digest) as guard:
        (_, first), (_, second) = guard.map(["raise", "raise gone"])
    assert isinstance(first, Failure)
    assert (first.source, first.digest) == ("page raise", hashlib.sha256(b"raise").hexdigest())
    assert isinstance(second, Failure)
    assert second.digest == ""


class Unreadable:
    """A job that can be sent but not read."""

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return int, ("no number",)


def test_what_cannot_be_sent_is_a_row() -> None:
    jobs: list[Any] = [lambda: None, Unreadable(), "text", b"fine"]
    with Guard(actions.answer_text, name=lambda job: "odd") as guard:
        *failures, fine = [outcome for _, outcome in guard.map(jobs)]
    for failure, detail in zip(failures, ("Can't pickle", "ValueError", "gave str, not bytes"), strict=True):
        assert isinstance(failure, Failure)
        assert (failure.stage, failure.reason) == ("send", "exception")
        assert detail in failure.detail
    assert fine == b"fine"


def import_once(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> Any:
    """A module that can be imported here; its file can still be changed before a child does."""
    (folder / "passing.py").write_text("def answer(job): return b''\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "passing", raising=False)
    module = __import__("passing")
    (folder / "passing.py").write_text(source)
    return module


@pytest.mark.parametrize(
    ("source", "reason", "limit", "detail"),
    [
        ("import nowhere", "exception", "", "ModuleNotFoundError: No module named 'nowhere'"),
        ("import os; os._exit(5)", "died", "", "exited with status 5"),
        ("import time; time.sleep(60)", "deadline", "start_seconds=0.5", ""),
    ],
)
def test_a_worker_that_cannot_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, reason: str, limit: str, detail: str
) -> None:
    module = import_once(tmp_path, monkeypatch, source)
    with Guard(module.answer, limits=GuardLimits(start_seconds=0.5 if reason == "deadline" else 60.0)) as guard:
        assert [outcome for _, outcome in guard.map(["page"])] == [
            Failure("page", "", "start", reason, limit, detail)  # type: ignore[arg-type]
        ]


def test_work_must_be_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError):
        Guard(lambda job: b"")
    monkeypatch.setattr(actions.echo, "__module__", "__main__")
    with pytest.raises(UsageError):
        Guard(actions.echo)


PROGRAM = f"""
import sys, threading
from pagestrata.work.guard import Guard
from {actions.__name__} import perform
threading.Thread(target=threading.Event().wait, daemon=True).start()
with Guard(perform) as guard:
    for job, outcome in guard.map(sys.argv[1:]):
        print(job, type(outcome).__name__, flush=True)
print(sys.stdin.read(), end="")
"""


def start_program(program: list[str], *jobs: str) -> "subprocess.Popen[str]":
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, *program, *jobs]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_script_needs_no_main_block_and_keeps_its_input(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    with start_program([str(script)], "print", "abort") as process:
        output, _ = process.communicate("its input\n")
    assert output == "print bytes\nabort Failure\nits input\n"


def test_a_program_may_come_from_standard_input() -> None:
    with start_program(["-"], "exit") as process:
        output, _ = process.communicate(PROGRAM)
    assert output == "exit Failure\n"


def test_children_die_with_their_parent(tmp_path: Path) -> None:
    note = tmp_path / "process"
    with start_program(["-c", PROGRAM], f"note_process {note}") as process:
        wait_until(note.exists)
        process.kill()
        wait_until(lambda: not is_running(int(note.read_text())))
