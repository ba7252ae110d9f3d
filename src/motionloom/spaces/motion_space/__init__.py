"""Whole takes of one action as a mean motion and eigen-motions (Carvalho, Boulic & Thalmann
2007).
"""

from motionloom.spaces.motion_space._key_files import KeyFile, read_key_file
from motionloom.spaces.motion_space._key_rules import (
    KeyRule,
    add_key_rule,
    cut_strokes,
    find_keys,
    guess_rule,
    joint_of,
)
from motionloom.spaces.motion_space._space import MotionSpace, load_motion_space, save_motion_space
from motionloom.spaces.motion_space.learning import MotionSpaceOptions, build_motion_space
from motionloom.spaces.motion_space.takes import Keys

__all__ = [
    "KeyFile",
    "KeyRule",
    "Keys",
    "MotionSpace",
    "MotionSpaceOptions",
    "add_key_rule",
    "build_motion_space",
    "cut_strokes",
    "find_keys",
    "guess_rule",
    "joint_of",
    "load_motion_space",
    "read_key_file",
    "save_motion_space",
]
