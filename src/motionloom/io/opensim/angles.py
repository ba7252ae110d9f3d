"""Joint angles by OpenSim's names, for people who go on in OpenSim.

Every segment gets an anatomical frame: x ahead, y up, z to the right where the body stands upright
with hanging arms, palms to the thighs. Bones of thighs, shanks, upper arms and forearms are brought
there from the skeleton's rest pose by the shortest turn. The angles of a segment in the frame of
the one above are turns about z, then x, then y, each about the axis as turned before (Grood &
Suntay 1983 have the same order at the knee). Right and left have the same signs.

MOT files: OpenSim's tables of named columns over time, such as joint angles.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.scenes.rest_pose import find_rest_pose, shortest_turn
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion, Source
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, PathName

_Named = Sequence[tuple[str, int] | None]
#: Per segment: role of its joint, role at its lower end where its bone hangs down, role above, and
#: the columns of its turns about z, x and y with their signs on the right side; no name, no column.
#: Skeletons that are no person, in words.
_KINDS = {"quadruped": "an animal on four legs", "other": "no body with the legs and arms of one"}
_PELVIS = (("pelvis_tilt", 1), ("pelvis_list", 1), ("pelvis_rotation", 1))
_TRUNK = (("lumbar_extension", 1), ("lumbar_bending", 1), ("lumbar_rotation", 1))
_SIDED = {
    "hip": ("knee", "hips", (("hip_flexion", 1), ("hip_adduction", 1), ("hip_rotation", 1))),
    "knee": ("foot", "hip", (("knee_angle", -1), None, None)),
    "foot": (None, "knee", (("ankle_angle", 1), None, None)),
    "shoulder": ("elbow", "chest", (("arm_flex", 1), ("arm_add", 1), ("arm_rot", 1))),
    "elbow": ("hand", "shoulder", (("elbow_flex", 1), None, ("pro_sup", 1))),
}
#: Our axes (left, up, ahead) as quaternion that turns OpenSim's (ahead, up, right) into them.
_TURN = rot.yaw(-np.pi / 2)
_DOWN = np.array([0.0, -1.0, 0.0])


def opensim_angles(motion: Motion, roles: Roles, unknown: Container[int] = frozenset()) -> MotTable:
    """Pelvis and joint angles over time, degrees, and the pelvis' place, metres.

    Parameters
    ----------
    motion : Motion
        Of a person whose rest pose faces +Z and stands upright.
    roles : Roles
        Which joint plays which part; segments without a role have no columns.
    unknown : container of int, optional
        Joints whose rotations are not known, such as those of a limb without markers; angles at
        and below them have no columns.

    Returns
    -------
    MotTable
        Columns as in OpenSim's full-body models: flexion, adduction, internal rotation,
        dorsiflexion, pronation, and extension of the trunk are positive. The pelvis' angles and
        place are those in the motion's own world: 0 where it faces +X.

    Raises
    ------
    InvalidInputError
        When it is no person.
    """
    if roles.kind != "human":
        message = f"{motion.name or 'the motion'}: OpenSim's angles are those of a person,"
        raise InvalidInputError(f"{message} and this is {_KINDS.get(roles.kind, roles.kind)}")
    pose = forward_kinematics(motion)
    frames = _segment_frames(motion, roles, pose.rotations, unknown)
    place = pose.positions[:, roles.joints["hips"]]
    # The ground keeps the axes of the world, which are those of a TRC file beside it.
    pelvis = rot.multiply(pose.rotations[:, roles.joints["hips"]], _TURN)
    columns = _columns(pelvis, _PELVIS)
    columns |= {f"pelvis_t{axis}": place[:, i] for i, axis in enumerate("xyz")}
    for side, sign in (("r", 1), ("l", -1)):
        for part, (_, above, named) in _SIDED.items():
            own = frames.get(f"{part}_{side}")
            upper = frames.get(above if above in frames else f"{above}_{side}")
            if own is not None and upper is not None:
                ours = [None if n is None else (f"{n[0]}_{side}", n[1]) for n in named]
                relative = rot.multiply(rot.conjugate(upper), own)
                columns |= _columns(relative, ours, sign)
    if "chest" in frames:
        columns |= _columns(rot.multiply(rot.conjugate(frames["hips"]), frames["chest"]), _TRUNK)
    return MotTable(motion.times, columns)


def _segment_frames(
    motion: Motion, roles: Roles, world: Array, unknown: Container[int]
) -> dict[str, Array]:
    """Anatomical frames (T, 4) of hips, chest, and the known segments of both sides."""
    frames = {"hips": _as_opensim(world[:, roles.joints["hips"]])}
    if (chest := roles.joint("chest")) is not None:
        frames["chest"] = _as_opensim(world[:, chest])
    for side, letter in (("right", "r"), ("left", "l")):
        for part, (end, _, _) in _SIDED.items():
            joint = roles.joint(f"{side}_{part}")
            below = None if end is None else roles.joint(f"{side}_{end}")
            if joint is None or joint in unknown or (end is not None and below is None):
                continue
            own = world[:, joint]
            if below is not None:
                chain = motion.skeleton.chain(below)
                bone = motion.skeleton.offsets[list(chain[chain.index(joint) + 1 :])].sum(axis=0)
                own = rot.multiply(own, shortest_turn(_DOWN, bone))
            frames[f"{part}_{letter}"] = _as_opensim(own)
    return frames


def _as_opensim(turns: Array) -> Array:
    """Turns in our axes as turns in OpenSim's."""
    return rot.multiply(rot.conjugate(_TURN), rot.multiply(turns, _TURN))


