"""Another root for a skeleton: one of its joints, or a new one on the ground; and another size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.limits import MOST_SCALE
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import find_roles
from motionloom.skeleton import Skeleton, few


def with_root(motion: Motion, name: str) -> Motion:
    """The same motion with a joint of this name as the root.

    A joint that the skeleton has becomes the root: it takes over what moves above it, and whatever
    does not hang on it goes. Another name is that of a new root joint on the ground below the body,
    which carries its path and facing, as game engines take "root motion".

    Parameters
    ----------
    motion : Motion
        What gets another root.
    name : str
        Of the root joint.

    Returns
    -------
    Motion
        With the same world positions and rotations of all joints that stay.

    Raises
    ------
    InvalidInputError
        When a new root is asked for and where the body faces cannot be told, or the name is blank
        or that of a joint but for capitals.

    Examples
    --------
    >>> with_root(walk, "Hips").skeleton.names[0]
    'Hips'
    """
    names = motion.skeleton.names
    if not name.strip():
        raise InvalidInputError(
            "the root joint has no name; name one of the skeleton's, or a new one"
        )
    nearly = [one for one in names if one.lower() == name.lower()]
    if nearly and name not in names:
        raise InvalidInputError(
            f"no joint is called {name!r}, but one {nearly[0]!r}; write it like that, or name the"
            " new root joint otherwise"
        )
    if name == names[0]:
        return motion
    return _from_joint(motion, names.index(name)) if name in names else _on_ground(motion, name)


def say_root(motion: Motion) -> str:
    """What a motion with another root has as its root, in a sentence for people.

    Parameters
    ----------
    motion : Motion
        As of `with_root`.

    Returns
    -------
    str
        Its name, and how many joints hang on it.
    """
    names = motion.skeleton.names
    below = "no other joint hangs" if len(names) == 1 else f"{few(names[1:])} hang"
    return f"root joint {names[0]}: {below} on it"


def scaled(motion: Motion, factor: float) -> Motion:
    """The motion of a body so many times as large, with a path so many times as long.

    Parameters
    ----------
    motion : Motion
        What is scaled.
    factor : float
        From one millionth to a million.

    Returns
    -------
    Motion
        With the same rotations.

    Raises
    ------
    InvalidInputError
        When the factor is none of these.

    Examples
    --------
    >>> from motionloom.posed_motion import pose_motion
    >>> small = pose_motion(scaled(walk, 0.5))
    >>> np.allclose(small.hips, 0.5 * posed.hips)
    True
    """
    if not 1 / MOST_SCALE <= factor <= MOST_SCALE:
        raise InvalidInputError(
            f"the scale must be a positive number, from {1 / MOST_SCALE:g} to {MOST_SCALE:g},"
            f" got {factor}"
        )
    skeleton = motion.skeleton
    sized = replace(
        skeleton, offsets=factor * skeleton.offsets, end_offsets=factor * skeleton.end_offsets
    )
    return replace(_remade(motion), skeleton=sized, translations=factor * motion.translations)


def _remade(motion: Motion) -> Motion:
    """The motion without what its file says about numbers that change."""
    extra = {name: value for name, value in motion.source.extra.items() if name == "positions"}
    return replace(motion, source=replace(motion.source, extra=extra))


def _from_joint(motion: Motion, root: int) -> Motion:
    skeleton = motion.skeleton
    joints = list(skeleton.descendants(root))
    slot = {joint: j for j, joint in enumerate(joints)}
    pose = forward_kinematics(motion)
    rotations = motion.rotations[:, joints].copy()
    rotations[:, 0] = pose.rotations[:, root]
    places = motion.local_translations()[:, joints]
    places[:, 0] = pose.positions[:, root]
    ends = np.isin(skeleton.end_parents, joints)
    small = Skeleton(
        tuple(skeleton.names[j] for j in joints),
        np.array([-1, *(slot[int(skeleton.parents[j])] for j in joints[1:])]),
        np.concatenate([np.zeros((1, 3)), skeleton.offsets[joints[1:]]]),
        np.array([slot[int(j)] for j in skeleton.end_parents[ends]], int),
        skeleton.end_offsets[ends],
    )
    moving = (0, *(slot[j] for j in motion.translated if j in slot and j != root))
    old = motion.source.channels
    kept = tuple(old[j] for j in joints) if len(old) == skeleton.n_joints else ()
    source = replace(_remade(motion).source, channels=kept)
    return replace(
        motion,
        skeleton=small,
        rotations=rotations,
        translations=places[:, list(moving)],
        translated=moving,
        source=source,
    )


def _on_ground(motion: Motion, name: str) -> Motion:
    skeleton = motion.skeleton
    pose = forward_kinematics(motion)
    try:
        body = body_trajectory(pose, find_roles(skeleton))
    except InvalidInputError as error:
        raise InvalidInputError(
            f"no new root joint {name!r} can be put on the ground, as the skeleton has no joint of"
            f" that name ({few(skeleton.names)}), and: {error}"
        ) from None
    ground = np.stack([body[:, 0], np.zeros(len(body)), body[:, 1]], axis=-1)
    facing = rot.yaw(body[:, 2])
    back = rot.conjugate(facing)
    below = rot.rotate(back, pose.positions[:, 0] - ground)
    rotations = np.concatenate([facing[:, None], motion.rotations], axis=1)
    rotations[:, 1] = rot.multiply(back, pose.rotations[:, 0])
    rooted = Skeleton(
        (name, *skeleton.names),
        np.array([-1, *(p + 1 for p in skeleton.parents)]),
        np.concatenate([np.zeros((1, 3)), skeleton.offsets]),
        skeleton.end_parents + 1,
        skeleton.end_offsets,
    )
    others = [k for k, j in enumerate(motion.translated) if j]
    moved = (0, 1, *(motion.translated[k] + 1 for k in others))
    places = [ground[:, None], below[:, None], motion.translations[:, others]]
    source = replace(_remade(motion).source, channels=())
    return replace(
        motion,
        skeleton=rooted,
        rotations=rotations,
        translations=np.concatenate(places, axis=1),
        translated=moved,
        source=source,
    )
