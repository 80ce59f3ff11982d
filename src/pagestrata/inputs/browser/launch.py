"""Starts the Chromium of the system, and stops it with all its child processes.

Chromium is never downloaded. It cannot reach the network: no host name resolves for it, not even that of a proxy, so
every request that we do not answer fails (see `requests`). Each Chromium has its own Playwright driver, and both are
stopped together: a page that crashes one of them affects no other page.
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

from pagestrata.errors import UsageError, needs

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""Names of Chromium and Chrome on PATH, in order of preference."""
_FLAGS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",  # otherwise local addresses would bypass the proxy
    # WebRTC connections would bypass the proxy; the flag has had two names
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-3d-apis",
    "--deny-permission-prompts",
    "--hide-scrollbars",
)
_IGNORED_FLAGS: Final = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"]
"""Flags that Playwright adds for tests, and that would weaken the browser here."""
_SANDBOX_WORDS: Final = ("sandbox", "namespace", "zygote")
_CLOSE_SECONDS: Final = 3.0
_POLL_SECONDS: Final = 0.05
_START_TIME_FIELD: Final = 18
"""The position of the start time in /proc/PID/stat, counted from the field after the state."""
_PAGE_SIZE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True, slots=True)
class Launch:
    """Which browser to start, and whether with its sandbox."""

    path: str | None = None
    """The program to start; by default the first of `NAMES` on PATH."""
    sandbox: bool = True
    """The sandbox of the browser. Without it a page has to exploit one vulnerability of the browser, not two."""


def find_browser(path: str | None) -> str:
    """Return the path of the program to start."""
    if path is not None:
        program = shutil.which(path)
        if program is None:
            raise UsageError(f"there is no program {path}")
        return program
    for name in NAMES:
        program = shutil.which(name)
        if program is not None:
            return program
    raise UsageError("no Chromium found: install it (Debian: apt-get install chromium), or say where it is: --browser")


def check_sandbox(launch: Launch) -> None:
    """Raise an error for root, who cannot use the sandbox, unless the sandbox was turned off explicitly."""
    if launch.sandbox and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise _no_sandbox("as root")


def check_launch(launch: Launch) -> str:
    """Return the program to start; raise an error if it, its driver or its sandbox is not available."""
    with needs("playwright", "render"):
        import playwright.async_api  # noqa: F401 (only to check that it is installed)
    check_sandbox(launch)
    return find_browser(launch.path)


def _no_sandbox(where: str) -> UsageError:
    return UsageError(
        f"the browser's sandbox cannot run {where}: use another account or system, "
        "or say --no-sandbox if you trust the pages"
    )


_start_lock = Lock()
Process = tuple[int, int]
"""The id and the start time of a process."""


class Running:
    """A running Chromium and its driver."""

    def __init__(self, playwright: "Playwright", chromium: "Chromium", root: int | None) -> None:
        self.chromium = chromium
        self.pages = 0
        """The number of pages drawn so far."""
        self._playwright = playwright
        self._root = root
        """The process of the driver; the processes of the browser are its descendants."""
        self._seen: set[Process] = set()

    @classmethod
    async def start(cls, launch: Launch) -> "Running":
        """Start a driver and a browser; drivers start one at a time, so that each new process can be attributed."""
        program = check_launch(launch)
        from playwright.async_api import Error, async_playwright

        await asyncio.to_thread(_start_lock.acquire)
        try:
            before = set(_children(os.getpid()))
            playwright = await async_playwright().start()
            root = next((child for child in _children(os.getpid()) if child not in before and _is_driver(child)), None)
        finally:
            _start_lock.release()
        try:
            chromium = await playwright.chromium.launch(
                executable_path=program,
                chromium_sandbox=launch.sandbox,
                args=[*_FLAGS],
                ignore_default_args=_IGNORED_FLAGS,
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
        """Bytes of private memory of all its processes; 0 on systems without /proc."""
        return sum(_private_memory(process) for process, _ in self._processes())

    def _processes(self) -> set[Process]:
        """Return all processes that are running now, and remember them, because they may outlive their parents."""
        if self._root is not None:
            self._seen |= {(process, _start_time(process)) for process in (self._root, *_descendants(self._root))}
        self._seen = {process for process in self._seen if process[1] and _start_time(process[0]) == process[1]}
        return self._seen

    async def close(self) -> None:
        """Close the browser, or kill it if it does not respond."""
        self._processes()
        with suppress(Exception):  # it is killed below in any case
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.chromium.close()
        await self.kill()

    async def kill(self) -> None:
        """Kill the browser and its driver, which may both hang."""
        _kill(process for process, _ in self._processes() if process != self._root)
        with suppress(Exception):  # a driver that does not stop is killed below
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._playwright.stop()
        _kill(process for process, _ in self._processes())
        await self._wait_for_exit()

    async def _wait_for_exit(self) -> None:
        """Wait until the event loop has noticed that the driver is gone; otherwise it is closed with open pipes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                while self._processes():
                    await asyncio.sleep(_POLL_SECONDS)
        await asyncio.sleep(_POLL_SECONDS)


# ------------------------------------------------------------------------------------------------------- processes


def _children(process: int) -> list[int]:
    """The child processes of a process; none on systems without /proc."""
    children: list[int] = []
    with suppress(OSError):  # the process has ended meanwhile
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError):  # or one of its threads
                children.extend(map(int, Path(f"/proc/{process}/task/{thread}/children").read_text().split()))
    return children


def _descendants(process: int) -> list[int]:
    descendants: list[int] = []
    waiting = [process]
    while waiting:
        children = _children(waiting.pop())
        descendants.extend(children)
        waiting.extend(children)
    return descendants


def _is_driver(process: int) -> bool:
    try:
        return b"run-driver" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it has ended meanwhile
        return False


def _start_time(process: int) -> int:
    """The start time of a process in ticks, which with its id identifies it uniquely; 0 if it has ended."""
    try:
        state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return 0
    return 0 if state == "Z" else int(fields[_START_TIME_FIELD])


def _private_memory(process: int) -> int:
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{process}/statm").read_text().split())
    except (OSError, ValueError):  # it has ended meanwhile
        return 0
    return (resident - shared) * _PAGE_SIZE


def _kill(processes: Iterable[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
