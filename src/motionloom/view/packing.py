"""Characters, motions and things drawn as plain dicts with bytes: what page and studio are told.

Bytes are little endian. A character's joints turn as 16-bit counts of unit quaternions, which is
off by 0.004 degrees at most; places are 32-bit.

Points over a motion, and markers without one, as plain dicts with bytes for the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.constraints.constraint_set import ConstraintSet
from motionloom.constraints.kinds.avoid import Cylinder, HeightMap
from motionloom.constraints.kinds.ground import Slope, Stairs
from motionloom.constraints.kinds.marks import Line, Mark, Point
from motionloom.constraints.kinds.table import marks_of
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.typing import Array
from motionloom.view._body import build_skin
from motionloom.view._overlay import POINT_SIZE, RAMP
from motionloom.view.canvas import hex_color
from motionloom.view.figure import Figure, sides_of

#: What the client calls marks that are solids or surfaces.
_KINDS = {Cylinder: "cylinder", HeightMap: "heightmap", Slope: "slope", Stairs: "stairs"}
#: Counts of a quaternion's number 1.
GRAIN = 32767
#: Sides of the body as the client knows them, in the order of ``MIDDLE``, ``LEFT``, ``RIGHT``.
_SIDES = np.array([0, 1, -1], "i1")


def pack_character(
    motion: Motion, who: str, *, color: str, name: str | None = None, roles: Roles | None = None
) -> dict[str, Any]:
    """A character as the client draws it.

    Parameters
    ----------
    motion : Motion
        Its skeleton; its frames say how the body stands at rest.
    who : str
        What motions and things drawn call it.
    color : str
        ``"#rrggbb"``.
    name : str, optional
        What people read; `who` when not given.
    roles : Roles, optional
        Found from names and bones when not given.

    Returns
    -------
    dict
        Of plain values and bytes: id, name, color, names, parents, offsets (f32 [J, 3], metres),
        roles, sides (i8 [J], -1 right, 1 left), skin (vertices f32 [V, 3] in the rest pose, faces
        u32 [F, 3], joints u16 [V, 4], weights f32 [V, 4], positions f32 [J, 3] and rotations f32
        [J, 4] of the joints in that pose).
    """
    skeleton = motion.skeleton
    roles = find_roles(skeleton) if roles is None else roles
    skin = build_skin(motion, roles)
    empty = np.zeros_like(skin.joints)
    return {
        "id": who,
        "name": who if name is None else name,
        "color": color,
        "names": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "offsets": _floats(skeleton.offsets),
        "roles": {role: int(joint) for role, joint in roles.joints.items()},
        "sides": _SIDES[sides_of(skeleton, roles)].tobytes(),
        "skin": {
            "vertices": _floats(skin.vertices),
            "faces": skin.faces.astype("<u4").tobytes(),
            "joints": np.column_stack([skin.joints, empty]).astype("<u2").tobytes(),
            "weights": _floats(np.column_stack([skin.weights, 0.0 * empty])),
            "positions": _floats(skin.positions),
            "rotations": _floats(skin.rotations),
        },
    }


def pack_motion(
    motion: Motion,
    who: str,
    *,
    contacts: Mapping[str, ArrayLike] | None = None,
    first: int = 0,
    total: int | None = None,
    quality: str = "final",
    rev: int = 0,
) -> dict[str, Any]:
    """A motion, or a stretch of one, as the client plays it.

    Parameters
    ----------
    motion : Motion
        n frames.
    who : str
        Its character.
    contacts : mapping of str to bool array of shape (n,), optional
        Joint or role name to the frames in which it bears on the ground.
    first : int
        The stretch's first frame in the whole motion.
    total : int, optional
        Frames of the whole motion; that of the stretch when not given.
    quality : {"preview", "search", "final"}
        How far the motion was worked on.
    rev : int
        Of the document that it was made from.

    Returns
    -------
    dict
        who, fps, total, first, n, quats (i16 [n, J, 4], w x y z, local, sign-continuous), root
        (f32 [n, 3], world place of joint 0, metres), contacts (u8 [n] each), quality, rev; where
        other joints than the first move in their parents, also moved (their indices) and moves
        (f32 [n, K, 3], metres).
    """
    moved = [joint for joint in motion.translated if joint != 0]
    local = motion.local_translations() if moved else None
    root = motion.with_translated((0,)).translations[:, 0] if local is None else local[:, 0]
    packed: dict[str, Any] = {
        "who": who,
        "fps": motion.fps,
        "total": first + motion.n_frames if total is None else total,
        "first": first,
        "n": motion.n_frames,
        "quats": pack_rotations(motion.rotations).tobytes(),
        "root": _floats(root),
        "contacts": {
            foot: np.asarray(down, "u1").tobytes() for foot, down in (contacts or {}).items()
        },
        "quality": quality,
        "rev": rev,
    }
    if local is not None:
        packed |= {"moved": moved, "moves": _floats(local[:, moved])}
    return packed


def pack_rotations(rotations: Array) -> NDArray[np.int16]:
    """Unit quaternions (T, J, 4) as 16-bit counts, without jumps of sign over time."""
    counts = np.rint(GRAIN * rot.unroll(rot.normalize(rotations)))
    return counts.astype("<i2")


def pack_targets(constraints: ConstraintSet | None, who: str | None = None) -> list[dict[str, Any]]:
    """What is asked for, as things to draw.

    Parameters
    ----------
    constraints : ConstraintSet, optional
        The wish.
    who : str, optional
        Of whom it is asked.

    Returns
    -------
    list of dict
        See `_pack_marks`.
    """
    return _pack_marks(marks_of(constraints), who)


def _pack_marks(marks: Sequence[Mark], who: str | None = None) -> list[dict[str, Any]]:
    """Marks as things to draw; those without a place are left out.

    Parameters
    ----------
    marks : sequence of Mark
        What a picture shows of constraints.
    who : str, optional
        Whose they are.

    Returns
    -------
    list of dict
        ``kind`` is ``ring`` (a place of the body), ``point`` (of a joint), ``path``, ``cylinder``,
        ``box``, ``heightmap``, ``slope`` or ``stairs``; the other fields are those of a constraint
        file.
    """
    owner = {} if who is None else {"who": who}
    drawn = [_pack_mark(mark) for mark in marks]
    return [{**mark, **owner} for mark in drawn if mark is not None]


def _pack_mark(mark: Mark) -> dict[str, Any] | None:
    if isinstance(mark, Point):
        return _pack_point(mark)
    if isinstance(mark, Line):
        places = np.asarray(mark.places)
        step = max(len(places) // 400, 1)
        shown = np.concatenate([places[::step], places[-1:]])
        knots = [list(map(float, knot)) for knot in mark.knots]
        return {"kind": "path", "points": np.round(shown, 4).tolist(), "knots": knots}
    fields = mark.model_dump(mode="json", exclude={"shape", "weight"}, exclude_none=True)
    return {"kind": _KINDS.get(type(mark), "box"), **fields}


def _pack_point(mark: Point) -> dict[str, Any] | None:
    if mark.at is None:
        return None
    packed: dict[str, Any] = {
        "kind": "ring" if mark.is_on_ground else "point",
        "position": [float(value) for value in mark.at],
        "time": float(mark.time),
        "label": f"{mark.text} {mark.time:g} s".strip(),
    }
    if mark.is_in_space:
        packed["joint"] = mark.joint
    if mark.facing is not None:
        packed["facing"] = float(mark.facing)
    if mark.velocity is not None:
        packed["velocity"] = [float(value) for value in mark.velocity]
    return packed


def _floats(values: ArrayLike) -> bytes:
    return np.asarray(values).astype("<f4").tobytes()


#: Step of a point that is not there.
_NONE = 255
#: Radius of a marker as a share of the figure's height.
_MARKER = 0.009


def pack_markers(figure: Figure, who: str, ink: str) -> dict[str, Any]:
    """Markers without a skeleton.

    Parameters
    ----------
    figure : Figure
        Of markers.
    who : str
        What the page calls them.
    ink : str
        ``"#rrggbb"``.

    Returns
    -------
    dict
        id, who, name, labels, fps, n, points (f32 [n, M, 3], metres), steps (u8 [n, M], index into
        ramp, 255 where there is no point), ramp (colours), radius (metres).
    """
    cloud = _pack_cloud(figure, figure, 0, _MARKER)
    named = {"id": who, "who": None, "name": figure.name, "labels": list(figure.labels)}
    return {**named, **cloud, "ramp": [ink]}


def _pack_cloud(figure: Figure, points: Any, steps: Any, radius: float) -> dict[str, Any]:
    """Points that are there or not, frame by frame, and the step of the ramp of each."""
    return {
        "fps": figure.fps,
        "n": figure.n_frames,
        "points": _floats(np.where(points.valid[..., None], points.points, 0)),
        "steps": np.where(points.valid, steps, _NONE).astype("u1").tobytes(),
        "radius": radius * figure.height,
    }


def pack_overlay(figure: Figure, who: str) -> dict[str, Any]:
    """The points over a motion, as those of `pack_markers`.

    Parameters
    ----------
    figure : Figure
        With an overlay.
    who : str
        The motion's character.
    """
    over = figure.overlay
    assert over is not None
    cloud = _pack_cloud(figure, over, over.steps, POINT_SIZE)
    named = {"id": f"{who}/points", "who": who, "name": "", "labels": []}
    return {**named, **cloud, "ramp": list(map(hex_color, RAMP))}
