"""What is asked of a pose as a whole: what places are relative to, and how the body stands."""

from __future__ import annotations

from motionloom.constraints.kinds.kind import Kind

FRAME = Kind(
    "frame",
    advice="positions of a motion are always in the world; leave it out",
    hint=None,
)
FEET = Kind("feet", advice="feet of a motion keep their contacts; leave it out", hint=None)
BALANCE = Kind("balance", advice="motions are not checked for it; leave it out", hint=None)
