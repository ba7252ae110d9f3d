"""Whole takes of one action as a mean motion and eigen-motions (Carvalho, Boulic & Thalmann
2007).
"""

from motionloom.spaces.motion_space.find_keys import KeyRule, cut_strokes, find_keys
from motionloom.spaces.motion_space.space import (
    MotionSpace,
    MotionSpaceOptions,
    build_motion_space,
)
from motionloom.spaces.motion_space.store import load_motion_space, save_motion_space
from motionloom.spaces.motion_space.takes import Keys

__all__ = [
    "KeyRule",
    "Keys",
    "MotionSpace",
    "MotionSpaceOptions",
    "build_motion_space",
    "cut_strokes",
    "find_keys",
    "load_motion_space",
    "save_motion_space",
]
