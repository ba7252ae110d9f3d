"""What a body weighs: segments, solids, masses and the ranges of its joints."""

from motionloom.physics.body._model import Body, body_density, make_body
from motionloom.physics.body._segments import MassTable, SegmentRow, read_mass_table

__all__ = ["Body", "MassTable", "SegmentRow", "body_density", "make_body", "read_mass_table"]
