"""Short windows of motions: what a critic sees of them, freed of where the body is and faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom_evaluation.critic.provenance import Provenance

Array = NDArray[np.float64]

#: Statistics of a joint's speed in a window, in the order of their columns.
STATISTICS = ("mean", "deviation", "least", "largest")
#: Seconds from a seam within which a window is near it: 7 frames at 30 frames per second.
NEAR_SEAM = 7 / 30
#: Speeds below this (metres per second) are alike: no camera and no eye tells them from standing.
STILL = 5e-4
#: What is added to the name of a mirrored copy of a take.
_MIRRORED = " (mirrored)"


def take_of(name: str) -> str:
    """Take that a clip belongs to: a mirrored copy is no take of its own."""
    return name.removesuffix(_MIRRORED)


@dataclass(frozen=True, eq=False)
class Track:
    """A motion at the common frame rate, with what windows are cut from.

    Parameters
    ----------
    motion : Motion
        T frames.
    posed : PosedMotion
        The motion with its kinematics.
    velocities : array of shape (T - 1, J, 3), metres per second
        Of the joints, along the axes of the body: to its left, up and ahead.
    turning : array of shape (T - 1,), radians per second
        Of the facing.
    provenance : Provenance, optional
        What it is made of.
    """

    motion: Motion
    posed: PosedMotion
    velocities: Array
    turning: Array
    provenance: Provenance | None = None

    def near_seams(self) -> NDArray[np.bool_] | None:
        """Whether each frame is near a seam, shape (T,); None where seams are not known."""
        if self.provenance is None:
            return None
        frames = np.arange(self.motion.n_frames)
        seams = np.array(self.provenance.seams, int)
        reach = round(NEAR_SEAM * self.motion.fps)
        near: NDArray[np.bool_] = np.any(np.abs(frames[:, None] - seams) <= reach, axis=1)
        return near


def make_track(motion: Motion, roles: Roles, provenance: Provenance | None = None) -> Track:
    """Run the kinematics of a motion and take place and facing out of its velocities.

    Parameters
    ----------
    motion : Motion
        At the common frame rate.
    roles : Roles
        Which joint plays which part; the hips' facing is that of the body.
    provenance : Provenance, optional
        What the motion is made of, at the same frame rate.

    Returns
    -------
    Track
    """
    posed = PosedMotion(motion, roles)
    facing = posed.body[:, 2]
    halfway = 0.5 * (facing[1:] + facing[:-1])
    world = np.diff(posed.positions, axis=0) * motion.fps
    own = rot.rotate(rot.yaw(-halfway)[:, None], world)
    return Track(motion, posed, own, np.diff(facing) * motion.fps, provenance)


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows of several motions.

    Parameters
    ----------
    velocities : array of shape (N, W, J, 3), metres per second
        Of the joints, along the axes of the body: to its left, up and ahead.
    turning : array of shape (N, W), radians per second
        Of the facing.
    motions : int array of shape (N,)
        Which motion each is of.
    starts : int array of shape (N,)
        First frame of each in its motion.
    takes : tuple of tuple of str
        The takes that each shows frames of, that of its middle first.
    near : int array of shape (N,)
        1 near a seam, 0 away from seams, -1 where seams are not known.
    """

    velocities: Array
    turning: Array
    motions: NDArray[np.int64]
    starts: NDArray[np.int64]
    takes: tuple[tuple[str, ...], ...]
    near: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)

    def chosen(self, rows: NDArray[np.int64]) -> Windows:
        """Some of the windows."""
        return Windows(
            self.velocities[rows],
            self.turning[rows],
            self.motions[rows],
            self.starts[rows],
            tuple(self.takes[i] for i in rows),
            self.near[rows],
        )


def join_windows(first: Windows, second: Windows) -> Windows:
    """The windows of two sets, one set after the other.

    Parameters
    ----------
    first, second : Windows
        Of one length and one skeleton.

    Returns
    -------
    Windows
        Motions keep the number that they have in their own set.
    """
    return Windows(
        np.concatenate([first.velocities, second.velocities]),
        np.concatenate([first.turning, second.turning]),
        np.concatenate([first.motions, second.motions]),
        np.concatenate([first.starts, second.starts]),
        first.takes + second.takes,
        np.concatenate([first.near, second.near]),
    )


def cut_windows(
    tracks: Sequence[Track], length: int, hop: int, most: int, rng: np.random.Generator
) -> Windows:
    """Cut motions into windows.

    Parameters
    ----------
    tracks : sequence of Track
        Motions of one skeleton and frame rate.
    length : int
        Velocities of a window: it has one frame more.
    hop : int
        Frames from one window's begin to the next one's.
    most : int
        Where there are more windows, so many are drawn.
    rng : numpy.random.Generator
        Draws them.

    Returns
    -------
    Windows
        In the order of motions and frames.
    """
    places = np.array(
        [
            (i, start)
            for i, track in enumerate(tracks)
            for start in range(0, track.motion.n_frames - length, hop)
        ],
        int,
    ).reshape(-1, 2)
    if len(places) > most:
        places = places[np.sort(rng.choice(len(places), most, replace=False))]
    return windows_at(tracks, places, length)


