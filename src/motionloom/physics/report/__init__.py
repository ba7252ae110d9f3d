"""What is told and drawn of a motion's physics."""

from motionloom.physics.report.figures import (
    PhysicsReport,
    make_report,
    write_physics_page,
    write_physics_picture,
)

__all__ = ["PhysicsReport", "make_report", "write_physics_page", "write_physics_picture"]
