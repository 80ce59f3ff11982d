"""The policy for outgoing connections: `split_url` parses a URL, `check_address` accepts or refuses an address.

Everything that opens a connection (pages, redirects, robots.txt, feeds, requests of a browser) calls it first.
The table of special ranges is our own, as `ipaddress.is_global` differs between Python versions.
A refusal always has the same text, so that error messages cannot be used to map a network.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from unicodedata import normalize
from urllib.parse import quote

from pagestrata.errors import AddressRefused, UsageError

Resolve = Callable[[str], Sequence[str]]
"""Returns all addresses of a host name as text; an `OSError` means that it has none."""

# https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
_SPECIAL_RANGES = {
    "private": "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10",
    "this host or link": "0.0.0.0/8 127.0.0.0/8 169.254.0.0/16",
    "cloud metadata outside of the other ranges": "168.63.129.16/32",
    "protocols": "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24",
    "documentation and benchmarks": "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 198.18.0.0/15",
    "multicast, reserved, broadcast": "224.0.0.0/4 240.0.0.0/4",
    # Only 2000::/3 is handed out to the public.
    "v6 below: unspecified, loopback, IPv4 compatible, mapped and translated, local NAT64, discard": "::/3",
    "v6 above: segment routing, unique local, link-local, site-local, multicast, unassigned": "4000::/2 8000::/1",
    "v6 protocols, with Teredo in the first range and 6to4 in the second": "2001::/23 2002::/16 2620:4f:8000::/48",
    "v6 documentation": "2001:db8::/32 3fff::/20",
}
_SPECIAL = tuple(ip_network(network) for ranges in _SPECIAL_RANGES.values() for network in ranges.split())
# A network without IPv4 reaches every public IPv4 site through this prefix, so the address inside decides.
_NAT64 = IPv6Network("64:ff9b::/96")

# Names that never mean a public site: RFC 6761, 6762, 7686, 8375 and ICANN's reservation of .internal.
_INTERNAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa", ".onion")

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NEVER_IN_A_URL = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.IGNORECASE | re.ASCII)
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@]+)(?::([0-9]{0,5}))?", re.IGNORECASE | re.ASCII)
_ENDS_IN_A_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
_HOST_NAME = re.compile(r"(?:[a-z0-9_][a-z0-9_-]{0,62}(?:\.(?!$)|$))+")
_MAX_HOST_NAME_LENGTH = 253
_KEPT_IN_PATHS = "!$%&'()*+,/:;=?@[]~"


def refusal(cause: str = "") -> AddressRefused:
    """The error for every address that is refused, cannot be resolved or cannot be reached; `cause` is not shown."""
    return AddressRefused("this address is refused or cannot be reached", cause)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Allows public addresses on the ports of web servers, and exceptions."""

    allow: tuple[str, ...] = ()
    """Special addresses that are allowed: `127.0.0.1`, `10.0.0.0/8`; with a port (`127.0.0.1:5000`, `[::1]:5000`)
    only that port, whichever it is."""
    ports: tuple[range, ...] = (range(80, 81), range(443, 444), range(8000, 9000))

    def __post_init__(self) -> None:
        for exception in self.allow:
            _read_exception(exception)

    def allows_port(self, port: int) -> bool:
        """Whether this is a port of web servers."""
        return any(port in ports for ports in self.ports)

    def is_exception(self, address: IPv4Address | IPv6Address, port: int | None) -> bool:
        """Whether the address is an exception with exactly this port or, for None, an exception without a port."""
        return any(address in network and port == allowed for network, allowed in map(_read_exception, self.allow))


PUBLIC_ONLY = AddressPolicy()


