"""The pose a body is bound in for other programs: a T-pose, the file's, or the first frame.

A T-pose is what Unity's Humanoid and VRM require, what Unreal's retargeter aligns its own to, and
what Blender's rigs begin with. The file's own rest pose often is none: many skeletons have all
their offsets along one axis, so that the body lies in a heap on a line. So the T-pose is computed
from the captured poses: their mean while the body stands, turned limb by limb by the shortest way,
which keeps elbows, knees and palms as people hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose, compute_facing, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: How a rest pose can be asked for.
REST_POSES = ("standing", "file", "first")
#: Roles without which nobody can be stood up.
_SIDES = ("left", "right")
_LEGS = tuple(f"{side}_{part}" for side in _SIDES for part in ("hip", "knee", "foot"))
_ARMS = tuple(f"{side}_{part}" for side in _SIDES for part in ("shoulder", "elbow", "hand"))
#: Most frames that are looked at, and the share of them that stand best.
_FRAMES, _BEST = 400, 0.25
#: Share of the frames in which a foot is lowest, so flat on the ground.
_FLAT = 0.05
#: Ankles and toes are at most this high (metres) above the ground that they stand on.
_SOLE = 0.15
#: A tree whose bones add up to more than this share of their length lies in a heap on a line.
_HEAP = 0.8
#: Bones shorter than this (metres) have no direction.
_SHORTEST = 1e-4
#: A joint moves where it is this far (metres) from its place at rest.
_MOVES = 1e-6
#: Bones point past joints that move in them by at least this angle, radians. Blender connects a
#: bone that begins within 1e-4 units of its parent's end, and then ignores its translation. Its
#: shortest bone, .01 units, ends 4.4e-4 units beside the joint at this angle.
_PAST = np.radians(2.5)
#: Bones that point ahead by this share of their length are rolled by what is up.
_STEEP = 0.9
_UP, _AHEAD, _LEFT = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class RestPose:
    """Where every joint is, and how it is turned, while nothing moves.

    Parameters
    ----------
    rotations : array of shape (J, 4)
        World rotation of every joint's own frame.
    translations : array of shape (J, 3), metres
        Position of every joint in its parent's frame.
    positions : array of shape (J, 3), metres
        World positions of the joints.
    ends : array of shape (E, 3), metres
        World positions of the end sites.
    bones : array of shape (J, 4)
        Turns each joint's own frame to that of its bone, whose +Y points to the next joint, and
        past one that moves in this joint.
    moving : tuple of int
        Joints that some frame has elsewhere in their parents than the rest pose, ascending.
    """

    rotations: Array
    translations: Array
    positions: Array
    ends: Array
    bones: Array
    moving: tuple[int, ...]


def find_rest_pose(motion: Motion, kind: str | None = None) -> RestPose:
    """The rest pose of a motion's body.

    Parameters
    ----------
    motion : Motion
        Its frames say how high the body stands, and how the feet lie in a T-pose.
    kind : {"standing", "file", "first"}, optional
        A T-pose, which needs a human's legs and arms; the pose of the skeleton without rotations;
        or that of the first frame. By default a T-pose where legs and arms are known, else the
        file's own unless it is a heap of bones on a line, else the first frame.

    Returns
    -------
    RestPose
        In metres, +Y up.

    Raises
    ------
    InvalidInputError
        When the kind is unknown, or a T-pose is asked for of a body whose limbs are not known.
    """
    if kind is not None:
        check_rest(kind)
    skeleton = motion.skeleton
    roles = find_roles(motion.skeleton)
    stands = roles.kind == "human" and roles.joints.keys() >= set(_LEGS)
    if kind == "standing" and not stands:
        raise InvalidInputError(
            f"{motion.name or 'the motion'}: no legs of a human were found, so it cannot be stood"
            " up; use the rest pose of the file ('file') or the first frame ('first')"
        )
    translations = _resting_translations(motion)
    heap = is_heap(skeleton)
    known = stands and (heap or roles.joints.keys() >= set(_ARMS))
    if kind == "standing" or (kind is None and known):
        return _t_pose(motion, roles, translations)
    if motion.n_frames and (kind == "first" or (kind is None and heap)):
        first = forward_kinematics(motion.cut(0, 1))
        return _place(motion, first.rotations[0], motion.local_translations()[0], roles)
    return _place(motion, rot.identity(skeleton.n_joints), translations, roles)


def check_rest(kind: str) -> None:
    """Refuse a rest pose that does not exist.

    Raises
    ------
    InvalidInputError
        When `kind` is none of `REST_POSES`.
    """
    if kind not in REST_POSES:
        raise InvalidInputError(f"rest must be one of {', '.join(REST_POSES)}, got {kind!r}")


def is_heap(skeleton: Skeleton) -> bool:
    """Whether the skeleton without rotations is a branched tree, all bones along one line."""
    bones = np.concatenate([skeleton.offsets[1:], skeleton.end_offsets])
    branched = any(len(children) > 1 for children in skeleton.children)
    whole = float(np.linalg.norm(bones, axis=-1).sum())
    return branched and float(np.linalg.norm(bones.sum(axis=0))) > _HEAP * whole


def _resting_translations(motion: Motion) -> Array:
    """Joints' positions in their parents' frames; a body placed by frames only is lifted."""
    translations = motion.skeleton.offsets.copy()
    root = motion.root_joint
    if motion.n_frames and root in motion.translated and not translations[root].any():
        translations[root, 1] = np.median(motion.translations[:, motion.translated.index(root), 1])
    return translations


def _place(motion: Motion, rotations: Array, translations: Array, roles: Roles) -> RestPose:
    """Rest pose of world rotations (J, 4) and local translations (J, 3)."""
    skeleton = motion.skeleton
    positions = translations.copy()
    for j, parent in enumerate(skeleton.parents[1:], start=1):
        positions[j] = positions[parent] + rot.rotate(rotations[parent], translations[j])
    owners = skeleton.end_parents
    ends = positions[owners] + rot.rotate(rotations[owners], skeleton.end_offsets)
    moving = _moving_joints(motion, translations)
    bones = _bone_frames(skeleton, rotations, _ways_on(skeleton, translations, roles))
    past = _past_moving(skeleton, bones, translations, moving)
    return RestPose(rotations, translations, positions, ends, bones=past, moving=moving)


def _moving_joints(motion: Motion, translations: Array) -> tuple[int, ...]:
    """Joints that some frame moves away from their translations at rest (J, 3)."""
    apart = motion.translations - translations[list(motion.translated)]
    farthest = np.linalg.norm(apart, axis=-1).max(axis=0, initial=0.0)
    return tuple(np.array(motion.translated, int)[farthest > _MOVES].tolist())


# --- standing up


def _t_pose(motion: Motion, roles: Roles, translations: Array) -> RestPose:
    skeleton = motion.skeleton
    joints = roles.joints
    facing_ahead, pose = _facing_ahead(motion, roles)
    standing = rot.mean(facing_ahead[_upright_frames(pose, roles)], axis=0)
    body = _Body(skeleton, standing, translations)
    body.level(joints)
    body.aim(joints.get("spine"), joints.get("neck", joints.get("chest")), _UP)
    for side, outward in (("left", _LEFT), ("right", -_LEFT)):
        hip, knee, foot, *arm = (
            joints.get(role) for role in (*_LEGS, *_ARMS) if role.startswith(side)
        )
        for joint, target in pairwise((hip, knee, foot)):
            body.aim(joint, target, -_UP)
        for joint, target in pairwise(arm):
            body.aim(joint, target, outward)
        body.aim_hand(arm[-1], outward)
    floor = []
    for side in ("left", "right"):
        ankle = joints[f"{side}_foot"]
        flat = _flat_frames(pose, ankle, joints.get(f"{side}_toe"))
        turned = rot.mean(facing_ahead[flat, ankle], axis=0)
        body.turn(ankle, rot.multiply(turned, rot.conjugate(body.rotations[ankle])))
        body.point_ahead(ankle)
        below = pose.positions[flat][:, list(skeleton.descendants(ankle)), 1]
        floor.append(float(np.median(below.min(axis=1))))
    rest = _place(motion, body.rotations, translations, roles)
    return _on_ground(motion, rest, roles, float(np.clip(min(floor), 0.0, _SOLE)))


def _facing_ahead(motion: Motion, roles: Roles) -> tuple[Array, WorldPose]:
    """World rotations (T, J, 4) of at most `_FRAMES` frames turned to face +Z, and their pose."""
    rotations, translations = motion.rotations, motion.translations
    if motion.n_frames == 0:
        rotations = rot.identity(1, motion.skeleton.n_joints)
        translations = motion.skeleton.offsets[None, list(motion.translated)]
    step = max(motion.n_frames // _FRAMES, 1)
    sampled = replace(motion, rotations=rotations[::step], translations=translations[::step])
    pose = forward_kinematics(sampled)
    return rot.multiply(rot.yaw(-compute_facing(pose, roles))[:, None], pose.rotations), pose


def _upright_frames(pose: WorldPose, roles: Roles) -> Ints:
    """Frames in which trunk and legs are straightest along the vertical."""
    joints = roles.joints
    legs = [[joints[f"{s}_{part}"] for part in ("foot", "knee", "hip")] for s in _SIDES]
    pairs = [pair for leg in legs for pair in pairwise(leg)]
    top = joints.get("neck", joints.get("chest"))
    pairs += [(joints["hips"], top)] * 2 if top is not None and top != joints["hips"] else []
    at = pose.positions
    rises = [_unit(at[:, upper] - at[:, lower])[:, 1] for lower, upper in pairs]
    wanted = max(round(_BEST * len(pose.positions)), 1)
    return np.argsort(-np.sum(rises, axis=0), kind="stable")[:wanted]


def _flat_frames(pose: WorldPose, foot: int, toe: int | None) -> Ints:
    """Frames in which the ankle and the toes are lowest."""
    heights = pose.positions[:, [foot] if toe is None else [foot, toe], 1].sum(axis=1)
    return np.argsort(heights, kind="stable")[: max(round(_FLAT * len(heights)), 1)]


class _Body:
    """World rotations of a body that is being stood up, turned subtree by subtree."""

    def __init__(self, skeleton: Skeleton, rotations: Array, translations: Array) -> None:
        self.skeleton = skeleton
        self.rotations = rotations.copy()
        self.translations = translations

    def turn(self, joint: int, turn: Array) -> None:
        """Turn a joint and all below it in the world."""
        below = list(self.skeleton.descendants(joint))
        self.rotations[below] = rot.multiply(turn, self.rotations[below])

    def aim(self, joint: int | None, target: int | None, direction: Array) -> None:
        """Turn a joint the shortest way until a joint below it lies in a direction of the world."""
        if joint is None or target is None or joint == target:
            return
        if joint in self.skeleton.chain(target):
            self._swing(joint, self._between(joint, target), direction)

    def aim_hand(self, hand: int | None, direction: Array) -> None:
        """Aim a hand by what hangs on it, thumbs apart."""
        if hand is None:
            return
        names = self.skeleton.names
        tips = [c for c in self.skeleton.children[hand] if "thumb" not in names[c].lower()]
        ends = self.skeleton.end_offsets[self.skeleton.end_parents == hand]
        parts = _unit(self.translations[tips] if tips else ends)
        if len(parts):
            self._swing(hand, rot.rotate(self.rotations[hand], parts.mean(axis=0)), direction)

    def level(self, joints: Mapping[str, int]) -> None:
        """Turn the hips until their line is level and square to +Z, the trunk upright."""
        hips, left, right = (joints[role] for role in ("hips", "left_hip", "right_hip"))
        across = self._between(hips, left) - self._between(hips, right)
        top = joints.get("neck", joints.get("chest"))
        trunk = _UP if top is None or top == hips else self._between(hips, top)
        x = _unit(across)
        y = _unit(trunk - (trunk @ x) * x)
        if np.linalg.norm(x) > 0.5 and np.linalg.norm(y) > 0.5:
            # Joints above the hips stay: nothing of the body hangs on them.
            self.turn(hips, rot.conjugate(rot.from_matrix(np.column_stack([x, y, np.cross(x, y)]))))

    def point_ahead(self, foot: int) -> None:
        """Turn a foot about the vertical until its toes point along +Z."""
        below = [*self.translations[list(self.skeleton.children[foot])]]
        below += [*self.skeleton.end_offsets[self.skeleton.end_parents == foot]]
        if not below:
            return
        x, _, z = rot.rotate(self.rotations[foot], np.mean(below, axis=0))
        if np.hypot(x, z) > 0.01:
            self.turn(foot, rot.yaw(-np.arctan2(x, z)))

    def _swing(self, joint: int, now: Array, wanted: Array) -> None:
        if np.linalg.norm(now) > _SHORTEST:
            self.turn(joint, shortest_turn(now, wanted))

    def _between(self, joint: int, target: int) -> Array:
        """Way in the world from a joint to one below it."""
        way = np.zeros(3)
        for j in self.skeleton.chain(target)[len(self.skeleton.chain(joint)) :]:
            way = way + rot.rotate(self.rotations[self.skeleton.parents[j]], self.translations[j])
        return way


def _on_ground(motion: Motion, rest: RestPose, roles: Roles, sole: float) -> RestPose:
    """The pose moved so that hips are above the origin and the feet's lowest part at `sole`.

    A body that no frame moves stays where its skeleton has it.
    """
    skeleton = motion.skeleton
    hips, root = roles.joints["hips"], motion.root_joint
    if root not in motion.translated:
        return rest
    feet = [j for s in _SIDES for j in skeleton.descendants(roles.joints[f"{s}_foot"])]
    points = np.concatenate([rest.positions[feet], rest.ends[np.isin(skeleton.end_parents, feet)]])
    move = np.array([-rest.positions[hips, 0], sole - points[:, 1].min(), -rest.positions[hips, 2]])
    above = rest.rotations[skeleton.parents[root]] if root else rot.identity()
    translations = rest.translations.copy()
    translations[root] += rot.rotate(rot.conjugate(above), move)
    return _place(motion, rest.rotations, translations, roles)


def shortest_turn(a: Array, b: Array) -> Array:
    """Shortest rotation from one direction to another.

    Parameters
    ----------
    a, b : array of shape (3,)
        Vectors of any length.

    Returns
    -------
    array of shape (4,)
        Unit quaternion (w, x, y, z); the identity where a vector has no direction.
    """
    a = _unit(a)
    b = _unit(b)
    if a @ b < -1 + 1e-12:
        return np.concatenate([[0.0], _unit(np.cross(a, np.eye(3)[np.argmin(np.abs(a))]))])
    return rot.normalize(np.concatenate([[1 + a @ b], np.cross(a, b)]))


def _unit(v: Array) -> Array:
    """Vectors (..., 3) of length 1; those without a length stay 0."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.where(length > _SHORTEST * 1e-3, v / np.maximum(length, 1e-12), 0.0)


