"""What the body must do: masses, inverse dynamics, balance, and motions corrected by them."""

from typing import TYPE_CHECKING

from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.physics.verbs import correct, report

__all__ = ["correct", "report"]

show_verbs(__name__, dict.fromkeys(__all__, f"{__name__}.verbs"))