@lru_cache
def _read_exception(text: str) -> tuple[IPv4Network | IPv6Network, int | None]:
    """Read one entry of `AddressPolicy.allow`.

    >>> _read_exception("10.0.0.0/8"), _read_exception("[::1]:5000")
    ((IPv4Network('10.0.0.0/8'), None), (IPv6Network('::1/128'), 5000))
    """
    with_port = re.fullmatch(r"(?:\[(.+)\]|([^:]+)):([0-9]{1,5})", text)
    network, port = (with_port[1] or with_port[2], int(with_port[3])) if with_port else (text, None)
    try:
        return ip_network(network), port
    except ValueError:
        raise UsageError(f"not an address, a network, or one of them with a port: {text!r}") from None


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a URL in the normal form that is checked, sent and reported."""

    scheme: str
    host: str
    """A name in ASCII and lower case, or an address without brackets."""
    port: int
    path: str
    """Path and query, without the fragment."""

    @property
    def authority(self) -> str:
        """The value of the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The URL in normal form."""
        return f"{self.scheme}://{self.authority}{self.path}"


def is_address(text: str) -> bool:
    """Whether a text is an address to fetch."""
    return text.lower().startswith(("http://", "https://"))


def split_url(url: str) -> Target:
    """Parse an http or https URL; refuse credentials, zones, control characters and odd spellings of addresses.

    >>> split_url("HTTPS://Bücher.Example.:443?q=ä#top").url
    'https://xn--bcher-kva.example/?q=%C3%A4'
    >>> split_url("http://0x7f.1/")
    Traceback (most recent call last):
    pagestrata.errors.AddressRefused: this address is refused or cannot be reached
    """
    parts = _URL.fullmatch(url)
    authority = _AUTHORITY.fullmatch(parts[2]) if parts else None
    if not parts or not authority or _NEVER_IN_A_URL.search(url):
        raise refusal()
    scheme = parts[1].lower()
    port = int(authority[2] or _DEFAULT_PORTS[scheme])
    if not 0 < port < 65536:
        raise refusal()
    path = quote(parts[3], safe=_KEPT_IN_PATHS)
    return Target(scheme, _read_host(authority[1]), port, path if path.startswith("/") else f"/{path}")


def _read_host(host: str) -> str:
    """Normalise a host. A name that ends in a number is an IPv4 address, as it is for every browser."""
    try:
        if host.startswith("["):
            return str(IPv6Address(host[1:-1]))
        name = _ascii_name(host).removesuffix(".")
        if _ENDS_IN_A_NUMBER.fullmatch(name):
            return str(IPv4Address(name))
    except ValueError:
        raise refusal() from None
    if len(name) > _MAX_HOST_NAME_LENGTH or not _HOST_NAME.fullmatch(name):
        raise refusal()
    return name


def _ascii_name(host: str) -> str:
    """Convert a host name to ASCII by UTS 46, as browsers do; the `idna` codec (IDNA 2003) does not.

    >>> _ascii_name("１２７。0。0。①"), _ascii_name("Straße.de")
    ('127.0.0.1', 'xn--strae-oqa.de')
    """
    if len(host) > _MAX_HOST_NAME_LENGTH + 1:
        raise ValueError("longer than any host name")
    name = normalize("NFKC", normalize("NFKC", host).lower()).replace("。", ".")
    return ".".join(part if part.isascii() else f"xn--{part.encode('punycode').decode()}" for part in name.split("."))


def check_address(address: str, port: int, policy: AddressPolicy) -> None:
    """Raise `AddressRefused` unless this is a public address and a web port, or an exception of the policy."""
    try:
        ip = ip_address(address)
    except ValueError:
        raise refusal() from None
    if policy.is_exception(ip, port):
        return
    if not policy.allows_port(port) or (_is_special(ip) and not policy.is_exception(ip, None)):
        raise refusal()


def _is_special(address: IPv4Address | IPv6Address) -> bool:
    if address in _NAT64:
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    return any(address in network for network in _SPECIAL) or _is_isatap(address)


def _is_isatap(address: IPv4Address | IPv6Address) -> bool:
    """Tunnels of RFC 5214 hide an IPv4 address behind `0:5efe` or `200:5efe`, under any prefix."""
    return address.version == 6 and (int(address) >> 32) & 0xFDFFFFFF == 0x5EFE


def pin(target: Target, policy: AddressPolicy, resolve: Resolve) -> tuple[str, ...]:
    """Resolve once and check every address. Connecting to these, and not to the name, prevents DNS rebinding."""
    addresses = _addresses(target.host, policy, resolve)
    for address in addresses:
        check_address(address, target.port, policy)
    return addresses


def _addresses(host: str, policy: AddressPolicy, resolve: Resolve) -> tuple[str, ...]:
    """All addresses of a host, at least one; names of internal networks are resolved only if there are exceptions."""
    if _is_literal(host):
        return (host,)
    if not policy.allow and ("." not in host or f".{host}".endswith(_INTERNAL_NAMES)):
        raise refusal()
    try:
        addresses = tuple(resolve(host))
    except OSError:
        addresses = ()
    if not addresses:
        raise refusal(f"the name {host} cannot be resolved")
    return addresses


def _is_literal(host: str) -> bool:
    return ":" in host or _ENDS_IN_A_NUMBER.fullmatch(host) is not None
