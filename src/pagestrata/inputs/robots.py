"""robots.txt as RFC 9309 reads it: the longest rule that matches decides, `*` and `$` are known, allow wins a tie.

(`urllib.robotparser` takes the first rule that matches, and knows no `*`.)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote_to_bytes

AGENT: Final = "pagestrata"
"""What we are called in `User-Agent` lines."""
MOST_BYTES: Final = 512_000
"""The RFC asks for 500 KiB at least; the rest is not read."""
LONGEST_DELAY: Final = 60.0
"""Seconds: a site that asks for more gets this much."""

_LINE = re.compile(r"\s*([A-Za-z-]+)\s*:\s*([^#]*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """What may be fetched, or not."""

    pattern: str
    allows: bool

    def matches(self, path: str) -> bool:
        """Whether it says something of this path.

        >>> rule = Rule("/a*b$", allows=False)
        >>> rule.matches("/a/1/b"), rule.matches("/a/b/c"), Rule("/a", allows=True).matches("/ab")
        (True, False, True)
        """
        first, *rest = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        place = len(first)
        for piece in rest[:-1]:
            found = path.find(piece, place)
            if found < 0:
                return False
            place = found + len(piece)
        last = rest[-1] if rest else ""
        if not self.pattern.endswith("$"):
            return path.find(last, place) >= 0
        return path.endswith(last) and len(path) - len(last) >= place if rest else len(path) == place


@dataclass(frozen=True, slots=True)
class Robots:
    """What a site asks of us."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0
    """Seconds between two requests."""

    def allows(self, path: str) -> bool:
        """Whether we may fetch this path (with its query)."""
        matching = [rule for rule in self.rules if rule.matches(_normal(path))]
        return max(matching, key=lambda rule: (len(rule.pattern), rule.allows)).allows if matching else True


EVERYTHING: Final = Robots()
"""A site without robots.txt."""
NOTHING: Final = Robots((Rule("/", allows=False),))
"""A site whose robots.txt cannot be had: the RFC says to assume the worst."""


def read_robots(data: bytes, agent: str = AGENT) -> Robots:
    """What the file says to an agent: its own groups together, or else those for all.

    >>> robots = read_robots(b"User-agent: *\\nDisallow: /cgi\\nAllow: /cgi/tea\\nCrawl-delay: 2")
    >>> robots.allows("/cgi/pot"), robots.allows("/cgi/tea"), robots.delay
    (False, True, 2.0)
    """
    own: list[tuple[str, str]] = []
    general: list[tuple[str, str]] = []
    found_own = False
    for agents, lines in _groups(data[:MOST_BYTES].decode("utf-8-sig", "replace")):
        if agent in agents:
            found_own = True
            own += lines
        elif "*" in agents:
            general += lines
    lines = own if found_own else general
    rules = tuple(Rule(_normal(value), name == "allow") for name, value in lines if name != "crawl-delay" and value)
    return Robots(rules, max((_seconds(value) for name, value in lines if name == "crawl-delay"), default=0.0))


def _groups(text: str) -> Iterator[tuple[set[str], list[tuple[str, str]]]]:
    """Who is spoken to, and what is said to them."""
    agents: set[str] = set()
    lines: list[tuple[str, str]] = []
    for name, value in _lines(text.splitlines()):
        if name == "user-agent":
            if lines:
                yield agents, lines
                agents, lines = set(), []
            agents.add(value.partition("/")[0].strip().lower())
        elif agents and name in ("allow", "disallow", "crawl-delay"):
            lines.append((name, value))
    yield agents, lines


def _lines(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        found = _LINE.match(line)
        if found:
            yield found[1].lower(), found[2].strip()


def _normal(path: str) -> str:
    """One spelling for what may be percent-encoded or not.

    >>> _normal("/caf%c3%a9"), _normal("/café"), _normal("/a%2Fb")
    ('/caf%C3%A9', '/caf%C3%A9', '/a%2Fb')
    """
    kept = re.sub("%2[fF]", "%252F", path)
    return quote(unquote_to_bytes(kept), safe="!#$%&'()*+,/:;=?@[]~")


def _seconds(value: str) -> float:
    try:
        return min(max(float(value), 0.0), LONGEST_DELAY)
    except ValueError:
        return 0.0
