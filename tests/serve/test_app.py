"""Over HTTP a page gives what it gives in Python, and whatever is refused says why."""

import base64
import hashlib
import json
import re
from pathlib import Path

import httpx
import pytest

import pagestrata
from pagestrata.serve.openapi import EXAMPLES
from pagestrata.serve.problems import KINDS
from pagestrata.sites.model import Edit
from pagestrata.sites.store import Store
from pagestrata.work.rows import IDENTITY
from tests.serve.running import ARTICLES, TEA, Running, body_of

URL = "https://tidewater.example/articles/mud.html"
MUD = next(path for path in ARTICLES if path.stem == "a-glossary-of-mud").read_text(encoding="utf-8")


def kind_of(answer: httpx.Response) -> str:
    """The kind of a problem, which is whole."""
    assert "application/problem+json" == answer.headers["content-type"]
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["instance"].startswith("urn:uuid:")
    kind = str(problem["type"].removeprefix("urn:pagestrata:problem:"))
    assert KINDS[kind] == (problem["status"], problem["title"])
    return kind


@pytest.mark.parametrize(
    ("name", "attribute"), [("md", "markdown"), ("text", "text"), ("html", "html"), ("xml", "xml")]
)
def test_the_content_is_that_of_the_library(client: httpx.Client, name: str, attribute: str) -> None:
    answer = client.post("/extract", json={"html": MUD, "url": URL, "format": name}).json()
    expected = pagestrata.extract(MUD, URL)
    assert getattr(expected, attribute) == answer["content"]
    assert (name, "A Glossary of Mud", "", []) == (
        answer["format"],
        answer["title"],
        answer["reason"],
        answer["limits"],
    )
    assert expected.metadata.as_dict() == answer["metadata"]


def test_the_sections_are_those_of_the_library(client: httpx.Client) -> None:
    for method in (None, "density"):
        more = {"method": method} if method else {}
        answer = client.post("/sections", json={"html": MUD, "url": URL, **more})
        assert json.loads(pagestrata.extract(MUD, URL, method=method or "engine").json) == answer.json()


def test_bytes_are_read_as_their_header_says(client: httpx.Client) -> None:
    page = "<title>Čaj</title><p>" + "Počkejte, až se čaj vyluhuje. " * 9
    for encoding in ("iso-8859-2", "utf-8"):
        data = base64.b64encode(page.encode(encoding)).decode()
        answer = client.post("/extract", json={"base64": data, "content_type": f"text/html; charset={encoding}"}).json()
        assert "Počkejte, až se čaj vyluhuje." in answer["content"]


def test_options_are_those_of_the_library(client: httpx.Client) -> None:
    options = {"links": False, "images": False, "drop": ["h1"], "bias": 0.5, "comments": "on", "metadata": True}
    answer = client.post("/extract", json={"html": MUD, "url": URL, "options": options}).json()
    expected = pagestrata.Options(**{**options, "drop": ("h1",)})  # type: ignore[arg-type]
    assert pagestrata.extract(MUD, URL, expected).markdown == answer["content"]


def test_fields_give_the_row_of_a_batch(client: httpx.Client) -> None:
    row = client.post("/extract", json={"html": MUD, "url": URL, "fields": "chunks,text"}).json()
    assert [*IDENTITY, "text", "chunks"] == list(row)
    assert (URL, pagestrata.extract(MUD, URL).text) == (row["source"], row["text"])
    query, headers = {"fields": "text,chunks", "url": URL}, {"content-type": "text/html"}
    assert row == client.post("/extract", params=query, content=MUD.encode(), headers=headers).json()
    assert "unusable" == kind_of(client.post("/extract", json={"html": MUD, "fields": "prose"}))


