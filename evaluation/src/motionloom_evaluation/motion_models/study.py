"""Takes of one action made ready for experiments: normalised once, split in many ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.framewise.asked import slope_turn
from motionloom.ik.tasks import Task
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.spaces.motion_space import (
    KeyRule,
    Keys,
    MotionSpace,
    MotionSpaceOptions,
    cut_strokes,
    find_keys,
)
from motionloom.spaces.motion_space.learning import learn_motion_space
from motionloom.spaces.motion_space.takes import (
    NormalisedTakes,
    check_joints_alike,
    normalise_takes,
    resample_take,
    starting_transform,
)
from motionloom_evaluation.motion_models.swings import SwingTake

Array = NDArray[np.float64]

#: The key posture in which something is hit, by rule.
HIT_KEY = {"hold": "hold", "speed": "fastest"}
#: Fewest takes that anything is said about.
FEWEST = 8


@dataclass(frozen=True)
class Action:
    """What takes show, and what hits.

    Parameters
    ----------
    effector : str
        Name or role of the joint that hits.
    rule : {"hold", "speed"}
        How key postures are found, as `KeyRule` has it.
    tool : float, metres
        How far beyond the joint the point is that hits, along the bone that leads there.
    strokes : bool
        Whether recordings hold several strokes, to be cut at peaks of speed.
    align : bool
        Whether takes are moved on the ground so that they begin at one place.
    """

    effector: str = "right_hand"
    rule: str = "hold"
    tool: float = 0.0
    strokes: bool = False
    align: bool = True

    def __post_init__(self) -> None:
        if self.rule not in HIT_KEY:
            raise InvalidInputError(f"a rule is one of {', '.join(HIT_KEY)}, got {self.rule!r}")


@dataclass(frozen=True, eq=False)
class Study:
    """Takes ready for experiments.

    Parameters
    ----------
    takes : tuple of Motion
        d takes.
    keys : Keys
        Their key postures.
    action : Action
        What they show.
    styles : tuple of str
        Of every take.
    hit_key : str
        Key posture in which something is hit; by the rule when not given.
    """

    takes: tuple[Motion, ...]
    keys: Keys
    action: Action
    styles: tuple[str, ...] = field(default=())
    hit_key: str = ""

    def __post_init__(self) -> None:
        if not self.hit_key:
            object.__setattr__(self, "hit_key", HIT_KEY[self.action.rule])

    @classmethod
    def of_swings(cls, swings: Sequence[SwingTake], tool: float = 0.9) -> Study:
        """Swings of the built-in performer, whose key postures are known."""
        names = tuple(swings[0].moments)
        times = np.array([list(s.moments.values()) for s in swings])
        action = Action("right_hand", "speed", tool, align=False)
        return cls(tuple(s.motion for s in swings), Keys(names, times), action, hit_key="hit")

    @classmethod
    def of(cls, recordings: Sequence[Motion], action: Action, styles: Sequence[str] = ()) -> Study:
        """Cut recordings where they hold several strokes, and find key postures.

        Takes that do not show them are left out.
        """
        if not recordings:
            raise InvalidInputError("an evaluation needs takes")
        cut: list[tuple[Motion, str]] = []
        for i, recording in enumerate(recordings):
            style = styles[i] if styles else ""
            own = cut_strokes(recording, action.effector) if action.strokes else (recording,)
            cut += [(take, style) for take in own]
        rule = KeyRule(action.rule, action.effector)
        kept: list[tuple[Motion, str]] = []
        times = []
        names: tuple[str, ...] = ()
        for take, style in cut:
            try:
                keys = find_keys([take], rule)
            except InvalidInputError:
                continue
            names = keys.names
            times.append(keys.times[0])
            kept.append((take, style))
        if len(kept) < FEWEST:
            raise InvalidInputError(
                f"{len(kept)} of {len(cut)} takes show the key postures of {action.effector!r} by"
                f" the rule {action.rule!r}, and an evaluation needs at least {FEWEST}; name more"
                " clips, or another rule or effector"
            )
        return cls(
            tuple(take for take, _ in kept),
            Keys(names, np.array(times)),
            action,
            tuple(style for _, style in kept),
        )

    @cached_property
    def roles(self) -> Roles:
        """Of the takes' joints."""
        return find_roles(self.takes[0].skeleton)

    @cached_property
    def normalised(self) -> NormalisedTakes:
        """All takes in the same coordinates, at the same normalised times."""
        return normalise_takes(self.takes, self.keys, align=self.action.align, roles=self.roles)

    @property
    def size(self) -> int:
        """Number of takes d."""
        return len(self.takes)

    @cached_property
    def hit_frame(self) -> int:
        """Its normalised frame."""
        return int(self.normalised.frames[self.keys.names.index(self.hit_key)])

    @cached_property
    def joint(self) -> int:
        """The joint that hits."""
        name = self.action.effector
        skeleton = self.normalised.coordinates.skeleton
        if name in self.roles.joints and name not in skeleton.names:
            return self.roles.joints[name]
        return skeleton.index(name)

    @cached_property
    def local(self) -> Array:
        """The point that hits in the joint's frame, (3,), metres: on along the bone."""
        if self.action.tool == 0.0:
            return np.zeros(3)
        hit = self.world(self.normalised.rows.mean(axis=0)[None, self.hit_frame])
        parent = self.normalised.coordinates.skeleton.parents[self.joint]
        bone = hit.positions[0, self.joint] - hit.positions[0, parent]
        along = rot.rotate(rot.conjugate(hit.rotations[0, self.joint]), bone)
        local: Array = self.action.tool * along / max(float(np.linalg.norm(along)), 1e-9)
        return local

    def motion(self, row: Array) -> Motion:
        """The motion of a row (N, D)."""
        return self.normalised.coordinates.to_motion(row, self.takes[0].frame_time)

    def world(self, row: Array) -> WorldPose:
        """World positions and rotations of the joints of a row (N, D)."""
        return forward_kinematics(self.motion(row))

    def positions(self, row: Array) -> Array:
        """World positions of the joints of a row (N, D), shape (N, J, 3)."""
        return self.world(row).positions

    @cached_property
    def all_positions(self) -> Array:
        """Of all takes, shape (d, N, J, 3)."""
        return np.stack([self.positions(row) for row in self.normalised.rows])

    def hit_point(self, row: Array) -> Array:
        """Where a row (N, D) hits, (3,), metres."""
        pose = self.world(row[None, self.hit_frame])
        at: Array = pose.positions[0, self.joint] + rot.rotate(
            pose.rotations[0, self.joint], self.local
        )
        return at

    @cached_property
    def hit_points(self) -> Array:
        """Where all takes hit, shape (d, 3), metres."""
        return np.stack([self.hit_point(row) for row in self.normalised.rows])

    def hit_task(self, point: Array, layer: int = 1) -> Task:
        """The task to hit a point."""
        return Task("position", point, self.joint, self.local, layer=layer)

    def of_takes(self, takes: Sequence[int]) -> Study:
        """Some of the takes, as if there were no others."""
        chosen = list(takes)
        return replace(
            self,
            takes=tuple(self.takes[i] for i in chosen),
            keys=self.keys.of(chosen),
            styles=tuple(self.styles[i] for i in chosen) if self.styles else (),
        )

    def row_of(self, take: Motion, times: Array) -> Array:
        """One more take (N, D), which the others are not changed by."""
        known = self.normalised
        own = known.coordinates
        check_joints_alike([take], own.skeleton)
        motion = resample_take(take, times, known.frames, own.translated, own.skeleton)
        if self.action.align:
            motion = motion.transformed(starting_transform(motion, self.roles).inverse())
        return own.to_coordinates(motion, near=known.rows[:, 0].mean(axis=0))

    def space(self, takes: Sequence[int], options: MotionSpaceOptions) -> MotionSpace:
        """A motion space of some takes, in the coordinates of all."""
        chosen = list(takes)
        normalised = replace(
            self.normalised,
            rows=self.normalised.rows[chosen],
            placings=tuple(self.normalised.placings[i] for i in chosen),
        )
        return learn_motion_space(
            [self.takes[i] for i in chosen],
            self.keys.of(chosen),
            normalised,
            options,
            styles=[self.styles[i] for i in chosen] if self.styles else (),
            roles=self.roles,
        )

    def feet(self) -> list[int]:
        """Ankles, and a toe where there is one: what is planted."""
        joints = self.roles.joints
        found = [joints[r] for r in self.roles.feet]
        toe = joints.get("right_toe", joints.get("left_toe"))
        return found if toe is None else [*found, toe]

    def feet_tasks(self, pose: Array, degrees: float = 0.0, layer: int = 1) -> list[Task]:
        """Feet where a pose (D,) has them, on ground that is tilted about the line ahead."""
        at = self.positions(pose[None])[0]
        feet = self.feet()
        middle = at[feet[:2]].mean(axis=0) * [1.0, 0.0, 1.0]
        turn = slope_turn(degrees)
        return [
            Task("position", middle + rot.rotate(turn, at[j] - middle), j, layer=layer)
            for j in feet
        ]


def styles_of(names: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """Style of every take: the first pattern that its name contains; empty for none."""
    return tuple(next((p for p in patterns if p in name), "") for name in names)
