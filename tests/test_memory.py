"""Memory is bounded by the input: 64 MiB and 40 times its size, in a process of its own."""

import subprocess
import sys

import pytest

MEASURE = """
import resource, sys
from pagestrata import extract
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
extract("<p>Warm the pot, then wait a while. " * 9).json
before, page = peak(), {page}
answer = extract(page)
answer.text, answer.markdown, answer.html, answer.json
print(peak() - before, len(page))
"""


FEED = """
import resource
from pagestrata.inputs.feeds import read_feed
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
read_feed(b"<rss><item><description>&lt;p>Tea</description></item>")
before = peak()
data = b"<rss><item><description>" + b"".join(b"&lt;p>&lt;font a=%d>" % number for number in range(20000))
read_feed(data)
print(peak() - before, len(data))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
@pytest.mark.parametrize(
    "page",
    [
        "'<div><template shadowrootmode=open>' * 8000",
        "'<div><template shadowrootmode=open>a</template>' * 8000",
        "'<select>' + '<option>a' * 200000 + '</select>'",
        "'<title>' * 50000",
        "'<div style=font-size:0>a' * 20000",
    ],
)
def test_memory_is_bounded_by_the_input(page: str) -> None:
    command = [sys.executable, "-c", MEASURE.format(page=page)]
    taken, size = map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert taken < (64 << 20) + 40 * size


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
def test_feeds_are_read_within_the_budgets_of_pages() -> None:
    done = subprocess.run([sys.executable, "-c", FEED], capture_output=True, text=True, check=True)
    taken, size = map(int, done.stdout.split())
    assert taken < (64 << 20) + 40 * size
