"""Dialogs and consent notices lie over a page, and count for nothing."""

import time

import numpy as np
import pytest
from tests.build import held_landmarks, page_of
from tests.landmarks.notices import CONSENT_NOTICES, DIALOGS, NO_OVERLAYS

from pagestrata import extract
from pagestrata.engine.features import COLUMNS, features_of
from pagestrata.engine.lexicon import Lexicon
from pagestrata.landmarks import landmarks_of
from pagestrata.landmarks.overlays import overlays_of

TEXT = "<p>The ferry leaves at nine from the stone pier, and comes back before the tide turns in the evening.</p>"
ARTICLE = f"<article><h1>Test</h1>{TEXT * 8}</article>"
NOTICE = "<p>We use cookies to see how this site is used.</p>"
BUTTON, LINK = "<button>Accept</button>", "<a href=/cookies>Accept</a>"


def shown(body: str) -> list[bool]:
    is_shown: list[bool] = held_landmarks(page_of(body)).is_shown.tolist()
    return is_shown


@pytest.mark.pure
@pytest.mark.parametrize(
    "overlay",
    [
        f"<div role=dialog>{TEXT}</div>",
        f"<dialog open>{TEXT}</dialog>",
        f"<div class=consent>{NOTICE}{LINK}</div>",
        f"<div id=cookie-notice>{NOTICE}{BUTTON}</div>",
    ],
)
def test_dialogs_and_consent_notices_are_overlays(overlay: str) -> None:
    assert [True] * 9 == shown(ARTICLE + overlay)[:9]
    assert not any(shown(ARTICLE + overlay)[9:])


@pytest.mark.pure
@pytest.mark.parametrize(
    "element",
    [
        f"<section id=cookies><h2>Cookies</h2>{NOTICE}{LINK}</section>",  # a chapter of a manual
        f"<div class=cookie><p>Mix butter and sugar.</p>{BUTTON}</div>",  # a recipe
        f"<div class=consent>{NOTICE}</div>",  # nothing to choose
    ],
)
def test_names_alone_make_no_overlay(element: str) -> None:
    assert all(shown(ARTICLE + element))


@pytest.mark.parametrize("place", ["start", "end"])
@pytest.mark.parametrize("product", [*CONSENT_NOTICES, *DIALOGS])
def test_a_page_with_a_notice_is_the_page_without_it(product: str, place: str) -> None:
    notice = {**CONSENT_NOTICES, **DIALOGS}[product]
    body = f"<header><a href=/>Tides</a></header>{ARTICLE}<footer>© 2026 Tides</footer>"
    plain, other = (page_of(each) for each in (body, notice + body if place == "start" else body + notice))
    assert np.array_equal(
        features_of(landmarks_of(plain), Lexicon.empty()), features_of(landmarks_of(other), Lexicon.empty())
    )
    assert extract(plain).text == extract(other).text


@pytest.mark.parametrize("element", NO_OVERLAYS.values(), ids=NO_OVERLAYS)
def test_texts_about_cookies_are_no_notices(element: str) -> None:
    assert [] == overlays_of(page_of(f"{ARTICLE}{element}"))
    assert [] == overlays_of(page_of(element))


@pytest.mark.pure
def test_a_page_made_of_dialogs_is_no_empty_page() -> None:
    assert all(shown(f"<p>Our team</p><div role=dialog>{TEXT}</div>" + f"<div role=dialog>{TEXT}</div>" * 5))


@pytest.mark.pure
def test_a_notice_does_not_change_what_else_is_an_overlay() -> None:
    body = f"{TEXT * 3}<div role=dialog>{TEXT * 2}</div>"
    assert all(shown(body))
    assert [True] * 5 == shown(body + f"<div class=consent>{NOTICE * 9}{BUTTON}</div>")[:5]


@pytest.mark.pure
def test_the_text_behind_a_dialog_in_the_same_line_is_shown() -> None:
    assert [True] == shown("<p><span role=dialog>Note</span> The ferry leaves at nine from the stone pier.</p>")


@pytest.mark.pure
def test_what_holds_the_title_or_most_of_the_text_is_the_page() -> None:
    assert all(shown(f"<div role=dialog>{ARTICLE}</div>"))
    assert all(shown(f"{TEXT}<div role=dialog>{TEXT * 2}</div>"))


@pytest.mark.pure
def test_a_consent_notice_with_a_button_may_be_all_that_a_page_shows() -> None:
    assert not any(shown(f"<div class=consent>{NOTICE}{BUTTON}</div>"))
    assert all(shown(f"<div class=consent>{NOTICE}{LINK}</div>"))


@pytest.mark.pure
def test_an_overlay_inside_another_is_part_of_it() -> None:
    page = page_of(f"{ARTICLE}<div role=dialog><p>One</p><div role=alertdialog><p>Two</p></div></div>")
    assert 1 == len(overlays_of(page))


def test_hidden_text_and_overlays_change_neither_landmarks_nor_features() -> None:
    hidden, notice = (
        "<p hidden>Ten hidden words that nobody who visits this page sees.</p>",
        f"<dialog open>{TEXT}</dialog>",
    )
    plain = held_landmarks(page_of(ARTICLE))
    other = held_landmarks(page_of(ARTICLE.replace("<p>", f"{hidden}<p>", 4) + notice))
    assert np.array_equal(features_of(plain, Lexicon.empty()), features_of(other, Lexicon.empty()))
    assert plain.prose.sum() == other.prose.sum()
    assert (len(COLUMNS), 9) == features_of(other, Lexicon.empty()).shape


def test_a_page_with_nothing_but_a_notice_is_empty_and_says_why() -> None:
    extraction = extract(f"<div class=consent>{NOTICE}{BUTTON}</div>")
    assert ("", "all text of the page is hidden, or lies over it, like a dialog") == (
        extraction.text,
        extraction.reason,
    )


def test_the_reason_names_the_overlay() -> None:
    sections = extract(f"{ARTICLE}<div role=dialog>{TEXT}</div>").sections
    reasons = [reason for section in sections for leaf in section.walk() for reason in leaf.reasons]
    assert "lies over the page, like a dialog" in reasons


@pytest.mark.parametrize("name", ["role=dialog", "class=cookie-banner", "class='fixed modal' aria-hidden=true"])
def test_overlays_inside_overlays_take_time_in_proportion_to_the_text(name: str) -> None:
    """The text is searched once, not once for each of 400 elements around it."""

    def seconds(depth: int) -> float:
        page = page_of(f"<div {name}>" * depth + "<p>We use cookies, ferries and a pier.</p>" * 1_000 + BUTTON)
        started = time.process_time()
        overlays_of(page)
        return time.process_time() - started

    assert min(seconds(400) for _ in range(3)) < 30 * max(min(seconds(4) for _ in range(3)), 0.001)
