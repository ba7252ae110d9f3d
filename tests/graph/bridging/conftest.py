"""Two ways of moving between which no clip shows a change, and a bridge that goes straight."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.motion import concatenate
from motionloom.synthesis.bridges import Bridged
from performed import performer_clips

MIDDLE = slice(60, 170)


class Straight:
    """The shortest rotations; the surer, the less the pose changes."""

    name = "straight"
    honours = frozenset({"poses"})

    def fit(self, clips, options=None, progress=None):
        return self

    def doubts(self, before, behind, missing):
        ends = zip(before, behind, strict=True)
        return np.array(
            [rot.angle_between(a.rotations[-1], b.rotations[0]).mean() for a, b in ends]
        )

    def bridge(self, before, behind, missing):
        share = (np.arange(1, missing + 1) / (missing + 1))[:, None, None]
        a, b = before.cut(before.n_frames - 1, before.n_frames), behind.cut(0, 1)
        turned = rot.slerp(
            np.repeat(a.rotations, missing, 0), np.repeat(b.rotations, missing, 0), share[..., 0]
        )
        moved = a.translations * (1 - share) + b.translations * share
        filled = replace(a, rotations=turned, translations=moved)
        return Bridged(concatenate([before, filled, behind]))


@pytest.fixture(scope="session")
def straight():
    return Straight()


@pytest.fixture(scope="session")
def apart():
    """A walk and a run, without how somebody began and ended them."""
    clips = {clip.motion.name: clip.motion for clip in performer_clips()}
    motions = [clips[name][MIDDLE] for name in ("walk_1.1", "run_3")]
    made = make_clip_set(motions)
    walks = np.arange(made.n_frames) < made.starts[1]
    return analyse_clips(replace(made, labels={"walk": walks, "run": ~walks}))
