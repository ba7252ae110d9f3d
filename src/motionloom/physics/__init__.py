"""What the body must do: masses, inverse dynamics, balance, and motions corrected by them."""

from typing import TYPE_CHECKING

from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.physics.verbs import correct as correct
    from motionloom.physics.verbs import report as report

show_verbs(__name__, dict.fromkeys(("correct", "report"), f"{__name__}.verbs"))
