"""The command as a process of its own, with a real socket: killed, started again, refused."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection
from typing import Any

import httpx
import msgpack
import pytest
from studios import TOKEN
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from motionloom.cli.main import main

#: A shot that is made at once.
QUICK = """\
shot: 1
library: clips
cast: {anna: {}}   # nobody else
tracks:
  anna:
    - {id: go, do: clip, clip: walk_1.1, from: 0, to: 2.0}
"""
GO = ["tracks", "anna", 0, "to"]


@dataclass
class Running:
    """A studio that runs, as its user sees it."""

    process: subprocess.Popen[str]
    address: str
    cookie: str

    @contextmanager
    def window(self, **headers: str) -> Iterator[ClientConnection]:
        more = {"Cookie": self.cookie, **headers}
        origin: Any = more.pop("Origin", f"http://{self.address}")
        with connect(
            f"ws://{self.address}/socket",
            origin=origin,
            subprotocols=[Subprotocol("motionloom.1")],
            additional_headers=more,
            max_size=None,
        ) as socket:
            yield socket


def say(socket: ClientConnection, kind: str, **fields: Any) -> None:
    socket.send(msgpack.packb({"type": kind, **fields}))


def hear(socket: ClientConnection, kind: str, timeout: float = 60, **fields: Any) -> dict[str, Any]:
    end = time.monotonic() + timeout
    while True:
        message: dict[str, Any] = msgpack.unpackb(socket.recv(end - time.monotonic()))
        if message["type"] == kind and fields.items() <= message.items():
            return message


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Running]:
    """Run the command; at the end the process is killed where it still is there."""
    command = [sys.executable, "-m", "motionloom", "studio", *arguments]
    process = subprocess.Popen(
        [*command, "--no-browser", "--token", TOKEN], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stderr)))
        with httpx.Client(follow_redirects=True) as client:
            assert client.get(found[0]).status_code == 200
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        yield Running(process, found[0].split("/")[2], cookie)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def quick(shot: Path) -> Path:
    shot.write_text(QUICK)
    return shot


def test_killed_and_started_again_nothing_is_lost(quick: Path) -> None:
    with running(quick.parent, "shot.yaml") as studio, studio.window() as socket:
        say(socket, "hello", protocol=1)
        shot = hear(socket, "shot")
        values = [2.0]
        for i in range(4):
            value = 2.25 + i / 4
            op = {"op": "set", "path": GO, "value": value, "old": values[-1]}
            say(socket, "edit", base_rev=shot["rev"], ops=[op], label=f"to {value}")
            shot = hear(socket, "shot", undo_label=f"to {value}")
            values.append(value)
        say(socket, "undo")
        shot = hear(socket, "shot", redo_label="to 3.0")
        os.kill(studio.process.pid, signal.SIGKILL)
        studio.process.wait()
    assert "to: 2.75" in quick.read_text()
    with running(quick.parent, "shot.yaml") as studio, studio.window() as socket:
        say(socket, "hello", protocol=1)
        assert hear(socket, "welcome")["reader"] is False
        shot = hear(socket, "shot")
        assert (shot["undo_label"], shot["redo_label"]) == ("to 2.75", "to 3.0")
        say(socket, "redo")
        assert hear(socket, "shot", can_redo=False)["doc"]["tracks"]["anna"][0]["to"] == 3.0
        for _ in range(4):
            say(socket, "undo")
        hear(socket, "shot", can_undo=False)
    assert quick.read_text() == QUICK


def test_a_solver_that_dies_is_started_anew_and_said(quick: Path) -> None:
    with running(quick.parent, "shot.yaml") as studio, studio.window() as socket:
        say(socket, "hello", protocol=1)
        hear(socket, "solver", state="ready")
        hear(socket, "motion", total=61)
        (solver,) = _children(studio.process.pid)
        os.kill(solver, signal.SIGKILL)
        assert "anew" in hear(socket, "solver", state="crashed")["message"]
        hear(socket, "solver", state="ready")
        op = {"op": "set", "path": GO, "value": 1.0, "old": 2.0}
        say(socket, "edit", base_rev=3, ops=[op])
        shot = hear(socket, "shot")
        if not shot["can_undo"]:
            say(socket, "edit", base_rev=shot["rev"], ops=[op])
        assert hear(socket, "motion", total=31)["rev"] > 2
    time.sleep(1.0)
    with pytest.raises(ProcessLookupError):
        os.kill(solver, 0)


def _children(pid: int) -> list[int]:
    """Processes that make motions."""
    text = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [int(line.split()[0]) for line in text.splitlines() if "spawn_main" in line]


def _say_too_much(socket: ClientConnection) -> None:
    """The studio hangs up while it is sent, or once it was."""
    socket.send(b"x" * 4_000_100)
    hear(socket, "never", timeout=20)


def test_real_requests_of_others_are_refused(quick: Path) -> None:
    with running(quick.parent, "shot.yaml") as studio:
        for headers in (
            {"Origin": "http://evil.example"},
            {"Host": "evil.example"},
            {"Cookie": ""},
            {"Cookie": f"motionloom_{studio.address.split(':')[1]}={TOKEN}"},
        ):
            with pytest.raises(InvalidStatus) as refused, studio.window(**headers):
                pass
            assert refused.value.response.status_code in (400, 403)
        with studio.window() as socket:
            say(socket, "hello", protocol=1)
            with pytest.raises(ConnectionClosed) as closed:
                _say_too_much(socket)
            # Hanging up on what is still sent may take the frame that says why along.
            assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
        with studio.window() as socket:
            say(socket, "hello", protocol=1)
            assert hear(socket, "welcome")["limits"]["message"] == 4_000_000
        studio.process.send_signal(signal.SIGINT)
        assert studio.process.wait(20) == 0


def test_silent_connections_of_others_lock_nobody_out(quick: Path) -> None:
    with running(quick.parent, "shot.yaml") as studio, ExitStack() as held:
        host, port = studio.address.split(":")
        for _ in range(100):
            held.enter_context(create_connection((host, int(port))))
        page = httpx.get(f"http://{studio.address}/", headers={"Cookie": studio.cookie})
        assert page.status_code == 200
        with studio.window():
            pass


def test_an_export_has_the_bytes_of_the_command_line(quick: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "shot",
                str(quick),
                "-o",
                str(tmp_path / "shot.glb"),
                "--html",
                str(tmp_path / "shot.html"),
                "--png",
                str(tmp_path / "shot.png"),
            ]
        )
        == 0
    )
    with running(quick.parent, "shot.yaml") as studio, studio.window() as socket:
        say(socket, "hello", protocol=1)
        for kind in ("glb", "bvh", "report", "png", "html"):
            say(socket, "export", format=kind)
            told = hear(socket, "exported", format=kind)
            url = f"http://{studio.address}/{told['url']}"
            answer = httpx.get(url, headers={"Cookie": studio.cookie})
            assert told["name"] == ("shot.txt" if kind == "report" else f"shot.{kind}")
            if kind in ("glb", "png", "html"):
                assert answer.content == (tmp_path / told["name"]).read_bytes(), kind
            else:
                assert answer.content.startswith(b"HIERARCHY" if kind == "bvh" else b"seed 0")


def test_a_first_visit_has_somebody_walking_soon(tmp_path: Path) -> None:
    begin = time.monotonic()
    with running(tmp_path) as studio, studio.window() as socket:
        say(socket, "hello", protocol=1)
        assert hear(socket, "character")["id"] == "anna"
        part = hear(socket, "motion")
        assert part["n"] > 60
        root = [float(x) for x in memoryview(part["root"]).cast("f")]
        assert abs(root[-3] - root[0]) + abs(root[-1] - root[2]) > 0.5
        assert hear(socket, "library")["clips"]
    assert time.monotonic() - begin < 60
    assert (tmp_path / "shot.yaml").is_file()
    assert len(list((tmp_path / "clips").glob("*.bvh"))) == 24


def test_a_folder_of_somebody_else_stays(tmp_path: Path) -> None:
    for name in ("notes.txt", "clips/readme.md", "shot.studio"):
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        place.write_text("mine")
    before = {p: p.read_text() for p in tmp_path.rglob("*") if p.is_file()}
    assert main(["studio", str(tmp_path / "shot.yaml"), "--no-browser"]) == 2
    assert {p: p.read_text() for p in before} == before
    shutil.rmtree(tmp_path / "clips")
