"""Events of a scene turned into constraints of each character: where to stand, what to touch, which
pose to show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.analysis.hinges import find_limbs
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint, PoseConstraint
from motionloom.constraints.scene import JointMeeting, Meeting, SceneConstraints
from motionloom.errors import UnknownJointError
from motionloom.motion import GroundTransform
from motionloom.rotations import wrap_angle
from motionloom.typing import Array

#: Hands meet at this share of the shoulders' height: below it, with bent elbows.
_HAND_HEIGHT = 0.76
#: While an event is held, its joints are asked for at least this often, seconds.
_JOINTS_EVERY = 0.35


@dataclass(frozen=True)
class Relation:
    """How two characters stand to each other: distance (metres), and how far each looks past the
    other (degrees).
    """

    distance: float
    turned: tuple[float, float]

    @classmethod
    def of_bodies(cls, first: Array, second: Array) -> Relation:
        """How two stand to each other, rows (3,) of `PosedMotion.body`."""
        way = second[:2] - first[:2]
        heading = np.arctan2(*way)
        turned = wrap_angle(np.array([first[2] - heading, second[2] - heading - np.pi]))
        a, b = np.degrees(turned)
        return cls(float(np.hypot(*way)), (float(a), float(b)))

    def stands(self, middle: GroundTransform) -> tuple[GroundTransform, GroundTransform]:
        """Where the first and the second stand and face.

        Parameters
        ----------
        middle : GroundTransform
            Between the two, facing from the first to the second.
        """
        first, second = (
            GroundTransform(wrap_angle(middle.angle + opposite + np.radians(turned)), *place)
            for opposite, turned, place in zip(
                (0.0, np.pi),
                self.turned,
                (middle.ground + sign * 0.5 * self.distance * middle.ahead for sign in (-1, 1)),
                strict=True,
            )
        )
        return first, second


def find_relation(event: Meeting, clips: Mapping[str, ClipSet]) -> Relation:
    """How the characters of an event stand to each other: as told, or as their poses were captured.

    Parameters
    ----------
    event : Meeting
        Tells a distance, or a captured pose of each.
    clips : mapping of str to ClipSet
        Clips of every character.

    Returns
    -------
    Relation
        A distance that is told goes before the poses.

    Raises
    ------
    InvalidInputError
        When a clip or frame of a pose does not exist.
    """
    if event.poses is None or event.distance is not None:
        assert event.distance is not None  # a meeting without poses has one
        return Relation(event.distance, event.turned)
    sets = [clips[name] for name in event.between]
    a, b = (
        c.body[c.frame_of_file(p.clip, p.frame)] for c, p in zip(sets, event.poses, strict=True)
    )
    return Relation.of_bodies(a, b)


def compile_scene(
    scene: SceneConstraints, clips: Mapping[str, ClipSet], spots: Mapping[int, GroundTransform]
) -> dict[str, ConstraintSet]:
    """Constraints of every character with those that follow from events.

    Parameters
    ----------
    scene : SceneConstraints
        The characters' own constraints, and the events.
    clips : mapping of str to ClipSet
        Clips of every character.
    spots : mapping of int to GroundTransform
        Middles between the two of the events, facing from the first to the second, by their
        index; others are left out.

    Returns
    -------
    dict of str to ConstraintSet
        By character.

    Raises
    ------
    MotionloomError
        For an unknown joint, clip or frame.
    """
    body: dict[str, list[BodyConstraint]] = defaultdict(list)
    joints: dict[str, list[JointConstraint]] = defaultdict(list)
    poses: dict[str, list[PoseConstraint]] = defaultdict(list)
    for i, spot in sorted(spots.items()):
        event = scene.events[i]
        relation = find_relation(event, clips)
        for name, stand in zip(event.between, relation.stands(spot), strict=True):
            body[name] += [
                BodyConstraint(time=t, position=(stand.x, stand.z), facing=stand.heading)
                for t in event.times
            ]
        for name, pose in zip(event.between, event.poses or (), strict=False):
            poses[name].append(PoseConstraint(time=event.time, clip=pose.clip, frame=pose.frame))
        for meeting in event.joints:
            points = meeting_points(event, meeting, relation, spot, clips)
            for name, joint, point in zip(
                event.between, (meeting.first, meeting.second), points, strict=True
            ):
                joints[name] += [
                    JointConstraint(time=t, joint=joint, position=point.tolist())
                    for t in _joint_times(event)
                ]
    return {
        name: ConstraintSet(
            **{
                **{field: getattr(wish, field) for field in ConstraintSet.model_fields},
                "body": (*wish.body, *body[name]),
                "joints": (*wish.joints, *joints[name]),
                "poses": (*wish.poses, *poses[name]),
            }
        )
        for name, wish in scene.characters.items()
    }


def _joint_times(event: Meeting) -> list[float]:
    """Times at which joints are asked to meet: often enough that they stay together while the event
    is held.
    """
    count = 1 + int(np.ceil(event.hold / _JOINTS_EVERY))
    return [float(t) for t in np.linspace(event.times[0], event.times[-1], count)]


def meeting_points(
    event: Meeting,
    meeting: JointMeeting,
    relation: Relation,
    spot: GroundTransform,
    clips: Mapping[str, ClipSet],
) -> tuple[Array, Array]:
    """Where two joints that meet are wanted in the world.

    Parameters
    ----------
    event : Meeting
        Tells who meets.
    meeting : JointMeeting
        The two joints, the gap between them and, if told, where.
    relation : Relation
        How the two stand to each other.
    spot : GroundTransform
        Middle between the two, facing from the first to the second.
    clips : mapping of str to ClipSet
        Clips of every character; without a place that is told, they say where each offers its
        joint.

    Returns
    -------
    first, second : array of shape (3,), metres
        The gap apart, along the way from one to the other.

    Raises
    ------
    UnknownJointError
        For a joint that a skeleton does not have.
    """
    if meeting.position is not None:
        middle = np.array(meeting.position)
    else:
        sides = [
            _comfortable(clips[name], joint, stand)
            for name, joint, stand in zip(
                event.between, (meeting.first, meeting.second), relation.stands(spot), strict=True
            )
        ]
        middle = np.mean(sides, axis=0)
    half = 0.5 * meeting.gap * np.insert(spot.ahead, 1, 0.0)
    return middle - half, middle + half


def find_joint(clips: ClipSet, name: str) -> int:
    """Joint of a name or role.

    Parameters
    ----------
    clips : ClipSet
        Gives the skeleton and its roles.
    name : str
        Name of a joint, which goes before a role of the same name.

    Returns
    -------
    int
        Index in the skeleton.

    Raises
    ------
    UnknownJointError
        For neither.
    """
    known = {**clips.roles.joints, **{n: j for j, n in enumerate(clips.skeleton.names)}}
    if name not in known:
        raise UnknownJointError(name, (*clips.skeleton.names, *clips.roles.joints))
    return known[name]


def _comfortable(clips: ClipSet, joint_name: str, stand: GroundTransform) -> Array:
    """Where a character that stands there would offer a joint: below its
    shoulder for a hand, else where the joint is in the middle of all captured frames.
    """
    joint = find_joint(clips, joint_name)
    limbs = {tip: limb for tip, limb in find_limbs(clips.roles).items() if tip.endswith("hand")}
    arm = next(
        (limb for limb in limbs.values() if joint in clips.skeleton.descendants(limb.tip)), None
    )
    typical = _typical_offset(clips, joint if arm is None else arm.root)
    if arm is not None:
        typical[1] *= _HAND_HEIGHT
    return stand.apply(typical)


def _typical_offset(clips: ClipSet, joint: int) -> Array:
    """Median position (3,) of a joint seen from the body: to its left, up, ahead; metres."""
    return np.median(GroundTransform.of_body(clips.body).seen(clips.positions[:, joint]), axis=0)
