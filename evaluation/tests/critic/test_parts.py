"""Parts of a body."""

import numpy as np

from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom_evaluation.critic.parts import PARTS, find_parts
from walkers import SKELETON


def names_of(skeleton, roles):
    parts = find_parts(skeleton, roles)
    return {part: {skeleton.names[j] for j in joints} for part, joints in parts.items()}


def test_parts_of_a_human_share_no_joint_but_feet_are_of_the_legs():
    found = names_of(SKELETON, find_roles(SKELETON))
    assert tuple(found) == PARTS
    assert found["feet"] == {"LeftFoot", "RightFoot"} < found["legs"]
    assert found["hips"] == {"Hips"}
    assert found["upper body"] == {"Head"}
    assert found["legs"] | found["hips"] | found["upper body"] == found["all"] == {*SKELETON.names}
    assert not found["legs"] & found["upper body"]


def test_a_joint_between_hips_and_leg_is_of_the_leg_and_what_is_above_the_hips_of_nothing():
    names = ("World", "Hips", "LeftSocket", "LeftUpLeg", "LeftLeg", "LeftFoot", "Tip", "Chest")
    parents = np.array([-1, 0, 1, 2, 3, 4, 5, 1])
    skeleton = Skeleton(names, parents, np.ones((8, 3)))
    joints = {"hips": 1, "left_hip": 3, "left_knee": 4, "left_foot": 5, "chest": 7}
    found = names_of(skeleton, Roles(joints))
    assert found["legs"] == {"LeftSocket", "LeftUpLeg", "LeftLeg", "LeftFoot"}
    assert found["upper body"] == {"Chest"}
    assert "World" not in found["all"]


def test_front_paws_bear_weight_but_the_spine_is_no_leg():
    names = ("Hips", "Spine", "Shoulder", "Elbow", "Paw", "Thigh", "Shin", "Hock")
    parents = np.array([-1, 0, 1, 2, 3, 0, 5, 6])
    skeleton = Skeleton(names, parents, np.ones((8, 3)))
    front = {"left_shoulder": 2, "left_elbow": 3, "left_hand": 4}
    hind = {"left_hip": 5, "left_knee": 6, "left_foot": 7}
    found = names_of(skeleton, Roles({"hips": 0, **front, **hind}, "quadruped"))
    assert found["feet"] == {"Paw", "Hock"}
    assert found["upper body"] == {"Spine"}
