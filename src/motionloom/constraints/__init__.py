"""What a user can ask of a motion, once for all methods: validated models, read from and written to
YAML or JSON.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from motionloom.constraints.constraint_set import ConstraintSet, forget_kind, register_kind
from motionloom.constraints.joints import check_joints
from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds._style import CostConstraint, StyleConstraint
from motionloom.constraints.kinds.avoid import Box, Cylinder, HeightMap
from motionloom.constraints.kinds.body import BodyConstraint
from motionloom.constraints.kinds.ground import Slope, Stairs
from motionloom.constraints.kinds.joints import JointConstraint
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.paths import PathConstraint
from motionloom.constraints.kinds.poses import KeyPose, PoseConstraint
from motionloom.constraints.kinds.speeds import StillConstraint
from motionloom.constraints.values import Number, Span, Time

if TYPE_CHECKING:
    from motionloom.constraints.files import read_constraints, read_ground, write_constraints

__all__ = [
    "Adherence",
    "BodyConstraint",
    "Box",
    "ConstraintSet",
    "CostConstraint",
    "Cylinder",
    "HeightMap",
    "JointConstraint",
    "KeyPose",
    "Kind",
    "Number",
    "PathConstraint",
    "Point",
    "PoseConstraint",
    "Slope",
    "Span",
    "Stairs",
    "StillConstraint",
    "StyleConstraint",
    "Time",
    "check_joints",
    "entries",
    "forget_kind",
    "read_constraints",
    "read_ground",
    "register_kind",
    "write_constraints",
]

#: Constraints are used without files too: readers of formats are loaded when a file is.
_FILES = ("read_constraints", "read_ground", "write_constraints")


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.files"), name)
