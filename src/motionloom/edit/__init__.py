"""Motion in, motion out: corrections and changes that need no model."""

from motionloom.edit.bend import bend_path
from motionloom.edit.displacement import Seam, spread_jumps
from motionloom.edit.footlock import FootLock, FootLockOptions, lock_feet
from motionloom.edit.mirror import Symmetry, find_symmetry, mirror_motion
from motionloom.edit.reach import Target, reach_targets
from motionloom.edit.reroot import scaled, with_root
from motionloom.edit.root import align_ground

__all__ = [
    "FootLock",
    "FootLockOptions",
    "Seam",
    "Symmetry",
    "Target",
    "align_ground",
    "bend_path",
    "find_symmetry",
    "lock_feet",
    "mirror_motion",
    "reach_targets",
    "scaled",
    "spread_jumps",
    "with_root",
]
