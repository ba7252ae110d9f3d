from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.edit.footlock import find_legs
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.finish import finish
from motionloom.synthesis.generator import Draft
from performed import performer_clips


@pytest.fixture(scope="module")
def clips():
    return analyse_clips(make_clip_set([performer_clips(seed=0)[1].motion.cut(0, 91)], 30.0))


def test_feet_rise_with_a_body_that_jumps_higher(clips):
    """Captured heights of feet hold over the captured way of the body, not against it."""
    motion = clips.clip_set.motions[0]
    posed = PosedMotion(motion, clips.roles)
    legs = find_legs(clips.roles).values()
    air = slice(30, 60)
    down = clips.contacts[0].down.copy()
    down[air] = False
    contacts = replace(clips.contacts[0], down=down)
    head = clips.roles.joints["head"]
    higher = posed.positions[45, head] + [0.0, 0.08, 0.0]
    x, z, _ = posed.body[0]
    task = ConstraintSet(
        duration=3.0,
        fps=30.0,
        body=[BodyConstraint(time=0.0, position=(x, z))],
        joints=[JointConstraint(time=1.5, joint="head", position=tuple(higher))],
    )
    draft = Draft(motion=motion, contacts=contacts, feet=clips.feet[0])
    made = finish(draft, clips, task).posed
    rise = (made.positions - posed.positions)[40:50, [leg.tip for leg in legs], 1]
    hips = (made.hips - posed.hips)[40:50, 1]
    assert hips.max() > 0.05
    np.testing.assert_allclose(rise, hips[:, None] * [1.0, 1.0], atol=0.01)
