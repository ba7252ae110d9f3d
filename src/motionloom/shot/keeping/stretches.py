"""Stretches of motion, kept on disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from motionloom.declared import LENGTH, Normalized, Shape
from motionloom.io.stored import Fault
from motionloom.motion import Motion
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class KeptFrames:
    """What moves in a motion; the rest is known where it is kept.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Local rotations.
    translations : array of shape (T, K, 3), metres
        Of the joints that are translated.
    """

    rotations: Annotated[Array, Shape("T", "J", 4), Normalized()]
    translations: Annotated[Array, Shape("T", "K", 3), LENGTH]

    def check(self, like: Motion, n_frames: int) -> None:
        """Refuse frames of another skeleton, or another number of them.

        Parameters
        ----------
        like : Motion
            Has the skeleton.
        n_frames : int
            That there have to be.

        Raises
        ------
        Fault
            When either is another.
        """
        joints, moved = like.skeleton.n_joints, len(like.translated)
        if self.rotations.shape[:2] != (n_frames, joints) or self.translations.shape[1] != moved:
            raise Fault("it is of other frames or joints")

    def on(self, like: Motion) -> Motion:
        """A motion like another, with these frames."""
        return replace(like, rotations=self.rotations, translations=self.translations)