def test_an_empty_page_is_an_answer_with_a_reason(client: httpx.Client) -> None:
    answer = client.post("/extract", json={"html": ""})
    assert (200, "") == (answer.status_code, answer.json()["content"].strip())
    assert answer.json()["reason"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "not-json"),
        (b"{", "not-json"),
        (b'{"html": "\xff"}', "not-json"),
        (b"[" * 100_000, "invalid"),
        (b"[]", "invalid"),
        (b"{}", "invalid"),
        (b'{"html": 7}', "invalid"),
        (b'{"html": "a", "base64": "YQ=="}', "invalid"),
        (b'{"base64": "***"}', "invalid"),
        (b'{"html": "a", "path": "/etc/passwd"}', "invalid"),
        (b'{"html": "a", "options": {"max_bytes": 9}}', "invalid"),
        (b'{"html": "a", "options": {"bias": 2}}', "invalid"),
        (b'{"html": "a", "format": "pdf"}', "invalid"),
        (b'{"html": "a", "options": {"keep": ["p["]}}', "unusable"),
        (b'{"html": "a", "method": "magic"}', "unusable"),
        (b'{"html": "a", "method": "density", "site": "x"}', "unusable"),
        (b'{"html": "a", "site": "nobody.example"}', "unknown-site"),
        (b'{"html": "a", "site": "/etc/passwd"}', "unknown-site"),
        (b'{"html": "a", "learn": true}', "unusable"),
        (b'{"url": "https://example.org/"}', "fetching-is-off"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_kind(client: httpx.Client, body: bytes, kind: str) -> None:
    answer = client.post("/extract", content=body, headers={"Content-Type": "application/json"})
    assert kind == kind_of(answer)


def test_every_example_of_the_document_works(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    examples = [
        (path, verbs["post"]["requestBody"]["content"]["application/json"]["example"])
        for path, verbs in paths.items()
        if "post" in verbs
    ]
    tried = [client.post(path, json=example).status_code for path, example in examples]
    assert [200] * len(EXAMPLES) == tried
    client.delete("/sites/tidewater")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_form_of_another_site_could_send_is_refused(client: httpx.Client, media_type: str) -> None:
    answer = client.post("/extract", content=body_of(TEA), headers={"Content-Type": media_type})
    assert "wrong-media-type" == kind_of(answer)


def test_a_page_may_be_the_body(client: httpx.Client) -> None:
    headers = {"Content-Type": "text/html; charset=iso-8859-1"}
    page = TEA.replace("pot", "p\u00f6t").encode("iso-8859-1")
    query = "format=text&url=https://tea.example/a&bias=0.5&links=false&drop=nav&drop=aside"
    answer = client.post(f"/extract?{query}", content=page, headers=headers).json()
    asked = {"html": page.decode("iso-8859-1"), "url": "https://tea.example/a", "format": "text"}
    options = {"bias": 0.5, "links": False, "drop": ["nav", "aside"]}
    assert client.post("/extract", json={**asked, "options": options}).json() == answer
    assert answer["content"].startswith("Warm the p\u00f6t")
    sections = client.post("/sections", content=page, headers={"Content-Type": "application/xhtml+xml"})
    assert 200 == sections.status_code


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("format=docx", "format is 'docx', but must be one of chunks, html, md, text, xml"),
        ("hidden=no", "hidden is 'no', but must be one of auto, never"),
        ("url=notaurl", "'notaurl' is not the URL of a page, which begins like https://example.org/"),
        ("url=javascript://x", "'javascript://x' is not the URL of a page"),
        ("fromat=md", "the query has the unknown parameter 'fromat'; there are url, "),
        ("html=x", "unknown parameter 'html'"),
        ("seconds=9", "unknown parameter 'seconds'"),
        ("format=md&format=text", "the query has format twice"),
        ("bias=9", "Expected `float` <= 1.0"),
    ],
)
def test_what_a_query_cannot_say_is_refused(client: httpx.Client, query: str, detail: str) -> None:
    answer = client.post(f"/extract?{query}", content=TEA, headers={"Content-Type": "text/html"})
    assert "invalid" == kind_of(answer)
    assert detail in answer.json()["detail"]


