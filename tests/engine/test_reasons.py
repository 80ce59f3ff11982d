"""No section has two reasons that contradict each other, and every reason can be computed from the page again."""

import random
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from tests.build import EXAMPLES, real_pages
from tests.engine.reason_claims import contradictions, false_reasons

from pagestrata import Section, extract

REAL_PAGES, MADE_UP_PAGES = 300, 60
WORDS = "the tide came in and kettle sang while mud dried on boots of two old harbour keepers who said nothing".split()


def made_up_page(seed: int) -> str:
    """A page of nested elements with records, times, links, headings, tables, copies and hidden text."""
    dice = random.Random(seed)

    def words(least: int, most: int) -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(least, most))).capitalize() + "."

    def link(most: int) -> str:
        return f'<a href="/{dice.randint(1, 99)}">{words(1, most)}</a>'

    repeated = f"<p>{words(12, 30)}</p>"
    leaves: list[Callable[[], str]] = [
        lambda: f"<p>{words(10, 80)} {link(3)} {words(1, 40)}</p>",
        lambda: f"<h{dice.randint(1, 4)}>{words(1, 6)}</h2>",
        lambda: "<ul>" + "".join(f"<li>{link(6)}</li>" for _ in range(dice.randint(2, 9))) + "</ul>",
        lambda: "<table>" + f"<tr><td>{words(1, 3)}<td>{dice.randint(1, 999)}</tr>" * dice.randint(1, 5) + "</table>",
        lambda: f'<div style="display:none"><p>{words(3, 40)}</p></div>',
        lambda: f"<form><label>{words(1, 3)}</label><button>{words(1, 2)}</button></form>",
        lambda: f"<p>Nessa, {dice.randint(1, 28)} May 2024, 9:{dice.randint(10, 59)}</p>",
        lambda: repeated,
    ]

    def record() -> str:
        return f"<b>Nessa</b> <i>{dice.randint(1, 28)} May 2024, 9:30</i><p>{words(4, 50)}</p>"

    def element(depth: int) -> str:
        if depth == 0 or dice.random() < 0.3:
            return dice.choice(leaves)()
        if dice.random() < 0.2:
            return "".join(f"<div class=c>{record()}</div>" for _ in range(dice.randint(2, 6)))
        tag = dice.choice("div div div section article main aside nav header footer".split())
        return f"<{tag}>{''.join(element(depth - 1) for _ in range(dice.randint(1, 5)))}</{tag}>"

    return f"<title>{words(2, 6)}</title><body>" + "".join(element(4) for _ in range(dice.randint(2, 6)))


def sections_of(markup: bytes | str) -> Iterator[Section]:
    return (section for root in extract(markup).sections for section in root.walk())


@cache
def pages(kind: str) -> dict[str, bytes | str]:
    if kind == "made up":
        return {f"seed {seed}": made_up_page(seed) for seed in range(MADE_UP_PAGES)}
    paths = EXAMPLES if kind == "examples" else real_pages(REAL_PAGES)
    return {path.name: path.read_bytes() for path in paths}


def complaints(kind: str, test: Callable[[Section], Iterator[str]]) -> list[str]:
    """What the test has against the sections of the pages of a kind; their number is printed."""
    rows = [
        (name, f"{name} {section.xpath}: {complaint}")
        for name, markup in pages(kind).items()
        for section in sections_of(markup)
        for complaint in test(section)
    ]
    print(f"{kind}: {len(rows)} on {len({name for name, _ in rows})} of {len(pages(kind))} pages")
    return [complaint for _, complaint in rows]


@pytest.mark.parametrize("kind", ["examples", "made up", "real"])
def test_no_two_reasons_of_a_section_contradict_each_other(kind: str) -> None:
    found = complaints(kind, contradictions)
    assert not found, "\n".join(found[:30])


@pytest.mark.parametrize("kind", ["examples", "made up", "real"])
def test_every_reason_can_be_computed_from_the_page(kind: str) -> None:
    found = complaints(kind, false_reasons)
    assert not found, "\n".join(found[:30])
