"""Joints brought to points, a stretch of the motion at a time; each is kept by what it is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from motionloom.constraints import ConstraintSet, JointConstraint
from motionloom.errors import InvalidInputError
from motionloom.framewise import EditOptions, edit_clip
from motionloom.framewise.asked import EASE, goals_of
from motionloom.io.field_path import Path as FieldPath
from motionloom.io.files import atomic_write
from motionloom.posed_motion import PosedMotion
from motionloom.shot.stage import Stage

#: So much of the motion before and behind a stretch is looked at with it, seconds.
AROUND = 1.0
#: Changes when what was kept by an older version is not to be used any more.
VERSION = 1


@dataclass(frozen=True)
class Asked:
    """A joint that is wanted somewhere.

    Parameters
    ----------
    name : str
        Of the span that asks; empty for a meeting.
    where : tuple of str and int
        Its path in the file.
    joint : JointConstraint
        What it asks.
    """

    name: str
    where: FieldPath
    joint: JointConstraint

    @property
    def begin(self) -> float:
        """When the motion begins to change, seconds."""
        ease = EASE if self.joint.ease_in is None else self.joint.ease_in
        return self.joint.time - ease

    @property
    def end(self) -> float:
        """When it is as before, seconds."""
        ease = EASE if self.joint.ease_out is None else self.joint.ease_out
        return (self.joint.time if self.joint.end is None else self.joint.end) + ease


@dataclass(frozen=True, eq=False)
class Reached:
    """A motion in which joints are where they were asked to be.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    goals : tuple of str
        What each is called.
    missed : tuple of float, metres
        By how much.
    reasons : tuple of str
        Why.
    """

    posed: PosedMotion
    goals: tuple[str, ...]
    missed: tuple[float, ...]
    reasons: tuple[str, ...]


def near_each_other(asked: Sequence[Asked]) -> Iterator[tuple[Asked, ...]]:
    """Those that change the same stretch of a motion, together.

    Parameters
    ----------
    asked : sequence of Asked
        In any order.

    Yields
    ------
    tuple of Asked
        In the order of time.
    """
    group: list[Asked] = []
    end = -np.inf
    for one in sorted(asked, key=lambda one: one.begin):
        if group and one.begin > end:
            yield tuple(sorted(group, key=lambda other: other.joint.time))
            group = []
        group.append(one)
        end = max(end, one.end)
    if group:
        yield tuple(sorted(group, key=lambda other: other.joint.time))


def reach_for(
    stage: Stage, asked: Sequence[Asked], posed: PosedMotion, folder: Path | None = None
) -> Reached:
    """Bring joints to where they are wanted.

    Parameters
    ----------
    stage : Stage
        For its lines, and its progress.
    asked : sequence of Asked
        In the order of time.
    posed : PosedMotion
        The motion.
    folder : Path, optional
        Where the result is kept.

    Returns
    -------
    Reached

    Raises
    ------
    FormatError
        When two ask for the same joint in a frame.
    """
    fps = posed.fps
    first = max(int(np.floor((min(one.begin for one in asked) - AROUND) * fps)), 0)
    stop = min(int(np.ceil((max(one.end for one in asked) + AROUND) * fps)) + 1, posed.n_frames)
    window = posed.cut(first, stop)
    joints = tuple(_earlier(one.joint, first / fps) for one in asked)
    key = _key(window, joints)
    found = None if folder is None else _load(folder, key, window)
    if found is None:
        found = _reach(stage, asked, joints, window)
        if folder is not None:
            _save(found, folder, key)
    motion = posed.motion
    rotations, translations = motion.rotations.copy(), motion.translations.copy()
    rotations[first:stop] = found.posed.motion.rotations
    translations[first:stop] = found.posed.motion.translations
    whole = posed.with_motion(replace(motion, rotations=rotations, translations=translations))
    return replace(found, posed=whole)


def _earlier(joint: JointConstraint, shift: float) -> JointConstraint:
    """The same in a motion that begins later."""
    end = None if joint.end is None else joint.end - shift
    return joint.model_copy(update={"time": joint.time - shift, "end": end})


def _reach(
    stage: Stage, asked: Sequence[Asked], joints: tuple[JointConstraint, ...], window: PosedMotion
) -> Reached:
    fps = window.fps
    try:
        wanted = ConstraintSet(duration=(window.n_frames - 1) / fps, fps=fps, joints=joints)
        goals = goals_of(wanted, window)
        edited = edit_clip(window, goals, EditOptions(), stage.progress)
    except InvalidInputError as error:
        raise stage.file.fault(asked[0].where, str(error)) from None
    names = tuple(
        f"{one.joint.joint} position" if not one.name else _told(one) for one in asked
    )
    return Reached(
        edited.after,
        names,
        tuple(float(one.residual) for one in edited.outcomes),
        tuple(one.reason for one in edited.outcomes),
    )


def _told(one: Asked) -> str:
    """What a goal is called, in the time of the shot."""
    joint = one.joint
    end = "" if joint.end is None else f" until {joint.end:.2f} s"
    return f"{joint.joint}{end}"


def _key(window: PosedMotion, joints: Sequence[JointConstraint]) -> str:
    text = json.dumps([VERSION, *(joint.model_dump(mode="json") for joint in joints)])
    digest = hashlib.sha256(text.encode())
    digest.update(repr(window.skeleton.names).encode() + window.skeleton.offsets.tobytes())
    digest.update(window.motion.rotations.tobytes() + window.motion.translations.tobytes())
    return f"reach-{digest.hexdigest()[:26]}"


def _save(made: Reached, folder: Path, key: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    facts = {"goals": made.goals, "missed": made.missed, "reasons": made.reasons}
    with atomic_write(folder / f"{key}.npz") as file:
        np.savez_compressed(
            file,
            rotations=made.posed.motion.rotations,
            translations=made.posed.motion.translations,
            facts=np.array(json.dumps(facts)),
        )


def _load(folder: Path, key: str, window: PosedMotion) -> Reached | None:
    try:
        with np.load(folder / f"{key}.npz", allow_pickle=False) as file:
            facts = json.loads(str(file["facts"]))
            motion = replace(
                window.motion, rotations=file["rotations"], translations=file["translations"]
            )
    except (OSError, ValueError, KeyError, BadZipFile, InvalidInputError):
        return None
    return Reached(
        window.with_motion(motion),
        tuple(facts["goals"]),
        tuple(facts["missed"]),
        tuple(facts["reasons"]),
    )
