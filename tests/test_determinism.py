"""Same bytes in, same bytes out: in any process, with any hash seed, in any thread."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pagestrata import Options, extract
from pagestrata.registry import RENDERERS
from tests.build import EXAMPLES, ROOT
from tests.test_badinputs import cases

BAD_INPUTS = 20
THREADS = 8
_CHILD = "import json, sys; from tests.test_determinism import digests; print(json.dumps(digests(sys.argv[1:])))"


def digest(path: str) -> str:
    """Of everything that is written for a page."""
    whole = hashlib.sha256()
    for options in (Options(), Options(bias=1.0, metadata=True, comments="on", title_in_text=True)):
        extraction = extract(Path(path).read_bytes(), "https://tidewater.example/a/b.html", options)
        for name in RENDERERS:
            whole.update(extraction.render(name).encode())
        whole.update(repr((extraction.trace, extraction.warnings, extraction.reason)).encode())
    return whole.hexdigest()


def digests(paths: Iterable[str]) -> dict[str, str]:
    return {path: digest(path) for path in paths}


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The example pages, and some bad inputs of all kinds where they can be made."""
    folder, bad = tmp_path_factory.mktemp("bad"), cases()
    chosen = bad[:: max(1, len(bad) // BAD_INPUTS)][:BAD_INPUTS]
    for case in chosen:
        (folder / f"{case['id']}.html").write_bytes(case["data"]())
    return [*map(str, EXAMPLES), *sorted(map(str, folder.iterdir()))]


@pytest.fixture(scope="module")
def here(paths: list[str]) -> dict[str, str]:
    return digests(paths)


@pytest.mark.parametrize("seed", ["1", "4294967295"])
def test_in_a_process_with_another_hash_seed(seed: str, paths: list[str], here: dict[str, str]) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", _CHILD, *paths]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == here


def test_again(paths: list[str], here: dict[str, str]) -> None:
    assert digests(paths) == here


def test_in_many_threads_at_once(paths: list[str], here: dict[str, str]) -> None:
    some = paths[::3]
    with ThreadPoolExecutor(THREADS) as pool:
        rounds = [pool.submit(digests, some[turn:] + some[:turn]) for turn in range(THREADS)]
        assert [done.result() for done in rounds] == [{path: here[path] for path in some}] * THREADS
