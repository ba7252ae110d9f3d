"""What was learned of moments of captures, in a file: read again instead of learned again."""

from __future__ import annotations

import json
from os import PathLike
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from motionloom.analysis.moments.judge import TURNING, MomentJudge, Scale
from motionloom.analysis.moments.turning import TurningModel
from motionloom.analysis.oddness.checks import CHECKS
from motionloom.analysis.oddness.store import (
    body_arrays,
    model_arrays,
    rebuild_body_and_model,
)
from motionloom.io.files import atomic_write
from motionloom.io.stored import Facts, Fault, Stored, open_stored, read_facts
from motionloom.roles import Roles

#: Raised whenever the content of the file, its meaning, or how it is learned changes.
VERSION = 1
#: No number that was learned is larger.
_LARGEST = 1e9


class _Head(Facts):
    motionloom_moments: int
    key: Annotated[str, Field(max_length=200)]
    fps: Annotated[float, Field(gt=0)]
    arms: tuple[Annotated[str, Field(max_length=100)], ...]
    checks: tuple[Annotated[str, Field(max_length=100)], ...]


def save_moment_judge(judge: MomentJudge, path: str | PathLike[str], key: str) -> None:
    """Write what was learned of moments.

    Parameters
    ----------
    judge : MomentJudge
        What was learned.
    path : path-like
        The ``.npz`` file; one that is there is replaced.
    key : str
        Stands for the captures.
    """
    head = {
        "motionloom_moments": VERSION,
        "key": key,
        "fps": judge.body.fps,
        "arms": judge.body.arms,
        "checks": tuple(judge.scales),
    }
    scales = [*judge.scales.values(), judge.overall]
    arrays: dict[str, Any] = {
        f"body/{name}": array for name, array in body_arrays(judge.body).items()
    }
    arrays |= model_arrays(judge.model, "model")
    arrays["scales"] = np.array([(one.middle, one.limit) for one in scales])
    arrays["turning/mean"] = judge.turning.mean
    arrays["turning/precision"] = judge.turning.precision
    with atomic_write(path) as file:
        np.savez(file, head=np.array(json.dumps(head)), **arrays)


def load_moment_judge(
    path: str | PathLike[str], key: str, roles: Roles, joints: int
) -> MomentJudge:
    """Read what was learned of moments.

    Parameters
    ----------
    path : path-like
        The ``.npz`` file.
    key : str
        As it was written with.
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that it has.

    Returns
    -------
    MomentJudge

    Raises
    ------
    FormatError
        When it is no such file, damaged, or of other captures.
    """
    with open_stored(path, "this is not what was learned of moments ({reason})") as file:
        head = read_facts(_Head, file.text())
        if head.motionloom_moments != VERSION or head.key != key:
            raise Fault("it is of other captures, or of another version")
        if not set(head.checks) <= {*CHECKS, TURNING} or TURNING not in head.checks:
            raise Fault("it names other checks than there are")
        body, model = rebuild_body_and_model(file, head.fps, head.arms, roles, joints)
        large = int(body.large.sum())
        found = file.arrays(
            {
                "scales": Stored(np.float64, (len(head.checks) + 1, 2), -_LARGEST, _LARGEST),
                "turning/mean": Stored(np.float64, (large,), -_LARGEST, _LARGEST),
                "turning/precision": Stored(np.float64, (large, large), -_LARGEST, _LARGEST),
            }
        )
        *scales, overall = (Scale(*pair) for pair in found["scales"].tolist())
        if any(one.limit <= one.middle for one in (*scales, overall)):
            raise Fault("a limit is below what is usual")
    turning = TurningModel(found["turning/mean"], found["turning/precision"])
    return MomentJudge(body, model, turning, dict(zip(head.checks, scales, strict=True)), overall)
