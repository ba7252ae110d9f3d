"""A synthetic human performer: clips of known truth made from published figures of gait and posture."""

from motionloom.performer.body import Performer, make_performer
from motionloom.performer.clips import performer_clips
from motionloom.performer.perform import PerformerClip

__all__ = ["Performer", "PerformerClip", "make_performer", "performer_clips"]
