"""Access control: the host names of this service, the origin of browser requests, and tokens.

A page in a browser on this machine can send requests to 127.0.0.1, and by DNS rebinding it can even read the responses.
So without a token the Host header must be a name of this machine, and an Origin must be the same host.
"""

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeSettings

OPEN_PATHS: Final = frozenset(("/", "/docs", "/health"))
"""Paths that need no token: load balancers request the health, and browsers start at the root or the docs."""
OPEN_FOLDER: Final = "/inspector/"
"""The static files of the inspector, which need no token; its data comes from `/look`, which does."""


def check_access(settings: ServeSettings, path: str, headers: Mapping[str, str], address: str) -> str:
    """Accept a request or raise `Refused`; return the name of the client, to which quotas apply."""
    host = headers.get("host", "")
    if settings.hosts and name_of(host) not in settings.hosts:
        raise Refused("wrong-host")
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        raise Refused("foreign-origin")
    if not settings.tokens or path in OPEN_PATHS or path.startswith(OPEN_FOLDER):
        return address
    return _client_of(settings.tokens, headers.get("authorization", ""))


def share_name(settings: ServeSettings, client: str, peer: Sequence[str | int], server: Sequence[str | int]) -> str:
    """Return the name to which the time of workers is charged.

    Programs on this machine all have the address of the service. Without tokens each of their connections is charged
    by itself, so that a slow page of one program does not make the others slow clients.
    """
    is_local = not settings.tokens and list(peer[:1]) == list(server[:1])
    return f"{client}:{peer[1]}" if is_local and len(peer) > 1 else client


def name_of(host: str) -> str:
    """A Host header without the port, in lower case.

    >>> name_of("LocalHost:8000"), name_of("[::1]:8000"), name_of("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdecimal() else host.lower()


def _client_of(tokens: tuple[str, ...], authorization: str) -> str:
    """Check the token in constant time; the name of the client is a hash of its token."""
    scheme, _, token_sent = authorization.partition(" ")
    if scheme.lower() == "bearer" and any(hmac.compare_digest(token_sent.encode(), token.encode()) for token in tokens):
        return sha256(token_sent.encode()).hexdigest()
    raise Refused("token-needed")
