"""The code blocks of the documentation: reads them, runs them, and compares what they print with what is shown.

- `python` blocks of a page run one after the other in one namespace. A `text` block right after one is its output.
- `console` blocks are sessions: a line with `$` is run by the shell, and the lines below are its output.
- `sh` blocks are not run, since they need the network or a server; their commands and options must exist.
- A comment before a block, `<!-- run by tests/… -->` or `<!-- not run: … -->`, names what runs it, or why nothing does.

In output, `…` stands for anything: for lines if it is alone on its line, otherwise for the rest of a word or line.
Scores between 0 and 1, and all numbers that commands print, may differ from those shown: they change whenever the
engine is trained.
"""

import contextlib
import io
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.build import ROOT

_BLOCK = re.compile(r"^(?:<!-- (?P<note>.+?) -->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_OUTPUT = re.compile(r"\s*^```text\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_SCORE = re.compile(r"\b[01]\.\d\d\b")
_NUMBER = re.compile(r"\d[\d,.]*\b")
_BAR = re.compile(r"[█▉▊▋▌▍▎▏]+")
_OPERATORS = ("|", ">", "&&", ";", "2>&1")
_SECONDS = 600
"""Only for a command that hangs: the machine may have other things to do."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block."""

    language: str
    code: str
    note: str
    """What the comment before it says; such a block is not run here."""
    output: str | None = None
    """What the `text` block right after it shows."""


def blocks_of(page: Path) -> list[Block]:
    """The code blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(match["language"], match["code"], match["note"] or "", _output_at(text, match.end()))
        for match in _BLOCK.finditer(text)
    ]


def _output_at(text: str, place: int) -> str | None:
    match = _OUTPUT.match(text, place)
    return match["code"] if match else None


def run_page(page: Path, environment: dict[str, str]) -> None:
    """Run the blocks of a page in the current folder; raises AssertionError where the output differs."""
    namespace: dict[str, Any] = {"__name__": "shown"}
    for block in blocks_of(page):
        if block.note:
            continue
        if block.language == "python":
            output = _run_python(block.code, namespace)
            if block.output is not None:
                _compare(_SCORE.sub("0.00", block.output), _SCORE.sub("0.00", output), block.code)
        elif block.language == "console":
            for command, expected in sessions_in(block.code):
                _compare(without_numbers(expected), without_numbers(_run_shell(command, environment)), command)


def sessions_in(code: str) -> Iterator[tuple[str, str]]:
    """The commands of a session, each with the output below it.

    >>> list(sessions_in("$ echo a\\na\\n$ true\\n"))
    [('echo a', 'a\\n'), ('true', '')]
    """
    for session in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, expected = session.partition("\n")
        yield command, expected


def commands_in(code: str) -> list[list[str]]:
    """The calls of pagestrata in a block of shell commands, as arguments; comments are left out."""
    lines = code.replace("\\\n", " ").splitlines()
    words = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines if "pagestrata " in line]
    calls = [line[1:] for line in words if line[:1] == ["pagestrata"]]
    return [list(itertools.takewhile(lambda word: word not in _OPERATORS, call)) for call in calls]


def _run_python(code: str, namespace: dict[str, Any]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "<shown>", "exec"), namespace)  # noqa: S102
    return output.getvalue()


def _run_shell(command: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=_SECONDS,
        env=environment,
        check=False,
    )
    assert 0 == done.returncode, (command, done.stdout)
    return done.stdout


def shell_environment(folder: Path) -> dict[str, str]:
    """An environment in which `pagestrata` is the one that is tested, with a store of its own."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "PAGESTRATA_STORE": str(folder / "sites.db")}


def _compare(expected: str, output: str, code: str) -> None:
    assert output_matches(expected, output), f"{code}\nprinted:\n{output}\nshown:\n{expected}"


def output_matches(expected: str, output: str) -> bool:
    """Whether the output is what is shown, apart from what `…` leaves out.

    >>> output_matches("a …\\n…\\nz", "a b\\nc\\nz"), output_matches("a …", "b")
    (True, False)
    """
    pattern = re.escape(_stripped(expected)).replace("\\\n", "\n")
    pattern = re.sub(r"^(?:\\ )*…(?:\n|$)", "(?:.*\n)*?", pattern + "\n", flags=re.MULTILINE).replace("…", ".*")
    return re.fullmatch(pattern, _stripped(output) + "\n") is not None


def without_numbers(text: str) -> str:
    """Text whose numbers, bars and distances between columns are all alike.

    >>> without_numbers("engine  1,706  0.97  █▎")
    'engine 0 0 |'
    """
    return re.sub(r"(?<=\S) +", " ", _BAR.sub("|", _NUMBER.sub("0", text)))


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
