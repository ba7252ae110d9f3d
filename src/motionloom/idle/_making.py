"""Idle motion of a given length, with numbers that say how it came out.

Steps that stay about one place: footprints shifted, so that who steps does not walk away.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import binary_closing

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk, runs_of
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.plant import plant_feet
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.idle.learning.limits import MotionRange, find_beyond, measure_range
from motionloom.idle.model import IdleModel
from motionloom.idle.streams.stream import IdleStream, IdleStreamOptions, begin_idle
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import Report, Reported, Row, compare, fields_of
from motionloom.rotations import angle_between
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Frames that are made in one go.
_BLOCK = 6000


@dataclass(frozen=True, eq=False)
class MadeIdle(Reported):
    """Idle motion and how it came out.

    Parameters
    ----------
    motion : Motion
        In the world.
    seed : int
        What it was made with.
    sliding : float, metres
        Farthest that a foot which does not step was from its place.
    steps : int
        How often a foot stepped.
    speed : float, radians/s
        Median speed of the joints.
    range : MotionRange
        Widest stance, lowest hips, and largest speed and acceleration of a joint, without gestures.
    recorded : MotionRange, optional
        Those of the recordings; None on another body.
    """

    motion: Motion
    seed: int
    sliding: float
    steps: int
    speed: float
    range: MotionRange
    recorded: MotionRange | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is beyond the recordings, one sentence each."""
        return () if self.recorded is None else find_beyond(self.range, self.recorded)

    def as_report(self) -> Report:
        """Feet and joints, and the extremes beside those of the recordings."""
        motion = self.motion
        return self.compose(
            f"{motion.duration:.1f} s of idle motion at {motion.fps:g} fps, seed {self.seed}",
            Row("sliding", "feet slide", self.sliding, "mm", factor=1000),
            Row("steps", "steps", self.steps),
            Row("joint_speed", "joints, median", self.speed, "degrees/s", factor=np.degrees(1)),
            compare("Extremes", {"made": self.range, "recorded": self.recorded}),
            data=fields_of(self, "motion", "sliding", "speed", "steps")
            | {"frames": motion.n_frames, "fps": motion.fps, "seconds": motion.duration},
        )


@one_thread()
def make_idle(
    model: IdleModel,
    seconds: float,
    fps: float = 60.0,
    seed: int = 0,
    options: IdleStreamOptions | None = None,
    gestures: Sequence[tuple[Motion, float]] = (),
    progress: Progress = silent,
    looks: Sequence[tuple[Sequence[float] | None, float]] = (),
) -> MadeIdle:
    """Make idle motion.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    seconds : float
        How long.
    fps : float
        Frames per second.
    seed : int
        The same seed gives the same motion.
    options : IdleStreamOptions, optional
        How lively.
    gestures : sequence of (Motion, float)
        Clips that are played over it, and when each begins, seconds.
    progress : Progress
        Told of frames.
    looks : sequence of (point or None, float)
        Points that are looked at, metres, and from when on, seconds; None lets it be.

    Returns
    -------
    MadeIdle

    Raises
    ------
    InvalidInputError
        When a gesture would begin at the end or later, or is of another skeleton.

    Examples
    --------
    >>> from motionloom.idle.store import load_idle
    >>> made = make_idle(load_idle(demo / "idle.npz"), seconds=1.0, fps=30.0)
    >>> made.motion.n_frames, bool(made.sliding < 0.001)  # metres
    (30, True)
    """
    for clip, at in gestures:
        if at >= seconds:
            raise InvalidInputError(
                f"{clip.name or 'a gesture'} would begin at {at:g} s, and the motion lasts"
                f" {seconds:g} s; let it begin earlier, or ask for more seconds"
            )
    count = max(1, round(seconds * fps))
    begins = sorted(((round(at * fps), point) for point, at in looks), key=lambda one: one[0])
    stream = IdleStream(model, fps, begin_idle(model, seed), options)
    for clip, at in gestures:
        stream.play(clip, at=at)
    roles = model.space.roles
    posed = pose_motion(_frames_of(stream, count, begins, progress), roles)
    if not gestures:
        return measure_made(posed, seed, model.limits)
    # A gesture may be as quick as its clip: what is judged is the waiting beneath.
    alone = IdleStream(model, fps, begin_idle(model, seed), options)
    waiting = pose_motion(_frames_of(alone, count, begins, silent), roles)
    return replace(measure_made(posed, seed, model.limits), range=measure_range(waiting))


def _frames_of(
    stream: IdleStream,
    count: int,
    looks: Sequence[tuple[int, Sequence[float] | None]],
    progress: Progress,
) -> Motion:
    """So many frames of a stream; from the frames of `looks` on their points are looked at."""
    ahead = list(looks)
    blocks = []
    while stream.frame < count:
        progress("waiting", stream.frame, count)
        while ahead and ahead[0][0] <= stream.frame:
            stream.look_at(ahead.pop(0)[1])
        until = min(count, stream.frame + _BLOCK, *(frame for frame, _ in ahead[:1]))
        blocks.append(stream.frames(until - stream.frame))
    progress("waiting", count, count)
    return concatenate(blocks)


