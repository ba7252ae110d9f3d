"""What a walk through the graph is scored by: constraints compiled to arrays.

What joints' targets are scored by: where each frame of the clips meets one best, and what it
takes.

A hand's distance from its target says little about a frame: arm, trunk and knees can do the rest.
So each frame is compared with the place from which it meets a target of that height best. What it
takes even there counts like a distance, and what nobody could reach counts more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.nearest import nearest_frame, own_pose
from motionloom.clips.pieces import GraphWalk
from motionloom.clips.rates import joint_velocities
from motionloom.clips.travel import measure_travel
from motionloom.constraints import ConstraintSet, JointConstraint, PathConstraint, check_joints
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.values import Held
from motionloom.edit.reach import find_limb
from motionloom.edit.reach_sets import find_reach_set, is_arm
from motionloom.errors import InvalidInputError
from motionloom.graph.scoring._price import FREE, Price, sum_costs
from motionloom.graph.scoring.clearance import compile_around
from motionloom.graph.scoring.walk import Span, Terms
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.costs import kind_of_cost, path_cost
from motionloom.typing import Array, Bools, Ints

#: Time over which the speed of the body is averaged, seconds.
STOP = 0.4


#: What a row of the joints' arrays is of: index in the skeleton; height of the target in metres,
#: None for the joint's velocity; whether the body had better stand still.
_RowKey = tuple[int, float | None, bool]


#: What one term of a joint sees of every frame of the clips, arrays of shape (N,): the place (or
#: velocity) on the ground that is compared with what is asked for, ``z + i x``; the same for
#: heights, with what a reach takes added; the shoulder on the ground; and how far from it a target
#: may be, infinite where nothing limits it.
JointRow = tuple[NDArray[np.complex128], Array, NDArray[np.complex128], Array]


def _plain_row(values: Array) -> JointRow:
    """Places or velocities of a joint as they are."""
    ground = np.array(values[:, 2] + 1j * values[:, 0], np.complex128)
    return ground, values[:, 1], np.zeros_like(ground), np.full(len(values), np.inf)


def reach_row(clips: ClipSet, joint: int, height: float, stops: bool = True) -> JointRow:
    """Where each frame of the clips meets a joint's target of some height best.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    joint : int
        Whose target it is.
    height : float, metres
        Of the target.
    stops : bool
        Whether the body had better stand still.

    Returns
    -------
    place, height, root, radius : arrays of shape (N,)
        As `JointRow` says. Joints that are no hands are taken as they are.
    """
    places = clips.positions[:, joint]
    limb = find_limb(PosedMotion(clips.motions[0], clips.roles), joint)
    if limb is None or not is_arm(clips.roles, limb):
        return _plain_row(places)
    root = clips.positions[:, limb.root]
    middle = clips.positions[:, limb.middle]
    upper = np.linalg.norm(middle - root, axis=1)
    lower = np.linalg.norm(places - middle, axis=1)
    facing = np.exp(1j * clips.body[:, 2])
    speed = measure_travel(clips, STOP).speed if stops else np.zeros(clips.n_frames)
    length = float(np.median(upper + lower))
    reach = find_reach_set(places, root, facing, length, height, speed)
    return reach.place, height + reach.effort, reach.shoulder, reach.radius


#: Errors that cost the same: 30 cm, 10 degrees, 10 frames (Arikan & Forsyth 2002, section 4.2.1);
#: and half a metre a second of a joint's velocity.
PLACE_SCALE, TURN_SCALE, FRAME_SCALE, VELOCITY_SCALE = 0.3, np.radians(10.0), 10.0, 0.5
#: What is held is looked at this often, seconds.
HOLD_EVERY = 0.33
#: The body is compared with a path this often, seconds.
PATH_EVERY = 0.2
#: The search may go along a path in legs of this time, seconds.
PATH_LEG = 2.0


@dataclass(frozen=True, eq=False)
class Objective:
    """Constraints compiled for the search.

    Parameters
    ----------
    terms : Terms
        What is asked for, as arrays.
    span : Span
        The whole motion, laid down from its first body constraint; without one from where the first
        path begins, and without any from the origin, facing +Z.
    boundaries : tuple of int
        Last frames of the segments that the search may solve one after the other; the last is the
        motion's.
    poses : tuple of (int, int)
        Hard constraints: (frame of the motion, frame of the clip set that it must show), sorted.
    path_cost : callable, optional
        ``path_cost(path, start)`` is added to the score of a finished motion when motions are
        ranked.
    """

    terms: Terms
    span: Span
    boundaries: tuple[int, ...]
    poses: tuple[tuple[int, int], ...] = ()
    path_cost: Callable[[GraphWalk, GroundTransform], float] | None = None

    @property
    def n_frames(self) -> int:
        """Number of frames of the motion."""
        return self.span.last_frame


#: One term before it becomes a row of the arrays, which are fields of `Terms`; `turn` is an angle.
_TERM = np.dtype(
    [
        ("frame", np.int64),
        ("joint", np.int64),
        ("at", complex),
        ("height", float),
        ("turn", float),
        ("w_place", float),
        ("w_turn", float),
        ("moves", float),
    ]
)
_Term = tuple[int, int, complex, float, float, float, float, float]


def compile_objective(
    clips: ClipSet,
    constraints: ConstraintSet,
    *,
    w_cost: float,
    shortest_segment: float = 1.0,
    connected: Bools | None = None,
    price: Price = FREE,
    toll: Array | None = None,
) -> Objective:
    """Compile constraints to arrays.

    Parameters
    ----------
    clips : ClipSet
        The clips that walks go through.
    constraints : ConstraintSet
        At the clips' frame rate. The first body constraint is met exactly, because the motion is
        laid down from it; when it leaves the facing open, the body faces the next body constraint
        there.
    w_cost : float
        Score of one transition at the threshold, beside 1 for 30 cm, 10 degrees or 10 frames.
    shortest_segment : float, seconds
        Constraints closer together than this are solved for at once.
    connected : bool array of shape (N,), optional
        Frames that stand for key poses; all when not given.
    price : Price
        Of travelling between body constraints.
    toll : array of shape (N,), optional
        What showing each frame for a second costs, in transitions at the threshold.

    Returns
    -------
    Objective
        Errors count as in Arikan & Forsyth 2002, section 4.2.1.

    Raises
    ------
    InvalidInputError
        When the frame rates differ, or a label or cost does not exist.
    UnknownJointError
        For a joint that the clips' skeleton does not have.
    """
    if abs(constraints.fps / clips.fps - 1) > 1e-4:
        raise InvalidInputError(
            f"the constraints are at {constraints.fps:g} frames per second and the clips at"
            f" {clips.fps:g}; make the clip set at the constraints' rate"
        )
    terms = compile_terms(clips, constraints, price, None if toll is None else w_cost * toll)
    anchor, stand = _anchor(constraints)
    place, turn = stand.as_complex
    total = constraints.n_frames
    span = Span(0, total, anchor, complex(place), complex(turn), -1, w_cost, 1 / FRAME_SCALE**2)
    ends = _boundaries(constraints, anchor, shortest_segment * clips.fps)
    poses = dict(_key_frames(clips, constraints, connected))
    # Where both are asked for, the clip's own frame counts.
    poses |= {
        constraints.frame_of(p.time): clips.frame_of_file(p.clip, p.frame)
        for p in constraints.poses
    }
    return Objective(
        terms, span, ends, tuple(sorted(poses.items())), _path_cost(clips, constraints)
    )


def _key_frames(
    clips: ClipSet, constraints: ConstraintSet, connected: Bools | None
) -> Iterator[tuple[int, int]]:
    """Frames of the motion with key poses, and the frames of the clips that are most like these."""
    for key in constraints.key_poses:
        frame = constraints.frame_of(key.time)
        yield frame, nearest_frame(clips, own_pose(clips, key), connected)


def _boundaries(constraints: ConstraintSet, anchor: int, apart: float) -> tuple[int, ...]:
    """Frames at which the body or a joint is asked for, then milestones of paths; no two nearer
    than `apart`. The motion's last frame is one in any case, and as near as it comes where nothing
    is asked in it.
    """
    last = constraints.n_frames - 1
    ends = [anchor]
    held = (*constraints.body, *constraints.joints)
    ways = [_path_milestones(path, constraints) for path in constraints.paths]
    busy = any(last in constraints.frames_of(c) for c in held) or bool(ways)
    asked = sorted(constraints.frames_of(c)[0] for c in held)
    for frame in (*asked, *(f for way in ways for f in way)):
        room = last - frame >= apart if busy else last > frame
        if frame > anchor and room and all(abs(frame - e) >= apart for e in ends):
            ends.append(frame)
    return (*sorted(ends[1:]), last)


def _path_cost(
    clips: ClipSet, constraints: ConstraintSet
) -> Callable[[GraphWalk, GroundTransform], float] | None:
    """The user's costs of whole paths, added up; None where there are none."""
    wishes = [c for c in constraints.costs if kind_of_cost(c.name) == "path"]
    if not wishes:
        return None

    def total(path: GraphWalk, start: GroundTransform) -> float:
        frames = path.frames(clips)
        body = path.body(clips, start)
        return sum(c.weight * path_cost(c.name, c.parameters, clips, frames, body) for c in wishes)

    return total


