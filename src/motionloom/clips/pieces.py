"""GraphWalk through a motion graph: pieces of clips, and the ground transform that lays each of
them down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Ints

if TYPE_CHECKING:
    from motionloom.clips.clip_set import ClipSet


@dataclass(frozen=True, order=True)
class Piece:
    """Frames ``start <= i < stop`` of one clip, counted within that clip.

    Examples
    --------
    >>> Piece(clip=0, start=10, stop=40).n_frames
    30
    """

    clip: int
    start: int
    stop: int

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return self.stop - self.start


@dataclass(frozen=True)
class GraphWalk:
    """Pieces played one after the other.

    Where piece A = [a, b) is followed by B = [c, d), frames b of A's clip and c of B's are the same
    pose: frame b is not played, frame c takes its place. So b must exist in A's clip.

    Raises
    ------
    InvalidInputError
        When there is no piece or a piece is empty.

    Examples
    --------
    >>> walked = GraphWalk((Piece(0, 0, 40), Piece(0, 60, 90)))
    >>> walked.n_frames, walked.seams
    (70, (40,))
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(self.pieces))
        if not self.pieces:
            raise InvalidInputError("a path needs at least one piece")
        for piece in self.pieces:
            if not 0 <= piece.start < piece.stop:
                raise InvalidInputError(
                    f"a piece needs 0 <= start < stop, got [{piece.start}, {piece.stop})"
                )

    @property
    def n_frames(self) -> int:
        """Number of frames of the whole path."""
        return sum(p.n_frames for p in self.pieces)

    @property
    def seams(self) -> tuple[int, ...]:
        """Frames of the path at which a new piece begins (the first piece excepted)."""
        return tuple(int(n) for n in np.cumsum([p.n_frames for p in self.pieces])[:-1])

    def frames(self, clips: ClipSet) -> Ints:
        """Frame of the clip set (counted through all clips) that every frame of the path shows."""
        return np.concatenate(
            [clips.starts[p.clip] + np.arange(p.start, p.stop) for p in self.pieces]
        )

    def transforms(
        self, clips: ClipSet, start: GroundTransform | None = None
    ) -> list[GroundTransform]:
        """Ground transform of every piece; O(pieces).

        Parameters
        ----------
        clips : ClipSet
            The clips that the pieces are of.
        start : GroundTransform, optional
            Transform of the first piece; identity leaves it where it was captured.

        Returns
        -------
        list of GroundTransform
            One for each piece, from where it was captured to where the walk lays it.

        Raises
        ------
        InvalidInputError
            When a piece begins beyond the end of its clip, or ends with it though another
            follows.
        """
        found = [start or GroundTransform()]
        for a, b in pairwise(self.pieces):
            leaves = _placement(clips, a.clip, a.stop)
            enters = _placement(clips, b.clip, b.start)
            found.append(found[-1].compose(leaves).compose(enters.inverse()))
        return found

    def body(self, clips: ClipSet, start: GroundTransform | None = None) -> Array:
        """Where the body stands and faces in every frame of the path.

        Parameters
        ----------
        clips : ClipSet
            The clips that the pieces are of.
        start : GroundTransform, optional
            Transform of the first piece; identity leaves it where it was captured.

        Returns
        -------
        array of shape (n_frames, 3)
            Ground position x, z of the hips (metres) and facing (radians).
        """
        rows = []
        for piece, transform in zip(self.pieces, self.transforms(clips, start), strict=True):
            first = clips.starts[piece.clip]
            own = clips.body[first + piece.start : first + piece.stop]
            rows.append(np.column_stack([transform.apply(own[:, :2]), own[:, 2] + transform.angle]))
        return np.concatenate(rows)


def _placement(clips: ClipSet, clip: int, frame: int) -> GroundTransform:
    """Where the body stands and faces in one frame of a clip, as the transform from its torso
    frame.
    """
    if not 0 <= frame < clips.starts[clip + 1] - clips.starts[clip]:
        raise InvalidInputError(f"clip {clips.names[clip]!r} has no frame {frame}")
    x, z, angle = clips.body[clips.starts[clip] + frame]
    return GroundTransform(float(angle), float(x), float(z))
