"""Feed the kernels made-up and broken input; `scripts/stress kernels` runs this with checked, sanitizer-built ones.

A fault of memory ends the process. An index out of bounds in a function that cannot raise is reported to
`sys.unraisablehook`, which ends it too.
"""

import os
import random
import sys
import time

from pagestrata import Options, parse
from pagestrata.algorithms.template import structure_of
from pagestrata.engine.engine import Engine
from pagestrata.landmarks.words import _IS_NAME, name_words
from pagestrata.native import IS_COMPILED, kernel
from pagestrata.page import columns
from pagestrata.page.scan import decode_utf8, is_utf8, scan, skim, survey

PIECES = (
    *"<>/='\"!-& \n\tab東é😀\0",
    *("<p>", "</p>", "<div class='entryContent x-1' id=main>", "</div>", "<a href=/x>", "</a>", "<br>", "<b>", "</b>"),
    *("<script>", "</script>", "<script type=application/ld+json>{}", "<style>", "</style>", "<svg>", "<path d=M1/>"),
    *("</svg>", "<template shadowrootmode=open>", "</template>", "<title>", "</title>", "<!--", "-->", "<![CDATA["),
    *("<table>", "<tr>", "<td>", "</table>", "<math>", "<ul>", "<li>", "<x-y>", "<pre>", "<details>", "<font size=1>"),
    *(
        "4 May 2024, 12:30",
        "5 minutes ago",
        "$ 12",
        "words that go on and on for a while. ",
        "x" * 300,
        "&amp;",
        "&#13;",
    ),
    *(" style='display:none'", ' hidden=""', ' aria-hidden="true"', ' class="', "<!doctype html>", "<?x", "?>"),
)


def made_up(choose: random.Random) -> str:
    """Make up a page; a third of them are cut off anywhere."""
    page = "".join(choose.choices(PIECES, k=choose.randrange(60)))
    return page[: choose.randrange(len(page) + 1)] if choose.random() < 1 / 3 else page


def read_all(text: str, choose: random.Random, engine: Engine) -> None:
    """Run every kernel on a made-up page, and the scan on it as if the parser had written it."""
    data = text.encode("utf-8", "replace")
    broken = data[: choose.randrange(len(data) + 1)]
    for some in (data, broken):
        skim(some, True)
        survey(some, choose.randrange(20), choose.randrange(20))
        is_utf8(some)
        decode_utf8(some)
    found = scan(text, choose.choice((2, 511)), choose.choice((1, 1000)))
    attribute_end = found.nodes[columns.ATTR_END]
    if len(attribute_end):
        kernel("words").name_words(text, found.attributes, attribute_end, _IS_NAME)
    page = parse(data, options=Options(max_depth=choose.choice((3, 511))))
    name_words(page)
    structure_of(page)
    _ = engine.segment(page).kept_blocks


def fail(event: "sys.UnraisableHookArgs") -> None:
    """End the process: a kernel could not report what went wrong in it."""
    print(f"fuzz: {event.exc_value!r} in {event.object!r}", file=sys.stderr, flush=True)
    os._exit(1)


def main(pages: int, seed: int) -> None:
    """Read so many made-up pages."""
    sys.unraisablehook = fail
    choose, engine, started = random.Random(seed), Engine(), time.monotonic()
    for _ in range(pages):
        read_all(made_up(choose), choose, engine)
    print(f"fuzz: {pages} pages, compiled: {IS_COMPILED}, {time.monotonic() - started:.0f} s, no fault")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
