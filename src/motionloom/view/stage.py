"""Figures and targets as objects of a viser scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.constraints.kinds.marks import Mark, Point
from motionloom.motion import GroundTransform
from motionloom.view import solids
from motionloom.view.figure import PATH_COLOR, SIDE_COLORS, TARGET_COLOR, Array, Figure
from motionloom.view.overlay import POINT_SIZE
from motionloom.view.scenery import add_surroundings
from motionloom.view.surroundings import of_type

if TYPE_CHECKING:
    from viser import SceneApi

#: Positions are rounded to this many metres, directions likewise: recordings then compress to half
#: their size.
_GRAIN = 2.0**-13
#: Radii as shares of the figure's height.
_BONE, _JOINT, _HEAD, _MARKER, _PRINT = 0.016, 0.017, 0.055, 0.009, 0.045
#: The page's lights are bright; these darker colours look there as those of the contact sheet do on
#: paper.
_COLORS = (0.6 * np.array(SIDE_COLORS)).astype(np.uint8)
#: Bones whose length changes by more than this share are drawn with their length of the frame.
_STRETCH = 0.01


class FigureOnStage:
    """One figure in a viser scene that can be shown at any of its frames.

    Parameters
    ----------
    scene : viser.SceneApi
        Where its nodes are added.
    name : str
        Of the scene node; unique.
    figure : Figure
        What is shown.
    shift : array of shape (3,), metres
        Where the figure's world lies in the scene.
    colors : array of shape (3, 3)
        8-bit red, green and blue of the middle of the body, its left and its right.
    """

    def __init__(
        self,
        scene: SceneApi,
        name: str,
        figure: Figure,
        shift: Array,
        colors: NDArray[np.uint8] = _COLORS,
    ) -> None:
        self.figure = figure
        self._colors = colors
        scene.add_frame(name, show_axes=False, position=shift)
        bones = figure.points[:, figure.bones[:, 1]] - figure.points[:, figure.bones[:, 0]]
        self._lengths = np.linalg.norm(bones, axis=-1)
        self._stretches = bool(np.any(np.ptp(self._lengths, axis=0) > _STRETCH * figure.height))
        self._bones = self._add_bones(scene, f"{name}/bones")
        self._balls = self._add_balls(scene, f"{name}/joints")
        self._marks = self._add_marks(scene, f"{name}/contacts")
        self._points = self._add_points(scene, f"{name}/points")
        self._down = np.zeros(len(figure.contacts), bool)
        self._show_contacts(0)
        self._frame = 0
        self._points_of = 0

    def show(self, frame: int) -> None:
        """Move the figure to a frame."""
        if frame == self._frame:
            return
        self._frame = frame
        if self._bones is not None:
            self._bones.batched_positions, self._bones.batched_wxyzs, scales = self._bone_poses(
                frame
            )
            if self._stretches:
                self._bones.batched_scales = scales
        self._balls.batched_positions = self._ball_positions(frame)
        if not self.figure.valid.all():
            self._balls.batched_scales = self._radii(frame)
        self._show_contacts(frame)
        self._show_points(frame)

    def _bone_poses(self, frame: int) -> tuple[Array, Array, Array]:
        points = self.figure.points[frame]
        start = points[self.figure.bones[:, 0]]
        end = points[self.figure.bones[:, 1]]
        length = self._lengths[frame]
        radius = np.minimum(_BONE * self.figure.height, 0.3 * length + 1e-4)
        scales = np.column_stack([radius, np.maximum(length, 1e-4), radius])
        return _rounded(start), _rounded(_turn_y_to(end - start)), scales

    def _add_bones(self, scene: SceneApi, name: str) -> Any:
        if not len(self.figure.bones):
            return None
        positions, wxyzs, scales = self._bone_poses(0)
        colors = self._colors[self.figure.sides[self.figure.bones[:, 1]]]
        return _add_batch(scene, name, solids.bone(), positions, wxyzs, scales, colors)

    def _ball_positions(self, frame: int) -> Array:
        positions = self.figure.points[frame].copy()
        if self.figure.head is not None:
            joint, tip = self.figure.head
            positions[joint] = positions[[joint, tip]].mean(axis=0)
        return _rounded(positions)

    def _radii(self, frame: int) -> Array:
        """Radius of the ball at each point; points that are not there get none to speak of."""
        figure = self.figure
        radii = np.full(
            figure.points.shape[1], (_JOINT if len(figure.bones) else _MARKER) * figure.height
        )
        if "head" in figure.roles:
            radii[figure.roles["head"]] = _HEAD * figure.height
        return np.where(figure.drawn[frame], radii, 1e-6)

    def _add_balls(self, scene: SceneApi, name: str) -> Any:
        figure = self.figure
        count = self.figure.points.shape[1]
        colors = self._colors[figure.sides]
        return _add_batch(
            scene,
            name,
            solids.ball(),
            self._ball_positions(0),
            rot.identity(count),
            np.tile(self._radii(0)[:, None], 3),
            colors,
        )

    def _add_marks(self, scene: SceneApi, name: str) -> Any:
        """Discs on the ground: faint ones wherever contacts were, and full ones that show the
        contacts of now.
        """
        figure = self.figure
        if not figure.contacts:
            return None
        prints, sides = _foot_prints(figure)
        radius = _PRINT * figure.height
        if len(prints):
            sizes = np.full((len(prints), 3), 0.75 * radius)
            turns = rot.identity(len(prints))
            _add_batch(
                scene,
                f"{name}/prints",
                solids.disc(),
                prints,
                turns,
                sizes,
                self._colors[sides],
                opacity=0.4,
            )
        count = len(figure.contacts)
        return _add_batch(
            scene,
            f"{name}/now",
            solids.disc(),
            np.zeros((count, 3)),
            rot.identity(count),
            np.full((count, 3), 1e-6),
            self._colors[[c.side for c in figure.contacts]],
        )

    def _add_points(self, scene: SceneApi, name: str) -> Any:
        overlay = self.figure.overlay
        if overlay is None or not overlay.points.shape[1]:
            return None
        count = overlay.points.shape[1]
        return _add_batch(
            scene,
            name,
            solids.ball(),
            _rounded(overlay.points[0]),
            rot.identity(count),
            self._point_sizes(0),
            overlay.colors(0),
        )

    def _point_sizes(self, frame: int) -> Array:
        overlay = self.figure.overlay
        assert overlay is not None
        size = np.where(overlay.valid[frame], POINT_SIZE * self.figure.height, 1e-6)
        return np.repeat(size[:, None], 3, axis=1)

    def _show_points(self, frame: int) -> None:
        overlay = self.figure.overlay
        if self._points is None or overlay is None:
            return
        self._points.batched_positions = _rounded(overlay.points[frame])
        before = self._points_of
        if np.any(overlay.colors(frame) != overlay.colors(before)):
            self._points.batched_colors = overlay.colors(frame)
        if np.any(overlay.valid[frame] != overlay.valid[before]):
            self._points.batched_scales = self._point_sizes(frame).astype(np.float32)
        self._points_of = frame

    def _show_contacts(self, frame: int) -> None:
        if self._marks is None:
            return
        down = np.array([c.down[frame] for c in self.figure.contacts])
        if down.any():
            at = np.array([self.figure.points[frame, c.point] for c in self.figure.contacts])
            self._marks.batched_positions = _rounded(at * [1, 0, 1])
        if np.any(down != self._down):
            self._marks.batched_scales = np.repeat(
                np.where(down, _PRINT * self.figure.height, 1e-6)[:, None], 3, axis=1
            )
        self._down = down


def _add_batch(
    scene: SceneApi,
    name: str,
    mesh: solids.Mesh,
    positions: Array,
    wxyzs: Array,
    scales: Array,
    colors: NDArray[np.uint8],
    **more: Any,
) -> Any:
    vertices, faces = mesh
    return scene.add_batched_meshes_simple(
        name,
        vertices,
        faces,
        batched_wxyzs=wxyzs,
        batched_positions=positions,
        batched_scales=scales.astype(np.float32),
        batched_colors=colors,
        lod="off",
        **more,
    )


def _foot_prints(figure: Figure) -> tuple[Array, NDArray[np.int64]]:
    """Middle of every contact on the ground, and its side."""
    at = []
    sides = []
    for contact in figure.contacts:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], contact.down.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            at.append(figure.points[start:stop, contact.point].mean(axis=0) * [1, 0, 1])
            sides.append(contact.side)
    return np.array(at).reshape(-1, 3), np.array(sides, int)


def _rounded(values: Array) -> Array:
    return np.round(values / _GRAIN) * _GRAIN


def _turn_y_to(directions: Array) -> Array:
    """Quaternions (..., 4) that turn +y to directions (..., 3) by the shortest way."""
    d = directions / np.maximum(np.linalg.norm(directions, axis=-1, keepdims=True), 1e-12)
    q = np.stack([1 + d[..., 1], d[..., 2], np.zeros_like(d[..., 0]), -d[..., 0]], axis=-1)
    q[np.linalg.norm(q, axis=-1) < 1e-6] = [
        0.0,
        1.0,
        0.0,
        0.0,
    ]  # straight down: any half turn about x
    return rot.normalize(q)


def add_path(scene: SceneApi, name: str, figure: Figure, shift: Array) -> None:
    """Draw the trace of the body on the ground.

    Parameters
    ----------
    scene : viser.SceneApi
        Where the node is added.
    name : str
        Of the scene node; unique.
    figure : Figure
        Its body; with one frame nothing is drawn.
    shift : array of shape (3,), metres
        Where the figure's world lies in the scene.
    """
    way = (
        np.column_stack([figure.body[:, 0], np.full(figure.n_frames, 0.004), figure.body[:, 1]])
        + shift
    )
    if figure.n_frames > 1:
        scene.add_line_segments(
            name, np.stack([way[:-1], way[1:]], axis=1), PATH_COLOR, thickness=0.006 * figure.height
        )


def add_targets(
    scene: SceneApi, name: str, marks: Sequence[Mark], height: float, shift: Array
) -> None:
    """Draw places of the body as arrows, those of joints as balls, with times, and surroundings.

    Parameters
    ----------
    scene : viser.SceneApi
        Where the nodes are added.
    name : str
        Of the scene nodes' parent; unique.
    marks : sequence of Mark
        What is drawn.
    height : float, metres
        Of the figure; sizes are shares of it.
    shift : array of shape (3,), metres
        Where the figure's world lies in the scene.
    """
    add_surroundings(scene, f"{name}/around", marks, height, shift)
    points = of_type(marks, Point)
    for i, mark in enumerate(p for p in points if p.is_on_ground):
        _add_place(scene, name, i, mark, height, shift)
    for i, mark in enumerate(p for p in points if p.is_in_space):
        where = np.array(mark.at) + shift
        scene.add_icosphere(
            f"{name}/joint{i}", 0.03 * height, TARGET_COLOR, opacity=0.7, position=where
        )
        label = f"{mark.text} {mark.time:g} s"
        scene.add_label(f"{name}/joint_time{i}", label, position=where)


def _add_place(
    scene: SceneApi, name: str, i: int, mark: Point, height: float, shift: Array
) -> None:
    stand = mark.stand
    at = np.insert(stand.ground, 1, 0.01) + shift
    scene.add_icosphere(f"{name}/body{i}", 0.02 * height, TARGET_COLOR, position=at)
    if mark.facing is not None:
        tip = at + 0.3 * height * np.insert(stand.ahead, 1, 0.0)
        scene.add_arrows(
            f"{name}/facing{i}",
            np.array([[at, tip]]),
            TARGET_COLOR,
            shaft_radius=0.008 * height,
            head_radius=0.025 * height,
            head_length=0.06 * height,
        )
    scene.add_label(f"{name}/time{i}", f"{mark.text} {mark.time:g} s".strip(), position=at)


def add_caption(scene: SceneApi, name: str, figure: Figure, shift: Array) -> None:
    """Write a figure's name on the ground behind where it starts.

    Parameters
    ----------
    scene : viser.SceneApi
        Where the label is added.
    name : str
        Of the scene node; unique.
    figure : Figure
        Its name is written.
    shift : array of shape (3,), metres
        Where the figure's world lies in the scene.
    """
    stand = GroundTransform.of_body(figure.body[0])
    behind = stand.ground - 0.35 * figure.height * stand.ahead
    scene.add_label(
        name, figure.name, position=np.insert(behind, 1, 0.0) + shift, anchor="top-center"
    )
