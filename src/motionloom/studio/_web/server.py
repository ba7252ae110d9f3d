"""The server: a page, one socket, files to take away; nothing else is served."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from motionloom.studio._session import Session
from motionloom.studio._web.guard import Gate, Guard
from motionloom.studio._web.protocol import MOST_CLIENTS, MOST_MESSAGE, SUBPROTOCOL, Client

#: All files of the page, and what they are.
PAGE_FILES = {
    "index.html": "text/html; charset=utf-8",
    "studio.js": "text/javascript; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "NOTICE.txt": "text/plain; charset=utf-8",
}
#: Closing a socket: rules broken; too many windows; message too large; no such protocol.
_RULES, _LATER, _TOO_BIG, _PROTOCOL = 1008, 1013, 1009, 1002


def make_app(
    session: Session, gate: Gate, begin: Callable[[Session], Awaitable[None]] | None = None
) -> ASGIApp:
    """The studio as an ASGI application.

    Parameters
    ----------
    session : Session
        What it shows.
    gate : Gate
        Who may come in.
    begin : callable, optional
        Awaited when the server begins.

    Returns
    -------
    ASGI application
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if begin is not None:
            await begin(session)
        yield
        await session.stop()

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in PAGE_FILES:
            return PlainTextResponse("no such page\n", 404)
        content = (files("motionloom.view") / "client" / name).read_bytes()
        return Response(content, headers={"content-type": PAGE_FILES[name]})

    async def icon(request: Request) -> Response:
        return Response(status_code=204)

    async def download(request: Request) -> Response:
        found = session.exporting.downloads.take(**request.path_params)
        if found is None:
            return PlainTextResponse("fetched already, or too old; export it again\n", 404)
        remove = BackgroundTask(shutil.rmtree, found.parent, ignore_errors=True)
        kind = "application/octet-stream"
        return FileResponse(found, media_type=kind, filename=found.name, background=remove)

    async def socket(websocket: WebSocket) -> None:
        await _serve(session, websocket)

    routes = [
        Route("/", page),
        Route("/exports/{key}/{name}", download),
        Route("/favicon.ico", icon),
        Route("/{name}", page),
        WebSocketRoute("/socket", socket),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), gate)


async def _serve(session: Session, websocket: WebSocket) -> None:
    """Talk with one window until it is closed."""
    if SUBPROTOCOL not in websocket.scope["subprotocols"]:
        await websocket.close(_PROTOCOL)
        return
    if len(session.clients.windows) >= MOST_CLIENTS:
        await websocket.close(_LATER)
        return
    await websocket.accept(SUBPROTOCOL)
    client = session.clients.join()
    sending = asyncio.create_task(_send(session, client, websocket))
    try:
        code = await _receive(session, client, websocket)
        if code is not None:
            with suppress(asyncio.TimeoutError, RuntimeError, WebSocketDisconnect):
                await asyncio.wait_for(client.said(), 2.0)
                await websocket.close(code)
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        session.leave(client)


async def _receive(session: Session, client: Client, websocket: WebSocket) -> int | None:
    """Take messages; with which code the window is closed, None when it went by itself."""
    while True:
        came = await websocket.receive()
        if came["type"] != "websocket.receive":
            return None
        await asyncio.sleep(client.pause())
        data = came.get("bytes")
        if data is None:
            data = (came.get("text") or "").encode()
        if len(data) > MOST_MESSAGE:
            return _TOO_BIG
        if not session.handle(client, data):
            return _RULES


async def _send(session: Session, client: Client, websocket: WebSocket) -> None:
    """Say what is to be said, one message after the other."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            data = await client.waiting.get()
            await websocket.send_bytes(data)
            client.waiting.task_done()
            session.catch_up(client)
