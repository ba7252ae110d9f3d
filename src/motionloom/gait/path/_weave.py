"""From a plan to a motion: legs to their footprints, the pelvis no higher than they reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.curves import smooth_envelope, smoothstep
from motionloom.edit.limbs import LARGEST_DROP, bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.gait.path._lay import GaitPlan, Laid, lay, pose_laid
from motionloom.gait.path.tables.table import GaitTable
from motionloom.posed_motion import PosedMotion
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Share of its full length that a leg may take.
EXTENSION = 0.998
#: Over this time the pelvis sinks and rises again, seconds.
SINK_TIME = 0.12
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Woven:
    """A motion on its footprints.

    Parameters
    ----------
    posed : PosedMotion
        The motion with its kinematics.
    plan : GaitPlan
        What it follows.
    down : bool array of shape (T, 2)
        Whether the left and the right foot stand.
    drop : array of shape (T,), metres
        How far the pelvis was lowered for the legs to reach.
    """

    posed: PosedMotion
    plan: GaitPlan
    down: Bools
    drop: Array


@one_thread()
def weave(plan: GaitPlan) -> Woven:
    """Make the motion of a plan.

    Parameters
    ----------
    plan : GaitPlan
        Where the body goes and the feet stand.

    Returns
    -------
    Woven
    """
    return plant(lay(plan), plan)


def plant(laid: Laid, plan: GaitPlan, settle: float = 0.0) -> Woven:
    """Put the feet of poses where they belong.

    Parameters
    ----------
    laid : Laid
        Poses, and where ankles belong.
    plan : GaitPlan
        What is planned.
    settle : float, seconds
        At both ends the pelvis is not lowered; it is as far as it has to be after this time.

    Returns
    -------
    Woven
    """
    table = plan.table
    posed = pose_laid(laid, plan)
    drop = smooth_envelope(
        lacking(posed, laid, table), max(1, round(SINK_TIME * plan.way.fps)), np.inf
    )
    if settle > 0:
        every = np.arange(len(drop))
        drop *= smoothstep(np.minimum(every, every[::-1]) / (settle * plan.way.fps))
    lowered = move_body(posed, -drop[:, None] * UP)
    local: dict[int, Array] = {}
    for foot, leg in enumerate(table.legs.values()):
        local |= solve_limb(lowered, leg, laid.ankles[:, foot], laid.turns[:, foot])
    down = np.column_stack([steps.stands for steps in plan.steps])
    return Woven(lowered.with_local(local), plan, down, drop)


def sunk(woven: Woven, drops: Array | None = None) -> tuple[str, ...]:
    """Say that hips sink farther than people lower them; nothing where they do not.

    Parameters
    ----------
    woven : Woven
        A gait on its footprints.
    drops : array of shape (T,), metres, optional
        How far the pelvis is lowered in all; `woven.drop` when not given.

    Returns
    -------
    tuple of str
        A sentence, or none.
    """
    drops = woven.drop if drops is None else drops
    worst = int(drops.argmax())
    drop = float(drops[worst])
    most = LARGEST_DROP * woven.plan.table.body.soles.leg
    if drop <= most:
        return ()
    way = woven.plan.way
    return (
        f"the hips sink by {100 * drop:.0f} cm, {worst / way.fps:.2f} s after the gait begins, at"
        f" {way.speeds[worst]:.2f} m/s: footprints are too far apart for legs of"
        f" {most / LARGEST_DROP:.2f} m, for which hips sink by up to {100 * most:.0f} cm; give it"
        " more time, or a way that is shorter or less tight",
    )


def lacking(posed: PosedMotion, laid: Laid, table: GaitTable) -> Array:
    """How far the pelvis is too high for the legs to reach, shape (T,), metres; else 0."""
    need = np.zeros(posed.n_frames)
    for foot, leg in enumerate(table.legs.values()):
        span = posed.positions[:, leg.root] - laid.ankles[:, foot]
        upper, lower = bone_lengths(posed, leg)
        across = span[:, 0] ** 2 + span[:, 2] ** 2
        highest = np.sqrt(np.maximum((EXTENSION * (upper + lower)) ** 2 - across, 0.0))
        need = np.maximum(need, span[:, 1] - highest)
    return need
