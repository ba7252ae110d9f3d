"""Pieces laid down one after the other: the body goes on from where it is, feet stay or step.

The earlier piece owns its last frame. What it leaves behind in pose and speed dies away over the
next one; a foot that stands in both, but not at the same place, takes a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import SLIDING, joint_acceleration, skate_speed
from motionloom.clips.analysis import AnalysedClips, feet_of
from motionloom.edit.displacement import Seam, inertialize
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import FootLockOptions, find_legs, lock_feet
from motionloom.motion import Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.reports import shown
from motionloom.roles import Roles
from motionloom.shot.stage import Piece
from motionloom.skeleton import Skeleton

#: A standing foot that is to stand farther off takes a step, leg lengths.
STEP = 0.04
#: How long a step takes, seconds, and how high it goes, leg lengths and per leg length of its way.
STEP_TIME, STEP_HEIGHT, STEP_RISE = 0.45, 0.03, 0.15
#: What is left of a speed dies away over this share of the time that a pose has.
SPEED_SHARE = 0.75
#: Feet are taken to where they stand at any speed; how hard that is shows in the acceleration.
LOCK = FootLockOptions(speed=1e4, limit=0.5)
#: Spans of joins are lengthened so often, by this factor each time, where they are too hard.
LONGER, LONGER_BY = 2, 1.5
#: How hard hips are pushed over the ground is taken over this time, seconds: long enough for what a
#: step does to them to count less than a change of speed.
PUSH_TIME = 0.15
#: A join may accelerate by this factor on the 99th percentile of what it joins.
GATE = 1.5
#: What stands still is joined as softly as this, metres per second squared: joints and hips.
LEAST_ACCELERATION, LEAST_PUSH = 3.0, 1.6


@dataclass(frozen=True)
class Join:
    """How two spans were joined.

    Parameters
    ----------
    before, after : str
        Their names.
    frame : int
        The frame that both have.
    seconds : float
        Over which what was left behind died away.
    acceleration : float
        The 99.5th percentile of the joints' accelerations in that time, over the 99th percentile
        of those in the two pieces, or in the clips that these show there; over that of all clips
        where a step was put in.
    apart : float, degrees
        The largest turn of a joint between the two poses.
    steps : int
        Steps that were put in.
    skate : float, centimetres per second
        Mean speed over the ground, in that time, of what of the feet bears.
    push : float
        The largest acceleration of the hips over the ground, over the 99th percentile of those in
        the two pieces.
    filled : float, seconds
        Time in which the later piece was filled in, to get there from the earlier one.
    """

    before: str = field(metadata=shown("from"))
    after: str = field(metadata=shown("to"))
    frame: int
    seconds: float = field(metadata=shown("over", "s"))
    acceleration: float = field(metadata=shown("acceleration", "times"))
    apart: float = field(metadata=shown("poses apart", "deg", ".0f"))
    steps: int = field(metadata=shown("steps"))
    skate: float = field(metadata=shown("feet creep", "cm/s", ".1f"))
    push: float = field(default=0.0, metadata=shown("push of the hips", "times"))
    filled: float = field(default=0.0, metadata=shown("filled in", "s"))

    @property
    def is_soft(self) -> bool:
        """Whether joints and hips accelerate no more than in what it joins, but for a share."""
        return self.acceleration <= GATE and self.push <= GATE

    @property
    def is_good(self) -> bool:
        """Whether it is soft and no foot slides."""
        return self.is_soft and not self.slides

    @property
    def faults(self) -> list[str]:
        """What of it is beyond its limit."""
        hard = f"joints accelerate {self.acceleration:.1f} times as hard as in the two"
        if self.acceleration <= GATE:
            hard = f"the hips are pushed {self.push:.1f} times as hard as in the two"
        slides = [f"feet that stand slide at {self.skate:.0f} cm/s"] if self.slides else []
        return slides if self.is_soft else [*slides, hard]

    @property
    def slides(self) -> bool:
        """Whether feet that bear slide."""
        return self.skate > 100 * SLIDING


@dataclass(frozen=True, eq=False)
class Joined:
    """Pieces as one motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        When feet bear.
    joins : tuple of Join
        One between every two pieces.
    """

    posed: PosedMotion
    contacts: FootContacts
    joins: tuple[Join, ...]


@dataclass(frozen=True)
class Hardness:
    """How hard a piece moves: what its joins are compared to.

    Parameters
    ----------
    acceleration : float, metres per second squared
        99th percentile over its joints and frames.
    push : float, metres per second squared
        99th percentile of the acceleration of its hips over the ground.
    begin, end : float, metres per second squared
        That of the joints in the clips shown where it begins and ends; 0 where it shows none.
    """

    acceleration: float
    push: float
    begin: float = 0.0
    end: float = 0.0

    @classmethod
    def of(cls, piece: Piece, roles: Roles) -> Hardness:
        """Of a piece, without what was filled in at its begin."""
        own = piece.motion[piece.filled :]
        motion = own if own.n_frames > LEAST_FRAMES else piece.motion
        posed = PosedMotion(motion, roles)
        return cls(_accelerations(posed, 99.0), _pushes(posed, 99.0), *piece.sources)


#: Pieces of fewer frames say nothing about how hard they move.
LEAST_FRAMES = 8


def join_pieces(
    names: Sequence[str],
    pieces: Sequence[Piece],
    clips: AnalysedClips,
    seconds: Sequence[float],
    hardness: Sequence[Hardness] | None = None,
) -> Joined:
    """Lay pieces down one after the other.

    Parameters
    ----------
    names : sequence of str
        Of the spans.
    pieces : sequence of Piece
        In the order of time; each begins with the frame that the one before it ends with.
    clips : AnalysedClips
        For soles and the ranges of knees.
    seconds : sequence of float
        Over which what a piece leaves behind dies away, join by join; longer where that is too
        hard.
    hardness : sequence of Hardness, optional
        Of the pieces, where they are parts of longer ones.

    Returns
    -------
    Joined
    """
    frames = np.cumsum([0, *(piece.motion.n_frames - 1 for piece in pieces)])
    spans = list(seconds)
    hardness = hardness or [Hardness.of(piece, clips.roles) for piece in pieces]
    for attempt in range(LONGER + 1):
        joined = _join(names, pieces, clips, frames, spans, hardness)
        hard = [k for k, join in enumerate(joined.joins) if not join.is_soft]
        if not hard or attempt == LONGER:
            break
        for k in hard:
            room = (pieces[k + 1].motion.n_frames - 1) * pieces[k].motion.frame_time
            spans[k] = min(spans[k] * LONGER_BY, max(0.9 * room, spans[k]))
    return joined


def _join(
    names: Sequence[str],
    pieces: Sequence[Piece],
    clips: AnalysedClips,
    frames: NDArray[np.intp],
    spans: Sequence[float],
    hardness: Sequence[Hardness],
) -> Joined:
    laid = _lay(pieces, clips.clip_set.skeleton)
    raw = PosedMotion(laid, clips.roles)
    if len(pieces) == 1:
        return Joined(raw, pieces[0].contacts, ())
    soft = laid
    for k, span in enumerate(spans):
        last = pieces[k].motion
        seam = Seam(int(frames[k + 1]), last.rotations[-1], last.translations[-1])
        room = (pieces[k + 1].motion.n_frames - 1) * laid.frame_time
        over = min(span, max(room, 2 * laid.frame_time))
        soft = inertialize(soft, [seam], over, SPEED_SHARE * over)
    posed = PosedMotion(soft, clips.roles)
    down = [*(piece.contacts.down[:-1] for piece in pieces[:-1]), pieces[-1].contacts.down]
    contacts = FootContacts(pieces[0].contacts.soles, np.concatenate(down), 0.0)
    tracks, contacts, steps = _step(raw, posed, contacts, pieces, frames)
    locked = lock_feet(
        posed, contacts, LOCK, captured=tracks, lowest=clips.lowest, hinges=clips.hinges
    )
    ends = [(one.motion.rotations[-1], two.motion.rotations[0]) for one, two in pairwise(pieces)]
    joins = tuple(
        Join(
            before=names[k],
            after=names[k + 1],
            frame=int(frames[k + 1]),
            seconds=spans[k],
            acceleration=0.0,
            apart=float(np.degrees(rot.angle_between(*both)).max()),
            steps=steps[k],
            skate=0.0,
            filled=pieces[k + 1].filled / posed.fps,
        )
        for k, both in enumerate(ends)
    )
    done = Joined(locked.posed, locked.contacts, joins)
    return replace(done, joins=measure_joins(done, pieces, clips, hardness))


def _lay(pieces: Sequence[Piece], skeleton: Skeleton) -> Motion:
    """Pieces one after the other; a frame that two of them have is the later one's."""
    parts = [*(piece.motion[:-1] for piece in pieces[:-1]), pieces[-1].motion]
    return concatenate([replace(part, skeleton=skeleton, name="shot") for part in parts])


