"""The processes of a browser are found as long as they are there."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("playwright", reason="playwright is not here: pip install 'pagestrata[render]'")

from pagestrata.inputs.browser.launch import _children, _descendants


@pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")
def test_a_process_that_is_gone_has_no_children_and_raises_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert process.pid in _children(os.getpid())
    assert process.pid in _descendants(os.getpid())
    process.communicate(b"\n")
    assert [] == _children(process.pid)
