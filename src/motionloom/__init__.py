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

__all__ = ["__version__", "edit", "gait", "idle", "inbetween", "load", "markers", "model"]
__all__ += ["physics", "pose", "retarget", "save", "shot", "synthesize"]

_VERBS = {
    name: f"motionloom.{name}" for name in ("gait", "idle", "markers", "model", "physics")
} | {
    "edit": "motionloom.jobs.editing",
    "inbetween": "motionloom.jobs.filling",
    "load": "motionloom.io",
    "pose": "motionloom.jobs.posing",
    "retarget": "motionloom.jobs.retargeting",
    "save": "motionloom.io",
    "shot": "motionloom.jobs.shots",
    "synthesize": "motionloom.jobs.synthesizing",
}
show_verbs(__name__, _VERBS)
