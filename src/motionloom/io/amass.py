"""Read AMASS motions: rotations of a body model's joints, as ``.npz``.

The file holds rotations and where the body is, but no bone: these belong to a licensed body model,
shaped by ``betas``. With the user's own file of that model its joints are computed; without, the
rotations are put on a plain skeleton, and that is said.

Joints of the SMPL family by number of joints, and a plain skeleton with them.

The plain skeleton has the segment lengths of Drillis and Contini (1966), as shares of the standing
height; it is nobody's body, and not that of any body model.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, replace
from os import fspath

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.files import DAMAGED_NPZ, name_of, read_bytes
from motionloom.io.limits import Notes, check_poses
from motionloom.io.stored import StoredFile, open_stored
from motionloom.io.units import axes_to_y_up, check_unit
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, PathName

_SIDES = ("left", "right")
#: Parents of the joints that all models share.
_TREE = (
    "pelvis< left_hip<pelvis right_hip<pelvis spine1<pelvis left_knee<left_hip"
    " right_knee<right_hip spine2<spine1 left_ankle<left_knee right_ankle<right_knee"
    " spine3<spine2 left_foot<left_ankle right_foot<right_ankle neck<spine3 left_collar<spine3"
    " right_collar<spine3 head<neck left_shoulder<left_collar right_shoulder<right_collar"
    " left_elbow<left_shoulder right_elbow<right_shoulder left_wrist<left_elbow"
    " right_wrist<right_elbow"
)
_BODY = {name: parent for name, _, parent in (pair.partition("<") for pair in _TREE.split())}
_PALMS = {f"{side}_hand": f"{side}_wrist" for side in _SIDES}
_FACE = {"jaw": "head", "left_eye_smplhf": "head", "right_eye_smplhf": "head"}
_FINGERS = {
    f"{side}_{finger}{i}": f"{side}_{finger}{i - 1}" if i > 1 else f"{side}_wrist"
    for side in _SIDES
    for finger in ("index", "middle", "pinky", "ring", "thumb")
    for i in (1, 2, 3)
}
#: Parent of each joint, by number of joints: body only, SMPL, SMPL+H, SMPL-X.
MODELS = {22: _BODY, 24: _BODY | _PALMS, 52: _BODY | _FINGERS, 55: _BODY | _FACE | _FINGERS}
MODEL_NAMES = {22: "SMPL body", 24: "SMPL", 52: "SMPL+H", 55: "SMPL-X"}
#: Places in the parent while standing with arms out, as shares of the height: left, up, ahead. Of
#: two sides the left one.
_PLACES = {
    "left_hip": (0.05, -0.05, 0.0),
    "left_knee": (0.0, -0.245, 0.0),
    "left_ankle": (0.0, -0.246, 0.0),
    "left_foot": (0.0, -0.025, 0.08),
    "spine1": (0.0, 0.06, 0.0),
    "spine2": (0.0, 0.075, 0.0),
    "spine3": (0.0, 0.03, 0.0),
    "neck": (0.0, 0.11, 0.0),
    "head": (0.0, 0.045, 0.01),
    "left_collar": (0.045, 0.06, 0.0),
    "left_shoulder": (0.0845, 0.013, 0.0),
    "left_elbow": (0.186, 0.0, 0.0),
    "left_wrist": (0.146, 0.0, 0.0),
    "left_hand": (0.05, 0.0, 0.0),
    "jaw": (0.0, 0.0, 0.02),
    "left_eye_smplhf": (0.018, 0.03, 0.05),
}
#: First knuckles in the hand, and how long the next two bones are.
_KNUCKLES = {
    "index": (0.054, 0.0, 0.013),
    "middle": (0.056, 0.0, 0.0),
    "ring": (0.052, 0.0, -0.011),
    "pinky": (0.047, -0.003, -0.021),
    "thumb": (0.016, -0.006, 0.016),
}
_PHALANGES = (0.022, 0.015)
#: End sites of the plain skeleton.
_TIPS = {"head": (0.0, 0.1, 0.0), "left_foot": (0.0, -0.01, 0.03)}
#: Height of the plain skeleton's toes' joint above its sole, as a share of its height.
SOLE = 0.014

#: Standing height (metres) of the plain skeleton.
PLAIN_HEIGHT = 1.7
#: Names that the number of frames per second has.
_RATES = ("mocap_framerate", "mocap_frame_rate", "fps", "frame_rate")
#: Share of the frames in which a foot is lower than the ground is taken to be.
_LOWEST = 0.05
_MESSAGE = (
    "{reason}; expected an AMASS motion with the arrays 'poses' and 'trans' of SMPL, SMPL+H or"
    " SMPL-X"
)
_MODEL_MESSAGE = (
    "{reason}; expected a body model as .npz with the arrays J_regressor (J, V), v_template (V, 3)"
    " and shapedirs (V, 3, B), as numbers: save them so with numpy.savez"
)


@dataclass(frozen=True, eq=False)
class _Take:
    """What the file holds: rotation vectors (T, J, 3), places (T, 3), shape, frame rate."""

    turns: Array
    places: Array
    betas: Array
    fps: float | None
    gender: str


def is_amass(path: PathName) -> bool:
    """Whether an ``.npz`` file has the arrays of an AMASS motion; other ``.npz`` files are not."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {"poses.npy", "trans.npy"} <= set(archive.namelist())
    except DAMAGED_NPZ:
        return False


