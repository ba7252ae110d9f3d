"""In-betweening: natural motion over gaps between known frames, from key pose to key pose."""

from motionloom.inbetween.fill import Filled, FillOptions, Known, fill_gaps
from motionloom.inbetween.fillers import METHODS, Filler, make_filler
from motionloom.inbetween.fit import InbetweenOptions, fit_inbetween
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.store import load_inbetween, save_inbetween

__all__ = [
    "METHODS",
    "FillOptions",
    "Filled",
    "Filler",
    "InbetweenModel",
    "InbetweenOptions",
    "Known",
    "fill_gaps",
    "fit_inbetween",
    "load_inbetween",
    "make_filler",
    "save_inbetween",
]