def test_parameters_are_never_ignored(client: httpx.Client) -> None:
    assert "invalid" == kind_of(client.post("/extract?format=text", json={"html": TEA}))
    as_curl_sends_it = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = client.post("/extract?format=text", content=TEA, headers=as_curl_sends_it)
    assert "add the header content-type: text/html" in answer.json()["detail"]
    assert "invalid" == kind_of(client.get("/sites?page=2"))
    assert "wrong-media-type" == kind_of(client.post("/learn", content=TEA, headers={"Content-Type": "text/html"}))


def test_the_document_is_a_page_for_people_without_scripts(client: httpx.Client) -> None:
    answer = client.get("/docs")
    assert (200, "text/html; charset=utf-8") == (answer.status_code, answer.headers["content-type"])
    assert "<code>POST /extract</code>" in answer.text
    assert "<script" not in answer.text
    assert "default-src 'none'; style-src 'sha256-" in answer.headers["content-security-policy"]
    style = answer.text.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert digest in answer.headers["content-security-policy"]


def test_a_compressed_body_is_refused(client: httpx.Client) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert "wrong-media-type" == kind_of(client.post("/extract", content=body_of(TEA), headers=headers))


def test_a_body_of_more_than_20_mb_is_refused_whether_or_not_it_says_so(client: httpx.Client) -> None:
    large = body_of("a" * 20_000_000)
    headers = {"Content-Type": "application/json"}
    assert "body-too-large" == kind_of(client.post("/extract", content=large, headers=headers))
    pieces = (large[place : place + 65536] for place in range(0, len(large), 65536))
    assert "body-too-large" == kind_of(client.post("/extract", content=pieces, headers=headers))
    fits = body_of("<!--" + "a" * 19_000_000 + "--><p>Tea")
    assert 200 == client.post("/extract", content=fits, headers=headers).status_code


def test_other_hosts_and_origins_are_refused(client: httpx.Client, service: Running) -> None:
    assert "wrong-host" == kind_of(client.get("/sites", headers={"Host": "rebound.example"}))
    assert "wrong-host" == kind_of(client.get("/", headers={"Host": f"rebound.example:{service.port}"}))
    assert "foreign-origin" == kind_of(client.get("/sites", headers={"Origin": "https://evil.example"}))
    assert "foreign-origin" == kind_of(client.get("/sites", headers={"Origin": "null"}))
    assert 200 == client.get("/sites", headers={"Origin": service.address}).status_code
    assert 200 == client.get("/sites", headers={"Host": f"localhost:{service.port}"}).status_code