@one_thread()
def measure_made(posed: PosedMotion, seed: int, recorded: MotionRange | None = None) -> MadeIdle:
    """Numbers of idle motion that was made.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    seed : int
        What it was made with.
    recorded : MotionRange, optional
        Extremes that it is compared with.

    Returns
    -------
    MadeIdle
    """
    motion = posed.motion
    feet, moving, steps = find_moving(posed)
    sliding = max(_sliding(feet[:, f], moving[:, f]) for f in (0, 1))
    turned = angle_between(motion.rotations[1:], motion.rotations[:-1]) * motion.fps
    speed = float(np.median(turned)) if turned.size else 0.0
    return MadeIdle(
        motion=motion,
        seed=seed,
        sliding=sliding,
        steps=steps,
        speed=speed,
        range=measure_range(posed),
        recorded=recorded,
    )


def _sliding(track: Array, moving: Bools) -> float:
    """Farthest from the median place of each stand, on the ground."""
    worst = 0.0
    for first, stop in runs_of(~moving):
        own = track[first:stop, ::2]
        away = np.linalg.norm(own - np.median(own, axis=0), axis=1)
        worst = max(worst, float(away.max()))
    return worst


FEET = ("left_foot", "right_foot")
#: Made feet stand exactly; one that is faster is on its way, metres per second.
STEPPING = 0.01
#: Feet that stand for a shorter time are still on their way, seconds.
SHORTEST = 0.3
#: A stance stays this near to the first one, metres, and turns away from it by no more, radians.
NEAR, TURNED = 0.06, 0.12


def stay_about(posed: PosedMotion) -> PosedMotion:
    """Shift the footprints of somebody who steps while they wait.

    Parameters
    ----------
    posed : PosedMotion
        Its feet stand exactly or step.

    Returns
    -------
    PosedMotion
        The same motion where nobody steps.
    """
    ankles, moving, steps = find_moving(posed)
    stances = _stances(posed, ankles, moving) if steps else []
    if len(stances) < 2:
        return posed
    places = [place for _, _, place in stances]
    goals = [_back(place, places[0]).compose(place.inverse()) for place in places]
    back = np.array([(rot.wrap_angle(goal.angle), goal.x, goal.z) for goal in goals], float)
    body = _over(back, stances, np.ones(posed.n_frames, np.bool_))
    shift = GroundTransform(*body.T).apply(posed.hips) - posed.hips
    feet = {}
    for f, foot in enumerate(FEET):
        joint = posed.roles.joints[foot]
        place = GroundTransform(*_over(back, stances, moving[:, f]).T)
        turns = rot.multiply(place.quaternion, posed.rotations[:, joint])
        feet[foot] = FootTrack(place.apply(posed.positions[:, joint]), turns)
    return plant_feet(move_body(posed, shift, body[:, 0], posed.hips), feet)


def find_moving(posed: PosedMotion) -> tuple[Array, Bools, int]:
    """Places (T, 2, 3) of both ankles, where each is on its way (T, 2), and how often one steps."""
    joints = posed.roles.joints
    ankles = posed.positions[:, [joints[foot] for foot in FEET]]
    speed = np.linalg.norm(np.diff(ankles, axis=0, prepend=ankles[:1]), axis=-1) * posed.fps
    moving = speed > STEPPING
    return ankles, moving, int((np.diff(moving.astype(int), axis=0, prepend=0) == 1).sum())


#: First frame, the frame behind the last, and place of a stance.
_Stance = tuple[int, int, GroundTransform]


def _stances(posed: PosedMotion, ankles: Array, moving: Bools) -> list[_Stance]:
    reach = 2 * round(0.5 * SHORTEST * posed.fps) + 1
    busy = binary_closing(np.pad(moving.any(axis=1), reach), np.ones(reach, np.bool_))
    still = ~busy[reach:-reach]
    found = []
    for a, b in runs_of(still):
        x, _, z = map(float, ankles[a:b].mean(axis=(0, 1)))
        found.append((a, b, GroundTransform(float(posed.body[a:b, 2].mean()), x, z)))
    return found


def _back(place: GroundTransform, home: GroundTransform) -> GroundTransform:
    """Where a stance goes: nearer to home, the farther away it is."""
    away = home.inverse().compose(place)
    far = float(np.hypot(away.x, away.z))
    share = NEAR * float(np.tanh(far / NEAR)) / max(far, 1e-9)
    angle = float(rot.wrap_angle(away.angle))
    turned = TURNED * float(np.tanh(angle / TURNED))
    return home.compose(GroundTransform(turned, share * float(away.x), share * float(away.z)))


def _over(back: Array, stances: list[_Stance], moving: Bools) -> Array:
    """Correction of every frame, (T, 3): it changes between stances, while `moving`."""
    current = back[0]
    found = np.tile(current, (len(moving), 1))
    for k, ((_, begin, _), (end, stop, _)) in enumerate(itertools.pairwise(stances)):
        frames = slice(begin, end)
        way = np.cumsum(moving[frames].astype(float))
        goal = back[k + 1] if way[-1] > 0 else current
        share = minimum_jerk(way / max(way[-1] + 1.0, 1.0))[:, None]
        found[frames] = current + share * (goal - current)
        current = goal
        found[end:stop] = current
    found[stances[-1][1] :] = current
    return found
