"""Starts the system's Chromium and ends it, with all it started.

It is never downloaded. It has no way to the network: no name resolves for it, proxies included, so that whatever is
not answered by us fails (see `requests`). Each Chromium has a Playwright driver of its own, and both go together: a
page that brings one down takes nothing else with it.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from pagestrata.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""What a browser of this family is called on PATH."""
_FLAGS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",  # or local addresses would not go through it
    # calls between browsers go past proxies; the flag has had two names
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-3d-apis",
    "--deny-permission-prompts",
    "--hide-scrollbars",
)
_UNWANTED: Final = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"]
"""What Playwright would add for the sake of tests."""
_SANDBOX_WORDS: Final = ("sandbox", "namespace", "zygote")
_CLOSE_SECONDS: Final = 3.0
_LOOK_SECONDS: Final = 0.05
_START_FIELD: Final = 18
"""Of /proc/PID/stat, counted from the one after the state."""
_PAGE_SIZE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True, slots=True)
class Launch:
    """Which browser, and how."""

    path: str | None = None
    """The program; else the first of `NAMES` on PATH."""
    sandbox: bool = True
    """The browser's own walls around each page. Without them a page needs one hole in the browser, not two."""


def find_browser(path: str | None) -> str:
    """The program to start."""
    if path is not None:
        found = shutil.which(path)
        if found is None:
            raise UsageError(f"there is no program {path}")
        return found
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return found
    raise UsageError("no Chromium found: install it (Debian: apt-get install chromium), or say where it is: --browser")


def check_sandbox(launch: Launch) -> None:
    """Refuse to go on as root: the sandbox cannot run there, and nobody has said that it need not."""
    if launch.sandbox and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise _no_sandbox("as root")


def check_launch(launch: Launch) -> str:
    """The program that would be started; an error if it, its driver or its sandbox cannot be had."""
    check_sandbox(launch)
    program = find_browser(launch.path)
    try:
        import playwright.async_api  # noqa: F401 (only whether it is there)
    except ImportError:
        raise MissingExtra("playwright", "render") from None
    return program


def _no_sandbox(where: str) -> UsageError:
    return UsageError(
        f"the browser's sandbox cannot run {where}: use another account or system, "
        "or say --no-sandbox if you trust the pages"
    )


_starting = Lock()
Process = tuple[int, int]
"""Its number, and when it was started."""


class Running:
    """A Chromium with its driver."""

    def __init__(self, playwright: "Playwright", chromium: "Chromium", root: int | None) -> None:
        self.chromium = chromium
        self.pages = 0
        """How many it has drawn."""
        self._playwright = playwright
        self._root = root
        """The driver's process, of which the browser's are descendants."""
        self._seen: set[Process] = set()

    @classmethod
    async def start(cls, launch: Launch) -> "Running":
        """Start both; one at a time, so that we know which driver is whose."""
        program = check_launch(launch)
        from playwright.async_api import Error, async_playwright

        await asyncio.to_thread(_starting.acquire)
        try:
            before = set(_children(os.getpid()))
            playwright = await async_playwright().start()
            root = next((child for child in _children(os.getpid()) if child not in before and _is_driver(child)), None)
        finally:
            _starting.release()
        try:
            chromium = await playwright.chromium.launch(
                executable_path=program,
                chromium_sandbox=launch.sandbox,
                args=[*_FLAGS],
                ignore_default_args=_UNWANTED,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            await playwright.stop()
            if launch.sandbox and any(word in str(error).lower() for word in _SANDBOX_WORDS):
                raise _no_sandbox("here") from error
            raise UsageError(f"cannot start {program}: {str(error).splitlines()[0]}") from error
        return cls(playwright, chromium, root)

    def memory(self) -> int:
        """Bytes that it has for itself, driver and all; 0 where the system does not tell."""
        return sum(_private_memory(process) for process, _ in self._see())

    def _see(self) -> set[Process]:
        """All there are of it now, and remember them: they may outlive their parents."""
        if self._root is not None:
            self._seen |= {(process, _started(process)) for process in (self._root, *_descendants(self._root))}
        self._seen = {process for process in self._seen if process[1] and _started(process[0]) == process[1]}
        return self._seen

    async def close(self) -> None:
        """End it in good order, or else by force."""
        self._see()
        with suppress(Exception):  # whatever is wrong with it, it is killed next
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.chromium.close()
        await self.kill()

    async def kill(self) -> None:
        """End it by force: it may be hung."""
        _kill(process for process, _ in self._see() if process != self._root)
        with suppress(Exception):  # a driver that does not end by itself is killed too
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._playwright.stop()
        _kill(process for process, _ in self._see())
        await self._buried()

    async def _buried(self) -> None:
        """Wait until the loop has seen the end of the driver, or it would find its pipes open when it is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                while self._see():
                    await asyncio.sleep(_LOOK_SECONDS)
        await asyncio.sleep(_LOOK_SECONDS)


# ------------------------------------------------------------------------------------------------------- processes


def _children(process: int) -> list[int]:
    """The processes that a process started; none where the system has no /proc."""
    found: list[int] = []
    with suppress(OSError):  # the process is gone meanwhile
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError):  # or one of its threads
                found.extend(map(int, Path(f"/proc/{process}/task/{thread}/children").read_text().split()))
    return found


def _descendants(process: int) -> list[int]:
    found: list[int] = []
    waiting = [process]
    while waiting:
        children = _children(waiting.pop())
        found.extend(children)
        waiting.extend(children)
    return found


def _is_driver(process: int) -> bool:
    try:
        return b"run-driver" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # gone meanwhile
        return False


def _started(process: int) -> int:
    """When a process was started, in ticks: with its number this is a name that is not given twice; 0 if it is gone."""
    try:
        state, *rest = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return 0
    return 0 if state == "Z" else int(rest[_START_FIELD])


def _private_memory(process: int) -> int:
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{process}/statm").read_text().split())
    except (OSError, ValueError):  # gone meanwhile
        return 0
    return (resident - shared) * _PAGE_SIZE


def _kill(processes: Iterable[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
