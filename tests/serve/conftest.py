"""One service for all tests that do it no harm."""

from collections.abc import Iterator

import httpx
import pytest

from tests.serve.running import Running, running


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("serve")
    with running(str(folder / "sites.db"), folder / "log", "--seconds", "30") as found:  # the machine may be busy
        yield found


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    with service.client() as found:
        yield found
