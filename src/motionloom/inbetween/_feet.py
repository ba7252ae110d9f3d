"""Feet in filled gaps: when they are down, how low they may be, and how far they creep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts, drop_short_contacts
from motionloom.analysis.quality import skate_speed
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.curves import runs_of
from motionloom.edit.footlock import FootLockOptions
from motionloom.errors import InvalidInputError
from motionloom.inbetween.model import InbetweenModel
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

#: What fills a gap is a guess, so feet may be moved further than in pieces of clips, and from the
#: first missing frame on.
LOCK = FootLockOptions(limit=0.5, speed=3.0, speed_share=0.6, keep_time=0.04)
#: Soles that roll are captured this deep in the ground, leg lengths.
_ROLLING = 0.015
#: A foot that is down on both sides of a gap stays there when it is moved by less than this share
#: of a leg.
_SAME_PLACE = 0.05


def find_contacts(
    posed: PosedMotion,
    kept: Sequence[int],
    predicted: Mapping[int, Bools],
    model: InbetweenModel | None,
) -> FootContacts | None:
    """When the feet are down: as detected in known frames, as predicted or guessed in gaps.

    Parameters
    ----------
    posed : PosedMotion
        A filled motion.
    kept : sequence of int
        Its known frames.
    predicted : mapping of int to bool array of shape (n, S)
        Which points of the model's soles are down, by the first frame of the gap.
    model : InbetweenModel or None
        For its soles.

    Returns
    -------
    FootContacts or None
        None for a body without feet.
    """
    soles = _soles(posed, kept, model)
    if soles is None:
        return None
    found = detect_contacts(posed, soles=soles)
    down = found.down.copy()
    is_known = np.zeros(posed.n_frames, bool)
    is_known[list(kept)] = True
    points = soles.positions(posed)
    for start, stop in runs_of(~is_known):
        if start in predicted and predicted[start].shape[1] == down.shape[1]:
            down[start:stop] = predicted[start]
        else:
            down[start:stop] = _staying(points, found.down, start, stop, soles.leg)
    return replace(found, down=drop_short_contacts(down, posed.fps))


def _soles(posed: PosedMotion, kept: Sequence[int], model: InbetweenModel | None) -> Soles | None:
    if model is not None and model.soles is not None:
        return model.soles
    try:
        return fit_soles([posed])
    except InvalidInputError:  # a body without feet
        return None


def _staying(points: Array, down: Bools, start: int, stop: int, leg: float) -> Bools:
    """Points that are down on both sides of a gap, at one place, stay there."""
    before = start - 1
    moved = np.linalg.norm(points[stop] - points[before], axis=-1)
    stays = down[before] & down[stop] & (moved < _SAME_PLACE * leg)
    return np.repeat(stays[None], stop - start, axis=0)


def lowest_points(posed: PosedMotion, contacts: FootContacts, kept: Sequence[int]) -> Array:
    """Height above the ground below which no point of the soles goes, shape (P,), metres.

    The ground of a few frames is a guess: what known frames show of any point is no fault.

    Parameters
    ----------
    posed : PosedMotion
        A filled motion.
    contacts : FootContacts
        Its contacts.
    kept : sequence of int
        Its known frames.
    """
    rest = np.array([point.rest for point in contacts.soles.points])
    heights = contacts.soles.positions(posed)[list(kept), :, 1] - contacts.ground - rest
    deepest = min(-_ROLLING * contacts.soles.leg, float(heights.min()))
    return rest + deepest


def creep(posed: PosedMotion, contacts: FootContacts, first: int, missing: int) -> float | None:
    """Mean speed of the feet in contact in a gap, centimetres per second.

    Parameters
    ----------
    posed : PosedMotion
        A filled motion.
    contacts : FootContacts
        Its contacts.
    first, missing : int
        The gap's first frame, and its frames.

    Returns
    -------
    float or None
        None where no foot is in contact.
    """
    around = slice(max(0, first - 1), first + missing + 1)
    points = contacts.soles.positions(posed.cut(around.start, min(around.stop, posed.n_frames)))
    speeds = skate_speed(points, contacts.down[around], posed.fps)
    return 100 * float(speeds.mean()) if len(speeds) else None
