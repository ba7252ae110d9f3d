"""Live tracking end to end: a replayer sends packets at 240 frames per second for a minute, and the
command 'motionloom track' solves them in a process of its own.

Latency is from just before a packet is sent until its pose has been read from the command's
output, on one clock. A frame is late when its pose comes after the next packet is due. With --alone
only the sender and the reader run, without solving: what the machine itself makes late.

Run: python evaluation/benchmarks/marker_live.py TRIAL [--fps 240] [--seconds 60] [--alone] [--json
FILE]
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

import numpy as np

from motionloom.fitting import calibrate, save_marker_model
from motionloom.fitting.live import replay_frames
from motionloom.fitting.live.network import datagrams_of, sender_to
from motionloom.io import load_markers


class Clocked:
    """Sends lines and remembers when each frame left."""

    def __init__(self, port: int) -> None:
        self.send = sender_to("127.0.0.1", port)
        self.left: dict[int, float] = {}

    def __call__(self, line: str) -> None:
        """Send a line."""
        if line.startswith("frame"):
            self.left[int(line.split(" ", 2)[1])] = time.perf_counter()
        self.send(line)


def read_poses(stream: IO[bytes], came: dict[int, float]) -> None:
    for line in stream:
        now = time.perf_counter()
        if line.startswith(b'{"frame":'):
            came[int(line[9 : line.index(b",")])] = now


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def read_alone(port: int, came: dict[int, float]) -> None:
    for datagram in datagrams_of(port):
        now = time.perf_counter()
        if datagram.startswith(b"frame"):
            came[int(datagram.split(b" ", 2)[1])] = now
        if datagram == b"end":
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trial", type=Path)
    parser.add_argument("--fps", type=float, default=240)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    markers = load_markers(given.trial)
    port = free_port()
    came: dict[int, float] = {}
    out = Clocked(port)
    with tempfile.TemporaryDirectory() as folder:
        command: subprocess.Popen[bytes] | None = None
        if given.alone:
            reader = threading.Thread(target=read_alone, args=(port, came))
            reader.start()
            time.sleep(0.5)
        else:
            model = Path(folder) / "model.npz"
            save_marker_model(calibrate(markers).model, model)
            command = subprocess.Popen(
                [sys.executable, "-m", "motionloom", "track", str(model), "--udp", str(port)],
                stdout=subprocess.PIPE,
            )
            assert command.stdout is not None
            command.stdout.readline()  # the head: everything is loaded
            reader = threading.Thread(target=read_poses, args=(command.stdout, came))
            reader.start()
            time.sleep(0.2)
        replayed = replay_frames(markers, out, fps=given.fps, seconds=given.seconds)
        reader.join(timeout=10)
        if command is not None:
            command.wait(timeout=10)
    taken = 1000 * np.array([came[i] - at for i, at in out.left.items() if i in came])
    row = {
        "frames": replayed.frames,
        "sent_late": replayed.late,
        "latest_sent_ms": 1000 * replayed.latest,
        "answered": len(taken),
        "answered_late": int((taken > 1000 / given.fps).sum()),
        "latency_ms": dict(
            zip(
                ("p50", "p90", "p99", "max"),
                np.percentile(taken, [50, 90, 99, 100]).tolist(),
                strict=True,
            )
        ),
    }
    print(json.dumps(row, indent=1))
    if given.json:
        given.json.write_text(json.dumps(row, indent=1) + "\n")


if __name__ == "__main__":
    main()
