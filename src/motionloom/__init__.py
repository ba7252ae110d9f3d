"""motionloom weaves new human motion out of captured motion.

Names are loaded when they are first used, so that ``import motionloom`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motionloom.constraints import (
        BodyConstraint,
        ConstraintSet,
        JointConstraint,
        read_constraints,
        write_constraints,
    )
    from motionloom.errors import MotionloomError
    from motionloom.kinematics import forward_kinematics
    from motionloom.markers import MarkerSequence
    from motionloom.motion import GroundTransform, Motion, concatenate
    from motionloom.performer import performer_clips
    from motionloom.roles import Roles, find_roles
    from motionloom.skeleton import Skeleton

__version__ = "0.1.0"

_HOMES = {
    "BodyConstraint": "constraints",
    "ConstraintSet": "constraints",
    "GroundTransform": "motion",
    "JointConstraint": "constraints",
    "MarkerSequence": "markers",
    "Motion": "motion",
    "MotionloomError": "errors",
    "Roles": "roles",
    "Skeleton": "skeleton",
    "concatenate": "motion",
    "find_roles": "roles",
    "forward_kinematics": "kinematics",
    "performer_clips": "performer",
    "read_constraints": "constraints",
    "write_constraints": "constraints",
}

__all__ = [
    "BodyConstraint",
    "ConstraintSet",
    "GroundTransform",
    "JointConstraint",
    "MarkerSequence",
    "Motion",
    "MotionloomError",
    "Roles",
    "Skeleton",
    "__version__",
    "concatenate",
    "find_roles",
    "forward_kinematics",
    "performer_clips",
    "read_constraints",
    "write_constraints",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
