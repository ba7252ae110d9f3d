"""Pieces of a path laid down one after the other on the ground, with the contacts they bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.analysis.contacts import ContactOptions, FootContacts, drop_short_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.pieces import GraphWalk
from motionloom.edit.align import align_ground
from motionloom.edit.blend import Overlap
from motionloom.edit.displacement import Seam
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import find_legs
from motionloom.graph.joining.tracks import chain_track, concatenate_tracks
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.typing import Bools


@dataclass(frozen=True, eq=False)
class LaidPath:
    """Pieces as they were captured, turned about the vertical and moved to continue each other;
    nothing is smoothed.

    Parameters
    ----------
    motion : Motion
        On a ground at height 0.
    seams : tuple of Seam
        One for each piece but the first.
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
        The clips that the path is through, with their contacts.
    path : GraphWalk
        Pieces played one after the other.
    start : GroundTransform, optional
        Of the first piece, which stays where it was captured when not given.

    Returns
    -------
    LaidPath
        One motion that still jumps at the seams, and the contacts of its sources.
    """
    clips = sources.clip_set
    pieces = list(zip(path.pieces, path.transforms(clips, start), strict=True))
    # A piece that is left at frame b plays up to b - 1; frame b itself says where it would have
    # gone on.
    grounded = _on_ground(sources, path)
    moved = [
        _moved(
            grounded[piece.clip],
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
    origin = replace(motion.source, path="", warnings=())
    return LaidPath(
        replace(motion, name="", source=origin),
        tuple(seams),
        FootContacts(sources.soles, down, 0.0),
        _chained_feet(sources, path, start, down),
    )


def _chained_feet(
    sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None, down: Bools
) -> dict[str, FootTrack]:
    """Feet of laid pieces, put together where pieces meet."""
    clips = sources.clip_set
    transforms = path.transforms(clips, start)
    tracks = {}
    for foot in find_legs(sources.roles):
        pieces = []
        ends = []
        for piece, transform in zip(path.pieces, transforms, strict=True):
            captured = sources.feet[piece.clip][foot]
            pieces.append(captured.cut(piece.start, piece.stop).transformed(transform))
            last = min(piece.stop, clips.motions[piece.clip].n_frames - 1)
            ends.append(captured.cut(last, last + 1).transformed(transform))
        track = concatenate_tracks(pieces)
        if len(pieces) > 1:
            stands: Bools = np.any(down[:, list(sources.soles.of(foot))], axis=1)
            past = concatenate_tracks(ends[:-1])
            track = chain_track(track, past, path.seams, clips.fps, stands)
        tracks[foot] = track
    return tracks


def lay_overlaps(
    sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None, span: float
) -> tuple[Overlap, ...]:
    """Both clips around every seam, laid down as their pieces are.

    An overlap reaches up to `span` seconds to both sides, but not beyond the ends of the clips, and
    no farther than to the middle of the pieces beside it, so that overlaps meet but do not run into
    each other.

    Parameters
    ----------
    sources : AnalysedClips
        The clips that the path is through.
    path : GraphWalk
        Pieces played one after the other.
    start : GroundTransform or None
        Of the first piece, which stays where it was captured when None.
    span : float, seconds
        Time on each side of a seam.

    Returns
    -------
    tuple of Overlap
        One for each seam, in their order.
    """
    clips = sources.clip_set
    most = round(span * sources.clip_set.fps)
    pieces = list(zip(path.pieces, path.transforms(clips, start), strict=True))
    grounded = _on_ground(sources, path)
    found = []
    for frame, ((a, at_a), (b, at_b)) in zip(path.seams, pairwise(pieces), strict=True):
        before = min(most, a.n_frames // 2, b.start)
        after = min(most, (b.n_frames - 1) // 2, clips.motions[a.clip].n_frames - 1 - a.stop)
        found.append(
            Overlap(
                frame - before,
                _moved(grounded[a.clip], a.stop - before, a.stop + after + 1, at_a),
                _moved(grounded[b.clip], b.start - before, b.start + after + 1, at_b),
            )
        )
    return tuple(found)


def _on_ground(sources: AnalysedClips, path: GraphWalk) -> dict[int, Motion]:
    """The clips of a path, each with its ground at height 0."""
    # The whole clip tells which joint carries the body; a few frames might not.
    return {
        clip: align_ground(sources.clip_set.motions[clip], sources.contacts[clip].ground)
        for clip in {piece.clip for piece in path.pieces}
    }


def _moved(clip: Motion, start: int, stop: int, transform: GroundTransform) -> Motion:
    """Frames of a clip, transformed."""
    return clip.transformed(transform).cut(start, stop)