def _anchor(constraints: ConstraintSet) -> tuple[int, GroundTransform]:
    """Frame from which the motion is laid down, and where the body then stands and faces."""
    if not constraints.body and constraints.paths:
        frames, way = min((follow(p, constraints) for p in constraints.paths), key=_begin)
        x, z = way.ground[0]
        return int(frames[0]), GroundTransform(float(way.angle[0]), float(x), float(z))
    if not constraints.body:
        return 0, GroundTransform()
    first = constraints.body[0]
    x, z = first.position
    ahead = 0.0
    if len(constraints.body) > 1:
        next_x, next_z = constraints.body[1].position
        ahead = float(np.arctan2(next_x - x, next_z - z))
    return constraints.frame_of(first.time), first.stand(ahead)


def _begin(way: tuple[Ints, GroundTransform]) -> int:
    return int(way[0][0])


def compile_terms(
    clips: ClipSet, constraints: ConstraintSet, price: Price = FREE, toll: Array | None = None
) -> Terms:
    """Compile all constraints but the hard poses and the first frame of the first body constraint.

    The motion is laid down from that frame.

    Parameters
    ----------
    clips : ClipSet
        The clips that walks go through.
    constraints : ConstraintSet
        At the clips' frame rate.
    price : Price
        Of travelling between body constraints.
    toll : array of shape (N,), optional
        Cost of showing each frame for a second.

    Returns
    -------
    Terms
        K terms ordered by frame, costs of showing frames, and obstacles.

    Raises
    ------
    UnknownJointError
        For a joint that the clips' skeleton does not have.
    InvalidInputError
        For a label or cost that does not exist.
    """
    joints = check_joints(constraints, clips.skeleton, clips.roles)
    rows = list(
        dict.fromkeys(
            row for c, j in zip(constraints.joints, joints, strict=True) for row in _rows(c, j)
        )
    )
    wishes = [*_body_terms(constraints), *_joint_terms(constraints, joints, rows)]
    for path in constraints.paths:
        wishes += _path_terms(path, constraints)
    wishes.sort(key=itemgetter(0, 1))
    table = np.array(wishes, _TERM)
    columns = {name: np.ascontiguousarray(table[name]) for name in _TERM.names or ()}
    seen = [_joint_row(clips, row) for row in rows]
    shape = len(rows), clips.n_frames
    places, heights, roots, radii = zip(*seen, strict=True) if seen else ((), (), (), ())
    return Terms(
        **columns | {"turn": np.exp(1j * columns["turn"])},
        joint_place=np.array(places, complex).reshape(shape),
        joint_height=np.array(heights, float).reshape(shape),
        joint_root=np.array(roots, complex).reshape(shape),
        joint_radius=np.array(radii, float).reshape(shape),
        sums=sum_costs(clips, constraints, price, toll),
        around=compile_around(clips, constraints.avoid),
    )


