"""The whole body brought to targets of its joints: legs, then hips and trunk, then arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motionloom.analysis.hinges import Hinge
from motionloom.edit.posture import sink_to_feet, take_postures
from motionloom.edit.reach import QUICK, Target, find_limb, reach_targets
from motionloom.edit.reach_sets import is_arm
from motionloom.posed_motion import PosedMotion


def meet_targets(
    posed: PosedMotion,
    targets: Sequence[Target],
    blend: float = QUICK,
    *,
    moves_body: Sequence[bool] | None = None,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
    stay: Sequence[int] = (),
) -> PosedMotion:
    """Bring joints to their targets, those of a lower priority only as far as the others allow.

    Legs reach first, and the hips sink where a leg is too short. What hips and trunk then do for
    arms leaves the feet where they are. Within a limb the most important target comes last, so that
    none after it moves the limb away.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Targets of joints.
    blend : float, seconds
        Least time over which the body comes to a target, and leaves it.
    moves_body : sequence of bool, optional
        For which of the targets hips and trunk move; for all when not given.
    hinges : mapping of str to Hinge, optional
        Captured ranges, as `reach_targets` takes them.
    keep : sequence of int
        Frames in which nothing changes.
    stay : sequence of int
        Frames in which the body is asked for, as `take_postures` takes them.

    Returns
    -------
    PosedMotion
    """
    moving = [True] * len(targets) if moves_body is None else list(moves_body)
    pairs = sorted(zip(targets, moving, strict=True), key=lambda pair: -pair[0].priority)
    legs = [(t, moves) for t, moves in pairs if _is_of_a_leg(posed, t)]
    others = [(t, moves) for t, moves in pairs if not _is_of_a_leg(posed, t)]
    posed = sink_to_feet(posed, [t for t, moves in legs if moves], blend, keep)
    posed = reach_targets(posed, [t for t, _ in legs], blend, hinges, keep)
    posed = take_postures(posed, [t for t, moves in others if moves], blend, keep, stay)
    return reach_targets(posed, [t for t, _ in others], blend, hinges, keep)


def _is_of_a_leg(posed: PosedMotion, target: Target) -> bool:
    limb = find_limb(posed, target.joint)
    return limb is not None and not is_arm(posed.roles, limb)
