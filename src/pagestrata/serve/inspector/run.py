"""Serves the inspector on this machine, and opens the browser."""

from collections.abc import Callable

import uvicorn

from pagestrata.serve.inspector.router import make_app
from pagestrata.serve.inspector.session import InspectorSession
from pagestrata.serve.run import listen
from pagestrata.serve.settings import ServeSettings


def run(
    session: InspectorSession,
    host: str,
    port: int,
    report: Callable[[str], None],
    launch: Callable[[str], object] | None = None,
) -> None:
    """Serve until a signal arrives; `report` is called with a message, `launch` with the address."""
    app = make_app(session, ServeSettings(store=session.store, host=host))
    with listen(host, port) as listener:
        address = f"http://{host}:{listener.getsockname()[1]}/"
        report(f"the inspector is at {address} (stop it with Ctrl-C)")
        if launch is not None:
            launch(address)
        config = uvicorn.Config(app, ws="none", log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listener])
