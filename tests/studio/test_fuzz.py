"""Random messages, whole and mutilated, from a seed: each is answered, and nothing is lost."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgpack
import pytest
from studios import FakeSolver, run_apart

from motionloom.io.document import parse_document
from motionloom.studio._session import Session
from motionloom.studio._web.protocol import Client
from motionloom.studio.run import Kept, open_session

KINDS = (
    *("hello", "edit", "undo", "redo", "cancel", "solve", "alternatives", "choose", "upload"),
    *("chunk", "export", "view", "new"),
)
FIELDS: dict[str, list[Any]] = {
    "protocol": [1, 2, "1", None],
    "base_rev": [0, 1, 2, 5, -1, 2**60, 1.5],
    "ops": [[], None, 3],
    "transient": [True, False, 1],
    "label": ["", "x", "\0", "x" * 500, b"x"],
    "drag": ["d", None, "", 7],
    "quality": ["search", "final", "best"],
    "who": ["anna", "ben", "", "../x", None],
    "span": ["go", "wait", "x\n"],
    "item": ["1", "-1", 1],
    "id": ["a", "b", ""],
    "name": ["x.bvh", "../x.bvh", "\0.bvh", "", ".", "..", "x" * 2000 + ".bvh", "ü.bvh"],
    "size": [0, 3, -1, 2**40],
    "sha256": ["0" * 64, "x", ""],
    "offset": [0, 3, -1],
    "data": [b"", b"abc", "abc", b"x" * 1_000_001],
    "format": ["exe", None],
    "frame": [0, -1, 10**9],
}


def random_value(rng: random.Random, depth: int = 0) -> Any:
    """Something plain."""
    kind = rng.randrange(9 if depth < 3 else 7)
    simple = [None, True, rng.randint(-5, 5), rng.uniform(-9, 9), "door", "", float("inf")]
    if kind < 7:
        return simple[kind]
    if kind == 7:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice("abcdo"): random_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def random_op(document: Any, rng: random.Random) -> dict[str, Any]:
    """A change, which often fits."""
    path: list[Any] = []
    value = document
    while isinstance(value, (dict, list)) and value and (not path or rng.random() < 0.8):
        step = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        path.append(step)
        value = value[step]
    kind = rng.choice(["set", "set", "remove", "insert"])
    new = random_value(rng) if rng.random() < 0.6 else value
    op = {"op": kind, "path": path, "value": new, "old": value}
    if rng.random() < 0.1:
        op[rng.choice(["op", "path", "old"])] = random_value(rng)
    return op


def random_message(session: Session, rng: random.Random) -> bytes:
    kind = "edit" if rng.random() < 0.5 else rng.choice(KINDS)
    message: dict[str, Any] = {"type": kind}
    if kind == "edit" and rng.random() < 0.85:
        ops = [random_op(session.document.value, rng) for _ in range(rng.randint(1, 3))]
        message |= {"base_rev": session.document.rev, "ops": ops}
        message |= {"transient": rng.random() < 0.3, "drag": rng.choice(["d", None])}
    for _ in range(rng.randrange(4) if rng.random() < 0.4 else 0):
        name = rng.choice(list(FIELDS))
        message[name] = rng.choice(FIELDS[name])
    data = bytearray(msgpack.packb(message))
    if rng.random() < 0.15:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("seed", range(6))
def test_random_messages(shot: Path, seed: int) -> None:
    run_apart(_talk(shot, random.Random(seed)))


async def _talk(shot: Path, rng: random.Random) -> None:
    first = shot.read_text()
    kept = Kept.of(shot)
    session = open_session(shot, kept)
    await session.start(FakeSolver)
    client = session.clients.join()
    client.greeted = True
    for _ in range(400):
        client.faults = 0
        data = random_message(session, rng)
        session.handle(client, data)
        _forget(client)
        parse_document(shot.read_text(), shot)
    text = shot.read_text()
    session.document.cancel()
    again = session.document.history
    while session.document.move(-1):
        pass
    assert shot.read_text() == again.steps[0].text
    assert again.steps[0].text == first
    assert len(again.steps) > 10
    while session.document.move(1):
        pass
    assert shot.read_text() == session.document.history.steps[-1].text
    assert text in {step.text for step in again.steps}
    await session.stop()
    kept.release()
    files = {p.name for p in shot.parent.rglob("*") if p.is_file()}
    assert files == {"shot.yaml", "stand.bvh", "walk_1.1.bvh", "lock", "journal.jsonl"}


def _forget(client: Client) -> None:
    while not client.waiting.empty():
        client.waiting.get_nowait()
        client.waiting.task_done()
