"""Language models that start their servers: one message on a line, one answer on a line."""

import asyncio
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pagestrata.serve import stdio
from pagestrata.serve.tasks import Task
from pagestrata.work.guard import Guard
from tests.build import ROOT
from tests.inputs.web import serving_pages
from tests.serve.running import TEA


def talk(folder: Path, messages: list[Any], *options: str) -> list[dict[str, Any]]:
    """The answers to some messages; text is sent as it is."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PAGESTRATA_STORE": str(folder / "sites.db")}
    lines = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in messages)
    command = [sys.executable, "-m", "pagestrata", "mcp", *options]
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, env=environment, timeout=120, check=True
    )
    assert "" == done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(tool: str, number: int = 1, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_messages_are_answered_in_their_order(tmp_path: Path) -> None:
    start = {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    seen = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    first, second, third = talk(tmp_path, [start, seen, "", "{", call("extract", 7, html=TEA, format="text")])
    assert ("a", "2025-06-18") == (first["id"], first["result"]["protocolVersion"])
    assert (None, -32700) == (second["id"], second["error"]["code"])
    assert 7 == third["id"]
    assert third["result"]["content"][0]["text"].startswith("Warm the pot, then wait a while.")


def test_pages_are_fetched_only_if_that_was_allowed(tmp_path: Path) -> None:
    with serving_pages({"/tea": TEA.encode()}) as web:
        message = call("extract", url=web.url("/tea"))
        [refused] = talk(tmp_path, [message])
        assert refused["result"]["isError"]
        [private] = talk(tmp_path, [message], "--fetch")
        assert "tea is refused" in private["result"]["content"][0]["text"]
        [answer] = talk(tmp_path, [message], "--fetch", "--allow-address", web.allowed)
        assert "Warm the pot" in answer["result"]["content"][0]["text"]


def die(task: Task) -> bytes:
    os._exit(3)


def test_a_child_that_dies_costs_one_answer() -> None:
    with Guard(die, 1) as guard:
        answer = json.loads(stdio._answer(json.dumps(call("extract", 7, html=TEA)).encode(), io.BytesIO(), guard, None))
    text = answer["result"]["content"][0]["text"]
    assert (7, True, "reading the page failed: died") == (answer["id"], answer["result"]["isError"], text)


def test_a_message_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "MAX_LINE", 10)
    messages = io.BytesIO(b"x" * 25 + b"\nnext\n")
    with Guard(die, 1) as guard:
        answer = json.loads(stdio._answer(messages.readline(10), messages, guard, None))
    assert (-32600, b"next\n") == (answer["error"]["code"], messages.readline())


def test_the_official_client_talks_to_it(tmp_path: Path) -> None:
    from mcp import StdioServerParameters, stdio_client
    from mcp.client import Client

    environment = {"PYTHONPATH": str(ROOT / "src"), "PAGESTRATA_STORE": str(tmp_path / "sites.db")}
    server = StdioServerParameters(command=sys.executable, args=["-m", "pagestrata", "mcp"], env=environment)

    async def use() -> tuple[list[str], Any]:
        async with Client(stdio_client(server)) as client:
            tools = (await client.list_tools()).tools
            return [tool.name for tool in tools], await client.call_tool("extract", {"html": TEA, "format": "text"})

    names, answer = asyncio.run(use())
    assert {"extract", "sections"} <= set(names)
    assert answer.content[0].text.startswith("Warm the pot")
