"""Walking and running at any speed: cycles, gait spaces, paths, gaps filled along a path."""

from typing import TYPE_CHECKING

from motionloom.gait.cycle import BEHAVIOURS, GaitBody, GaitCycle
from motionloom.gait.cycles.find import FoundGait, Stride, find_gait
from motionloom.gait.cycles.told import ToldClips, read_told
from motionloom.gait.cycles.tracks import FootEvent, FootTracks, tracks_of_motion
from motionloom.gait.space._speed_line import FrequencyLaw, SpeedOptions
from motionloom.gait.space.behaviour import Trust
from motionloom.gait.space.fit import fit_gait, learn_gait
from motionloom.gait.space.gather import Example, GaitExamples, gather_examples
from motionloom.gait.space.space import GaitSpace
from motionloom.gait.store import load_gait, save_gait
from motionloom.gait.survey import Transition, analyse_transition
from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.gait.verbs import fit, make, stream

__all__ = [
    "BEHAVIOURS",
    "Example",
    "FootEvent",
    "FootTracks",
    "FoundGait",
    "FrequencyLaw",
    "GaitBody",
    "GaitCycle",
    "GaitExamples",
    "GaitSpace",
    "SpeedOptions",
    "Stride",
    "ToldClips",
    "Transition",
    "Trust",
    "analyse_transition",
    "find_gait",
    "fit",
    "fit_gait",
    "gather_examples",
    "learn_gait",
    "load_gait",
    "make",
    "read_told",
    "save_gait",
    "stream",
    "tracks_of_motion",
]

show_verbs(__name__, dict.fromkeys(("fit", "make", "stream"), f"{__name__}.verbs"))