def _step(
    raw: PosedMotion,
    posed: PosedMotion,
    contacts: FootContacts,
    pieces: Sequence[Piece],
    frames: NDArray[np.intp],
) -> tuple[dict[str, FootTrack], FootContacts, list[int]]:
    """Ways of the feet, lifted where a foot that stands is to stand elsewhere, one after the other.

    Gives the tracks, contacts without those steps, and how many steps each join has.
    """
    legs = find_legs(posed.roles)
    tracks = _tracks(raw, posed, contacts, frames)
    down = contacts.down.copy()
    counts = []
    length = round(STEP_TIME * posed.fps)
    for k in range(len(pieces) - 1):
        frame = int(frames[k + 1])
        last = PosedMotion(pieces[k].motion[-1:], posed.roles)
        begin = frame
        count = 0
        for foot, leg in legs.items():
            own = list(contacts.soles.of(foot))
            stands = pieces[k].contacts.down[-1, own].any() and down[frame, own].any()
            way = raw.positions[frame, leg.tip] - last.positions[0, leg.tip]
            distance = float(np.hypot(way[0], way[2]))
            stop = min(begin + length, len(down) - 1)
            if not stands or distance < STEP * contacts.soles.leg or stop - begin < 3:
                continue
            down[begin + 1 : stop, own] = False
            height = (STEP_HEIGHT * contacts.soles.leg) + STEP_RISE * distance
            rise = np.zeros(len(down))
            rise[begin : stop + 1] = height * np.sin(np.linspace(0, np.pi, stop + 1 - begin)) ** 2
            tracks[foot] = tracks[foot].raised(rise)
            begin = stop
            count += 1
        counts.append(count)
    return tracks, replace(contacts, down=down), counts