def _rows(constraint: JointConstraint, joint: int) -> Iterator[_RowKey]:
    """Rows of the joint's arrays that a constraint needs, its place's before its velocity's."""
    if constraint.position is not None:
        yield joint, constraint.position[1], constraint.velocity is None
    if constraint.velocity is not None:
        yield joint, None, True


def _body_terms(constraints: ConstraintSet) -> Iterator[_Term]:
    for i, c in enumerate(constraints.body):
        stand = c.stand()
        place, _ = stand.as_complex
        w_turn = 0.0 if c.facing is None else 1 / TURN_SCALE**2
        # The motion is laid down from the first frame of the first one.
        for frame in _hold_samples(constraints, c)[0 if i else 1 :]:
            yield frame, -1, place, 0.0, stand.angle, 1 / PLACE_SCALE**2, w_turn, 1.0


def _hold_samples(constraints: ConstraintSet, constraint: Held) -> list[int]:
    """Frames at which the search looks at a constraint: the first, and some while it is held.

    Parameters
    ----------
    constraints : ConstraintSet
        The set it belongs to, for duration and frame rate.
    constraint : Held
        At a time, or held from a time to another.

    Returns
    -------
    list of int
        Frames of the motion, ascending, about `HOLD_EVERY` seconds apart; first and last included.
    """
    frames = constraints.frames_of(constraint)
    stride = max(round(HOLD_EVERY * constraints.fps), 1)
    return sorted({*frames[::stride], frames[-1]})


