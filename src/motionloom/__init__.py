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
        check_joints,
        read_constraints,
        write_constraints,
    )
    from motionloom.errors import MotionloomError
    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.graph.searching.search import SearchOptions
    from motionloom.graph.transitions.build import GraphOptions
    from motionloom.io import load, load_markers, load_motion, save
    from motionloom.kinematics import forward_kinematics
    from motionloom.library import Library, add_clips, create_library, open_library
    from motionloom.marker_motion import MarkerSequence
    from motionloom.motion import GroundTransform, Motion, concatenate
    from motionloom.performer import performer_clips
    from motionloom.posed_motion import PosedMotion, pose_motion
    from motionloom.roles import Roles, find_roles
    from motionloom.skeleton import Skeleton
    from motionloom.synthesis.driver import Synthesis, SynthesisOptions, fit_generator, synthesize
    from motionloom.view import write_contact_sheet, write_page

__version__ = "0.2.0"

_HOMES = {
    "BodyConstraint": "constraints",
    "ConstraintSet": "constraints",
    "GraphGeneratorOptions": "graph.generator",
    "GraphOptions": "graph.transitions.build",
    "GroundTransform": "motion",
    "JointConstraint": "constraints",
    "Library": "library",
    "MarkerSequence": "marker_motion",
    "Motion": "motion",
    "MotionloomError": "errors",
    "PosedMotion": "posed_motion",
    "Roles": "roles",
    "SearchOptions": "graph.searching.search",
    "Skeleton": "skeleton",
    "Synthesis": "synthesis.driver",
    "SynthesisOptions": "synthesis.driver",
    "add_clips": "library",
    "check_joints": "constraints",
    "concatenate": "motion",
    "create_library": "library",
    "find_roles": "roles",
    "fit_generator": "synthesis.driver",
    "forward_kinematics": "kinematics",
    "load": "io",
    "load_markers": "io",
    "load_motion": "io",
    "open_library": "library",
    "performer_clips": "performer",
    "pose_motion": "posed_motion",
    "read_constraints": "constraints",
    "save": "io",
    "synthesize": "synthesis.driver",
    "write_constraints": "constraints",
    "write_contact_sheet": "view",
    "write_page": "view",
}

__all__ = [
    "BodyConstraint",
    "ConstraintSet",
    "GraphGeneratorOptions",
    "GraphOptions",
    "GroundTransform",
    "JointConstraint",
    "Library",
    "MarkerSequence",
    "Motion",
    "MotionloomError",
    "PosedMotion",
    "Roles",
    "SearchOptions",
    "Skeleton",
    "Synthesis",
    "SynthesisOptions",
    "__version__",
    "add_clips",
    "check_joints",
    "concatenate",
    "create_library",
    "find_roles",
    "fit_generator",
    "forward_kinematics",
    "load",
    "load_markers",
    "load_motion",
    "open_library",
    "performer_clips",
    "pose_motion",
    "read_constraints",
    "save",
    "synthesize",
    "write_constraints",
    "write_contact_sheet",
    "write_page",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
