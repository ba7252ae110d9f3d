"""A toy of motions: small work that runs their kernels."""

from __future__ import annotations

from motionloom import kinematics
from walkers import make_walker


def where_joints_are(folder):
    small, kinematics._SMALL = kinematics._SMALL, 0
    try:
        world = kinematics.forward_kinematics(make_walker(5, bend=1.0))
    finally:
        kinematics._SMALL = small
    return world.positions, world.rotations


TOYS = (where_joints_are,)
