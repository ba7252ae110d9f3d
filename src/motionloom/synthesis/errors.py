"""How far a motion is from what was asked at certain times, and how well it keeps to what was asked
all along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.labels import find_label
from motionloom.clips.nearest import pose_target
from motionloom.constraints import ConstraintSet
from motionloom.constraints.ways import follow
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.synthesis.costs import find_cost, frame_costs, path_cost
from motionloom.synthesis.obstacles import body_points, measure_depths

Array = NDArray[np.float64]

#: A joint this deep in an obstacle is inside, metres.
INSIDE = 0.01


@dataclass(frozen=True)
class ConstraintError:
    """How far a motion is from one constraint at a time.

    Parameters
    ----------
    kind : str
        ``"body"`` or ``"joint"``.
    index : int
        Which entry of the constraint set's ``body`` or ``joints``.
    frame : int
        Frame of the motion; the first one of a span.
    position : float, metres
        The largest of a span; 0 where no position is asked for.
    facing : float or None, degrees
        Absolute error of the heading; None where none is asked for.
    velocity : float or None, metres per second
        Length of the error; None where none is asked for.
    """

    kind: str
    index: int
    frame: int
    position: float
    facing: float | None = None
    velocity: float | None = None


#: What the value of an adherence is, by the kind of what was asked.
MEASURES = {
    "pose": "frames late",
    "key_pose": "largest deg",
    "still": "mean m/s",
    "avoid": "deepest m",
    "path": "mean m",
    "style": "share",
    "cost": "cost",
}


@dataclass(frozen=True)
class Adherence:
    """How well a motion keeps to something that is asked over time, or to a hard pose.

    Parameters
    ----------
    kind : str
        A key of `MEASURES`, which says what `value` is.
    index : int
        Which of its kind in the constraint set.
    what : str
        Such as ``"avoid cylinder at 1.0 1.5"``.
    value : float or None
        None for a hard pose that the motion never shows.
    more : float
        Largest rotation of a joint from a hard pose, degrees; how far hips or feet go while
        still, metres; seconds inside an obstacle; the largest distance from a path, metres; else 0.
    """

    kind: str
    index: int
    what: str
    value: float | None
    more: float = 0.0

    def to_text(self) -> str:
        """The row of a report."""
        if self.value is None:
            return f"{self.what}: never shown"
        text = {
            "pose": (
                f"shown {self.value:g} frames late, joints turned up to {self.more:.3f} deg from it"
            ),
            "key_pose": f"joints turned up to {self.value:.3f} deg from it",
            "still": (
                f"hips or feet move at {self.value:.2f} m/s on average, {self.more:.2f} m in all"
            ),
            "avoid": f"deepest joint {1000 * self.value:.0f} mm inside, {self.more:.2f} s in all",
            "path": f"{100 * self.value:.1f} cm away on average, {100 * self.more:.1f} cm at most",
            "style": f"{100 * self.value:.0f} % of the time",
            "cost": f"{self.value:.4g}",
        }
        return f"{self.what}: {text[self.kind]}"


def errors_at(
    constraints: ConstraintSet,
    joints: Sequence[int],
    body: Array,
    place: Callable[[int, int], Array],
    velocity: Callable[[int, int], Array],
) -> tuple[ConstraintError, ...]:
    """Errors at every constraint of the body and of joints, body first, each in the constraint
    set's order.

    Parameters
    ----------
    constraints : ConstraintSet
    joints : sequence of int
        Joint of every joint constraint.
    body : array of shape (T, 3)
        Ground position (metres) and facing (radians).
    place, velocity : callable
        From frame and joint to its place (3,), metres, and velocity (3,), metres per second.
    """
    errors = []
    for i, c in enumerate(constraints.body):
        frames = constraints.frames_of(c)
        x, z, angle = body[frames.start : frames.stop].T
        miss = np.hypot(x - c.position[0], z - c.position[1])
        off = None
        if c.facing is not None:
            off = float(np.degrees(np.abs(rot.wrap_angle(angle - np.radians(c.facing))).max()))
        errors.append(ConstraintError("body", i, frames.start, float(miss.max()), off))
    for i, (aim, joint) in enumerate(zip(constraints.joints, joints, strict=True)):
        frames = constraints.frames_of(aim)
        far = 0.0
        if aim.position is not None:
            far = max(float(np.linalg.norm(place(frame, joint) - aim.position)) for frame in frames)
        rate = None
        if aim.velocity is not None:
            rate = float(np.linalg.norm(velocity(frames.start, joint) - aim.velocity))
        errors.append(ConstraintError("joint", i, frames.start, far, velocity=rate))
    return tuple(errors)


def measure_adherence(
    clips: ClipSet,
    constraints: ConstraintSet,
    posed: PosedMotion,
    source_frames: NDArray[np.int64] | None = None,
) -> tuple[Adherence, ...]:
    """How a finished motion keeps to poses, obstacles, paths, styles and the user's costs.

    Parameters
    ----------
    clips : ClipSet
    constraints : ConstraintSet
    posed : PosedMotion
    source_frames : int array of shape (T,), optional
        Frame of the clip set (counted through all clips) that every frame shows: styles and costs
        are of these.
    """
    motion = posed.motion
    return (
        *_poses(clips, constraints, motion, source_frames),
        *_key_poses(clips, constraints, motion),
        *_still(constraints, posed.positions[:, _standing_joints(clips.roles)]),
        *_obstacles(constraints, body_points(clips.skeleton, clips.roles, posed.positions)),
        *_paths(constraints, posed.body),
        *_styles(clips, constraints, source_frames),
        *_costs(clips, constraints, source_frames, posed.body),
    )


def _poses(
    clips: ClipSet,
    constraints: ConstraintSet,
    motion: Motion,
    source_frames: NDArray[np.int64] | None,
) -> list[Adherence]:
    found = []
    for i, c in enumerate(constraints.poses):
        frame = constraints.frame_of(c.time)
        wanted = clips.frame_of_file(c.clip, c.frame)
        late: int | None = 0
        if source_frames is not None:
            when = np.flatnonzero(source_frames == wanted)
            late = int(when[np.argmin(np.abs(when - frame))] - frame) if len(when) else None
        found.append(_pose_adherence(clips, motion, i, frame, wanted, late))
    return found


def _pose_adherence(
    clips: ClipSet, motion: Motion, index: int, frame: int, shows: int, late: int | None
) -> Adherence:
    """How a finished motion shows a frame of a clip (counted through all clips) that was asked for
    at a frame.

    Joints above the one that carries the body, and its own heading, are free.
    """
    clip = int(clips.clip_of[shows])
    own = int(shows - clips.starts[clip])
    captured = clips.motions[clip]
    below = [
        j
        for j in range(clips.skeleton.n_joints)
        if j not in clips.skeleton.chain(captured.root_joint)
    ]
    turned = rot.angle_between(motion.rotations[frame, below], captured.rotations[own, below])
    what = (
        f"pose {clips.names[clip]} at {own / clips.fps:.2f} s, asked for at"
        f" {frame * motion.frame_time:.2f} s"
    )
    return Adherence(
        "pose", index, what, None if late is None else float(late), float(np.degrees(turned.max()))
    )


def _key_poses(clips: ClipSet, constraints: ConstraintSet, motion: Motion) -> list[Adherence]:
    found = []
    for i, key in enumerate(constraints.key_poses):
        target = pose_target(clips, key, constraints.frame_of(key.time))
        off = rot.angle_between(motion.rotations[target.frame, target.joints], target.rotations)
        found.append(
            Adherence(
                "key_pose", i, f"{key.name}, at {key.time:.2f} s", float(np.degrees(off.max()))
            )
        )
    return found


def _standing_joints(roles: Roles) -> list[int]:
    """Hips, and feet: those of somebody who walks on the spot move though the hips do not."""
    return [roles.joints[role] for role in ("hips", *roles.feet)]


def _still(constraints: ConstraintSet, places: Array) -> list[Adherence]:
    found = []
    for i, c in enumerate(constraints.still):
        end = constraints.duration if c.end is None else c.end
        span = places[constraints.frame_of(c.begin) : constraints.frame_of(end) + 1][..., [0, 2]]
        steps = np.linalg.norm(np.diff(span, axis=0), axis=-1)
        way = float(steps.sum(axis=0).max())
        speed = way / len(steps) * constraints.fps if len(steps) else 0.0
        found.append(Adherence("still", i, f"still from {c.begin:g} to {end:g} s", speed, way))
    return found


def _obstacles(constraints: ConstraintSet, points: Array) -> list[Adherence]:
    if not constraints.avoid:
        return []
    depths = measure_depths(constraints.avoid, points)
    found = []
    for i, (o, depth) in enumerate(zip(constraints.avoid, depths.T, strict=True)):
        place = o.origin if o.shape == "heightmap" else o.center
        what = f"avoid {o.shape} at {place[0]:g} {place[1]:g}"
        found.append(
            Adherence(
                "avoid",
                i,
                what,
                float(depth.max()),
                float((depth > INSIDE).sum() / constraints.fps),
            )
        )
    return found


def _paths(constraints: ConstraintSet, body: Array) -> list[Adherence]:
    found = []
    for i, path in enumerate(constraints.paths):
        way = follow(path, constraints)
        away = np.linalg.norm(body[way.frames, :2] - way.places, axis=1)
        what = f"path of {len(path.points)} points"
        found.append(Adherence("path", i, what, float(away.mean()), float(away.max())))
    return found


def _styles(
    clips: ClipSet, constraints: ConstraintSet, source_frames: NDArray[np.int64] | None
) -> list[Adherence]:
    found = []
    for i, style in enumerate(constraints.style):
        assert source_frames is not None  # generators that show no clips do not honour styles
        span = source_frames[
            constraints.frame_of(style.begin) : constraints.frame_of(style.end) + 1
        ]
        share = float(find_label(clips.labels, style.label)[span].mean())
        what = f"style {style.label} from {style.begin:g} to {style.end:g} s"
        found.append(Adherence("style", i, what, share))
    return found


def _costs(
    clips: ClipSet, constraints: ConstraintSet, source_frames: NDArray[np.int64] | None, body: Array
) -> list[Adherence]:
    found = []
    for i, term in enumerate(constraints.costs):
        assert source_frames is not None  # generators that show no clips do not honour costs
        cost = find_cost(term.name)
        if cost.kind == "path":
            value = path_cost(cost, term.parameters, clips, source_frames, body)
        else:
            first = 0 if term.begin is None else constraints.frame_of(term.begin)
            last = constraints.n_frames - 1 if term.end is None else constraints.frame_of(term.end)
            rates = frame_costs(cost, clips, term.parameters)
            value = float(rates[source_frames[first : last + 1]].sum() / clips.fps)
        found.append(Adherence("cost", i, f"cost {term.name}", value))
    return found
