"""A synthetic human performer: clips of known truth from published figures of gait and posture.

`performer_clips` makes the default set. Other clips are made in three steps: a route
(`walking_steps` and its like, or a list of `Step`), a plan of timed footprints (`plan_steps`), and
its performance, with gestures (`perform`).
"""

from motionloom.performer._body import Performer, make_performer
from motionloom.performer._footsteps import FootstepPlan, Gait, Step, running_gait, walking_gait
from motionloom.performer._reaching import Reach
from motionloom.performer._routes import (
    plan_steps,
    running_steps,
    side_steps,
    spot_turn_steps,
    turning_steps,
    walking_steps,
)
from motionloom.performer.clips import Swing, WeightShift, performer_clips
from motionloom.performer.perform import ClipLabel, PerformerClip, perform

__all__ = ["ClipLabel", "FootstepPlan", "Gait", "Performer", "PerformerClip", "Reach", "Step"]
__all__ += ["Swing", "WeightShift", "make_performer", "perform", "performer_clips", "plan_steps"]
__all__ += ["running_gait", "running_steps", "side_steps", "spot_turn_steps", "turning_steps"]
__all__ += ["walking_gait", "walking_steps"]
