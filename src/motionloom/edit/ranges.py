"""Knees and elbows brought back into the range in which they bent in the captures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from motionloom.analysis.hinges import Hinge
from motionloom.curves import smooth_envelope
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.posed_motion import PosedMotion
from motionloom.two_bones import reach_for, unit
from motionloom.typing import Array


def limit_hinges(
    posed: PosedMotion, hinges: Iterable[Hinge], smoothing: float = 0.15
) -> PosedMotion:
    """Bend limbs less where they bend more than in the captures, and more where they bend less.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    hinges : iterable of Hinge
        Their limbs, and how far these bent.
    smoothing : float, seconds
        Time over which a correction grows and fades.

    Returns
    -------
    PosedMotion
        A tip moves along the line to the limb's root; it keeps its rotation in the world. Limbs
        that stay in their range are left as they are.
    """
    half = max(1, round(smoothing * posed.fps))
    local: dict[int, Array] = {}
    for hinge in hinges:
        local |= _limited(posed, hinge, half)
    return posed.with_local(local) if local else posed


def _limited(posed: PosedMotion, hinge: Hinge, half: int) -> dict[int, Array]:
    """Local rotations of a limb's joints that bring it back into its range; none where it is."""
    limb = hinge.limb
    flexion = hinge.flexion(posed)
    least = max(hinge.least, 0.0)
    # In proportion to the bend (to what is left to bend), so that limbs nearly straight by then
    # hardly change.
    less = smooth_envelope(np.maximum(1.0 - hinge.most / np.maximum(flexion, 1e-9), 0.0), half)
    more = smooth_envelope(np.maximum(least - flexion, 0.0), half)
    if not (less.any() or more.any()):
        return {}
    room = max(hinge.most - least, 1e-9)
    bend = flexion * (1.0 - less) + more * (hinge.most - flexion) / room
    bend = np.clip(bend, least, hinge.most)
    root = posed.positions[:, limb.root]
    tip = posed.positions[:, limb.tip]
    changed = (less > 0) | (more > 0)
    wanted = reach_for(*bone_lengths(posed, limb), bend)
    far = np.where(changed, wanted, np.linalg.norm(tip - root, axis=-1))
    target = root + far[:, None] * unit(tip - root)
    # The tip stays on its line and keeps its world rotation: a hand or foot is not turned.
    return solve_limb(posed, limb, target, posed.rotations[:, limb.tip], hinge)
