"""Pieces of a path laid down one after the other on the ground, with the contacts they bring.

Feet as they were captured, through pieces that are laid down one after the other.

Pieces of clips made into one continuous motion.

A walk through the graph as a draft: laid down, joined, with what finishing needs to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import ContactOptions, FootContacts, drop_short_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.nearest import own_pose
from motionloom.clips.pieces import GraphWalk
from motionloom.constraints import ConstraintSet
from motionloom.edit.blend import cross_fade
from motionloom.edit.displacement import (
    Seam,
    displacement,
    inertialize,
    spread_jumps,
    spread_pace,
    spread_speeds,
)
from motionloom.edit.foot_tracks import FootTrack, heading_of
from motionloom.edit.footlock import find_legs
from motionloom.edit.hold import show_poses
from motionloom.edit.root import align_ground
from motionloom.errors import InvalidInputError
from motionloom.kinematics import chain_kinematics
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.options import check_options, option_field
from motionloom.synthesis.generator import Draft
from motionloom.typing import Array, Bools

#: Jumps of height and slope where pieces meet are spread over this time on each side, seconds.
SEAM_SPAN = 0.25

#: How long each method takes beside a seam by itself, seconds.
SPANS = {"displacement": 0.5, "crossfade": 0.3, "inertialize": 0.4}
#: Two pieces are compared in pace over this time before a seam and after it, seconds.
PACE_TIME = 0.2


@dataclass(frozen=True)
class JoinOptions:
    """How pieces are joined.

    Parameters
    ----------
    method : str
        ``"displacement"`` spreads each jump, of pose and of pace, over the frames around it (Arikan
        & Forsyth 2002),
        ``"crossfade"`` plays both clips around it, aligned in time, and fades from one to the
        other, ``"inertialize"`` lets the jump and the change of speed die away after it.
    span : float or None, seconds
        Time on both sides of a seam that this takes (for ``"inertialize"`` after it); None for the
        method's own, `SPANS`.

    Raises
    ------
    InvalidInputError
        For an unknown method.
    """

    method: str = option_field(
        "displacement", "How pieces are joined.", unit="METHOD", choices=SPANS, name="blend"
    )
    span: float | None = None

    def __post_init__(self) -> None:
        check_options(self)


def join_pieces(
    sources: AnalysedClips,
    path: GraphWalk,
    start: GroundTransform | None,
    laid: LaidPath,
    options: JoinOptions | None = None,
    keep: Sequence[int] = (),
) -> Motion:
    """Make one continuous motion of the pieces of a laid path.

    Parameters
    ----------
    sources : AnalysedClips
        The clips that the path is through.
    path : GraphWalk
        Its pieces; ``"crossfade"`` also plays what follows and precedes them in the clips.
    start : GroundTransform or None
        Where the first piece is laid down.
    laid : LaidPath
        What `lay_path` made of them.
    options : JoinOptions, optional
        The method, and how long it takes beside a seam.
    keep : sequence of int
        Frames whose poses must not change.

    Returns
    -------
    Motion
        With as many frames as the path.

    Raises
    ------
    InvalidInputError
        When frames are to be kept by a method that cannot keep them.
    """
    options = options or JoinOptions()
    if len(keep) and options.method != "displacement":
        raise InvalidInputError(
            f"poses asked for exactly need the method 'displacement', not {options.method!r}"
        )
    span = SPANS[options.method] if options.span is None else options.span
    if options.method == "crossfade":
        return cross_fade(laid.motion, _lay_overlaps(sources, path, start, span))
    if options.method == "inertialize":
        return inertialize(laid.motion, laid.seams, span)
    frames = [seam.frame for seam in laid.seams]
    joined = spread_jumps(laid.motion, laid.seams, span, keep)
    joined = spread_pace(joined, frames, _pace_changes(sources, path, start), span, keep)
    return spread_speeds(joined, frames, keep=keep)


def _pace_changes(sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None) -> Array:
    """By how much the body's velocity changes at every seam, shape (S, 3), metres per second.

    That of the piece after less that of the piece before at the same time: within a step it varies
    more than from piece to piece.
    """
    root = sources.clip_set.motions[0].root_joint
    changes = [
        _velocity(after, root) - _velocity(before, root)
        for _, before, after in _lay_overlaps(sources, path, start, PACE_TIME)
    ]
    return np.array(changes).reshape(-1, 3)


def _velocity(motion: Motion, root: int) -> Array:
    """Mean velocity of the body, metres per second; 0 for a single frame."""
    places = chain_kinematics(motion, root).positions[:, -1]
    return (places[-1] - places[0]) / max(len(places) - 1, 1) * motion.fps


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
        track = _concatenate_tracks(pieces)
        if len(pieces) > 1:
            stands: Bools = np.any(down[:, list(sources.soles.of(foot))], axis=1)
            past = _concatenate_tracks(ends[:-1])
            track = chain_track(track, past, path.seams, clips.fps, stands)
        tracks[foot] = track
    return tracks


def _lay_overlaps(
    sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None, span: float
) -> list[tuple[int, Motion, Motion]]:
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
    list of (int, Motion, Motion)
        As `cross_fade` takes them, one for each seam, in their order.
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
            (
                frame - before,
                _moved(grounded[a.clip], a.stop - before, a.stop + after + 1, at_a),
                _moved(grounded[b.clip], b.start - before, b.start + after + 1, at_b),
            )
        )
    return found


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


def _concatenate_tracks(tracks: Sequence[FootTrack]) -> FootTrack:
    """Tracks one after the other."""
    places = np.concatenate([track.places for track in tracks])
    return FootTrack(places, np.concatenate([track.rotations for track in tracks]))


def chain_track(
    track: FootTrack, ends: FootTrack, seams: Sequence[int], fps: float, down: Bools | None = None
) -> FootTrack:
    """Track of a foot through pieces that were laid down one after the other.

    The foot goes on over a seam as it would have gone on in the piece before: pieces are put
    together at the foot, on the ground and in heading. What is left of the jump there, height and
    slope, is spread over the frames beside it; of a foot in the air it does not reach into
    contacts, so that a foot stands as it was captured to.

    Parameters
    ----------
    track : FootTrack
        The foot in the pieces as laid down.
    ends : FootTrack
        Where it would have been in the S frames at `seams`, had the piece before gone on.
    seams : sequence of int
        First frames of new pieces.
    fps : float
    down : bool array of shape (T,), optional
        Whether the foot is in contact.

    Returns
    -------
    FootTrack
    """
    joined = _put_together(track, ends, seams)
    stands = np.zeros(len(track.places), bool) if down is None else down
    spans = [_reaches(stands, frame, SEAM_SPAN * fps) for frame in seams]
    return _spread_jumps(*joined, seams, spans)


def _reaches(down: Bools, frame: int, most: float) -> tuple[float, float]:
    """How far a jump is spread before a frame and after it: up to contacts when it is in the air,
    but over two frames at least.
    """
    if down[frame]:
        return most, most
    frames = np.flatnonzero(down)
    before = (frame - frames[frames < frame]).min(initial=len(down))
    after = (frames[frames > frame] - frame).min(initial=len(down))
    least = min(2.0, most)
    return max(min(most, before), least), max(min(most, after), least)


def _put_together(
    track: FootTrack, ends: FootTrack, seams: Sequence[int]
) -> tuple[FootTrack, FootTrack]:
    """Track and ends with every piece turned and moved to where the piece before would go on."""
    places = track.places.copy()
    turns = track.rotations.copy()
    end_places = ends.places.copy()
    end_turns = ends.rotations.copy()
    bounds = [*seams, len(places)]
    for k, frame in enumerate(seams):
        piece = slice(frame, bounds[k + 1])
        turn = rot.multiply(end_turns[k], rot.conjugate(turns[frame]))
        yaw = rot.yaw(heading_of(turn))
        shift = end_places[k] - rot.rotate(yaw, places[frame])
        shift[1] = 0.0
        places[piece] = rot.rotate(yaw, places[piece]) + shift
        turns[piece] = rot.multiply(yaw, turns[piece])
        if k + 1 < len(seams):
            end_places[k + 1] = rot.rotate(yaw, end_places[k + 1]) + shift
            end_turns[k + 1] = rot.multiply(yaw, end_turns[k + 1])
    return FootTrack(places, turns), FootTrack(end_places, end_turns)


def _spread_jumps(
    track: FootTrack, ends: FootTrack, seams: Sequence[int], spans: Sequence[tuple[float, float]]
) -> FootTrack:
    places = track.places.copy()
    turns = track.rotations.copy()
    end_places = ends.places.copy()
    end_turns = ends.rotations.copy()
    frames = np.arange(len(places))
    later = np.asarray(seams, float)
    for k, frame in enumerate(seams):
        jump = places[frame] - end_places[k]
        turn = rot.to_rotvec(rot.multiply(turns[frame], rot.conjugate(end_turns[k])))
        share = displacement(frames - frame, *spans[k])[:, None]
        places += share * jump
        turns = rot.multiply(rot.from_rotvec(share * turn), turns)
        # The pose with which a piece goes on is displaced like the frame that it stands beside.
        rest = slice(k + 1, None)
        share = displacement(later[rest] - frame, *spans[k])[:, None]
        end_places[rest] += share * jump
        end_turns[rest] = rot.multiply(rot.from_rotvec(share * turn), end_turns[rest])
    return FootTrack(places, turns)


def make_draft(
    clips: AnalysedClips,
    path: GraphWalk,
    start: GroundTransform | None,
    constraints: ConstraintSet,
    options: JoinOptions | None = None,
) -> Draft:
    """Make a draft of a path.

    Parameters
    ----------
    clips : AnalysedClips
        The clips that the path is through, with their contacts.
    path : GraphWalk
        Pieces with as many frames in all as the constraints ask for.
    start : GroundTransform or None
        Where the first piece is laid down.
    constraints : ConstraintSet
        Frames of hard poses and key poses are kept.
    options : JoinOptions, optional
        How the pieces are joined.

    Returns
    -------
    Draft
        Hard poses and key poses are among its kept frames.

    Raises
    ------
    InvalidInputError
        When hard poses meet a method of joining that cannot keep them.
    """
    start = start or GroundTransform()
    kept = tuple(constraints.frame_of(c.time) for c in constraints.poses)
    laid = lay_path(clips, path, start)
    shown = {constraints.frame_of(c.time): c for c in constraints.key_poses}
    keys = [own_pose(clips.clip_set, c) for frame, c in shown.items() if frame not in kept]
    motion = show_poses(join_pieces(clips, path, start, laid, options, kept), keys, keep=kept)
    kept = (*kept, *(frame for frame in shown if frame not in kept))
    return Draft(
        motion=motion,
        contacts=laid.contacts,
        feet=laid.feet,
        seams=path.seams,
        kept_frames=kept,
        source_frames=path.frames(clips.clip_set),
    )
