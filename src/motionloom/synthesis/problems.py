"""Everything that a finished motion does not keep to, each in a sentence with its error and the
likeliest reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from motionloom.analysis.quality import Quality
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.table import departure_of, label_of
from motionloom.synthesis.generator import Reason

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
    missed = [e for e in errors if e.amount()]
    left = [a for a in adherence if departure_of(a)]
    if not missed and not left:
        return ()
    reasons = {(r.kind, r.index): r.text for r in explain(constraints, missed, left)}
    texts = [
        (e.kind, e.index, f"{label_of(constraints, e.kind, e.index)} is missed by {e.amount()}")
        for e in missed
    ]
    texts += [(a.kind, a.index, f"{a.what} {departure_of(a)}") for a in left]
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
