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

#: What the top level had before, by where it is now.
_MOVED = {
    name: f"motionloom.{home}.{name}"
    for home, names in {
        "constraints": "BodyConstraint ConstraintSet JointConstraint check_joints"
        " read_constraints write_constraints",
        "errors": "MotionloomError",
        "graph": "GraphOptions SearchOptions",
        "graph.generator": "GraphGeneratorOptions",
        "kinematics": "forward_kinematics",
        "library": "Library add_clips create_library open_library",
        "marker_motion": "MarkerSequence",
        "motion": "GroundTransform Motion concatenate",
        "performer": "performer_clips",
        "posed_motion": "PosedMotion pose_motion",
        "roles": "Roles find_roles",
        "skeleton": "Skeleton",
        "synthesis": "Synthesis SynthesisOptions fit_generator",
        "view": "write_contact_sheet write_page",
    }.items()
    for name in names.split()
} | dict.fromkeys(["load_markers", "load_motion"], "motionloom.load")
show_verbs(__name__, _VERBS, _MOVED)
