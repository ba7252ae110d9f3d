"""What retargeting says about its results, beside the clips that they were made of.

How trunk, neck and head of two bodies lean, each measured from its own neutral pose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.quality import joint_acceleration, skate_speed
from motionloom.analysis.soles import point_velocity
from motionloom.edit.limbs import swing_between
from motionloom.edit.retarget._samples import UP
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.retarget.retarget import Retargeted, retarget_motion
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Report, Reported, shown, table_of
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools

PARTS = ("trunk", "neck", "head")

#: Upper and lower ends of the bones of limbs.
BONES = tuple(
    (f"{side}_{upper}", f"{side}_{lower}")
    for side in ("left", "right")
    for chain in (("hip", "knee", "foot"), ("shoulder", "elbow", "hand"))
    for upper, lower in pairwise(chain)
)
#: Mean angle by which trunk or head may lean elsewhere than the source's, degrees: less is not seen
#: beside the source, more is a hunch.
MOST_LEAN = 8.0
#: What a pair of figures is: of the clip, and of its result.
Pair = tuple[float, float]


@dataclass(frozen=True)
class RetargetRow:
    """How one clip came over, or several together; pairs are source and result.

    Parameters
    ----------
    clip : str
        Its name.
    seconds : float
        How long it lasts.
    contact_speed : tuple of float, centimetres per second
        Mean horizontal speed of the soles' points while they bear on the ground.
    deepest : tuple of float, millimetres
        How far a sole goes below where it rests.
    directions : tuple of float, degrees
        Mean and 99th percentile of the angle between the limbs' bones and the source's.
    acceleration : tuple of float, metres per second squared
        99th percentile over frames and the joints whose roles both have.
    round_trip : float, millimetres
        Mean distance of joints, hips laid onto hips, after the result was carried back.
    beyond : tuple of float
        Share of frames in which a knee or elbow bends more than either body was seen to (per cent),
        and by how much at most (degrees).
    trunk, neck, head : tuple of float, degrees
        Mean and 99th percentile of the angle between how both lean, each measured from its own
        neutral pose; NaN where one of both has no such part.
    floor : tuple of float
        Of knees, hands, elbows and hips on the ground: mean error of the height (millimetres), and
        speed there of source and result (centimetres per second); zeros without any.
    """

    clip: str = field(metadata=shown("clip"))
    seconds: float = field(metadata=shown("lasts", "s", ".1f"))
    contact_speed: Pair = field(metadata=shown("contact speed", "cm/s"))
    deepest: Pair = field(metadata=shown("deepest", "mm", ".0f"))
    directions: Pair = field(metadata=shown("limbs", "deg"))
    acceleration: Pair = field(metadata=shown("acceleration", "m/s2", ".1f"))
    round_trip: float = field(metadata=shown("there and back", "mm", ".1f"))
    beyond: Pair = field(metadata=shown("beyond seen", "%, deg", ".1f"))
    floor: tuple[float, float, float] = field(metadata=shown("on the floor", "mm, cm/s", ".1f"))
    trunk: Pair = field(default=(np.nan, np.nan), metadata=shown("trunk", "deg", ".1f"))
    neck: Pair = field(default=(np.nan, np.nan), metadata=shown("neck", "deg", ".1f"))
    head: Pair = field(default=(np.nan, np.nan), metadata=shown("head", "deg", ".1f"))

    @property
    def problems(self) -> tuple[str, ...]:
        """What an animator would send back, one sentence each."""
        return tuple(
            f"{self.clip}: the {part} leans {lean[0]:.1f} degrees elsewhere than the source's, each"
            f" from its neutral pose ({MOST_LEAN:g} at most)"
            for part, lean in (("trunk", self.trunk), ("head", self.head))
            if lean[0] > MOST_LEAN
        )


@dataclass(frozen=True)
class RetargetReport(Reported):
    """How clips came over to another body.

    Parameters
    ----------
    target : str
        Whose body it is.
    rows : tuple of RetargetRow
        One for each clip.
    whole : RetargetRow
        All clips together.
    notes : tuple of str
        What was guessed or could not be carried over.
    """

    target: str
    rows: tuple[RetargetRow, ...]
    whole: RetargetRow
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of all clips."""
        return tuple(problem for row in self.rows for problem in row.problems)

    def as_report(self) -> Report:
        """A row for every clip, and one for all of several."""
        rows = self.rows if len(self.rows) == 1 else (*self.rows, self.whole)
        table = table_of("Source and result, or mean and 99th percentile", rows)
        return Report(f"On {self.target}", [table], data=self, problems=self.problems)