def _tracks(
    raw: PosedMotion, posed: PosedMotion, contacts: FootContacts, frames: NDArray[np.intp]
) -> dict[str, FootTrack]:
    """Ways of the feet: in the air those of the joined motion, and on the ground as captured.

    What dies away behind a join would else take feet along that stand.
    """
    tracks = feet_of(posed, contacts)
    captured = feet_of(raw, contacts)
    for foot, track in tracks.items():
        down = contacts.by_foot()[foot]
        rests = (down[1:] & down[:-1])[:, None]
        kept = np.diff(captured[foot].places[:, [0, 2]], axis=0)
        kept[frames[1:-1] - 1] = 0.0
        steps = np.where(rests, kept, np.diff(track.places[:, [0, 2]], axis=0))
        places = track.places.copy()
        places[1:, [0, 2]] = places[0, [0, 2]] + np.cumsum(steps, axis=0)
        tracks[foot] = FootTrack(places, track.rotations)
    return tracks


def measure_joins(
    joined: Joined,
    pieces: Sequence[Piece],
    clips: AnalysedClips,
    hardness: Sequence[Hardness] | None = None,
) -> tuple[Join, ...]:
    """How hard joints and hips accelerate at joins, and how fast feet creep there.

    Parameters
    ----------
    joined : Joined
        Joins of pieces, and the motion that they are in, whatever was laid over it.
    pieces : sequence of Piece
        What was joined.
    clips : AnalysedClips
        For what their joints usually do.
    hardness : sequence of Hardness, optional
        Of the pieces.

    Returns
    -------
    tuple of Join
    """
    hardness = hardness or [Hardness.of(piece, clips.roles) for piece in pieces]
    return tuple(
        _measured(join, pieces[k + 1].filled, joined, clips, hardness[k : k + 2])
        for k, join in enumerate(joined.joins)
    )


def _measured(
    join: Join, filled: int, joined: Joined, clips: AnalysedClips, hardness: Sequence[Hardness]
) -> Join:
    """A join as it is in the motion.

    `filled` are frames that were filled in behind it; `hardness` is that of its two pieces.
    """
    posed = joined.posed
    before, after = hardness
    # A step of a fast clip is as hard in a piece that is calm elsewhere.
    usual = max(before.acceleration, after.acceleration, before.end, after.begin)
    if join.steps or filled:
        # Who stands accelerates less than any step does.
        usual = max(usual, clips.quality.acceleration_p99)
    reach = max(round(join.seconds * posed.fps), filled)
    first, stop = max(join.frame - 3, 0), min(join.frame + reach + 3, posed.n_frames)
    window = posed.cut(first, stop)
    points = joined.contacts.soles.positions(window)
    creep = skate_speed(points, joined.contacts.down[first:stop], posed.fps)
    lag = max(1, round(PUSH_TIME * posed.fps))
    pushed = posed.cut(max(first - lag, 0), min(stop + lag, posed.n_frames))
    return replace(
        join,
        acceleration=_accelerations(window, 99.5) / max(usual, LEAST_ACCELERATION),
        skate=100 * float(creep.mean()) if len(creep) else 0.0,
        push=_pushes(pushed, 100.0) / max(before.push, after.push, LEAST_PUSH),
    )


def _accelerations(posed: PosedMotion, percentile: float) -> float:
    """Percentile of the joints' accelerations, metres per second squared."""
    if posed.n_frames < 3:
        return 0.0
    return float(np.percentile(joint_acceleration(posed.positions, posed.fps), percentile))


def _pushes(posed: PosedMotion, percentile: float) -> float:
    """Percentile of the accelerations of the hips over the ground, metres per second squared."""
    lag = max(1, round(PUSH_TIME * posed.fps))
    ground = posed.hips[:, [0, 2]]
    if len(ground) < 2 * lag + 1:
        return 0.0
    change = ground[2 * lag :] - 2 * ground[lag:-lag] + ground[: -2 * lag]
    pushed = np.linalg.norm(change, axis=1) * (posed.fps / lag) ** 2
    return float(np.percentile(pushed, percentile))