def test_no_answer_can_be_mistaken_for_a_page(client: httpx.Client) -> None:
    for answer in (client.post("/extract", json={"html": TEA}), client.get("/nothing"), client.get("/")):
        assert "nosniff" == answer.headers["x-content-type-options"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers


def test_unknown_paths_and_methods_are_problems_too(client: httpx.Client) -> None:
    assert "not-found" == kind_of(client.get("/nothing"))
    answer = client.put("/extract")
    assert ("wrong-method", "POST") == (kind_of(answer), answer.headers["allow"])


def test_a_site_is_learned_used_and_forgotten(client: httpx.Client, service: Running) -> None:
    pages = [
        {"html": path.read_text(encoding="utf-8"), "url": f"https://tidewater.example/{path.name}"} for path in ARTICLES
    ]
    feed = (ARTICLES[0].parent.parent / "feed.xml").read_text(encoding="utf-8")
    learned = client.post("/learn", json={"pages": pages, "feed": feed}).json()
    assert ("tidewater.example", [len(pages)]) == (learned["site"], [layout["pages"] for layout in learned["layouts"]])
    rows = client.get("/sites").json()["sites"]
    assert ["tidewater.example"] == [row["name"] for row in rows]

    model = Store(Path(service.store)).load("tidewater.example")
    assert model is not None
    assert json.loads(model.to_json()) == client.get("/sites/tidewater.example").json()
    for site in ("tidewater.example", "auto"):
        answer = client.post("/extract", json={"html": MUD, "site": site}).json()
        assert ("site", model.extract(MUD).markdown) == (answer["method"], answer["content"])

    Store(Path(service.store)).save(model.with_edit(Edit(action="drop", selector="h1")))
    assert 200 == client.post("/learn", json={"pages": pages}).status_code
    assert [("drop", "h1")] == [
        (edit["action"], edit["selector"]) for edit in client.get("/sites/tidewater.example").json()["edits"]
    ]
    assert 204 == client.delete("/sites/tidewater.example").status_code
    assert "unknown-site" == kind_of(client.delete("/sites/tidewater.example"))
    assert "unknown-site" == kind_of(client.get("/sites/tidewater.example"))
    assert "unknown-site" == kind_of(client.get("/sites/a%00b%2F..%2Fc"))


def test_pages_that_do_not_belong_together_are_not_learned(client: httpx.Client) -> None:
    assert "invalid" == kind_of(client.post("/learn", json={"pages": [{"html": TEA}]}))
    assert "unusable" == kind_of(client.post("/learn", json={"pages": [{"html": TEA}, {"html": TEA + "!"}]}))
    pages = [{"html": TEA, "url": f"https://{host}.example/"} for host in "ab"]
    assert "unusable" == kind_of(client.post("/learn", json={"pages": pages}))


def test_a_page_does_not_choose_the_site_that_learns_from_it(client: httpx.Client) -> None:
    html = f"<link rel=canonical href=https://victim.example/a><title>Tea</title>{TEA}"
    assert "unusable" == kind_of(client.post("/extract", json={"html": html, "learn": True}))
    assert "unusable" == kind_of(client.post("/extract", json={"html": html, "learn": True, "site": "auto"}))
    assert "unusable" == kind_of(client.post("/learn", json={"pages": [{"html": html}, {"html": html + "!"}]}))


def test_a_site_learns_from_pages_as_they_come(client: httpx.Client) -> None:
    for path in ARTICLES[:4]:
        body = {"html": path.read_text(encoding="utf-8"), "site": "stream.example", "learn": True}
        assert 200 == client.post("/extract", json=body).status_code
    seen_again = client.post("/extract", json=body).json()
    assert "site" == seen_again["method"]
    rows = {row["name"]: row["pages"] for row in client.get("/sites").json()["sites"]}
    assert 4 == rows["stream.example"]
    client.delete("/sites/stream.example")


def test_what_was_counted_can_be_read_by_prometheus(client: httpx.Client) -> None:
    client.post("/extract", json={"html": TEA})
    client.get("/no/such/path")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    sample = re.compile(r'pagestrata_\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? \d+(\.\d+)?')
    lines = answer.text.splitlines()
    assert [] == [line for line in lines if not line.startswith("# ") and not sample.fullmatch(line)]
    assert any(line.startswith('pagestrata_requests_total{path="/extract",status="200"}') for line in lines)
    assert "/no/such/path" not in answer.text


def test_the_log_holds_ids_and_nothing_that_was_sent(client: httpx.Client, service: Running) -> None:
    forged = "\x1b[31mKettle\r\nforged line"
    answer = client.post("/extract", json={"html": TEA, forged: forged})
    client.get("/Kettle", headers={"Authorization": "Bearer Kettle"})
    log = service.log.read_text()
    assert f"{answer.json()['instance']} 422 invalid" in log
    assert "Kettle" not in log
    assert "\x1b" not in log


def test_half_a_surrogate_pair_in_json_is_read_as_a_replacement(client: httpx.Client) -> None:
    """JavaScript sends it for a page that was cut inside an emoji."""
    body = json.dumps(
        {"html": TEA + "<p>Half a kettle \ud83d sang, and the whole \U0001f600 tide came in.", "format": "text"}
    )
    answer = client.post("/extract", content=body, headers={"Content-Type": "application/json"})
    assert 200 == answer.status_code
    assert "Half a kettle \ufffd sang, and the whole \U0001f600 tide" in answer.text
