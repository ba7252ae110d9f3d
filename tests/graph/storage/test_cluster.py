"""Rows of transitions found on a Dask cluster of two processes: the same bytes; one sentence for
what goes wrong.
"""

from __future__ import annotations

import copy
import os
import signal
import time
from pathlib import Path

import pytest

from motionloom import clusters
from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import InvalidInputError
from motionloom.graph.storage._rows import compute_row, write_row
from motionloom.graph.storage.disk import build_on_disk
from performed import performer_clips

distributed = pytest.importorskip("distributed", reason="needs dask")

CLIPS = make_clip_set([clip.motion.cut(0, 60) for clip in performer_clips()[:6]])


@pytest.fixture(scope="module")
def workers():
    """A cluster of two processes on this machine."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as found:
        yield found


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    folder = tmp_path_factory.mktemp("here")
    build_on_disk(CLIPS, folder)
    return content(folder)


def test_a_cluster_gives_the_same_bytes(tmp_path, workers, here):
    build_on_disk(CLIPS, tmp_path, cluster=workers.scheduler_address)
    assert content(tmp_path) == here


def test_a_worker_that_is_killed_is_replaced(tmp_path, workers, here, monkeypatch):
    victims = []

    def slowly(table, job):  # a function within a function travels to the workers as it is
        time.sleep(0.2)
        return compute_row(table, job)

    def kill_once(row, path):
        write_row(row, path)
        if not victims:
            victims.append(workers.workers[0].pid)
            os.kill(victims[0], signal.SIGKILL)

    monkeypatch.setattr("motionloom.graph.storage._rows.compute_row", slowly)
    monkeypatch.setattr("motionloom.graph.storage.disk.write_row", kill_once)
    build_on_disk(CLIPS, tmp_path, cluster=workers.scheduler_address)
    assert victims
    assert content(tmp_path) == here


def test_a_scheduler_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("motionloom.clusters.TIMEOUT", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(
            InvalidInputError, match=f"cluster {address}: no Dask scheduler answers"
        ):
            build_on_disk(CLIPS, tmp_path / "g", cluster=address)


def test_a_cluster_without_workers_is_named(tmp_path):
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        pytest.raises(InvalidInputError, match="the scheduler has no workers"),
    ):
        build_on_disk(CLIPS, tmp_path / "g", cluster=empty.scheduler_address)


def test_a_cluster_that_is_lost_leaves_what_was_finished(tmp_path, monkeypatch, here):
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as lost:

        def write(row, path):
            write_row(row, path)
            lost.close()

        monkeypatch.setattr("motionloom.graph.storage.disk.write_row", write)
        with pytest.raises(InvalidInputError, match=r"went away.*what was finished is kept"):
            build_on_disk(CLIPS, tmp_path, cluster=lost.scheduler_address)
    monkeypatch.undo()
    done = build_on_disk(CLIPS, tmp_path)
    assert done.kept >= 1
    assert content(tmp_path) == here


def test_other_versions_are_refused(workers):
    with distributed.Client(workers.scheduler_address, set_as_default=False) as client:
        found = client.get_versions(packages=clusters.SAME)
    clusters.check_versions(found, "x")
    first = next(iter(found["workers"]))
    for machine, part in (
        ("the scheduler", ("scheduler",)),
        (f"worker {first}", ("workers", first)),
    ):
        for package, version, words in (
            ("motionloom", None, "has no motionloom"),
            ("numpy", "1.0", "runs numpy 1.0"),
            ("python", "3.9.1.final.0", "runs python 3.9, here it is 3"),
        ):
            other = copy.deepcopy(found)
            info = other
            for key in part:
                info = info[key]
            info["packages"][package] = version
            with pytest.raises(
                InvalidInputError, match=f"cluster x: {machine} {words}.*install the same there"
            ):
                clusters.check_versions(other, "x")
    patch = copy.deepcopy(found)
    patch["workers"][first]["packages"]["python"] = (
        found["client"]["packages"]["python"].rsplit(".", 3)[0] + ".99.x.0"
    )
    clusters.check_versions(patch, "x")