def report_retargeting(
    made: Sequence[Retargeted], own: Sequence[RoleFrames], target: RoleFrames, name: str
) -> RetargetReport:
    """Measure retargeted clips.

    Parameters
    ----------
    made : sequence of Retargeted
        The results, at least one.
    own : sequence of RoleFrames
        Of the source of each, for the way back.
    target : RoleFrames
        Of the body that they came to.
    name : str
        What the target is called.

    Returns
    -------
    RetargetReport
    """
    samples = []
    for one, o in zip(made, own, strict=True):
        back = retarget_motion(one.posed, target.of_results, o.as_captured)
        samples.append(measure(one, back.posed, o, target))
    rows = [
        summarize(one.source.motion.name, [sample])
        for one, sample in zip(made, samples, strict=True)
    ]
    notes = dict.fromkeys(note for one in made for note in one.notes)
    return RetargetReport(name, tuple(rows), summarize("all", samples), tuple(notes))


def measure(
    made: Retargeted, back: PosedMotion, own: RoleFrames, target: RoleFrames
) -> dict[str, Array]:
    """Raw figures of one result by what they are of, in metres, radians and seconds.

    Parameters
    ----------
    made : Retargeted
        The result.
    back : PosedMotion
        The result carried back to the body of its source.
    own, target : RoleFrames
        Of both bodies.

    Returns
    -------
    dict of str to array
        Any number of each.
    """
    source = made.source
    posed = made.posed
    fps = source.fps
    values = {"seconds": np.array([source.motion.duration])}
    for which, body, contacts in (
        ("source", source, made.source_contacts),
        ("result", posed, made.contacts),
    ):
        points = contacts.soles.positions(body)
        rest = contacts.ground + np.array([p.rest for p in contacts.soles.points])
        shared = [j for r, j in body.roles.joints.items() if _both(made, r)]
        values[f"speed {which}"] = skate_speed(points, contacts.down, fps)
        values[f"depth {which}"] = np.maximum(rest - points[..., 1], 0.0).ravel()
        values[f"acceleration {which}"] = joint_acceleration(body.positions[:, shared], fps).ravel()
    values["directions"] = _limb_errors(source, posed)
    values["round trip"] = _apart(source, back)
    values["beyond"] = _beyond(made)
    return values | _lean_errors(source, posed, own, target) | _floor(made)


def summarize(name: str, samples: Sequence[Mapping[str, Array]]) -> RetargetRow:
    """A row of the report.

    Parameters
    ----------
    name : str
        What it is of.
    samples : sequence of dict
        Raw figures of each, as of `measure`.

    Returns
    -------
    RetargetRow
    """
    pooled = {k: np.concatenate([s[k] for s in samples]) for k in samples[0]}
    ends = ("source", "result")
    speeds = [100 * _mean(pooled[f"speed {end}"]) for end in ends]
    depths = [1e3 * float(pooled[f"depth {end}"].max(initial=0.0)) for end in ends]
    rough = [_quantile(pooled[f"acceleration {end}"]) for end in ends]
    bent = pooled["beyond"]
    floor = [1e3 * _mean(np.abs(pooled["floor"]))]
    floor += [100 * _mean(pooled[f"floor speed {end}"]) for end in ends]
    return RetargetRow(
        clip=name,
        seconds=float(pooled["seconds"].sum()),
        contact_speed=(speeds[0], speeds[1]),
        deepest=(depths[0], depths[1]),
        directions=(_mean(pooled["directions"]), _quantile(pooled["directions"])),
        acceleration=(rough[0], rough[1]),
        round_trip=1e3 * _mean(pooled["round trip"]),
        beyond=(100 * _mean(bent > 0), float(np.degrees(bent.max(initial=0.0)))),
        floor=(floor[0], floor[1], floor[2]),
        **{
            part: (_mean(pooled[part]), _quantile(pooled[part]))
            for part in PARTS
            if len(pooled[part])
        },
    )


def _limb_errors(source: PosedMotion, posed: PosedMotion) -> Array:
    """Angles between the limbs' bones of two bodies, shape (K,), degrees."""
    bodies = (source, posed)
    found = [np.zeros(0)]
    for bone in BONES:
        if all(role in body.roles.joints for role in bone for body in bodies):
            found.append(_angles(*(_bone(body, bone) for body in bodies)))
    return np.concatenate(found)


def _angles(a: Array, b: Array) -> Array:
    """Between directions (T, 3), degrees."""
    across = np.linalg.norm(np.cross(a, b), axis=-1)
    return np.degrees(np.arctan2(across, np.sum(a * b, axis=-1)))


