"""What a user can ask of a motion, once for all methods: validated models, read from and written to
YAML or JSON.
"""

from motionloom.constraints.files import read_constraints, write_constraints
from motionloom.constraints.joints import check_joints
from motionloom.constraints.key_poses import KeyPose
from motionloom.constraints.model import (
    BodyConstraint,
    ConstraintSet,
    JointConstraint,
    PoseConstraint,
)
from motionloom.constraints.obstacles import Box, Cylinder, HeightMap
from motionloom.constraints.spans import (
    CostConstraint,
    PathConstraint,
    StillConstraint,
    StyleConstraint,
)

__all__ = [
    "BodyConstraint",
    "Box",
    "ConstraintSet",
    "CostConstraint",
    "Cylinder",
    "HeightMap",
    "JointConstraint",
    "KeyPose",
    "PathConstraint",
    "PoseConstraint",
    "StillConstraint",
    "StyleConstraint",
    "check_joints",
    "read_constraints",
    "write_constraints",
]
