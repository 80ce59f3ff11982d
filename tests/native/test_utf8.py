"""Compiled and interpreted, UTF-8 is recognised and decoded as Python does it."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagestrata.native import utf8 as interpreted

compiled = pytest.importorskip("pagestrata.native._utf8", reason="the kernels were not built")


def is_utf8(data: bytes) -> bool:
    """Whether Python finds nothing wrong, perhaps but for a character that is cut off."""
    try:
        codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return False
    # Python waits for the third byte of a surrogate, though none can make it valid.
    return not (data[-2:-1] == b"\xed" and data[-1:] >= b"\xa0")


def decoded(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def assert_as_python(data: bytes) -> None:
    assert is_utf8(data) == compiled.is_utf8(data) == interpreted.is_utf8(data), data
    assert decoded(data) == compiled.decode_utf8(data) == interpreted.decode_utf8(data), data


@settings(max_examples=1000, deadline=None)
@given(st.one_of(st.binary(max_size=12), st.text(max_size=6).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_any_bytes_are_read_as_python_does(data: bytes) -> None:
    for some in (data, data[:-1]):
        assert_as_python(some)


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(["a", "sixteen letters.", "é", "–", "東京", "😀", "\0"]), max_size=30).map("".join))
def test_runs_of_every_width_are_decoded(text: str) -> None:
    """Sixteen plain letters at a time are copied at once, so where they begin and end matters."""
    assert_as_python(text.encode())


@pytest.mark.parametrize("lead", range(0x80, 0x100))
def test_the_second_byte_decides(lead: int) -> None:
    for second in range(0x70, 0x100):
        for more in (b"", b"\x80", b"\x80\x80"):
            assert_as_python(bytes([lead, second]) + more)
    assert_as_python(bytes([lead]))