def _joint_terms(
    constraints: ConstraintSet, joints: Sequence[int], rows: list[_RowKey]
) -> Iterator[_Term]:
    for c, joint in zip(constraints.joints, joints, strict=True):
        for key in _rows(c, joint):
            is_velocity = key[1] is None
            value = c.velocity if is_velocity else c.position
            assert value is not None  # there is a row for it
            x, y, z = value
            scale = VELOCITY_SCALE if is_velocity else PLACE_SCALE
            row, w_place, moves = rows.index(key), c.weight / scale**2, float(not is_velocity)
            for frame in _hold_samples(constraints, c):
                yield frame, row, complex(z, x), y, 0.0, w_place, 0.0, moves


def _joint_row(clips: ClipSet, key: _RowKey) -> JointRow:
    joint, height, stops = key
    if height is None:
        return _plain_row(joint_velocities(clips, joint))
    return reach_row(clips, joint, height, stops)


def _path_milestones(path: PathConstraint, constraints: ConstraintSet) -> list[int]:
    """Frames in which the legs of a path begin and end.

    The body is compared with the path in each of them.

    Parameters
    ----------
    path : PathConstraint
        The way, and when the body goes along it.
    constraints : ConstraintSet
        The set it belongs to, for duration and frame rate.

    Returns
    -------
    list of int
        Frames of the motion, about `PATH_LEG` seconds apart from the path's first on.
    """
    stride = _path_stride(constraints)
    leg = stride * max(round(PATH_LEG * constraints.fps / stride), 1)
    return [int(frame) for frame in follow(path, constraints)[0][::leg]]


def _path_stride(constraints: ConstraintSet) -> int:
    return max(round(PATH_EVERY * constraints.fps), 1)


def _path_terms(path: PathConstraint, constraints: ConstraintSet) -> Iterator[_Term]:
    frames, way = follow(path, constraints)
    stride = _path_stride(constraints)
    weight = path.weight * stride / constraints.fps
    w_place, w_turn = weight / PLACE_SCALE**2, weight / TURN_SCALE**2 if path.face_along else 0.0
    for frame, (x, z), facing in zip(
        frames[::stride], way.ground[::stride], way.angle[::stride], strict=True
    ):
        yield int(frame), -1, complex(z, x), 0.0, float(facing), w_place, w_turn, 1.0