def read_amass(
    path: PathName,
    *,
    skeleton: PathName | None = None,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    frame_time: float | None = None,
) -> Motion:
    """Read an AMASS motion.

    Parameters
    ----------
    path : path-like
        The ``.npz`` file with ``poses`` (T, 3 J), ``trans`` (T, 3), and usually ``betas`` and
        ``mocap_framerate``.
    skeleton : path-like, optional
        The user's own file of the body model, as ``.npz`` with ``J_regressor``, ``v_template`` and
        ``shapedirs``. Without, the skeleton is a plain one of 1.7 m.
    unit : float or str, metres, optional
        Length of the file's unit; otherwise a metre, as AMASS says.
    up : str, optional
        The file's up axis; otherwise Z, as AMASS says.
    strict : bool, optional
        Refuse what would otherwise be mended with a warning.
    frame_time : float, seconds, optional
        Time between frames, for files that do not say it.

    Returns
    -------
    Motion
        In metres, +Y up. ``source.warnings`` says whose bones they are.

    Raises
    ------
    FormatError
        When it is no such file, or the body model does not fit it.
    """
    notes = Notes(path, strict)
    take = _read_take(path)
    metres = 1.0 if unit is None else check_unit(unit)
    axes = axes_to_y_up(up or "z")
    count = take.turns.shape[1]
    body, root = (
        _plain_body(count, notes) if skeleton is None else _model_body(count, take, skeleton, notes)
    )
    turns = rot.from_rotvec(take.turns)
    turns[:, 0] = rot.multiply(rot.from_matrix(axes), turns[:, 0])
    motion = Motion(
        skeleton=body,
        rotations=turns,
        translations=((metres * take.places + root) @ axes.T)[:, None],
        frame_time=_frame_time(take, frame_time, notes),
        translated=(0,),
        name=name_of(path),
    )
    if skeleton is None:
        motion = _on_ground(motion, notes)
    reason = "AMASS is in metres" if unit is None else "told by the user"
    told = Source("amass", fspath(path), metres, reason, up=up or "z", warnings=notes.texts)
    return replace(motion, source=told)


