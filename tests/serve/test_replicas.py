"""Several services share what one of them has learned, in PostgreSQL."""

from pathlib import Path

from tests.serve.running import ARTICLES, running
from tests.sites.cluster import new_cluster


def test_what_one_has_learned_all_know_at_once(tmp_path: Path) -> None:
    pages = [
        {"html": path.read_text(encoding="utf-8"), "url": f"https://tidewater.example/{path.name}"}
        for path in ARTICLES[:6]
    ]
    page = {"html": ARTICLES[-1].read_text(encoding="utf-8"), "site": "auto"}
    with (
        new_cluster() as cluster,
        running(cluster.address, tmp_path / "first.log") as first,
        running(cluster.address, tmp_path / "second.log") as second,
        first.client() as one,
        second.client() as other,
    ):
        assert "engine" == other.post("/extract", json=page).json()["method"]
        assert "tidewater.example" == one.post("/learn", json={"pages": pages}).json()["site"]
        assert ["site", "site"] == [client.post("/extract", json=page).json()["method"] for client in (one, other)]

        cluster.kill()
        answer = other.post("/extract", json=page)
        assert (503, "urn:pagestrata:problem:store-failed") == (answer.status_code, answer.json()["type"])
        assert str(cluster.folder) not in answer.text
        cluster.start()
        assert 204 == one.delete("/sites/tidewater.example").status_code
        assert "engine" == other.post("/extract", json=page).json()["method"]
