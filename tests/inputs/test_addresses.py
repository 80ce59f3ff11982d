"""Nothing but a public address on a web port passes, however it is spelled, and a refusal says nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pagestrata.errors import AddressRefused, UsageError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, check_address, pin, refusal, split_url

PUBLIC = ("93.184.216.34",)
BAD_INPUTS = Path(__file__).parents[2].parent / "shared" / "tools" / "badinputs" / "make.py"

# First and last address of each range of the IANA special-purpose registries, of the other ranges that are not
# public, and of the ways to write an IPv4 address in IPv6.
SPECIAL = [
    ("this network", "0.0.0.0", "0.255.255.255"),  # noqa: S104
    ("private 10/8", "10.0.0.0", "10.255.255.255"),
    ("carrier-grade NAT", "100.64.0.0", "100.127.255.255"),
    ("loopback", "127.0.0.0", "127.255.255.255"),
    ("link-local", "169.254.0.0", "169.254.255.255"),
    ("private 172.16/12", "172.16.0.0", "172.31.255.255"),
    ("protocol assignments", "192.0.0.0", "192.0.0.255"),
    ("documentation 1", "192.0.2.0", "192.0.2.255"),
    ("AS112 v4", "192.31.196.0", "192.31.196.255"),
    ("multicast tunnels", "192.52.193.0", "192.52.193.255"),
    ("6to4 relays", "192.88.99.0", "192.88.99.255"),
    ("private 192.168/16", "192.168.0.0", "192.168.255.255"),
    ("direct AS112", "192.175.48.0", "192.175.48.255"),
    ("benchmarks", "198.18.0.0", "198.19.255.255"),
    ("documentation 2", "198.51.100.0", "198.51.100.255"),
    ("documentation 3", "203.0.113.0", "203.0.113.255"),
    ("multicast", "224.0.0.0", "239.255.255.255"),
    ("reserved", "240.0.0.0", "255.255.255.254"),
    ("broadcast", "255.255.255.255", "255.255.255.255"),
    ("metadata of AWS, Google, Azure", "169.254.169.254", "169.254.169.254"),
    ("metadata of Azure", "168.63.129.16", "168.63.129.16"),
    ("metadata of Alibaba", "100.100.100.200", "100.100.100.200"),
    ("metadata of Oracle", "192.0.0.192", "192.0.0.192"),
    ("metadata of AWS v6", "fd00:ec2::254", "fd00:ec2::254"),
    ("unspecified", "::", "::"),
    ("loopback v6", "::1", "::1"),
    ("IPv4-compatible", "::127.0.0.1", "::255.255.255.255"),
    ("IPv4-mapped", "::ffff:0.0.0.0", "::ffff:255.255.255.255"),
    ("IPv4-translated", "::ffff:0:127.0.0.1", "::ffff:0:169.254.169.254"),
    ("NAT64 of loopback", "64:ff9b::127.0.0.0", "64:ff9b::127.255.255.255"),
    ("NAT64 of link-local", "64:ff9b::169.254.0.0", "64:ff9b::169.254.255.255"),
    ("local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
    ("discard", "100::", "100::ffff:ffff:ffff:ffff"),
    ("dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"),
    ("protocol assignments v6", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("benchmarks v6", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
    ("AMT", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("AS112 v6", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"),
    ("ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("ORCHID 2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("drone identifiers", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("documentation v6", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("direct AS112 v6", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
    ("new documentation v6", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("unassigned", "4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("link-local v6", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("link-local with zone", "fe80::1%eth0", "fe80::1%1"),
    ("site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("multicast v6", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("ISATAP under a public prefix", "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:127.0.0.1"),
]

PUBLIC_NEIGHBOURS = (
    *("1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"),
    *("168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"),
    *("192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"),
    *("2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "2606:4700:4700::1111", "3ffe:ffff::"),
    "64:ff9b::8.8.8.8",
)


def refuses(url: str, policy: AddressPolicy = PUBLIC_ONLY) -> bool:
    """Say whether the URL is refused, in the words of every refusal, though every name has a public address."""
    try:
        pin(split_url(url), policy, lambda host: PUBLIC)
    except AddressRefused as refused:
        return str(refused) == str(refusal())
    return False


def no_lookup(host: str) -> list[str]:
    raise AssertionError(f"{host} was looked up")


@pytest.mark.parametrize(("first", "last"), [pytest.param(*row[1:], id=row[0]) for row in SPECIAL])
def test_special_ranges_are_refused_from_first_to_last_address(first: str, last: str) -> None:
    for address in (first, last):
        with pytest.raises(AddressRefused):
            check_address(address, 80, PUBLIC_ONLY)


@pytest.mark.parametrize("address", PUBLIC_NEIGHBOURS)
def test_public_addresses_next_to_special_ranges_pass(address: str) -> None:
    check_address(address, 443, PUBLIC_ONLY)


@pytest.mark.parametrize("address", ["", "example.com", "127.1", "0177.0.0.1", "1.2.3.4.5", "::g"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(AddressRefused):
        check_address(address, 80, PUBLIC_ONLY)


def test_only_ports_of_web_servers_are_open() -> None:
    opened = [port for port in range(-1, 65538) if PUBLIC_ONLY.allows_port(port)]
    assert opened == [80, 443, *range(8000, 9000)]
    assert refuses("http://93.184.216.34:22/")
    assert not refuses("http://93.184.216.34:8080/")


def test_exceptions_lift_the_address_rule_and_with_a_port_the_port_rule() -> None:
    plain, network, with_port = (AddressPolicy((text,)) for text in ("127.0.0.1", "127.0.0.0/8", "127.0.0.1:22"))
    assert not refuses("http://127.0.0.1/", plain)
    assert refuses("http://127.0.0.1:22/", plain)
    assert refuses("http://127.0.0.2/", plain)
    assert not refuses("http://127.0.0.2/", network)
    assert not refuses("http://127.0.0.1:22/", with_port)
    assert refuses("http://127.0.0.1/", with_port)
    assert refuses("http://127.0.0.2:22/", with_port)
    assert not refuses("http://[::1]:22/", AddressPolicy(("[::1]:22",)))
    assert not refuses("http://[fd00::1]/", AddressPolicy(("fd00::/8",)))
    assert refuses("http://[::ffff:127.0.0.1]/", plain)


@pytest.mark.parametrize("text", ["", "localhost", "10.0.0.1/8", "127.0.0.1:", "127.0.0.1:http", "[::1"])
def test_an_exception_that_cannot_be_read_is_a_mistake_of_the_caller(text: str) -> None:
    with pytest.raises(UsageError):
        AddressPolicy((text,))


@pytest.mark.parametrize("name", ["intranet", "localhost", "a.localhost", "db.internal", "x.home.arpa", "a.local."])
def test_internal_names_are_looked_up_only_with_exceptions(name: str) -> None:
    with pytest.raises(AddressRefused):
        pin(split_url(f"http://{name}/"), PUBLIC_ONLY, no_lookup)
    intranet = AddressPolicy(("10.0.0.0/8",))
    assert pin(split_url(f"http://{name}/"), intranet, lambda host: ["10.0.0.1"]) == ("10.0.0.1",)
    with pytest.raises(AddressRefused):
        pin(split_url(f"http://{name}/"), intranet, lambda host: ["127.0.0.1"])


def test_every_resolved_address_must_pass() -> None:
    url = "https://example.com/"
    assert pin(split_url(url), PUBLIC_ONLY, lambda host: ["8.8.8.8", "1.1.1.1"]) == ("8.8.8.8", "1.1.1.1")
    for answer in (["8.8.8.8", "127.0.0.1"], ["8.8.8.8", "::1"], ["10.0.0.1"], []):
        with pytest.raises(AddressRefused):
            pin(split_url(url), PUBLIC_ONLY, lambda host, answer=answer: answer)  # type: ignore[misc]


def test_an_unknown_name_is_refused_in_the_same_words() -> None:
    def unknown(host: str) -> list[str]:
        raise OSError("Name or service not known")

    with pytest.raises(AddressRefused) as caught:
        pin(split_url("http://example.com/"), PUBLIC_ONLY, unknown)
    assert (str(caught.value), caught.value.__cause__) == (str(refusal()), None)


@pytest.mark.parametrize("url", ["http://8.8.8.8/", "https://8.8.8.8./", "http://[2606:4700:4700::1111]:8080/"])
def test_literal_addresses_need_no_lookup(url: str) -> None:
    assert pin(split_url(url), PUBLIC_ONLY, no_lookup)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("http://example.com.:80/a/../b?x=1&y#frag@evil", "http://example.com/a/../b?x=1&y"),
        ("https://example.com:8443?q", "https://example.com:8443/?q"),
        ("https://example.com:/", "https://example.com/"),
        ("http://bücher.example/ä b%20c|d", "http://xn--bcher-kva.example/%C3%A4%20b%20c%7Cd"),
        ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://[2606:4700:0::1111]/", "http://[2606:4700::1111]/"),
        ("http://my_shop-.example.com/", "http://my_shop-.example.com/"),
    ],
)
def test_urls_are_brought_to_one_spelling(url: str, normal: str) -> None:
    assert split_url(url).url == normal
    assert split_url(normal).url == normal


@pytest.mark.parametrize(
    "url",
    [
        *("http://user@example.com/", "http://user:secret@example.com/", "http://@example.com/"),
        *("http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://1.2.3.4.5/"),
        *(
            "http://１２７.０.０.１/",
            "http://127。0。0。1/",
            "http://①②⑦.⓪.⓪.①/",
            "http://127.0.0.1../",
            "http://a.0x/",
        ),
        *("http://[fe80::1%25eth0]/", "http://[::1]x/", "http://[127.0.0.1]/", "http://[]/", "http://::1/"),
        *("http://a b/", "http://a%2eb/", "http://a..b/", "http://.a/", "http://-a.example/", "http://a℀.example/"),
        *("http://example.com:65536/", "http://example.com:0/", "http://example.com:+80/", "http://example.com:８０/"),
        *("http:\\\\example.com/", "http://example.com\\@b/", "http://example.com/\\", "http://example.com/\x00"),
        *("http://example.com/\n", "\thttp://example.com/", " http://example.com/", "http://example.com/\ud800"),
        *("httpſ://example.com/", "http:/example.com/", "http:example.com", "//example.com/", "ftp://example.com/"),
    ],
)
def test_odd_urls_are_refused(url: str) -> None:
    assert refuses(url)


def test_a_very_long_host_is_refused_at_once() -> None:
    assert refuses("http://" + "ä" * 1_000_000 + "/")
    assert refuses("http://" + "1." * 1_000_000 + "/")


def test_every_form_of_the_bad_inputs_tool(tmp_path: Path) -> None:
    if not BAD_INPUTS.exists():
        pytest.skip("the bad inputs tool is not next to this repository")
    command = [sys.executable, str(BAD_INPUTS), str(tmp_path), "--scale", "0.002", "--only", "none"]
    subprocess.run(command, check=True, capture_output=True)
    lines = (tmp_path / "ssrf.jsonl").read_text("utf-8").splitlines()
    forms = [form for form in map(json.loads, lines) if "url" in form]
    wrong = [form for form in forms if refuses(form["url"].replace("PORT", "8123")) != (form["must"] == "refuse")]
    assert len(forms) >= 124
    assert wrong == []
