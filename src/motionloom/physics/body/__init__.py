"""What a body weighs: segments, solids, masses and the ranges of its joints."""

from motionloom.physics.body.density import body_density
from motionloom.physics.body.model import Body, make_body
from motionloom.physics.body.table import MassTable, SegmentRow, read_mass_table

__all__ = ["Body", "MassTable", "SegmentRow", "body_density", "make_body", "read_mass_table"]
