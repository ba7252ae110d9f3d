"""What places and rotations of joints are relative to."""

from motionloom.constraints.kinds.kind import Kind

FRAME = Kind(
    "frame",
    advice="positions of a motion are always in the world; leave it out",
    hint=None,
)
