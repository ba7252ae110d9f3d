"""What was learned of moments of captures, kept on disk: read instead of learned again."""

from __future__ import annotations

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
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Facts, Fault, Stored, StoredFile, read_facts
from motionloom.roles import Roles

#: No number that was learned is larger.
_LARGEST = 1e9


class _Head(Facts):
    fps: Annotated[float, Field(ge=1, le=10_000)]
    arms: tuple[Annotated[str, Field(max_length=100)], ...]
    checks: tuple[Annotated[str, Field(max_length=100)], ...]


def save_moment_judge(judge: MomentJudge, kept: KeptFolder, key: str) -> None:
    """Keep what was learned of moments.

    Parameters
    ----------
    judge : MomentJudge
        What was learned.
    kept : KeptFolder
        Where.
    key : str
        Stands for the captures.
    """
    head = {
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
    kept.save(f"moments-{key}", arrays, head)


def load_moment_judge(kept: KeptFolder, key: str, roles: Roles, joints: int) -> MomentJudge | None:
    """What was learned of moments and kept.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        As it was kept with.
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that it has.

    Returns
    -------
    MomentJudge or None
        None where there is none, or its file is damaged.
    """
    return kept.load(f"moments-{key}", lambda file: _rebuild(file, roles, joints))


def _rebuild(file: StoredFile, roles: Roles, joints: int) -> MomentJudge:
    head = read_facts(_Head, file.text())
    if not set(head.checks) <= {*CHECKS, TURNING} or TURNING not in head.checks:
        raise Fault("it names other checks than there are")
    if len({*head.checks}) != len(head.checks):
        raise Fault("it names a check twice")
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
