"""Whether a line surely tells a time: until `landmarks` has a column for it."""

import re

from pagestrata.engine.prose import is_stamp

_SURE_TIME = re.compile(
    r"(?<![\d,.$€£¥₹])(?:(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}([./-])\d{1,2}\1\d{2})(?![\d,]\d)|\bago\b|前"
)


def tells_time(line: str) -> bool:
    """Whether a short line tells a time, and no price.

    >>> tells_time("Nessa, 9 May 2024"), tells_time("2 hours ago"), tells_time("$ 2,099.99"), tells_time("1.5 l, 24 h")
    (True, True, False, False)
    """
    return is_stamp(line[:200]) and bool(_SURE_TIME.search(line[:200]))
