"""What the OpenAPI document says holds: made-up requests, right and wrong, are answered as it tells."""

import subprocess
import sys
from pathlib import Path

import httpx

from pagestrata.serve.problems import KINDS
from pagestrata.serve.schemas import ANSWERS, REQUESTS
from tests.serve.running import Running

EXAMPLES = 4
"""That are made up for each path beside the several hundred at the edges of the schemas; `scripts/stress service` takes
more."""


def try_document(address: str, folder: Path, examples: int) -> "subprocess.CompletedProcess[str]":
    """Run schemathesis; it may find right data refused, as a schema cannot say which text is a selector."""
    phases = ("--phases", "examples,coverage,fuzzing", "--max-examples", str(examples), "--generation-deterministic")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/openapi.json", *phases]
    command += ["--exclude-checks", "positive_data_acceptance", "--continue-on-failure", "--no-color"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_made_up_requests_are_answered_as_the_document_says(service: Running, tmp_path: Path) -> None:
    done = try_document(service.address, tmp_path, EXAMPLES)
    assert 0 == done.returncode, done.stdout[-5000:] + done.stderr
    assert 200 == httpx.get(f"{service.address}/health", trust_env=False).status_code


def test_every_kind_of_request_answer_and_refusal_is_there(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert {kind.__name__ for kind in (*REQUESTS, *ANSWERS)} | {"Problem"} <= document["components"]["schemas"].keys()
    told = " ".join(
        answer["description"]
        for verbs in document["paths"].values()
        for verb in verbs.values()
        for answer in verb["responses"].values()
    )
    assert {"not-found", "wrong-method", "worker-died", "store-failed"} == {
        kind for kind, (_, title) in KINDS.items() if title not in told
    }


def test_no_request_carries_what_could_harm(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    names = {
        name
        for kind in ("ExtractRequest", "SectionsRequest", "LearnRequest", "PageInput", "OptionsInput")
        for name in document["components"]["schemas"][kind]["properties"]
    }
    assert not names & {"path", "file", "proxy", "headers", "code", "script", "command", "seconds", "max_bytes"}
    assert all(
        document["components"]["schemas"][kind]["additionalProperties"] is False
        for kind in ("ExtractRequest", "SectionsRequest", "LearnRequest", "PageInput", "OptionsInput")
    )
