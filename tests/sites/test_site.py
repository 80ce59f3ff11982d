"""The evidence of a site: which blocks are in the flow of the text, which recur, and which are comments."""

from collections.abc import Callable, Sequence

import pytest

from pagestrata import Page
from pagestrata.algorithms.template import TemplateLearner
from pagestrata.landmarks import landmarks_of
from pagestrata.sites.flow import introductions, lead_blocks, text_flow
from pagestrata.sites.learn import learn
from pagestrata.sites.reading import Reading, read
from pagestrata.sites.site import SlotEvidence, find_core
from pagestrata.sites.slot_noise import block_noise
from pagestrata.sites.slots import Slots
from tests.build import block_texts, page_of

PROSE = "The mud dries slowly on the banks, and the boats lie still until the tide returns in the evening."
PARAGRAPHS = f"<p>{PROSE}</p>" * 6


def flow_of(body: str) -> list[str]:
    """The texts in the flow, except the paragraphs."""
    page = page_of(body)
    landmarks = landmarks_of(page)
    flow = text_flow(landmarks, landmarks.core, lead_blocks(landmarks, landmarks.core))
    return [text for text, is_in in zip(block_texts(page), flow, strict=True) if is_in and text != PROSE]


@pytest.mark.parametrize("box", ["figure", "div", "aside"])
def test_a_box_set_into_the_text_is_not_in_the_flow(box: str) -> None:
    body = f"<article>{PARAGRAPHS}<{box}>A boat</{box}><h2>Boats</h2>{PARAGRAPHS}</article><p>Footer</p>"
    assert ["Boats"] == flow_of(body)


def test_lists_tables_and_code_are_in_the_flow_also_in_a_box() -> None:
    rows = "<tr><th>Boat<th>Feet<tr><td>Skiff<td>12<tr><td>Punt<td>14"
    body = f"<article>{PARAGRAPHS}<div><table>{rows}</table></div><div><pre>tide()</pre></div></article>"
    assert ["Boat", "Feet", "Skiff", "12", "Punt", "14", "tide()"] == flow_of(body)


def test_a_text_laid_out_in_boxes_has_no_boxes_set_into_it() -> None:
    cells = "".join(f"<div><p>{PROSE}</p><h3>Cell {number}</h3></div>" for number in range(6))
    assert [f"Cell {number}" for number in range(6)] == flow_of(f"<div>{cells}</div>")


def test_the_lead_between_title_and_text_is_in_the_flow_but_an_excerpt_is_not() -> None:
    lead, excerpt = "Why the boats of the estuary lie dry.", PROSE[:60] + "…"
    body = f"<nav>Menu</nav><h1>Test</h1><p>{lead}</p><p>{excerpt}</p><article>{PARAGRAPHS}</article>"
    assert [lead] == flow_of(body)


def test_a_page_without_text_has_no_flow() -> None:
    assert [] == flow_of("")


@pytest.mark.parametrize(("article", "dropped"), [(PARAGRAPHS, True), ("", False)])
def test_comments_are_dropped_unless_they_are_all_the_page_has(article: str, dropped: bool) -> None:
    posts = "".join(
        f"<div class=c><b>Ann {number}</b> <i>May {number + 1}, 2024 10:1{number}</i><p>{PROSE} {number}</p></div>"
        for number in range(6)
    )
    page = page_of(f"<div id=a>{article}</div><div id=b>{posts}</div><p id=end>Footer</p>")
    template = TemplateLearner().learn([page, page])
    core = next(node for node in page.nodes_tagged("div").tolist() if page.attribute(node, "id") == "a")
    evidence = SlotEvidence(read(template, page), Slots.empty(len(template)), core)
    assert dropped == bool(evidence.is_comment.any())


def numbered(number: int) -> str:
    """A sentence that no other page has."""
    return f"Day {number} by the harbour: {PROSE} {' '.join(f'word{number}x{place}' for place in range(12))}"


def site_pages(*bodies: str) -> list[Page]:
    return [page_of(body.replace("TEXT", f"<p>{numbered(number)}</p>" * 3)) for number, body in enumerate(bodies)]


def column_of(pages: list[Page], page: Page, column: Callable[[Reading, Slots, int], Sequence[object]]) -> list[object]:
    """A column about a page, by a model of other pages, without the paragraphs of the text."""
    [cluster] = learn(pages, site="harbour").clusters
    segmenter = cluster.segmenter
    reading = read(segmenter.template, page)
    core = find_core(reading, segmenter.slots, cluster.pages)
    values = zip(block_texts(page), column(reading, segmenter.slots, core), strict=True)
    return [value for text, value in values if not text.startswith("Day ")]


