"""A studio without a browser and without anybody who makes motions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgpack
from starlette.testclient import TestClient, WebSocketTestSession

from motionloom.io import save
from motionloom.performer import performer_clips
from motionloom.studio._events import Event, Job
from motionloom.studio._session import Session
from motionloom.studio._web.guard import Gate
from motionloom.studio._web.server import make_app
from motionloom.studio.run import Kept, open_session

TOKEN = "token-of-the-tests-0123456789"
HOST = "127.0.0.1:4567"
SOCKET = {"origin": f"http://{HOST}"}
TEXT = """\
# A walk to a door.
shot: 1
fps: 30
library: clips   # ours
marks:
  door: {position: [1.5, 2.5], facing: 90}   # the door
cast:
  anna: {}
tracks:
  anna:
    - {id: go, do: walk, to: door, by: 5.0}
    - {id: wait, do: idle, for: 3.0}
"""


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Run it in a loop of its own; browsers of other tests may have one in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


@dataclass
class FakeSolver:
    """Writes down what it is asked for."""

    tell: Callable[[Event], None]
    jobs: list[Job] = field(default_factory=list)
    reloads: int = 0
    closed: bool = False

    def start(self) -> None:
        pass

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def reload(self) -> None:
        self.reloads += 1

    def close(self) -> None:
        self.closed = True


def make_project(folder: Path) -> Path:
    """A shot and two clips."""
    clips = folder / "clips"
    clips.mkdir(parents=True)
    for clip in performer_clips(0):
        if clip.motion.name in ("walk_1.1", "stand"):
            save(clip.motion, clips / f"{clip.motion.name}.bvh")
    shot = folder / "shot.yaml"
    shot.write_text(TEXT)
    return shot


@dataclass
class Window:
    """A window as tests see it."""

    socket: WebSocketTestSession

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send_bytes(msgpack.packb({"type": kind, **fields}))

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = msgpack.unpackb(self.socket.receive_bytes())
        return message

    def hear_until(self, kind: str, **fields: Any) -> dict[str, Any]:
        while True:
            message = self.hear()
            if message["type"] == kind and fields.items() <= message.items():
                return message

    def greet(self) -> dict[str, dict[str, Any]]:
        """Say hello; the last message of each type of all that is told then."""
        self.say("hello", protocol=1)
        told = {}
        while "solver" not in told:
            message = self.hear()
            told[message["type"]] = message
        return told

    def edit(self, rev: int, *ops: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """Edit, and hear what the shot is then."""
        self.say("edit", base_rev=rev, ops=list(ops), **fields)
        return self.hear_until("shot")


@dataclass
class Studio:
    """A studio as tests see it."""

    client: TestClient
    session: Session
    gate: Gate
    shot: Path

    @property
    def solver(self) -> FakeSolver:
        assert isinstance(self.session.solver, FakeSolver)
        return self.session.solver

    def log_in(self) -> None:
        assert self.client.get(f"/?token={TOKEN}").status_code == 200

    @contextmanager
    def window(self, headers: dict[str, str] | None = None) -> Iterator[Window]:
        own = dict(SOCKET if headers is None else headers)
        with self.client.websocket_connect(
            f"ws://{HOST}/socket", subprotocols=["motionloom.1"], headers=own
        ) as socket:
            yield Window(socket)

    def tell(self, event: Event) -> None:
        """Something comes from whoever makes the motions."""
        self.solver.tell(event)


@contextmanager
def open_studio(shot: Path) -> Iterator[Studio]:
    """A studio on a shot."""
    kept = Kept.of(shot)
    session = open_session(shot, kept)
    gate = Gate(TOKEN, 4567)
    app = make_app(session, gate, partial(_begin))
    try:
        with TestClient(app, base_url=f"http://{HOST}") as client:
            yield Studio(client, session, gate, shot)
    finally:
        kept.release()


async def _begin(session: Session) -> None:
    await session.start(FakeSolver)
