"""What a user can ask of a motion, once for all methods: validated models, read from and written to YAML or JSON."""

from motionloom.constraints.files import read_constraints, write_constraints
from motionloom.constraints.joints import check_joints
from motionloom.constraints.model import BodyConstraint, ConstraintSet, JointConstraint

__all__ = [
    "BodyConstraint",
    "ConstraintSet",
    "JointConstraint",
    "check_joints",
    "read_constraints",
    "write_constraints",
]
