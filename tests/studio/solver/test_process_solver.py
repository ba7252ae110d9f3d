"""The process that makes motions, and who watches over it: no browser, no server."""

import os
import queue
import shutil
import signal
import time

import pytest

from motionloom.shot import parse_shot
from motionloom.studio._events import (
    Failed,
    Idle,
    Job,
    Judged,
    Opened,
    Planned,
    Solved,
    StateOf,
)
from motionloom.studio._solver import ProcessSolver

TEXT = """\
shot: 1
seed: 7
library: clips
cast: {anna: {clips: [stand, reach_right_high, walk_1.1, swing]}}
tracks:
  anna:
    - {id: stand, do: clip, clip: stand, to: 1.0}
    - {id: wait, do: idle, for: 1.0, liveliness: 1.0}
"""
#: A loaded machine is no failure.
PATIENCE = 240


class Heard:
    """Events in the order in which they came."""

    def __init__(self):
        self.queue = queue.Queue()

    def until(self, is_last):
        came = []
        while not came or not is_last(came[-1]):
            came.append(self.queue.get(timeout=PATIENCE))
        return came


@pytest.fixture(scope="module")
def folder(demo_folder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    shutil.copytree(demo_folder / "clips", folder / "clips")
    return folder


@pytest.fixture(scope="module")
def solver(folder):
    heard = Heard()
    solver = ProcessSolver(heard.queue.put, folder / "pieces", budget=0.1)
    solver.start()
    yield solver, heard
    solver.close()


def read(folder, text=TEXT):
    return parse_shot(text, folder / "shot.yaml")


def test_it_begins_at_once_and_says_how_far_it_is(solver, folder):
    solver, heard = solver
    solver.submit(Job(1, "preview", read(folder)))
    came = heard.until(lambda event: isinstance(event, Idle))
    kinds = [type(event) for event in came]
    assert came[0] == StateOf("starting")
    assert kinds.index(Opened) < kinds.index(Planned) < kinds.index(Solved)
    shown = [event.result for event in came if isinstance(event, Solved)]
    assert shown[0].quality == "preview"
    assert shown[-1].report is not None
    assert shown[0].motions["anna"].n_frames == 61


def test_naturalness_comes_by_itself_once_nothing_else_is_to_be_done(solver, folder):
    solver, heard = solver
    solver.submit(Job(50, "preview", read(folder, TEXT.replace("seed: 7", "seed: 8"))))
    came = heard.until(lambda event: isinstance(event, Judged) and event.rev == 50)
    assert Idle(50) in came
    assert came[-1].who["anna"].values.shape == (61,)
    assert any((folder / "pieces").glob("moments-*.kept"))


def test_only_the_newest_of_many_wishes_is_made(solver, folder):
    solver, heard = solver
    for k in range(30):
        text = TEXT.replace("liveliness: 1.0", f"liveliness: {1 + k / 100}")
        solver.submit(Job(100 + k, "preview", read(folder, text), transient=k < 29))
    came = heard.until(lambda event: isinstance(event, Idle) and event.rev == 129)
    revs = [event.rev for event in came if isinstance(event, Solved)]
    assert revs == sorted(revs)
    assert revs[-1] == 129
    assert len(set(revs)) < 30


def test_wrong_wishes_are_told_and_end_nothing(solver, folder):
    solver, heard = solver
    pid = solver.pid
    solver.submit(Job(200, "preview", read(folder, TEXT.replace("clip: stand", "clip: nobody"))))
    failed = heard.until(lambda event: isinstance(event, Failed))[-1]
    assert "nobody" in failed.message
    assert failed.rev == 200
    solver.submit(Job(201, "preview", read(folder)))
    heard.until(lambda event: isinstance(event, Idle) and event.rev == 201)
    assert solver.pid == pid


def test_a_killed_process_is_started_anew_with_the_last_document(solver, folder):
    solver, heard = solver
    text = TEXT.replace("for: 1.0", "for: 1.5")
    solver.submit(Job(300, "preview", read(folder, text)))
    heard.until(lambda event: isinstance(event, Idle) and event.rev == 300)
    before = solver.pid
    os.kill(before, signal.SIGKILL)
    came = heard.until(lambda event: isinstance(event, Solved))
    states = [event.state for event in came if isinstance(event, StateOf)]
    assert states == ["crashed", "restarted", "ready"]
    assert came[-1].rev == 300
    assert came[-1].result.motions["anna"].n_frames == 76
    assert solver.pid != before


def test_nothing_blocks_who_asks(solver, folder):
    solver, heard = solver
    file = read(folder)
    began = time.perf_counter()
    for k in range(20):
        solver.submit(Job(400 + k, "preview", file))
    assert time.perf_counter() - began < 1.0
    solver.submit(Job(500, "preview", file))
    heard.until(lambda event: isinstance(event, Idle) and event.rev == 500)


def test_closing_ends_the_process(folder):
    heard = Heard()
    solver = ProcessSolver(heard.queue.put)
    solver.start()
    heard.until(lambda event: event == StateOf("ready"))
    pid = solver.pid
    solver.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
