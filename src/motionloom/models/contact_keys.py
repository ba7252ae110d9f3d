"""Key postures where feet land and leave the ground."""

from __future__ import annotations

import numpy as np

from motionloom.analysis.contacts import detect_contacts
from motionloom.posed_motion import PosedMotion
from motionloom.spaces.motion_space import KeyRule, add_key_rule

#: Frames between events that fall on one.
_APART = 1e-3


def contact_keys(
    posed: PosedMotion, joint: int, rule: KeyRule
) -> tuple[tuple[str, ...], list[float]]:
    """When feet land and leave the ground, in the order of time; the joint does not count.

    Parameters
    ----------
    posed : PosedMotion
        A take.
    joint : int
        Of the rule.
    rule : KeyRule
        The rule.

    Returns
    -------
    names : tuple of str
        Such as ``"right_foot up"`` and ``"right_foot down"``, numbered from the second of a kind
        on.
    frames : list of float
        Between the frame before and that after.
    """
    events: list[tuple[float, str]] = []
    for foot, down in detect_contacts(posed).by_foot().items():
        change = np.diff(down.astype(int))
        for frame in np.flatnonzero(change):
            what = "down" if change[frame] > 0 else "up"
            events.append((float(frame) + 0.5, f"{foot} {what}"))
    names: list[str] = []
    for _, name in sorted(events):
        count = sum(n.split("#")[0] == name for n in names)
        names.append(f"{name}#{count + 1}" if count else name)
    # Events of one frame follow each other at once.
    return tuple(names), [frame + _APART * i for i, (frame, _) in enumerate(sorted(events))]


add_key_rule("contacts", contact_keys)
