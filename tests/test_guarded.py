"""One line that reads a page in a process that can be killed."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import pagestrata
from pagestrata import errors, guarded
from pagestrata.guarded import GuardLimits
from tests.build import EXAMPLES, ROOT

TEA = "<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9
DEEP = "<ul><li><b>x" * 40_000


def test_the_answer_is_that_of_the_library() -> None:
    path, url = EXAMPLES[0], "https://tidewater.example/a.html"
    expected = pagestrata.extract(path, url, comments="on")
    for page in (guarded.extract(path, url, comments="on"), guarded.extract(path.read_bytes(), url, comments="on")):
        assert (expected.text, expected.markdown, expected.html) == (page.text, page.markdown, page.html)
        assert (expected.title, url, expected.page_type.value) == (page.title, page.url, page.page_type)
        assert expected.metadata.as_dict() == page.metadata
        assert len([section for root in expected.sections for section in root.walk()]) == len(page.sections)
        assert page.text == msgspec.json.decode(msgspec.json.encode(page.as_dict()))["text"]


def test_pages_are_read_side_by_side_in_asyncio() -> None:
    async def read() -> list[str | None]:
        return [page.title for page in await asyncio.gather(*(guarded.aextract(TEA) for _ in range(5)))]

    assert ["Tea"] * 5 == asyncio.run(read())


def test_limits_are_errors_of_their_own_and_the_next_page_is_read() -> None:
    hurried, narrow = GuardLimits(seconds=0.0001), GuardLimits(memory=1 << 20)
    with pytest.raises(errors.PageTimeout, match=r"deadline, seconds=0\.0001"):
        guarded.extract(DEEP, limits=hurried)
    with pytest.raises(TimeoutError):
        guarded.extract(DEEP, limits=hurried)
    with pytest.raises(errors.PageOutOfMemory, match="memory=1048576"):
        guarded.extract(DEEP, limits=narrow)
    assert "Tea" == guarded.extract(TEA).title


def test_what_the_caller_did_wrong_is_told_as_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(errors.SelectorError, match="cannot read the selector"):
        guarded.extract(TEA, drop="p[")
    with pytest.raises(errors.UsageError, match="there is no option"):
        guarded.extract(TEA, coments="on")  # type: ignore[call-arg]
    with pytest.raises(errors.UsageError, match="is an address, not a page"):
        guarded.extract("https://tidewater.example/")
    with pytest.raises(errors.InputError, match="No such file"):
        guarded.extract(tmp_path / "none.html")


FORKING = """
import os
from pagestrata import guarded
guarded.extract("<p>Tea")
child = os.fork()
if not child:
    guarded.extract("<p>Tea")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def test_a_forked_process_starts_its_own_workers() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKING], env=environment, check=True, timeout=120)
