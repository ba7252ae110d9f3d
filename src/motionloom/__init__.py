"""motionloom makes new human motion out of captured motion.

One call does one job, with the words of the command line: `load`, `save`, `synthesize`, `edit`,
`pose`, `retarget`, `inbetween` and `shot`. Each learned method is one module with a few verbs:
`gait`, `idle`, `model`, `markers` and `physics`. Everything is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom import gait, idle, markers, model, physics
    from motionloom.io import load, save
    from motionloom.jobs.editing import edit
    from motionloom.jobs.filling import inbetween
    from motionloom.jobs.posing import pose
    from motionloom.jobs.retargeting import retarget
    from motionloom.jobs.shots import shot
    from motionloom.jobs.synthesizing import synthesize

__version__ = "0.2.0"

__all__ = [
    "__version__",
    "edit",
    "gait",
    "idle",
    "inbetween",
    "load",
    "markers",
    "model",
    "physics",
    "pose",
    "retarget",
    "save",
    "shot",
    "synthesize",
]

_VERBS = {
    "edit": "motionloom.jobs.editing",
    "gait": "motionloom.gait",
    "idle": "motionloom.idle",
    "inbetween": "motionloom.jobs.filling",
    "load": "motionloom.io",
    "markers": "motionloom.markers",
    "model": "motionloom.model",
    "physics": "motionloom.physics",
    "pose": "motionloom.jobs.posing",
    "retarget": "motionloom.jobs.retargeting",
    "save": "motionloom.io",
    "shot": "motionloom.jobs.shots",
    "synthesize": "motionloom.jobs.synthesizing",
}

#: What the top level had before; what to use in its place.
_MOVED = {
    "BodyConstraint": "motionloom.constraints.BodyConstraint",
    "ConstraintSet": "motionloom.constraints.ConstraintSet",
    "GraphGeneratorOptions": "motionloom.graph.generator.GraphGeneratorOptions",
    "GraphOptions": "motionloom.graph.GraphOptions",
    "GroundTransform": "motionloom.motion.GroundTransform",
    "JointConstraint": "motionloom.constraints.JointConstraint",
    "Library": "motionloom.library.Library",
    "MarkerSequence": "motionloom.marker_motion.MarkerSequence",
    "Motion": "motionloom.motion.Motion",
    "MotionloomError": "motionloom.errors.MotionloomError",
    "PosedMotion": "motionloom.posed_motion.PosedMotion",
    "Roles": "motionloom.roles.Roles",
    "SearchOptions": "motionloom.graph.SearchOptions",
    "Skeleton": "motionloom.skeleton.Skeleton",
    "Synthesis": "motionloom.synthesis.Synthesis",
    "SynthesisOptions": "motionloom.synthesis.SynthesisOptions",
    "add_clips": "motionloom.library.add_clips",
    "check_joints": "motionloom.constraints.check_joints",
    "concatenate": "motionloom.motion.concatenate",
    "create_library": "motionloom.library.create_library",
    "find_roles": "motionloom.roles.find_roles",
    "fit_generator": "motionloom.synthesis.fit_generator",
    "forward_kinematics": "motionloom.kinematics.forward_kinematics",
    "load_markers": "motionloom.load",
    "load_motion": "motionloom.load",
    "open_library": "motionloom.library.open_library",
    "performer_clips": "motionloom.performer.performer_clips",
    "pose_motion": "motionloom.posed_motion.pose_motion",
    "read_constraints": "motionloom.constraints.read_constraints",
    "write_constraints": "motionloom.constraints.write_constraints",
    "write_contact_sheet": "motionloom.view.write_contact_sheet",
    "write_page": "motionloom.view.write_page",
}

show_verbs(__name__, _VERBS, _MOVED)
