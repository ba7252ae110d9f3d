"""Toys of numbers in files and of motions: small work that runs their kernels."""

from __future__ import annotations

import numpy as np

from motionloom import kinematics
from motionloom.io import number_table
from walkers import make_walker


def numbers_in_text(folder):
    text = b"1 -2.5 .5e2 # no\n+3 1e-30 x 12345678901234567890\n\n7 -0.0 1e400\n"
    found = number_table._parse_any(number_table.without_comments(text))
    table = np.zeros((3, 2))
    number_table.place_rows(found.values, found.starts, table)
    return found.values, found.starts, found.lines, found.offsets, found.bad, table


def where_joints_are(folder):
    small, kinematics._SMALL = kinematics._SMALL, 0
    try:
        world = kinematics.forward_kinematics(make_walker(5, bend=1.0))
    finally:
        kinematics._SMALL = small
    return world.positions, world.rotations


TOYS = (numbers_in_text, where_joints_are)
