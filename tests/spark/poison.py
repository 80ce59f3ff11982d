"""Pages that do their worst to a worker: a module of its own, as workers of Spark and their children import it."""

from pathlib import Path

from pagestrata.sites.choice import AUTO, StoredModel
from pagestrata.sites.model import SiteModel
from pagestrata.sites.store import Store
from tests.work.actions import perform

DEEDS = {"crash": "segfault", "hang": "hang", "hungry": "gorge_and_abort"}


class Poisoned(StoredModel):
    """Asked for the model of a site, does what the first word of its name says; no site has one."""

    def model_of(self, site: str) -> SiteModel | None:
        deed = DEEDS.get(site.partition(".")[0])
        if deed:
            perform(deed)
        return None


POISONED = Poisoned(AUTO, Store(Path("none.db")))
