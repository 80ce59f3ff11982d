"""robots.txt by RFC 9309: the longest matching rule decides, `*` and `$` are wildcards, allow wins a tie.

(`urllib.robotparser` takes the first matching rule and does not support `*`.)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote_to_bytes

AGENT: Final = "pagestrata"
"""Our name in `User-Agent` lines."""
MAX_BYTES: Final = 512_000
"""The rest of the file is not read; the RFC requires 500 KiB at least."""
MAX_DELAY: Final = 60.0
"""In seconds; a longer delay is reduced to this."""

_LINE = re.compile(r"\s*([A-Za-z-]+)\s*:\s*([^#]*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of paths that may, or may not, be fetched."""

    pattern: str
    allows: bool

    def matches(self, path: str) -> bool:
        """Whether the rule applies to this path.

        >>> rule = Rule("/a*b$", allows=False)
        >>> rule.matches("/a/1/b"), rule.matches("/a/b/c"), Rule("/a", allows=True).matches("/ab")
        (True, False, True)
        """
        first, *others = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        place = len(first)
        for piece in others[:-1]:
            start = path.find(piece, place)
            if start < 0:
                return False
            place = start + len(piece)
        last = others[-1] if others else ""
        if not self.pattern.endswith("$"):
            return path.find(last, place) >= 0
        return path.endswith(last) and len(path) - len(last) >= place if others else len(path) == place


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of a site for our requests."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0
    """Seconds between two requests."""

    def allows(self, path: str) -> bool:
        """Whether we may fetch this path (with its query)."""
        matching = [rule for rule in self.rules if rule.matches(_normalise(path))]
        return max(matching, key=lambda rule: (len(rule.pattern), rule.allows)).allows if matching else True


EVERYTHING: Final = Robots()
"""A site without robots.txt."""
NOTHING: Final = Robots((Rule("/", allows=False),))
"""A site whose robots.txt cannot be fetched: by the RFC, everything is forbidden."""


def read_robots(data: bytes) -> Robots:
    """The rules for us: those of all its own groups, or else those of the groups for `*`.

    >>> robots = read_robots(b"User-agent: *\\nDisallow: /cgi\\nAllow: /cgi/tea\\nCrawl-delay: 2")
    >>> robots.allows("/cgi/pot"), robots.allows("/cgi/tea"), robots.delay
    (False, True, 2.0)
    """
    own: list[tuple[str, str]] = []
    general: list[tuple[str, str]] = []
    has_own = False
    for agents, lines in _groups(data[:MAX_BYTES].decode("utf-8-sig", "replace")):
        if AGENT in agents:
            has_own = True
            own += lines
        elif "*" in agents:
            general += lines
    lines = own if has_own else general
    rules = tuple(Rule(_normalise(value), name == "allow") for name, value in lines if name != "crawl-delay" and value)
    return Robots(rules, max((_seconds(value) for name, value in lines if name == "crawl-delay"), default=0.0))


def _groups(text: str) -> Iterator[tuple[set[str], list[tuple[str, str]]]]:
    """The agents and the lines of each group."""
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
        match = _LINE.match(line)
        if match:
            yield match[1].lower(), match[2].strip()


def _normalise(path: str) -> str:
    """Normalise the percent-encoding of a path.

    >>> _normalise("/caf%c3%a9"), _normalise("/café"), _normalise("/a%2Fb")
    ('/caf%C3%A9', '/caf%C3%A9', '/a%2Fb')
    """
    kept = re.sub("%2[fF]", "%252F", path)
    return quote(unquote_to_bytes(kept), safe="!#$%&'()*+,/:;=?@[]~")


def _seconds(value: str) -> float:
    try:
        return min(max(float(value), 0.0), MAX_DELAY)
    except ValueError:
        return 0.0
