"""What a stream is: motion made frame by frame that goes on from any state of the same body.

Generators know nothing of each other. Whatever has the method of `Streaming` can go on where the
motion of another ends; `waiting` fills spans of a motion with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.displacement import Seam, inertialize
from motionloom.motion import Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Seconds until a stream moves as it would of itself, whatever pose it began with, and until
#: nothing is left of the speed it began with.
BEGINNING, SLOWING = 1.0, 0.3


@dataclass(frozen=True, eq=False)
class StreamState:
    """A pose, how it moves, and what stands: what a stream goes on from.

    Parameters
    ----------
    posed : PosedMotion
        The pose, one frame.
    turning : array of shape (J, 3), radians/s
        How every joint turns, in its own frame.
    moving : array of shape (K, 3), metres per second
        How the joints with translations move, as the pose has them.
    standing : tuple of str
        Roles of the feet that stand.
    rest : Motion, optional
        One frame: the posture in which this body rests; who goes on knows best when not given.
    """

    posed: PosedMotion
    turning: Array
    moving: Array
    standing: tuple[str, ...] = ()
    rest: Motion | None = None

    @property
    def reversed(self) -> StreamState:
        """The same with time running backwards."""
        return replace(self, turning=-self.turning, moving=-self.moving)

    def earlier(self, frame_time: float) -> Motion:
        """The pose so many seconds earlier, one frame, at the speed of the state."""
        motion = self.posed.motion
        back = rot.from_rotvec(-frame_time * self.turning)
        return replace(
            motion,
            rotations=rot.multiply(motion.rotations, back[None]),
            translations=motion.translations - frame_time * self.moving,
        )


def state_before(
    posed: PosedMotion, frame: int, standing: tuple[str, ...] = (), rest: Motion | None = None
) -> StreamState:
    """State of a motion in a frame, moving as it came there.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    frame : int
        Its frame.
    standing : tuple of str
        Roles of the feet that stand.
    rest : Motion, optional
        One frame: the posture in which the body rests.

    Returns
    -------
    StreamState
        At rest in the first frame.
    """
    return _state(posed, frame, max(frame - 1, 0), standing, rest)


def state_behind(
    posed: PosedMotion, frame: int, standing: tuple[str, ...] = (), rest: Motion | None = None
) -> StreamState:
    """State of a motion in a frame, moving as it goes on; at rest in the last frame."""
    after = min(frame + 1, posed.n_frames - 1)
    return _state(posed, frame, after, standing, rest).reversed


def _state(
    posed: PosedMotion, frame: int, other: int, standing: tuple[str, ...], rest: Motion | None
) -> StreamState:
    """Moving as it does from another frame to this."""
    motion = posed.motion
    turning = rot.between(motion.rotations[other], motion.rotations[frame]) * motion.fps
    moving = (motion.translations[frame] - motion.translations[other]) * motion.fps
    return StreamState(posed.cut(frame, frame + 1), turning, moving, standing, rest)


class Stream(Protocol):
    """Motion that is made as it is asked for."""

    def frames(self, count: int) -> Motion:
        """The next frames.

        Parameters
        ----------
        count : int
            How many, at least one.

        Returns
        -------
        Motion
        """


@runtime_checkable
class Streaming(Protocol):
    """Goes on from a state for as long as it is asked."""

    def stream(self, state: StreamState, fps: float, seed: int = 0) -> Stream:
        """Begin to go on.

        Parameters
        ----------
        state : StreamState
            Its pose is the first frame, and the second goes on at its speed.
        fps : float
            Frames per second.
        seed : int
            The same seed gives the same frames.

        Returns
        -------
        Stream
            Of motion with the joints of the state.

        Raises
        ------
        InvalidInputError
            When it cannot go on with a body such as that of the state.
        """


class ContinuedStream:
    """A stream whose first second goes over from a state.

    Parameters
    ----------
    state : StreamState
        What it goes on from.
    frames : callable
        Takes a number of frames, gives the next as they would be of themselves.
    fps : float
        Frames per second.
    settle : callable, optional
        What is done to all frames in the end, such as planting feet.
    """

    def __init__(
        self,
        state: StreamState,
        frames: Callable[[int], Motion],
        fps: float,
        settle: Callable[[Motion], Motion] | None = None,
    ) -> None:
        self.fps = fps
        self._frames = frames
        self._settle = settle or (lambda motion: motion)
        count = int(np.ceil(BEGINNING * fps)) + 2
        self._begun = begin_from(state, frames(count))
        self._given = 0

    def frames(self, count: int) -> Motion:
        """The next frames; see `Stream.frames`."""
        first = self._given
        self._given += count
        begun = self._begun.n_frames
        if first >= begun:
            return self._settle(self._frames(count))
        made = self._begun.cut(first, min(first + count, begun))
        if made.n_frames < count:
            made = concatenate([made, self._frames(count - made.n_frames)])
        return self._settle(made)


def begin_from(state: StreamState, motion: Motion, span: float = BEGINNING) -> Motion:
    """A motion begun with the pose and the speed of a state.

    Parameters
    ----------
    state : StreamState
        Of the same joints.
    motion : Motion
        What differs dies away over its beginning.
    span : float, seconds
        Until when.

    Returns
    -------
    Motion
        Its first frame is the pose of the state.
    """
    pose = state.posed.motion
    whole = concatenate(
        [replace(state.earlier(motion.frame_time), frame_time=motion.frame_time), motion]
    )
    seam = Seam(1, pose.rotations[0], pose.translations[0])
    begun = inertialize(whole, [seam], span, min(SLOWING, span))
    return begun.cut(1, begun.n_frames)


def end_in(state: StreamState, motion: Motion, span: float = BEGINNING) -> Motion:
    """A motion ended with the pose and the speed of a state; see `begin_from`."""
    return backwards(begin_from(state.reversed, backwards(motion), span))


def backwards(motion: Motion) -> Motion:
    """A motion with time running backwards."""
    return replace(motion, rotations=motion.rotations[::-1], translations=motion.translations[::-1])
