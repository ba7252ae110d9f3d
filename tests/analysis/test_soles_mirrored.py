"""Soles of a foot that never rests."""

import numpy as np

from motionloom.analysis.soles import fit_soles
from motionloom.clips.prepare import prepare_clip
from performed import performer_clips


def test_a_foot_that_never_rests_has_the_soles_of_the_other_one():
    clip = next(clip for clip in performer_clips() if clip.motion.name == "walk_1.1")
    walk = prepare_clip(clip.motion, 30.0, None)[0]
    whole = fit_soles([walk])
    ankle = walk.roles.joints["right_foot"]
    height = walk.positions[:, ankle, 1]
    speed = np.linalg.norm(np.gradient(walk.positions[:, ankle], axis=0), axis=1) * walk.fps
    swings = np.flatnonzero((speed > 1.0) & (height > np.median(height)))
    first = int(swings[len(swings) // 2])
    begin = first
    while speed[begin - 1] > 0.5:
        begin -= 1
    end = first
    while speed[end + 1] > 0.5:
        end += 1
    brief = fit_soles([walk.with_motion(walk.motion.cut(begin, end + 1))])
    for part in ("heel", "toe"):
        own, other = (
            next(p for p in soles.points if p.foot == "right_foot" and p.part == part)
            for soles in (brief, whole)
        )
        assert abs(own.rest - other.rest) < 0.01
        np.testing.assert_allclose(own.local, other.local, atol=0.02)