# --- bones


def _bone_frames(skeleton: Skeleton, rotations: Array, ways: list[Array | None]) -> Array:
    """Per joint the turn to its bone's frame: +Y to the next joint, +Z ahead (up if +Y is)."""
    frames = rot.identity(skeleton.n_joints)
    for j, (way, parent) in enumerate(zip(ways, skeleton.parents.tolist(), strict=True)):
        if way is not None:
            world = _turn_bone(rot.rotate(rotations[j], way))
        elif parent >= 0:  # A tip goes on as its parent does.
            world = rot.multiply(rotations[parent], frames[parent])
        else:
            world = rotations[j]
        frames[j] = rot.multiply(rot.conjugate(rotations[j]), world)
    return frames


def _past_moving(
    skeleton: Skeleton, bones: Array, translations: Array, moving: tuple[int, ...]
) -> Array:
    """The frames of bones (J, 4), tilted where +Y would point to a joint that moves.

    Other programs end a bone somewhere along its +Y and take a joint that begins there for fixed.
    """
    tilted = bones.copy()
    for joint in {int(skeleton.parents[j]) for j in moving if j}:
        avoided = _unit(translations[[j for j in skeleton.children[joint] if j in moving]])
        tilted[joint] = _tilted_past(bones[joint], avoided)
    return tilted


