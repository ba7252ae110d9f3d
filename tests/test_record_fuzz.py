"""Files of learned models that a stranger wrote: each is refused in one sentence, or can be used
and kept again.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from standing import stand

from motionloom.analysis.judge import fit_judge
from motionloom.analysis.judge_store import KeptNaturalness, load_naturalness, save_naturalness
from motionloom.analysis.oddness import fit_motion_judge
from motionloom.clips import make_clip_set
from motionloom.errors import FormatError
from motionloom.fitting import MarkerModel, load_marker_model, save_marker_model
from motionloom.gait import fit_gait, load_gait, save_gait
from motionloom.idle import fit_idle, load_idle, prepare_recording, save_idle
from motionloom.inbetween import InbetweenOptions, fit_inbetween, load_inbetween, save_inbetween
from motionloom.inbetween.gaps import Gaps, Track
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from motionloom.spaces import fit_pose_space
from mutants import change_arrays, change_facts
from performed import performer_clips
from stored_files import read_members, write_members
from walkers import make_lively_walker

KINDS = ("gait", "idle", "inbetween", "markers", "naturalness", "rounded")
#: Mutants of each kind: a few always, all of them when slow tests run.
QUICK, ALL = range(20), range(20, 200)


@dataclass(frozen=True)
class Case:
    """A file, how it is read and written, and what uses the result."""

    path: Path
    load: Callable[[Path], Any]
    save: Callable[[Any, Path], None]
    use: Callable[[Any], Any] = lambda found: None


@pytest.fixture(scope="module")
def motions():
    """The performer's clips by name."""
    return {clip.motion.name: clip.motion for clip in performer_clips()}


@pytest.fixture(scope="module")
def cases(motions, tmp_path_factory) -> dict[str, Case]:
    folder = tmp_path_factory.mktemp("records")
    walks = make_clip_set([motions["walk_0.6"], motions["walk_1.1"]])
    options = InbetweenOptions(lengths=(5,), samples=20, landmarks=20)
    between = fit_inbetween(walks, options)
    rounded = fit_inbetween(walks, replace(options, compact=True))
    gaps = Gaps.cut(between.rig, Track.of(walks.motions[0], between.rig), np.array([20]), 5)
    made = {
        "gait": (fit_gait([motions["walk_1.1"], motions["walk_1.6"]]), load_gait, save_gait),
        "idle": (fit_idle([prepare_recording(stand().motion)]), load_idle, save_idle),
        "inbetween": (between, load_inbetween, save_inbetween, lambda one: one.fill(gaps)),
        "markers": (marker_model(motions["walk_1.1"]), load_marker_model, save_marker_model),
        "naturalness": (naturalness(), load_naturalness, save_naturalness),
        "rounded": (rounded, load_inbetween, save_inbetween, lambda one: one.fill(gaps)),
    }
    found = {}
    for name, (record, load, save, *use) in made.items():
        save(record, folder / f"{name}.npz")
        found[name] = Case(folder / f"{name}.npz", load, save, *use)
    return found


def marker_model(motion) -> MarkerModel:
    skeleton = motion.skeleton
    joints = np.arange(skeleton.n_joints)
    return MarkerModel(
        skeleton,
        find_roles(skeleton),
        tuple(f"M{j}" for j in joints),
        joints,
        np.full((len(joints), 3), 0.05),
        np.full(len(joints), 0.01),
    )


def naturalness() -> KeptNaturalness:
    walks = [make_lively_walker(60, i) for i in range(5)]
    judge = fit_judge(fit_pose_space(walks), seed=2)
    movement = fit_motion_judge([pose_motion(one) for one in walks], seed=2)
    return KeptNaturalness(judge.space, judge.models[-1], 2, "clips", judge, movement)


def mutate(rng: np.random.Generator, path: Path) -> None:
    """Change one array, one fact, or some bytes."""
    what = rng.integers(3)
    if what == 2:
        change_bytes(rng, path)
        return
    head, arrays = read_members(path)
    text: Any = head
    if what == 0:
        change_arrays(rng, arrays)
    else:
        text = change_facts(rng, head)
    write_members(path, text, arrays)


def change_bytes(rng: np.random.Generator, path: Path) -> None:
    content = bytearray(path.read_bytes())
    at = int(rng.integers(len(content)))
    kind = rng.integers(3)
    if kind == 0:
        content[at : at + 8] = rng.bytes(8)
    elif kind == 1:
        del content[at:]
    else:
        content[at:at] = rng.bytes(5)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "seeds", [pytest.param(QUICK, id="few"), pytest.param(ALL, id="all", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_mutants_are_refused_or_can_be_used_and_kept(kind, seeds, cases, tmp_path, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _: None)
    case = cases[kind]
    case.use(case.load(case.path))
    said = []
    for seed in seeds:
        path = Path(shutil.copy(case.path, tmp_path / "mutant.npz"))
        mutate(np.random.default_rng([KINDS.index(kind), seed]), path)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                found = case.load(path)
        except FormatError as error:
            said.append(str(error))
            continue
        with np.errstate(all="ignore"):  # one that was made up may overflow
            case.use(found)
        if found is not None:
            case.save(found, tmp_path / "again.npz")
            case.load(tmp_path / "again.npz")
    assert len(said) > len(seeds) * 0.4
    assert all(line.isprintable() and len(line) < 1000 for line in said)