def _columns(turns: Array, named: _Named, sign: int = 1) -> dict[str, Array]:
    """Angles about z, x, y in degrees, continuous in time; x and y change sign with the side."""
    angles = np.degrees(rot.unroll_euler(rot.to_euler(turns, "ZXY"), "ZXY"))
    signed = zip(named, (1, sign, sign), angles.T, strict=True)
    return {one[0]: one[1] * side * angle for one, side, angle in signed if one is not None}


@dataclass(frozen=True, eq=False)
class MotTable:
    """Columns over time.

    Parameters
    ----------
    times : array of shape (T,), seconds
        Of the rows.
    columns : mapping of str to array of shape (T,)
        By name, in the order of the file; angles in radians or degrees as `in_degrees` says, places
        in metres.
    in_degrees : bool
        Whether angles are degrees.
    name : str
        What the table shows.
    """

    times: Array
    columns: Mapping[str, Array]
    in_degrees: bool = True
    name: str = "Coordinates"
    __setstate__ = restore_read_only


def write_mot(table: MotTable, path: PathName) -> None:
    """Write a table as OpenSim reads it.

    Parameters
    ----------
    table : MotTable
        What is written.
    path : path-like
        Where to write; a file that is there is replaced.

    Raises
    ------
    InvalidInputError
        When columns do not have as many values as there are times, or the file cannot be written.
    """
    rows = [table.times]
    for name, column in table.columns.items():
        if np.shape(column) != np.shape(table.times):
            message = f"column {name!r} has {np.size(column)} values for {len(table.times)} times"
            raise InvalidInputError(message)
        rows.append(np.asarray(column, float))
    values = np.stack(rows, axis=1)
    head = [
        table.name,
        "version=1",
        f"nRows={values.shape[0]}",
        f"nColumns={values.shape[1]}",
        f"inDegrees={'yes' if table.in_degrees else 'no'}",
        "",
        "Units are S.I. units (second, meters, Newtons, ...)",
        f"Angles are in {'degrees' if table.in_degrees else 'radians'}.",
        "",
        "endheader",
        "\t".join(["time", *table.columns]),
    ]
    body = ["\t".join(f"{value:.8f}" for value in row) for row in values.tolist()]
    write_file(path, "\n".join([*head, *body]) + "\n")


def _stand_up(motion: Motion) -> Motion:
    """The motion with joint frames that have the world's axes in a T-pose.

    Parameters
    ----------
    motion : Motion
        Of a human whose legs are known.

    Returns
    -------
    Motion
        World positions are the same; world rotations are those from the T-pose.

    Raises
    ------
    InvalidInputError
        When the body cannot be stood up.
    """
    rest = find_rest_pose(motion, "standing")
    skeleton = motion.skeleton
    parents = skeleton.parents
    offsets = rest.positions - np.where(parents[:, None] >= 0, rest.positions[parents], 0.0)
    world = rot.multiply(forward_kinematics(motion).rotations, rot.conjugate(rest.rotations))
    turns = world.copy()
    turns[:, 1:] = rot.multiply(rot.conjugate(world[:, parents[1:]]), world[:, 1:])
    places = motion.translations.copy()
    for k, j in enumerate(motion.translated):
        if j:
            places[:, k] = rot.rotate(rest.rotations[parents[j]], places[:, k])
    ends = rest.ends - rest.positions[skeleton.end_parents]
    body = replace(skeleton, offsets=offsets, end_offsets=ends)
    moved = replace(motion, rotations=turns, translations=places, source=Source())
    return replace(moved, skeleton=body)


def write_angles(motion: Motion, path: PathName) -> None:
    """Write a person's motion as joint angles; see `opensim_angles`."""
    write_mot(_angles(motion), path)


def check_angles(motion: Motion, skeleton: object) -> None:
    """Refuse a motion of no person, or without frames."""
    if not motion.n_frames:
        message = f"{motion.source.path or motion.name}:"
        raise InvalidInputError(f"{message} has no frames, and a MOT file holds nothing else")
    _angles(motion.cut(0, 1))


def _angles(motion: Motion) -> MotTable:
    roles = find_roles(motion.skeleton)
    return opensim_angles(_stand_up(motion) if roles.kind == "human" else motion, roles)
