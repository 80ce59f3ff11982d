"""Language models find the same verbs: with the official client, and message by message."""

import asyncio
from typing import Any

import httpx
import pytest

from pagestrata.serve.mcp import VERSIONS
from tests.serve.running import ARTICLES, TEA, Running


def test_the_official_client_finds_and_uses_the_tools(service: Running) -> None:
    from mcp.client import Client

    async def use() -> tuple[list[str], Any, Any, Any]:
        async with Client(f"{service.address}/mcp") as client:
            tools = (await client.list_tools()).tools
            good = await client.call_tool("extract", {"html": TEA, "format": "text"})
            bad = await client.call_tool("extract", {"html": TEA, "bogus": 1})
            sites = await client.call_tool("sites", {})
            return [tool.name for tool in tools], good, bad, sites

    names, good, bad, sites = asyncio.run(use())
    assert ["extract", "sections", "learn", "sites"] == names
    assert good.content[0].text.startswith("Warm the pot, then wait a while.")
    assert ("Tea", False) == (good.structured_content["title"], good.is_error)
    assert bad.is_error
    assert "bogus" in bad.content[0].text
    assert {"sites": []} == sites.structured_content


def say(client: httpx.Client, method: str, params: Any = None, **more: Any) -> httpx.Response:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, **({"params": params} if params else {}), **more}
    return client.post("/mcp", json=message)


@pytest.mark.parametrize(("wanted", "given"), [(VERSIONS[1], VERSIONS[1]), ("1999-01-01", VERSIONS[0])])
def test_the_version_is_agreed_on(client: httpx.Client, wanted: str, given: str) -> None:
    answer = say(client, "initialize", {"protocolVersion": wanted, "capabilities": {}}).json()
    assert (7, given, {"tools": {}}) == (
        answer["id"],
        answer["result"]["protocolVersion"],
        answer["result"]["capabilities"],
    )


def test_notifications_are_taken_without_an_answer(client: httpx.Client) -> None:
    answer = client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (202, b"") == (answer.status_code, answer.content)


def test_a_stream_is_not_offered(client: httpx.Client) -> None:
    assert [405, 405] == [client.get("/mcp").status_code, client.delete("/mcp").status_code]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("resources/list", None, -32601),
        ("tools/call", {"name": "shell"}, -32602),
        ("tools/call", {"name": ["extract"]}, -32602),
        ("tools/call", None, -32602),
    ],
)
def test_what_is_not_there_is_an_error_of_the_protocol(
    client: httpx.Client, method: str, params: Any, code: int
) -> None:
    answer = say(client, method, params)
    assert (200, code) == (answer.status_code, answer.json()["error"]["code"])


@pytest.mark.parametrize(("body", "code"), [(b"{", -32700), (b"[]", -32600), (b'{"jsonrpc": "1.0"}', -32600)])
def test_what_is_no_message_is_an_error_of_the_protocol(client: httpx.Client, body: bytes, code: int) -> None:
    answer = client.post("/mcp", content=body, headers={"Content-Type": "application/json"})
    assert (400, code, None) == (answer.status_code, answer.json()["error"]["code"], answer.json()["id"])


def test_tools_tell_what_they_take(client: httpx.Client) -> None:
    tools = {tool["name"]: tool["inputSchema"] for tool in say(client, "tools/list").json()["result"]["tools"]}
    assert {"html", "url", "format"} <= tools["extract"]["properties"].keys()
    assert all(schema["type"] == "object" and not schema["additionalProperties"] for schema in tools.values())


def test_a_site_is_learned_by_a_tool(client: httpx.Client) -> None:
    pages = [{"html": path.read_text(encoding="utf-8")} for path in ARTICLES[:4]]
    call = {"name": "learn", "arguments": {"pages": pages, "site": "tools.example"}}
    result = say(client, "tools/call", call).json()["result"]
    assert ("tools.example", False) == (result["structuredContent"]["site"], result["isError"])
    assert 204 == client.delete("/sites/tools.example").status_code
