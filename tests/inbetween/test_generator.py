"""In-betweening through the driver: poses exactly, places too, what it cannot honour refused."""

import numpy as np
import pytest

from motionloom.constraints import (
    BodyConstraint,
    ConstraintSet,
    JointConstraint,
    PoseConstraint,
)
from motionloom.constraints.kinds.poses import KeyPose
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.inbetween import InbetweenOptions
from motionloom.inbetween.generator import InbetweenGeneratorOptions
from motionloom.posed_motion import pose_motion
from motionloom.synthesis import SynthesisOptions, fit_generator, synthesize

QUICK = SynthesisOptions(
    generator=InbetweenGeneratorOptions(
        learning=InbetweenOptions(lengths=(10, 20), samples=80, landmarks=80)
    )
)


@pytest.fixture(scope="module")
def fitted(walks):
    return fit_generator(walks, generator="inbetween", options=QUICK)


def test_poses_and_places_are_met(walks, fitted):
    asked = ConstraintSet(
        duration=1.6,
        body=[
            BodyConstraint(time=0.4, position=(1.0, 2.0), facing=30),
            BodyConstraint(time=1.2, position=(1.2, 2.8)),
        ],
        poses=[
            PoseConstraint(time=0.4, clip="walk_1.1", frame=30),
            PoseConstraint(time=1.2, clip="walk_1.1", frame=56),
        ],
    )
    made = synthesize(fitted, asked, QUICK)
    assert made.motion.n_frames == 49
    assert max(after.position for *_, after, _ in made.report.constraints) < 1e-6
    assert [(k.kind, k.value) for k in made.report.kept] == [("pose", 0.0), ("pose", 0.0)]
    assert all(k.more < 0.1 for k in made.report.kept)
    assert "filled by kernel" in made.report.to_text()


def test_key_poses_of_ones_own(walks, fitted):
    motion = walks.motions[1]
    asked = ConstraintSet(
        duration=1.0,
        key_poses=[KeyPose.of(motion, 20, 0.0), KeyPose.of(motion, 45, 1.0)],
    )
    made = synthesize(fitted, asked, QUICK)
    assert all(k.value < 0.1 for k in made.report.kept)


def test_the_same_seed_gives_the_same_motion(walks, fitted):
    asked = ConstraintSet(
        duration=1.0,
        poses=[
            PoseConstraint(time=0.0, clip="walk_0.6", frame=10),
            PoseConstraint(time=1.0, clip="walk_0.6", frame=36),
        ],
    )
    a, b = (synthesize(fitted, asked, QUICK).motion for _ in range(2))
    assert (a.rotations == b.rotations).all()


def test_what_it_cannot_do_is_refused(fitted):
    body = [BodyConstraint(time=0.0, position=(0.0, 0.0))]
    with pytest.raises(SynthesisError, match="poses"):
        synthesize(fitted, ConstraintSet(duration=1.0, body=body), QUICK)
    with pytest.raises(InvalidInputError, match="still"):
        synthesize(fitted, ConstraintSet(duration=1.0, still=[{"from": 0.0}]), QUICK)


def _walk(places, times=(0.4, 1.2)):
    frames = (30, 56)
    return ConstraintSet(
        duration=1.6,
        body=[BodyConstraint(time=t, position=p) for t, p in places],
        poses=[
            PoseConstraint(time=t, clip="walk_1.1", frame=frame)
            for t, frame in zip(times, frames, strict=True)
        ],
    )


def test_places_that_do_not_fit_the_key_poses_are_named(fitted):
    fitting = _walk([(0.4, (0.0, 0.0)), (1.2, (0.0, 0.9))])
    aside = _walk([(0.4, (0.0, 0.0)), (0.8, (0.9, 0.45)), (1.2, (0.0, 0.9))])
    far = _walk([(0.4, (0.0, 0.0)), (1.2, (0.0, 9.0))])
    told = [" ".join(fitted.generate(asked)[0].notes) for asked in (fitting, aside, far)]
    assert "slide" not in told[0]
    assert "body at 0.8 s is" in told[1]
    assert "key poses at 0.4 s and 1.2 s are 9.00 m apart" in told[2]
    assert "body at 0.8 s is" in synthesize(fitted, aside, QUICK).report.to_text()


def test_a_hand_out_of_reach_brings_the_body(fitted):
    near = _walk([(0.4, (0.0, 0.0)), (1.2, (0.0, 0.9))])
    hand = JointConstraint(time=0.8, joint="right_hand", position=(-1.1, 1.2, 0.5))
    asked = near.model_copy(update={"joints": (hand,)})
    made = synthesize(fitted, asked, QUICK)
    joint = made.motion.skeleton.index("RightHand")
    shown = pose_motion(made.motion).positions[24, joint]
    assert np.linalg.norm(shown - hand.position) < 0.01