def _bone(body: PosedMotion, bone: tuple[str, str]) -> Array:
    upper, lower = (body.roles.joints[role] for role in bone)
    return unit(body.positions[:, lower] - body.positions[:, upper])


def _both(made: Retargeted, role: str) -> bool:
    return role in made.source.roles.joints and role in made.posed.roles.joints


def _apart(source: PosedMotion, back: PosedMotion) -> Array:
    """Distances of joints with roles, hips laid onto hips."""
    joints = list(source.roles.joints.values())
    gaps = (source.positions - source.hips[:, None]) - (back.positions - back.hips[:, None])
    return np.linalg.norm(gaps[:, joints], axis=-1).ravel()


def _beyond(made: Retargeted) -> Array:
    """How far knees and elbows bend beyond what was seen, radians."""
    most = [hinge.flexion(made.posed) - hinge.most for hinge in made.hinges.values()]
    return np.maximum(np.concatenate([np.zeros(0), *most]), 0.0)


def _floor(made: Retargeted) -> dict[str, Array]:
    """Errors of height and speeds of what bears on the ground besides the feet."""
    errors = [np.zeros(0)]
    speeds: dict[str, list[Array]] = {"source": [np.zeros(0)], "result": [np.zeros(0)]}
    for role, down in made.supports.down.items():
        height = made.posed.positions[down, made.posed.roles.joints[role], 1]
        errors.append(height - made.supports.heights[role][down])
        for which, body in (("source", made.source), ("result", made.posed)):
            velocity = point_velocity(body.positions[:, body.roles.joints[role]], body.fps)
            speeds[which].append(np.linalg.norm(velocity[down][:, [0, 2]], axis=-1))
    told = {f"floor speed {which}": np.concatenate(all_) for which, all_ in speeds.items()}
    return {"floor": np.concatenate(errors), **told}


def _mean(values: Array | Bools) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _quantile(values: Array) -> float:
    return float(np.quantile(values, 0.99)) if len(values) else 0.0


def _lean_errors(
    source: PosedMotion, posed: PosedMotion, own: RoleFrames, target: RoleFrames
) -> dict[str, Array]:
    """Angles between the leans of two bodies.

    Trunk and neck are lines between joints, the head is what its joint carries. A lean is what
    takes the part from its neutral pose, seen from where the body faces.

    Parameters
    ----------
    source, posed : PosedMotion
        As many frames of both.
    own, target : RoleFrames
        Of their bodies.

    Returns
    -------
    dict of str to array of shape (T,), degrees
        By part: trunk, neck, head; empty where one of both has no such part.
    """
    found = {}
    for part in PARTS:
        a, b = (_lean(part, *body) for body in ((source, own), (posed, target)))
        found[part] = np.zeros(0) if a is None or b is None else _angles(a, b)
    return found


def _lean(part: str, posed: PosedMotion, frames: RoleFrames) -> Array | None:
    """Where the part points that points up in the neutral pose, shape (T, 3), or None."""
    now = _line(part, posed, frames)
    neutral = _line(part, frames.neutral, frames)
    if now is None or neutral is None:
        return None
    ahead = rot.conjugate(_heading(posed, frames))
    stood = rot.conjugate(_heading(frames.neutral, frames))
    upright = swing_between(rot.rotate(stood, neutral)[0], UP)
    return rot.rotate(upright, rot.rotate(ahead, now))


def _heading(posed: PosedMotion, frames: RoleFrames) -> Array:
    """Turn about the vertical of a body, shape (T, 4)."""
    ahead = rot.rotate(frames.world("hips", posed.rotations), np.array([0.0, 0.0, 1.0]))
    return rot.yaw(np.arctan2(ahead[:, 0], ahead[:, 2]))


def _line(part: str, posed: PosedMotion, frames: RoleFrames) -> Array | None:
    """Direction of a part in the world, shape (T, 3)."""
    head = frames.joints.get("head")
    neck = frames.joints.get("neck_1", head)
    if part == "head":
        return None if head is None else _carried(posed, frames, head)
    if part == "trunk" and neck is not None:
        hips = [frames.roles.joints[f"{side}_hip"] for side in ("left", "right")]
        return unit(posed.positions[:, neck] - posed.positions[:, hips].mean(axis=1))
    if neck is None or head is None or neck == head:
        return None
    return unit(posed.positions[:, head] - posed.positions[:, neck])


def _carried(posed: PosedMotion, frames: RoleFrames, joint: int) -> Array:
    """Where a direction that a joint carries points that points up in the neutral pose."""
    local = rot.rotate(rot.conjugate(frames.neutral.rotations[0, joint]), UP)
    return rot.rotate(posed.rotations[:, joint], local)