def noise_by_slot(bodies: list[str], body: str) -> list[object]:
    """The noise of all blocks but the paragraphs of the text; the page itself is the last of the site."""
    *pages, page = site_pages(*bodies, body)
    return [round(float(noise), 2) for noise in column_of(pages, page, block_noise)]  # type: ignore[arg-type]


def test_the_headings_of_a_newsletter_are_no_noise_though_each_issue_has_them() -> None:
    issue = "<article><h2>From the quay</h2>TEXT<h2>Tides</h2>TEXT</article>"
    assert [0.0, 0.0] == noise_by_slot([issue] * 5, issue)


def test_a_heading_of_what_recurs_is_noise() -> None:
    issue = f"<article><h2>From the quay</h2>TEXT<h2>Share</h2><p>{PROSE}</p></article>"
    assert [0.0, 1.0, 1.0] == noise_by_slot([issue] * 5, issue)


def test_a_line_that_half_of_the_articles_have_is_none_of_the_noise_of_the_site() -> None:
    thanks, plain = "<article>TEXT<p>Thank you for reading.</p>TEXT</article>", "<article>TEXT TEXT</article>"
    assert [0.0] == noise_by_slot([thanks, plain, plain, thanks, plain, plain], thanks)


def test_a_line_that_all_articles_have_is_noise() -> None:
    notice = "<article>TEXT<p>Printed by the harbour office.</p>TEXT</article>"
    assert [1.0] == noise_by_slot([notice] * 6, notice)


def test_a_byline_with_a_date_stays_as_noisy_as_the_share_of_pages_that_have_it() -> None:
    dated, plain = "<article><p>10 May 2024, by Ann Quay</p>TEXT TEXT</article>", "<article>TEXT TEXT</article>"
    [noise] = noise_by_slot([dated, dated, plain, plain], dated)
    assert 0.5 == pytest.approx(noise, abs=0.2)


DECKS = [
    "The dredger comes twice a year, and every time the school children count the buckets it lifts.",
    "Why four skippers of the old fleet would rather wait for the morning tide than for the ferry.",
    "Nobody remembers who painted the lighthouse green, but the council has a bill from the summer.",
    "A net mender, a lock keeper and a baker on the nights when the water stood in their kitchens.",
    "What the new breakwater does to the eels, according to the only man who still counts them all.",
]


def with_deck(deck: str) -> str:
    return f"<h1>Test</h1><div>{deck}</div><ul><li><a href=/p>Print</a></ul><article>TEXT TEXT</article>"


def introductions_of(decks: list[str]) -> list[object]:
    """The introductions of the last page, by a model of the others."""
    *pages, page = site_pages(*map(with_deck, decks))
    landmarks = landmarks_of(page)

    def column(reading: Reading, slots: Slots, core: int) -> list[str]:
        found = introductions(reading, slots, lead_blocks(landmarks, core), len(pages)).tolist()
        return [text if place in found else "" for place, text in enumerate(block_texts(page))]

    return [text for text in column_of(pages, page, column) if text]


def test_a_sentence_of_its_own_between_title_and_text_on_every_page_introduces_the_article() -> None:
    decks = [f"<p>{deck}</p>" for deck in DECKS]
    assert [DECKS[-1]] == introductions_of(decks)
    *pages, page = site_pages(*map(with_deck, decks))
    assert DECKS[-1] in learn(pages, site="harbour").extract(page).text


@pytest.mark.parametrize(
    "decks",
    [
        pytest.param([f"<p>{DECKS[0]}</p>"] * 5, id="the same on every page"),
        pytest.param([*[f"<p>{DECKS[0]}</p>"] * 4, f"<p>{DECKS[1]}</p>"], id="the same on all others"),
        pytest.param([*[f"<p>{deck}</p>" for deck in DECKS[:2]], *[""] * 4, f"<p>{DECKS[2]}</p>"], id="on few pages"),
        pytest.param([f"<p>{deck} <a href=/{deck[:5]}>Read it aloud</a></p>" for deck in DECKS], id="with a link"),
        pytest.param([f"<p>{deck}</p><p>{deck[::-1]}</p><p>And {deck}</p>" for deck in DECKS], id="several"),
        pytest.param([f"<p>{deck[:9]}</p>" for deck in DECKS], id="a few words"),
        pytest.param(["<p>Test</p>"] * 5, id="the title again"),
        pytest.param([f"<p>May {place}, 2024 10:1{place}, by Ann</p>" for place in range(1, 6)], id="a byline"),
    ],
)
def test_other_lines_between_title_and_text_do_not(decks: list[str]) -> None:
    assert [] == introductions_of(decks)
