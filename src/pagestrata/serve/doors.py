"""Who may come in: the names this service goes by, where a browser was sent from, and tokens.

A page in a browser on this machine can send requests to 127.0.0.1, and by rebinding a name of its own can even read
the answers. So without a token the Host header must be a name of this machine, and an Origin must be the same host.
"""

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeSettings

OPEN_PATHS: Final = frozenset(("/", "/health"))
"""What says nothing that needs a token: load balancers ask for health, and browsers begin at the top."""
OPEN_FOLDER: Final = "/inspector/"
"""The parts of the inspector, which are the same for everyone; what it asks for is asked at `/look`."""


def check_in(settings: ServeSettings, path: str, headers: Mapping[str, str], address: str) -> str:
    """Let a request in, or raise; gives back what to call the client, for its share of the service."""
    host = headers.get("host", "")
    if settings.hosts and name_of(host) not in settings.hosts:
        raise Refused("wrong-host")
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        raise Refused("foreign-origin")
    if not settings.tokens or path in OPEN_PATHS or path.startswith(OPEN_FOLDER):
        return address
    return _client_of(settings.tokens, headers.get("authorization", ""))


def name_of(host: str) -> str:
    """A Host header without the port, in lower case.

    >>> name_of("LocalHost:8000"), name_of("[::1]:8000"), name_of("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdecimal() else host.lower()


def _client_of(tokens: tuple[str, ...], authorization: str) -> str:
    """Compare in constant time; the client is named after the token it has, but not by it."""
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() == "bearer" and any(hmac.compare_digest(given.encode(), token.encode()) for token in tokens):
        return sha256(given.encode()).hexdigest()
    raise Refused("token-needed")
