"""Motions that no body could do are refused with what flies apart, and when."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.physics.body import make_body
from motionloom.physics.dynamics import Smoothing
from motionloom.physics.ground import analyse_balance
from motionloom.physics.quality import check_plausible
from motionloom.posed_motion import pose_motion
from weighed_bodies import standing


def test_a_segment_that_flies_apart_is_named_with_its_time():
    posed = standing(60, 60.0)
    body = make_body(posed, 1.75, 70.0)
    check_plausible(analyse_balance(posed, body), posed)
    rotations = posed.motion.rotations.copy()
    thigh = posed.roles.joints["left_hip"]
    swings = np.where(np.arange(60) % 2, 2.0, -2.0) * (np.abs(np.arange(60) - 30) < 6)
    rotations[:, thigh] = rot.from_rotvec(swings[:, None] * np.array([1.0, 0, 0]))
    wild = pose_motion(replace(posed.motion, rotations=rotations))
    balance = analyse_balance(wild, body, Smoothing(poses=0.0, balance=0.0))
    with pytest.raises(InvalidInputError, match=r"at 0\.\d\d s the body would need .* Left\w+ acc"):
        check_plausible(balance, wild)
