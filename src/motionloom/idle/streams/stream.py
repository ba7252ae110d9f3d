"""Idle motion without end, frame by frame or piece by piece.

After Egges, Molet & Magnenat-Thalmann (2004, sections 4 and 5): shifts between resting postures,
and small variations on top. A piece is one rest and the shift that ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.idle.model import IdleModel
from motionloom.idle.over._gaze import Gaze
from motionloom.idle.over.layers import Layer, apply_layers, gentle_ease, make_layer, stop_layer
from motionloom.idle.streams._crowd import IdleCrowd, idle_motion
from motionloom.idle.streams.plans import IdleState, IdleStreamOptions, begin_idle
from motionloom.motion import Motion
from motionloom.typing import Array

__all__ = ["IdleStream", "IdleStreamOptions", "begin_idle"]


class IdleStream:
    """Idle motion frame by frame, at any frame rate.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    fps : float, optional
        Frames per second of what is made; those of the model when not given.
    state : IdleState, optional
        Where to begin; `begin_idle` with seed 0 when not given.
    options : IdleStreamOptions, optional
        How lively.
    """

    def __init__(
        self,
        model: IdleModel,
        fps: float | None = None,
        state: IdleState | None = None,
        options: IdleStreamOptions | None = None,
    ) -> None:
        state = begin_idle(model) if state is None else state
        self._crowd = IdleCrowd(model, [state], fps, options)
        self.model = model
        self.fps = self._crowd.fps
        #: Frame that comes next, counted from the first.
        self.frame = 0
        self._layers: list[Layer] = []
        self._gaze: Gaze | None = None

    @property
    def options(self) -> IdleStreamOptions:
        """How lively; what is set counts from the next posture on."""
        return self._crowd.options

    @options.setter
    def options(self, options: IdleStreamOptions) -> None:
        self._crowd.options = options

    def kept(self) -> dict[str, Any]:
        """What the next frames depend on, but for layers and gaze; see `IdleCrowd.kept`."""
        return {"frame": self.frame, **self._crowd.kept()}

    def resume(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept, to the bit; see `IdleCrowd.resume`."""
        self._crowd.resume(kept)
        self.frame = kept["frame"]

    def poses(self, count: int) -> tuple[Array, Array]:
        """The next frames as bare arrays, for those who have no time to lose; without gaze.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        rotations : array of shape (count, J, 4)
            Of every joint relative to its parent, feet planted.
        places : array of shape (count, 3), metres
            Where joint 0 is in the world.
        """
        rotations, places = self._crowd.frames(count)
        shown = rotations[0]
        if self._layers and count:
            shown = apply_layers(shown, self.frame, self._layers, self.model.space)
            after = self.frame + count
            self._layers = [layer for layer in self._layers if layer.end > after]
        self.frame += count
        return shown, places[0]

    def frames(self, count: int) -> Motion:
        """The next frames.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        Motion
            In the world, feet planted.
        """
        rotations, places = self.poses(count)
        motion = idle_motion(self.model, rotations, places[:, None], self.fps)
        if self._gaze is None or self._gaze.at_rest or not count:
            return motion
        return self._gaze.turn(motion)

    def look_at(self, point: Sequence[float] | Array | None) -> None:
        """Turn neck and head to a point from the next frame on, eased, by up to 60 degrees.

        Parameters
        ----------
        point : array of shape (3,), metres, optional
            In the world; None to look as the person waits again.

        Raises
        ------
        InvalidInputError
            When it is no point, or the person has no head.
        """
        if self._gaze is None:
            self._gaze = Gaze(self.model)
        self._gaze.look_at(point)

    def play(
        self,
        clip: Motion,
        joints: Sequence[str] | None = None,
        *,
        at: float = 0.0,
        priority: int = 0,
        ease: float | None = None,
        spread: bool = True,
    ) -> Layer:
        """Play a clip over the idle motion.

        Parameters
        ----------
        clip : Motion
            It has the joints of the model's skeleton, by name.
        joints : sequence of str, optional
            Names or roles of the joints that it sets; all but hips and legs when not given.
        at : float, seconds
            How long after the next frame it begins.
        priority : int
            Layers of a higher priority lie over those of a lower one.
        ease : float, seconds, optional
            How long it comes and goes; as long as it takes to do so gently when not given.
        spread : bool
            Whether the other joints go along.

        Returns
        -------
        Layer
            What `stop` takes.

        Raises
        ------
        InvalidInputError
            When the clip lacks joints, hips or legs are to be set, or a time is negative.
        """
        if not (0.0 <= at < 1e6 and (ease is None or 0.0 <= ease < 1e6)):
            raise InvalidInputError(f"times must be from 0 s on, got {at} and {ease}")
        begin = self.frame + round(at * self.fps)
        layer = make_layer(clip, self.model.space, self.fps, begin, joints, priority, ease, spread)
        self._layers.append(layer)
        return layer

    def stop(self, layer: Layer, ease: float | None = None) -> Layer:
        """Let a layer go before its end; one that has ended is passed over.

        Parameters
        ----------
        layer : Layer
            What `play` gave.
        ease : float, seconds, optional
            How long it takes to go; as long as it takes to do so gently when not given.

        Returns
        -------
        Layer
            As it goes.
        """
        if ease is None:
            shown = min(max(self.frame - layer.begin, 0), layer.clip.n_frames - 1)
            ease = gentle_ease(layer.clip, layer.joints, self.model.space, shown)
        stopped = stop_layer(layer, self.frame, max(1, round(ease * self.fps)))
        self._layers = [stopped if own is layer else own for own in self._layers]
        return stopped
