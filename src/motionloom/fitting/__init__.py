"""Markers into a moving skeleton: marker sets, calibration, tracking."""

from motionloom.fitting._fit import FittedTrial, fit_markers, fit_person, group_by_person
from motionloom.fitting.calibration._result import Calibration, LengthRow
from motionloom.fitting.calibration.calibrate import CalibrationOptions, calibrate
from motionloom.fitting.marker_model import MarkerModel, load_marker_model, save_marker_model
from motionloom.fitting.marker_sets._places import Place, places_of
from motionloom.fitting.marker_sets._table import read_marker_table
from motionloom.fitting.marker_sets.recognise import Recognised, marker_sets, recognise
from motionloom.fitting.tracking import MarkerTracker, TrackedMotion, track

__all__ = ["Calibration", "CalibrationOptions", "FittedTrial", "LengthRow", "MarkerModel"]
__all__ += ["MarkerTracker", "Place", "Recognised", "TrackedMotion", "calibrate", "fit_markers"]
__all__ += ["fit_person", "group_by_person", "load_marker_model", "marker_sets", "places_of"]
__all__ += ["read_marker_table", "recognise", "save_marker_model", "track"]
