"""Clips of one skeleton made ready: rate, roles, contacts, labels, origins, and what they cover."""

from motionloom.clips.analysis import AnalysedClips, analyse_clips
from motionloom.clips.clip_set import ClipSet, make_clip_set

__all__ = ["AnalysedClips", "ClipSet", "analyse_clips", "make_clip_set"]
