"""Force plates: what the ground was measured to do, beside what inverse dynamics says."""

from motionloom.physics.plates.compare import PlateComparison, compare_with_plates
from motionloom.physics.plates.read import PlateForces, read_plates

__all__ = ["PlateComparison", "PlateForces", "compare_with_plates", "read_plates"]
