"""In-betweening as the bridge of other generators: how sure it is of gaps, and what fills them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.inbetween.features import describe_gaps
from motionloom.inbetween.gaps import CONTEXT, Gaps, Track
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion, concatenate
from motionloom.typing import Array

#: Gaps that are looked at in one go.
_CHUNK = 512


def doubt_gaps(
    model: InbetweenModel, before: Sequence[Motion], behind: Sequence[Motion], missing: int
) -> Array:
    """How far gaps are from the nearest captured one; see `Bridge.doubts`.

    The distance is that of the kernel, in its length scales, the larger of both halves of the body.

    Parameters
    ----------
    model : InbetweenModel
        What was learned.
    before, behind : sequence of Motion
        Known frames on both sides of P gaps.
    missing : int
        Frames of each gap.

    Returns
    -------
    array of shape (P,)
    """
    found = [
        _doubts(model, before[i : i + _CHUNK], behind[i : i + _CHUNK], missing)
        for i in range(0, len(before), _CHUNK)
    ]
    return np.concatenate(found) if found else np.zeros(0)


def _doubts(
    model: InbetweenModel, before: Sequence[Motion], behind: Sequence[Motion], missing: int
) -> Array:
    rig = Rig.of(before[0], model.rig.roles)
    gaps = model.at_own_pace(_gaps_of(rig, before, behind, missing), before[0].fps)
    features = describe_gaps(gaps, model.reference)
    return model.band_of(gaps.missing).distances(features)


def _gaps_of(rig: Rig, before: Sequence[Motion], behind: Sequence[Motion], missing: int) -> Gaps:
    """Gaps of one length as one batch."""
    known = [_context(motion) for motion in before]
    lead = Track.of(concatenate(known), rig)
    end = Track.of(concatenate([motion.cut(0, 1) for motion in behind]), rig)
    shape = (len(known), CONTEXT)
    turned = lead.rotations.reshape(*shape, *lead.rotations.shape[1:])
    return Gaps(
        rig=rig,
        # One after the other they were made continuous in sign; each has to be so by itself.
        rotations=rot.unroll(turned, axis=1),
        roots=lead.roots.reshape(*shape, 3),
        end_rotations=end.rotations,
        end_roots=end.roots,
        missing=missing,
    )


def _context(motion: Motion) -> Motion:
    """The last frames of a motion; a body that is known for less was at rest before."""
    lacking = CONTEXT - motion.n_frames
    if lacking <= 0:
        return motion.cut(motion.n_frames - CONTEXT, motion.n_frames)
    return concatenate([motion.cut(0, 1)] * lacking + [motion])