def _tilted_past(bone: Array, avoided: Array) -> Array:
    """A bone's frame tilted about its X until +Y lies `_PAST` beside directions (N, 3)."""
    # Tilts are twice the angle apart, so that each direction excludes one at most.
    for k in range(len(avoided) + 1):
        tilted = rot.multiply(bone, rot.from_euler([2 * k * _PAST], "X"))
        if np.all(avoided @ rot.rotate(tilted, _UP) < np.cos(_PAST)):
            break
    return tilted


def _turn_bone(along: Array) -> Array:
    """World rotation of a bone that lies in a direction of the world."""
    z = _AHEAD if abs(along @ _AHEAD) < _STEEP else _UP
    z = _unit(z - (z @ along) * along)
    return rot.from_matrix(np.column_stack([np.cross(along, z), along, z]))


def _ways_on(skeleton: Skeleton, translations: Array, roles: Roles) -> list[Array | None]:
    """Direction to the next joint in every joint's own frame; None at tips."""
    top = roles.joints.get("head", roles.joints.get("neck"))
    trunk = set() if top is None else set(skeleton.chain(top))
    sizes = [1] * skeleton.n_joints  # joints of each limb
    for j in range(skeleton.n_joints - 1, 0, -1):
        sizes[skeleton.parents[j]] += sizes[j]
    return [_way_on(skeleton, j, translations, trunk, sizes) for j in range(skeleton.n_joints)]


def _way_on(
    skeleton: Skeleton, joint: int, translations: Array, trunk: set[int], sizes: list[int]
) -> Array | None:
    """Direction to the child towards head, middle finger or largest limb, else to the end site."""

    def rank(child: int) -> tuple[bool, bool, int]:
        return child in trunk, "middle" in skeleton.names[child].lower(), sizes[child]

    children = [c for c in skeleton.children[joint] if np.linalg.norm(translations[c]) > _SHORTEST]
    if children:
        return _unit(translations[max(children, key=rank)])
    ends = skeleton.end_offsets[skeleton.end_parents == joint]
    end = next((e for e in ends if np.linalg.norm(e) > _SHORTEST), None)
    return None if end is None else _unit(end)
