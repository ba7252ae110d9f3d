"""Pieces of a path laid down one after the other on the ground, with the contacts they bring along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import ContactOptions, FootContacts, drop_short_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.pieces import GraphWalk
from motionloom.edit.align import align_ground
from motionloom.edit.blend import Overlap
from motionloom.edit.displacement import Seam
from motionloom.edit.foot_tracks import FootTrack, chain_track
from motionloom.edit.footlock import find_legs
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform, Motion, concatenate


@dataclass(frozen=True, eq=False)
class LaidPath:
    """Pieces as they were captured, turned about the vertical and moved to continue each other;
    nothing is smoothed.

    Parameters
    ----------
    motion : Motion
        On a ground at height 0.
    seams : tuple of Seam
    contacts : FootContacts
        The sources' own.
    feet : mapping of str to FootTrack
        How each foot moved in the sources, by its role.
    """

    motion: Motion
    seams: tuple[Seam, ...]
    contacts: FootContacts
    feet: Mapping[str, FootTrack]


def lay_path(
    sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None = None
) -> LaidPath:
    """Lay a path down.

    Parameters
    ----------
    sources : AnalysedClips
    path : GraphWalk
    start : GroundTransform, optional
        Of the first piece.
    """
    clips = sources.clip_set
    pieces = list(zip(path.pieces, path.transforms(clips, start), strict=True))
    # A piece that is left at frame b plays up to b - 1; frame b itself says where it would have
    # gone on.
    moved = [
        _moved(
            sources,
            piece.clip,
            piece.start,
            min(piece.stop + 1, clips.motions[piece.clip].n_frames),
            transform,
        )
        for piece, transform in pieces
    ]
    motion = concatenate(
        [m.cut(0, piece.n_frames) for m, (piece, _) in zip(moved, pieces, strict=True)]
    )
    seams = [
        Seam(frame, m.rotations[-1], m.translations[-1])
        for frame, (m, _) in zip(path.seams, pairwise(moved), strict=True)
    ]
    down = np.concatenate([sources.contacts[p.clip].down[p.start : p.stop] for p in path.pieces])
    down = drop_short_contacts(down, clips.fps, ContactOptions())
    ends = concatenate([m.cut(m.n_frames - 1, m.n_frames) for m in moved[:-1]]) if seams else None
    origin = replace(motion.source, path="", warnings=())
    return LaidPath(
        replace(motion, name="", source=origin),
        tuple(seams),
        FootContacts(sources.soles, down, 0.0),
        _tracks(sources, motion, ends, path.seams),
    )


def _tracks(
    sources: AnalysedClips, motion: Motion, ends: Motion | None, seams: Sequence[int]
) -> dict[str, FootTrack]:
    """Feet of laid pieces, put together where pieces meet."""
    pose = forward_kinematics(motion)
    gone_on = None if ends is None else forward_kinematics(ends)
    tracks = {}
    for foot, leg in find_legs(sources.roles).items():
        track = FootTrack(pose.positions[:, leg.tip], pose.rotations[:, leg.tip])
        if gone_on is not None:
            end = FootTrack(gone_on.positions[:, leg.tip], gone_on.rotations[:, leg.tip])
            track = chain_track(track, end, seams, motion.fps)
        tracks[foot] = track
    return tracks


def lay_overlaps(
    sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None, span: float
) -> tuple[Overlap, ...]:
    """Both clips around every seam, laid down as their pieces are.

    An overlap reaches up to `span` seconds to both sides, but not beyond the ends of the clips, and
    no farther than to the middle of the pieces beside it, so that overlaps meet but do not run into
    each other.
    """
    clips = sources.clip_set
    most = round(span * sources.clip_set.fps)
    pieces = list(zip(path.pieces, path.transforms(clips, start), strict=True))
    found = []
    for frame, ((a, at_a), (b, at_b)) in zip(path.seams, pairwise(pieces), strict=True):
        before = min(most, a.n_frames // 2, b.start)
        after = min(most, (b.n_frames - 1) // 2, clips.motions[a.clip].n_frames - 1 - a.stop)
        found.append(
            Overlap(
                frame - before,
                _moved(sources, a.clip, a.stop - before, a.stop + after + 1, at_a),
                _moved(sources, b.clip, b.start - before, b.start + after + 1, at_b),
            )
        )
    return tuple(found)


def _moved(
    sources: AnalysedClips, clip: int, start: int, stop: int, transform: GroundTransform
) -> Motion:
    """Frames of a clip on the ground at height 0, transformed."""
    motion = sources.clip_set.motions[clip]
    # The whole clip tells which joint carries the body; a few frames might not.
    motion = align_ground(motion, sources.contacts[clip].ground).transformed(transform)
    return motion.cut(start, stop)
