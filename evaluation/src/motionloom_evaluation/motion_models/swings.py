"""Swings of the built-in performer, each a little different."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Motion
from motionloom.performer import Performer, Swing, make_performer, side_steps, walking_gait
from motionloom.performer.clips import Recipe
from motionloom.threads import one_thread

#: When the performer's swing is at its top, hits and finishes, seconds after its start.
_MOMENTS = {"top": 2.0, "hit": 2.36, "finish": 3.3}


@dataclass(frozen=True, eq=False)
class SwingTake:
    """One of several swings.

    Parameters
    ----------
    motion : Motion
        From standing with hanging arms to the same.
    moments : mapping of str to float, seconds
        When it starts, is at its top, hits, finishes and ends.
    """

    motion: Motion
    moments: Mapping[str, float]


@one_thread()
def swing_takes(
    count: int = 16,
    seed: int = 0,
    fps: float = 30.0,
    *,
    performer: Performer | None = None,
) -> tuple[SwingTake, ...]:
    """Swings of one performer, each a little different: where it hits, how far and fast it turns.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        Of what differs; the same seed gives the same bytes.
    fps : float
        Frames per second.
    performer : Performer, optional
        Who performs; 1.75 m and 70 kg when not given.

    Returns
    -------
    tuple of SwingTake
        On feet that stay.
    """
    body = make_performer() if performer is None else performer
    out, back = side_steps(body, walking_gait(body, 0.8), -0.14 * body.height, 1)
    rng = np.random.default_rng(seed)
    takes = []
    for i in range(count):
        tempo = float(rng.uniform(0.92, 1.08))
        x, y, z = (rng.uniform(-1, 1, 3) * (0.05, 0.03, 0.05)).tolist()
        swing = Swing(
            1.7,
            tempo=tempo,
            aim=(x, y, z),
            turn=float(rng.uniform(0.85, 1.15)),
            sway=float(rng.uniform(0.7, 1.3)),
        )
        recipe = Recipe(
            f"swing_{i:02d}",
            "swing",
            "both arms",
            (out, replace(back, wait=swing.duration)),
            (swing,),
        )
        clip = recipe.make(body, fps, seed + i)
        first = round(swing.start * fps)
        motion = clip.motion.cut(first, round((swing.start + swing.duration) * fps))
        moments = {n: swing.start + t * swing.tempo - first / fps for n, t in _MOMENTS.items()}
        takes.append(SwingTake(motion, {"start": 0.0, **moments, "end": motion.duration}))
    return tuple(takes)
