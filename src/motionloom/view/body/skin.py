"""A skeleton's skin: of a human a smooth body, of all others a tapered tube around every bone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.io.scenes.rest_pose import RestPose, find_rest_pose
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.typing import Array, Ints
from motionloom.view.body.human import Standing, human_parts
from motionloom.view.body.lofts import Part, carried_by_one, loft, straight_rings

#: Without these a body is drawn bone by bone.
_NEEDED = ("hips", *(f"{s}_{p}" for s in ("left", "right") for p in ("hip", "knee", "foot")))
#: Profile of a bone: share of the way and radius as a share of the thickest.
_BONE = np.array([[-0.1, 0.35], [0.0, 0.8], [0.15, 1.0], [0.6, 0.75], [1.0, 0.55], [1.07, 0.2]])
#: Radius as a share of a bone's length, and its bounds as shares of the body's height.
_WIDTH, _THINNEST, _THICKEST = 0.16, 0.008, 0.05
#: Bones shorter than this (metres) are not drawn.
_SHORTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Skin:
    """A mesh carried by joints, in the pose it is bound in.

    Parameters
    ----------
    vertices : array of shape (V, 3), metres
        World places in the rest pose.
    faces : int array of shape (F, 3)
        Anticlockwise seen from outside.
    joints : int array of shape (V, 2)
        The joints that carry each vertex.
    weights : array of shape (V, 2)
        Of those joints; they add up to 1.
    positions, rotations : arrays of shape (J, 3) and (J, 4)
        World places (metres) and rotations of all joints in the rest pose.
    """

    vertices: Array
    faces: Ints
    joints: Ints
    weights: Array
    positions: Array
    rotations: Array


def build_skin(motion: Motion, roles: Roles | None = None) -> Skin:
    """Build the body around a motion's skeleton.

    Parameters
    ----------
    motion : Motion
        Its frames say how the body stands; see `find_rest_pose`.
    roles : Roles, optional
        Found from names and bones when not given.

    Returns
    -------
    Skin
        In the rest pose: a T-pose of a human.
    """
    roles = find_roles(motion.skeleton) if roles is None else roles
    human = roles.kind == "human" and all(role in roles.joints for role in _NEEDED)
    rest = find_rest_pose(motion)
    body = Standing(motion.skeleton, rest.positions, rest.ends, roles.joints)
    parts = list(human_parts(body) if human else _bones(body))
    return _together(parts, rest)


def _bones(body: Standing) -> Iterator[Part]:
    """A tapered tube around every bone; none above the hips."""
    skeleton = body.skeleton
    owners = np.concatenate([skeleton.parents[1:], skeleton.end_parents])
    tips = np.concatenate([body.joints[1:], body.ends])
    above = skeleton.chain(body.roles.get("hips", 0))[:-1]
    trunk = _trunk(body)
    tall = max(float(np.ptp(np.concatenate([body.joints, body.ends]), axis=0).max()), 0.1)
    for owner, tip in zip(owners, tips, strict=True):
        start = body.joints[owner]
        bone = tip - start
        length = float(np.linalg.norm(bone))
        if length < _SHORTEST or owner in above:
            continue
        thick = 2.4 if owner in trunk else 1.0
        radius = float(np.clip(_WIDTH * length, _THINNEST * tall, _THICKEST * tall)) * thick
        stations = np.column_stack([_BONE[:, 0], *2 * [radius * _BONE[:, 1]]])
        aside = np.eye(3)[np.argmin(np.abs(bone))]
        yield carried_by_one(*loft(straight_rings(stations, start, tip, aside), 8), int(owner))


def _trunk(body: Standing) -> set[int]:
    """Joints of the back, which are thicker."""
    ends = [body.roles[role] for role in ("neck", "chest") if role in body.roles]
    if not ends or "hips" not in body.roles:
        return set()
    return set(body.chain(body.roles["hips"], ends[0])[:-1].tolist())


def _together(parts: list[Part], rest: RestPose) -> Skin:
    """All parts as one mesh."""
    starts = np.concatenate([[0], np.cumsum([len(part.vertices) for part in parts])])[: len(parts)]
    joints = [part.joints for part in parts]
    shares = np.concatenate([part.shares for part in parts] or [np.zeros(0)])
    return Skin(
        vertices=np.concatenate([part.vertices for part in parts] or [np.zeros((0, 3))]),
        faces=np.concatenate(
            [part.faces + start for part, start in zip(parts, starts, strict=True)]
            or [np.zeros((0, 3), int)]
        ),
        joints=np.concatenate(joints or [np.zeros((0, 2), int)]),
        weights=np.column_stack([1 - shares, shares]),
        positions=rest.positions,
        rotations=rot.normalize(rest.rotations),
    )
