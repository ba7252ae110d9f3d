"""Everything that a finished motion does not keep to, each in a sentence with its error and the
likeliest reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from motionloom.analysis.quality import Quality
from motionloom.constraints import ConstraintSet
from motionloom.synthesis.errors import Adherence, ConstraintError
from motionloom.synthesis.generator import Reason

#: A constraint counts as met when the motion is as near as this, metres, degrees and metres per
#: second.
NEAR, STRAIGHT, STEADY = 0.05, 3.0, 0.5
#: What is asked for over time counts as kept to up to this depth in obstacles and mean distance
#: from paths, metres, and from this share of the time in a style.
_DEPTH, _ASIDE, _SHARE = NEAR, 0.3, 0.5
#: A key pose is shown when no joint is turned further from it than this, degrees.
_TURNED = 2.0
#: Hips and feet of somebody who stands still move by no more than this on average, metres per
#: second.
_STANDING = 0.15
_UNKNOWN = "the search found nothing nearer; a larger budget, another seed or more clips may"

#: A clean result skates no more than this many times its sources, and accelerates at seams no more
#: than this many times their 99th percentile.
SKATE_LIMIT, SEAM_LIMIT = 1.3, 2.0

_REMEDY = "another seed, a larger budget or more clips may be cleaner"

Explain = Callable[
    [ConstraintSet, Sequence[ConstraintError], Sequence[Adherence]], Sequence[Reason]
]


def find_problems(
    constraints: ConstraintSet,
    errors: Sequence[ConstraintError],
    adherence: Sequence[Adherence],
    explain: Explain,
) -> tuple[str, ...]:
    """Say which constraints a motion does not meet, by how much, and why.

    Parameters
    ----------
    constraints : ConstraintSet
    errors : sequence of ConstraintError
        Of the finished motion.
    adherence : sequence of Adherence
        How it keeps to poses, obstacles, paths, styles and costs.
    explain : callable
        As `Fitted.explain`; called only when something is missed.

    Returns
    -------
    tuple of str
        One sentence for each constraint that is missed by more than 5 cm, 3 degrees or 0.5 m/s,
        each pose that is not shown in time, each obstacle the body is in, each path it leaves and
        each style it mostly lacks.
    """
    missed = [e for e in errors if _amount(e)]
    left = [a for a in adherence if _departure(a)]
    if not missed and not left:
        return ()
    reasons = {(r.kind, r.index): r.text for r in explain(constraints, missed, left)}
    texts = [
        (e.kind, e.index, f"{label_of(constraints, e.kind, e.index)} is missed by {_amount(e)}")
        for e in missed
    ]
    texts += [(a.kind, a.index, f"{a.what} {_departure(a)}") for a in left]
    return tuple(f"{text}: {reasons.get((kind, index), _UNKNOWN)}" for kind, index, text in texts)


def find_faults(
    quality: Quality, sources: Quality, seams: Sequence[int], fps: float
) -> tuple[str, ...]:
    """Say where a motion is not clean beside the clips it is made of.

    Parameters
    ----------
    quality, sources : Quality
        Of the motion and of the clips.
    seams : sequence of int
        Frames at which something new begins.
    fps : float

    Returns
    -------
    tuple of str
        One sentence for each fault.
    """
    faults = []
    skate = quality.skate_mean / sources.skate_mean if sources.skate_mean > 0 else 0.0
    if skate > SKATE_LIMIT:
        faults.append(
            f"feet slide {skate:.2f} times as much as in the clips; another seed or more clips may"
            " be cleaner"
        )
    limit = SEAM_LIMIT * sources.acceleration_p99
    if len(seams) and sources.acceleration_p99 > 0 and quality.seam_acceleration > limit:
        worst = int(np.argmax(quality.seam_accelerations))
        times = quality.seam_acceleration / sources.acceleration_p99
        faults.append(
            f"the seam at {seams[worst] / fps:.2f} s shows: a joint accelerates {times:.2f} times"
            f" as much as in 99 % of the clips; {_REMEDY}"
        )
    return tuple(faults)


def label_of(constraints: ConstraintSet, kind: str, index: int) -> str:
    """How a constraint is called in sentences: ``body at 2.5 s``."""
    if kind == "body":
        return f"body at {constraints.body[index].time:g} s"
    if kind == "joint":
        return f"{constraints.joints[index].joint} at {constraints.joints[index].time:g} s"
    if kind == "pose":
        pose = constraints.poses[index]
        return f"pose at {pose.time:g} s ({pose.clip}, frame {pose.frame})"
    return f"{kind} {index + 1}"


def _amount(error: ConstraintError) -> str:
    """What an error amounts to; empty where the constraint counts as met."""
    parts = []
    if error.position > NEAR:
        far = error.position >= 1
        parts.append(f"{error.position:.2f} m" if far else f"{100 * error.position:.0f} cm")
    if error.facing is not None and error.facing > STRAIGHT:
        parts.append(f"{error.facing:.0f} degrees")
    if error.velocity is not None and error.velocity > STEADY:
        parts.append(f"{error.velocity:.1f} m/s")
    return " and ".join(parts)


def _departure(a: Adherence) -> str | None:
    """How something is not kept to; None where it is."""
    if a.kind == "pose":
        if a.value is None:
            return "is never shown"
        when = "late" if a.value > 0 else "early"
        return f"is shown {abs(a.value):.0f} frames too {when}" if a.value else None
    value = 0.0 if a.value is None else a.value
    if a.kind == "key_pose" and value > _TURNED:
        return f"is missed by {value:.0f} degrees"
    if a.kind == "still" and value > _STANDING:
        return f"is not kept: the hips or feet move at {value:.2f} m/s on average"
    if a.kind == "avoid" and value > _DEPTH:
        return f"is entered for {a.more:.1f} s, up to {100 * value:.0f} cm deep"
    if a.kind == "path" and value > _ASIDE:
        return f"is missed by {value:.2f} m on average"
    if a.kind == "style" and value < _SHARE:
        return f"is shown for {100 * value:.0f} % of that time only"
    return None
