"""One switch for all kernels, and the same answers on both sides of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.build import EXAMPLES, ROOT

from pagestrata import extract, native

pytestmark = pytest.mark.pure

ANSWER = """
import sys
from pathlib import Path
from pagestrata import extract, native
page = extract(Path(sys.argv[1]).read_bytes())
kernels = map(native.kernel, native.KERNELS)
print(native.IS_COMPILED, native.SCANNER, *{"._" in kernel.__name__ for kernel in kernels})
print(page.markdown)
print([(section.heading_path, section.anchor) for section in page.leaves()], page.chunks(max_words=50))
"""


def answer(path: Path, pure: str | None) -> tuple[str, str]:
    """What a fresh process says of its kernels, and its Markdown, headings and chunks of a page."""
    environment = {name: value for name, value in os.environ.items() if name != "PAGESTRATA_PURE"}
    environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if pure is not None:
        environment["PAGESTRATA_PURE"] = pure
    command = [sys.executable, "-c", ANSWER, str(path)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    kernels, _, markdown = done.stdout.partition("\n")
    return kernels, markdown


def test_all_kernels_are_compiled_or_none() -> None:
    pytest.importorskip("pagestrata.native._scan", reason="the kernels were not built")
    answers = {pure: answer(EXAMPLES[0], pure) for pure in (None, "", "0", "1", "yes")}
    assert ["True kernel True"] * 3 + ["False pure False"] * 2 == [kernels for kernels, _ in answers.values()]
    assert 1 == len({markdown for _, markdown in answers.values()})


def test_this_process_answers_the_same() -> None:
    assert answer(EXAMPLES[1], "1")[1].startswith(extract(EXAMPLES[1].read_bytes()).markdown + "\n")


def test_every_kernel_is_listed() -> None:
    folder = ROOT / "src" / "pagestrata" / "native"
    sources = {path.stem[1:] for path in folder.glob("_*.pxd") if folder.joinpath(f"{path.stem[1:]}.py").exists()}
    assert sources == set(native.KERNELS)