def _read_take(path: PathName) -> _Take:
    size = len(read_bytes(path))
    with open_stored(path, _MESSAGE) as file:
        if file.holds("qpos") and not file.holds("poses"):
            robot = "holds the motion of a robot, which is written only"
            raise FormatError(f"{robot}; give the motion it was made from", path)
        poses = file.numbers("poses", 2)
        places = file.numbers("trans", 2)
        betas = file.numbers("betas", 1) if file.holds("betas") else np.zeros(0)
        rate = next((name for name in _RATES if file.holds(name)), None)
        fps = None if rate is None else float(file.numbers(rate, 0))
        gender = _gender(file)
    frames, width = poses.shape
    if not frames:
        raise FormatError("poses has no frames, so there is no motion in it", path)
    if width % 3 or width // 3 not in MODELS:
        known = ", ".join(f"{3 * count} ({name})" for count, name in MODEL_NAMES.items())
        raise FormatError(f"poses has {width} numbers per frame; expected {known}", path)
    if places.shape != (frames, 3):
        wanted = f"expected ({frames}, 3), as poses has {frames} frames"
        raise FormatError(f"trans has shape {places.shape}; {wanted}", path)
    check_poses(frames, width // 3, size, path)
    if max(np.abs(poses).max(initial=0.0), np.abs(places).max(initial=0.0)) > 1e6:
        raise FormatError("poses or trans hold numbers that make no sense", path)
    return _Take(poses.reshape(frames, -1, 3), places, betas, fps, gender)


def _gender(file: StoredFile) -> str:
    try:
        return file.text("gender").decode(errors="replace") if file.holds("gender") else ""
    except ValueError:
        return ""


def _frame_time(take: _Take, told: float | None, notes: Notes) -> float:
    if told is not None:
        if take.fps is not None and abs(take.fps * told - 1) > 1e-3:
            notes.guessed(f"says {take.fps:g} frames per second; read as {1 / told:g}, as told")
        return told
    if take.fps is not None and 0 < take.fps <= 10_000:
        return 1 / take.fps
    notes.mended("does not say its frames per second; 120 taken (option rate)")
    return 1 / 120


def _plain_body(count: int, notes: Notes) -> tuple[Skeleton, Array]:
    notes.guessed(
        f"AMASS files hold no bones: the rotations are on a plain skeleton of {PLAIN_HEIGHT:g} m,"
        f" not on this person's; give your own {MODEL_NAMES[count]} model as the skeleton"
    )
    offsets = {name: PLAIN_HEIGHT * np.array(_place(name)) for name in MODELS[count]}
    tips = [*_TIPS, "right_foot"]
    ends = PLAIN_HEIGHT * np.array([_sided(tip, _TIPS) for tip in tips])
    return _skeleton_of(count, offsets, tips, ends), np.zeros(3)


def _on_ground(motion: Motion, notes: Notes) -> Motion:
    """The motion raised or lowered by one height, so that the lowest foot stands on the ground."""
    if not motion.n_frames:
        return motion
    feet = [motion.skeleton.index(f"{side}_foot") for side in _SIDES]
    heights = forward_kinematics(motion).positions[:, feet, 1].min(axis=1)
    rise = SOLE * PLAIN_HEIGHT - float(np.quantile(heights, _LOWEST))
    notes.guessed(f"moved by {100 * rise:.0f} cm along the vertical, so that the feet stand at 0")
    places = motion.translations + np.array([0.0, rise, 0.0])
    return replace(motion, translations=places)


def _model_body(count: int, take: _Take, path: PathName, notes: Notes) -> tuple[Skeleton, Array]:
    """Skeleton of the shaped model, and where its root is while nothing moves."""
    with open_stored(path, _MODEL_MESSAGE, "no such body model; check the name") as file:
        regressor = file.numbers("J_regressor", 2)
        template = file.numbers("v_template", 2)
        shapes = file.numbers("shapedirs", 3)
    joints = len(regressor)
    vertices = regressor.shape[1]
    if joints not in MODELS or template.shape != (vertices, 3):
        known = ", ".join(map(str, MODELS))
        found = f"{joints} joints and {len(template)} vertices for a regressor of {vertices}"
        raise FormatError(f"a body model with {found}; expected one with {known} joints", path)
    if shapes.shape[:2] != (vertices, 3):
        raise FormatError(f"shapedirs has shape {shapes.shape}; expected ({vertices}, 3, B)", path)
    missing = [name for name in MODELS[count] if name not in MODELS[joints]]
    if missing:
        lacks = f"the motion has joints that it lacks ({', '.join(missing[:3])})"
        model = f"is a model of {MODEL_NAMES[joints]}, and {lacks}"
        raise FormatError(f"{model}; give the model of {MODEL_NAMES[count]}", path)
    used = min(shapes.shape[2], len(take.betas))
    if used < len(take.betas):
        notes.guessed(f"the body model has {used} of the motion's {len(take.betas)} shape numbers")
    if take.gender:
        own = f"the motion's shape is of a {take.gender} model"
        notes.guessed(f"{own}; the body model must be that")
    places = regressor @ (template + shapes[:, :, :used] @ take.betas[:used])
    if np.abs(places).max() > 100:
        raise FormatError("has joints farther than 100 m from each other", path)
    at = dict(zip(MODELS[joints], places, strict=True))
    offsets = {n: at[n] - at[p] if p else np.zeros(3) for n, p in MODELS[count].items()}
    return _skeleton_of(count, offsets, [], np.zeros((0, 3))), places[0]


def _skeleton_of(count: int, offsets: dict[str, Array], tips: list[str], ends: Array) -> Skeleton:
    """Skeleton of a body model's joints.

    Parameters
    ----------
    count : int
        Number of joints, of `MODELS`.
    offsets : dict of str to array of shape (3,), metres
        Place of each joint in its parent.
    tips : list of str
        Joints that have an end site.
    ends : array of shape (E, 3), metres
        Where these are in them.

    Returns
    -------
    Skeleton
        Joints in the model's order.
    """
    names = tuple(MODELS[count])
    parents = np.array([names.index(p) if p else -1 for p in MODELS[count].values()])
    owners = np.array([names.index(tip) for tip in tips], int)
    bones = np.stack([offsets[name] for name in names])
    return Skeleton(names, parents, bones, owners, ends.reshape(-1, 3))


def _place(name: str) -> tuple[float, float, float]:
    if name == "pelvis":
        return (0.0, 0.0, 0.0)
    part = name.removeprefix("left_").removeprefix("right_")
    finger, number = part[:-1], part[-1]
    if finger not in _KNUCKLES:
        return _sided(name, _PLACES)
    sign = 1.0 if name.startswith("left") else -1.0
    if number == "1":
        x, y, z = _KNUCKLES[finger]
        return (sign * x, y, z)
    return (sign * _PHALANGES[int(number) - 2], 0.0, 0.0)


def _sided(name: str, places: dict[str, tuple[float, float, float]]) -> tuple[float, float, float]:
    """The place of a name, mirrored from the left one where it is a right one."""
    if name in places:
        return places[name]
    x, y, z = places[name.replace("right", "left")]
    return (-x, y, z)
