"""How good the shipped engine is on sets that it was not trained on: floors that only rise.

How good it is on sites that it has not seen of the sets that it was trained on, its card says, from cross-validation.
Floors on pages that it was trained on would only keep better models from shipping. Raise a floor when a better model
ships; never lower one to pass. Samples are large: on 40 pages of l3s-gn1 two models that are alike on all 340 were .011
apart.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from importlib.resources import files
from pathlib import Path
from statistics import fmean

import pytest

from pagestrata.evaluate.contenders import contender
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.quality import Plan, evaluate
from pagestrata.page.feed import Feed
from pagestrata.page.page import Page
from pagestrata.sites.learn import learn
from pagestrata.sites.model import SiteModel

ENGINE_PAGES, SITE_PAGES = 200, 40
ENGINE = {"big9": 0.98, "cnnews10": 0.966, "l3s-gn1": 0.95}
SITE = {"big9": 0.99, "cnnews10": 0.965}
UPDATED = 0.001
"""How far apart the F1 of a model that was updated page by page and of one that was learned at once may be."""
SITES_UNSEEN = {"wcxb": 0.885, "forums": 0.885, "templates": 0.93, "docs": 0.969, "shops": 0.808, "wpsites": 0.917}


@dataclass(frozen=True)
class PageByPage:
    """Learns a site from its first two pages, and updates the model with one page after the other."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> SiteModel:
        return reduce(SiteModel.update, pages[2:], learn(pages[:2], feed, "site"))


def mean_f1(
    name: str, method: str, pages: int, names_removed: bool = False, learner: PageByPage | None = None
) -> float:
    if not (Path(os.environ.get("PAGESTRATA_DATA", "")) / name).is_dir():
        pytest.skip(f"real pages are not here: set PAGESTRATA_DATA to a folder that holds {name}/")
    plan = Plan(siblings=(8,), names_removed=names_removed, pages=pages)
    rows = list(evaluate(read_dataset(name), [contender(method, learner)], plan))
    found = fmean(row.figures["word_f1"] for row in rows if "word_f1" in row.figures)
    print(f"{method} on {len(rows)} pages of {name}{', names removed' if names_removed else ''}: {found:.4f}")
    return found


@pytest.mark.parametrize("name", SITES_UNSEEN)
def test_what_the_card_says_of_sites_unseen(name: str) -> None:
    card = files("pagestrata.engine").joinpath("data", "card.md").read_text()
    cross_validation = card[card.index("| F1, names kept |") :].splitlines()
    (scores,) = (line.split("|") for line in cross_validation if line.startswith(f"| {name} |"))
    assert SITES_UNSEEN[name] <= float(scores[3].split()[0])


@pytest.mark.parametrize("name", ENGINE)
def test_the_engine(name: str) -> None:
    assert ENGINE[name] <= mean_f1(name, "engine", ENGINE_PAGES)


@pytest.mark.parametrize("name", SITE)
def test_a_site_learned_from_eight_pages_without_names(name: str) -> None:
    assert SITE[name] <= mean_f1(name, "site", SITE_PAGES, names_removed=True)


@pytest.mark.parametrize("name", SITE)
def test_a_model_updated_page_by_page_is_as_good_as_one_learned_at_once(name: str) -> None:
    at_once = mean_f1(name, "site", SITE_PAGES)
    assert mean_f1(name, "page by page", SITE_PAGES, learner=PageByPage()) == pytest.approx(at_once, abs=UPDATED)