def windows_at(tracks: Sequence[Track], places: NDArray[np.int64], length: int) -> Windows:
    """Windows that begin at given frames.

    Parameters
    ----------
    tracks : sequence of Track
        Motions of one skeleton and frame rate.
    places : int array of shape (N, 2)
        Motion and first frame of every window; all its frames must exist.
    length : int
        Velocities of a window: it has one frame more.

    Returns
    -------
    Windows
        In the order of `places`.
    """
    near = [track.near_seams() for track in tracks]
    joints = tracks[0].velocities.shape[1] if tracks else 0
    velocities = np.zeros((len(places), length, joints, 3))
    turning = np.zeros((len(places), length))
    flags = np.full(len(places), -1)
    takes = []
    for row, (i, start) in enumerate(places.tolist()):
        track = tracks[i]
        velocities[row] = track.velocities[start : start + length]
        turning[row] = track.turning[start : start + length]
        own = near[i]
        if own is not None:
            flags[row] = bool(own[start : start + length + 1].any())
        takes.append(_takes(track, start, length))
    return Windows(velocities, turning, places[:, 0], places[:, 1], tuple(takes), flags)


def _takes(track: Track, start: int, length: int) -> tuple[str, ...]:
    known = track.provenance
    if known is None:
        return (take_of(track.motion.name),)
    frames = np.arange(start, start + length + 1)
    pieces = known.pieces_of(np.concatenate([[start + length // 2], frames]))
    return tuple(dict.fromkeys(take_of(known.pieces[i].clip) for i in pieces.tolist()))


def twins(
    windows: Windows, tracks: Sequence[Track], captured: Sequence[Track], length: int
) -> tuple[Windows, Windows]:
    """Woven windows, and beside each the captured frames that it is made of.

    A window over a seam has its twin in the clip that its middle is from, which goes on there as it
    was captured; where that clip ends within the window, the pair is left out.

    Parameters
    ----------
    windows : Windows
        Of `tracks`.
    tracks : sequence of Track
        The woven motions, all of known provenance.
    captured : sequence of Track
        The clips.
    length : int
        Velocities of a window.

    Returns
    -------
    woven, twins : Windows
        As many of the one as of the other.
    """
    by_name = {track.motion.name: i for i, track in enumerate(captured)}
    rows = []
    places = []
    for row, (i, start) in enumerate(zip(windows.motions, windows.starts, strict=True)):
        known = tracks[i].provenance
        if known is None:
            continue
        middle = int(start) + length // 2
        piece = int(known.pieces_of(np.array([middle]))[0])
        clip = by_name.get(known.pieces[piece].clip)
        first = known.pieces[piece].source_of(middle - known.begins[piece]) - length // 2
        if clip is not None and 0 <= first < captured[clip].motion.n_frames - length:
            rows.append(row)
            places.append((clip, first))
    woven = windows.chosen(np.array(rows, int))
    same = windows_at(captured, np.array(places, int).reshape(-1, 2), length)
    return woven, Windows(
        same.velocities, same.turning, same.motions, same.starts, woven.takes, woven.near
    )


def statistics(windows: Windows, joints: Sequence[int]) -> Array:
    """Mean, standard deviation, least and largest of each joint's speed in every window.

    Parameters
    ----------
    windows : Windows
        N windows.
    joints : sequence of int
        K joints.

    Returns
    -------
    array of shape (N, 4 K), metres per second
        Joint by joint, in the order of `STATISTICS`; what is below `STILL` counts as that.
    """
    speed = np.linalg.norm(windows.velocities[:, :, list(joints)], axis=-1)
    parts = [speed.mean(axis=1), speed.std(axis=1), speed.min(axis=1), speed.max(axis=1)]
    table: Array = np.maximum(np.stack(parts, axis=-1), STILL)
    return table.reshape(len(windows), -1)


def courses(windows: Windows, joints: Sequence[int], turning: bool) -> Array:
    """Velocities in every frame as one row a window.

    Parameters
    ----------
    windows : Windows
        N windows of W velocities.
    joints : sequence of int
        K joints.
    turning : bool
        Whether how fast the body turns (radians per second) follows in W columns more.

    Returns
    -------
    array of shape (N, 3 W K) or (N, 3 W K + W), metres per second
        Frame by frame, joint by joint: to the body's left, up and ahead.
    """
    own = windows.velocities[:, :, list(joints)].reshape(len(windows), -1)
    return np.column_stack([own, windows.turning]) if turning else own
