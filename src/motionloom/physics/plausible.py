"""Motions that no body could do: forces beyond all that people were measured to bear."""

from __future__ import annotations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.physics.dynamics.inverse import GRAVITY
from motionloom.physics.ground.balance import Balance
from motionloom.posed_motion import PosedMotion

#: Largest force on a body from outside, body weights, of poses filtered at 12 Hz. Of 45 captures
#: (walks, runs, jumps, dances, serves) none needs more than 9.1, and that has a jump of a marker;
#: captures whose segments come loose need 20 and more.
MOST_FORCE = 12.0


def check_plausible(balance: Balance, posed: PosedMotion) -> None:
    """Refuse a motion whose forces would be beyond any body's.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    posed : PosedMotion
        The motion.

    Raises
    ------
    InvalidInputError
        It names the segment that flies apart, and when.
    """
    force = np.linalg.norm(balance.dynamics.wrench[:, :3], axis=-1) / balance.weight
    worst = int(np.argmax(force))
    if not force[worst] > MOST_FORCE:
        return
    rates = np.linalg.norm(np.gradient(np.gradient(posed.positions, axis=0), axis=0), axis=-1)
    near = slice(max(worst - 2, 0), worst + 3)
    joint = int(np.argmax(rates[near].max(axis=0)))
    pull = rates[near, joint].max() * posed.fps**2 / GRAVITY
    raise InvalidInputError(
        f"{posed.motion.name or 'the motion'}: at {worst / posed.fps:.2f} s the body would need"
        f" {force[worst]:.0f} times its weight, more than {MOST_FORCE:g}:"
        f" {posed.motion.skeleton.names[joint]} accelerates by {pull:.0f} g there; cut that time"
        " out, or mend the capture"
    )
