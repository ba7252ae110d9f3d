"""The constraint models as a library user meets them."""

import numpy as np
import pytest
from pydantic import ValidationError

from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint, check_joints
from motionloom.errors import InvalidInputError, UnknownJointError
from motionloom.roles import find_roles
from motionloom.skeleton import Skeleton


def test_numpy_values_are_welcome():
    wish = ConstraintSet(
        duration=np.float32(3), body=[{"time": np.int64(1), "position": np.array([1.0, 2.0])}]
    )
    assert wish.body[0].position == (1.0, 2.0)
    assert isinstance(wish.body[0].position[0], float)


def test_frozen():
    wish = ConstraintSet(duration=3)
    with pytest.raises(ValidationError):
        wish.duration = 4


def test_two_joints_may_be_asked_for_in_one_frame():
    target = {"time": 1, "position": (0, 1, 0)}
    wish = ConstraintSet(
        duration=3, joints=[{"joint": "Head", **target}, {"joint": "LeftHand", **target}]
    )
    assert len(wish.joints) == 2


def human():
    names = [
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "Spine",
        "RightArm",
        "RightForeArm",
        "RightHand",
    ]
    parents = [-1, 0, 1, 2, 0, 4, 5, 6]
    return Skeleton(tuple(names), np.array(parents), np.eye(8, 3))


def test_joints_by_name_or_role():
    skeleton = human()
    joints = tuple(
        JointConstraint(time=t, joint=n, position=(0, 1, 0))
        for t, n in enumerate(["Spine", "right_hand"])
    )
    wish = ConstraintSet(duration=3, joints=joints)
    assert check_joints(wish, skeleton, find_roles(skeleton)) == (4, 7)


def test_unknown_joint_gets_the_nearest_names():
    skeleton = human()
    wish = ConstraintSet(
        duration=3, joints=[JointConstraint(time=1, joint="RightHnd", position=(0, 1, 0))]
    )
    with pytest.raises(UnknownJointError, match="RightHand"):
        check_joints(wish, skeleton, find_roles(skeleton))


def test_body_position_is_under_the_hips_and_facing_is_optional():
    assert BodyConstraint(time=0, position=(1, 2)).facing is None


def test_what_is_held_has_a_first_and_a_last_frame():
    asked = ConstraintSet.model_validate(
        {
            "duration": 4.0,
            "joints": [{"from": 1.0, "to": 3.0, "joint": "RightHand", "position": [0, 1, 0]}],
        }
    )
    assert asked.frames_of(asked.joints[0]) == range(30, 91)
    assert JointConstraint(time=1.0, joint="a", position=(0, 1, 0)).end is None


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({"from": 2.0, "to": 1.0, "position": [0, 1, 0]}, "expected a time after"),
        ({"from": 2.0, "to": 9.0, "position": [0, 1, 0]}, "after the end of the motion"),
        ({"from": 2.0, "to": 3.0, "velocity": [0, 1, 0]}, "only a position can be held"),
    ],
)
def test_holds_that_make_no_sense(joint, message):
    with pytest.raises(InvalidInputError, match=message):
        ConstraintSet(duration=4.0, joints=[{"joint": "RightHand", **joint}])


def test_a_hold_and_another_constraint_of_the_same_joint_must_not_meet():
    hand = {"joint": "RightHand", "position": [0, 1, 0]}
    with pytest.raises(InvalidInputError, match=r"falls on the same frame as joints\[0\]"):
        ConstraintSet(
            duration=4.0, joints=[{**hand, "from": 1.0, "to": 3.0}, {**hand, "time": 2.0}]
        )
    ConstraintSet(duration=4.0, joints=[{**hand, "from": 1.0, "to": 3.0}, {**hand, "time": 3.5}])


def test_standing_still_may_last_to_the_end():
    asked = ConstraintSet.model_validate({"duration": 4.0, "still": [{"from": 3.0}]})
    assert asked.still[0].end is None
    with pytest.raises(InvalidInputError, match="after 'from'"):
        ConstraintSet(duration=4.0, still=[{"from": 3.0, "to": 2.0}])
