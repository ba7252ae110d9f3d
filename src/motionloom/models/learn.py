"""Tools that are held: a club, racket or stick as one more joint of the skeleton.

From recordings to a motion model: cut, held tools, key postures, styles.

Key postures where feet land and leave the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.clips.label_files import read_labels
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton, few
from motionloom.spaces.motion_space import (
    KeyFile,
    KeyRule,
    MotionSpace,
    MotionSpaceOptions,
    add_key_rule,
    build_motion_space,
    find_keys,
    guess_rule,
    joint_of,
)
from motionloom.spaces.motion_space.takes import check_joints_alike

#: No tool that is held is longer, metres.
LONGEST = 20.0


def learn_model(
    recordings: Sequence[Motion],
    key_file: KeyFile | None = None,
    options: MotionSpaceOptions | None = None,
    *,
    tools: Sequence[Tool] = (),
    styles: Path | None = None,
    roles: Roles | None = None,
) -> MotionSpace:
    """Learn a motion model from recordings.

    Parameters
    ----------
    recordings : sequence of Motion
        Takes, or recordings of several that the key file says how to cut.
    key_file : KeyFile, optional
        Key postures; found where they are most plain when not given.
    options : MotionSpaceOptions, optional
        The defaults when not given.
    tools : sequence of Tool
        What is held in all of them.
    styles : Path, optional
        A labels file: the first label of a take is its style.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    MotionSpace
        With notes on what was guessed.

    Raises
    ------
    InvalidInputError
        When takes are too few, differ, or do not show the same key postures.
    FormatError
        When the labels cannot be read.
    """
    named = [] if styles is None else [_style_of(m.name, styles) for m in recordings]
    roles = roles or find_roles(recordings[0].skeleton)
    check_joints_alike(recordings, recordings[0].skeleton)
    takes = []
    kinds = []
    for i, recording in enumerate(recordings):
        own = [recording] if key_file is None else key_file.takes_of([recording], roles)
        for take in own:
            for tool in tools:
                take = attach_tool(take, tool, roles)
            takes.append(take)
            kinds += named[i : i + 1]
    notes = []
    if key_file is not None:
        keys = key_file.keys_of(takes, roles)
        unknown = sorted(key_file.times.keys() - {take.name for take in takes})
        if unknown:
            notes.append(f"{key_file.path}: no take is called {few(unknown)}")
    else:
        rule = guess_rule(takes, roles)
        keys = find_keys(takes, rule, roles)
        notes.append(
            f"key postures were guessed ({rule.kind} of {rule.effector}): {', '.join(keys.names)};"
            " give them in a file if they are others"
        )
    space = build_motion_space(takes, keys, options, styles=kinds, roles=roles)
    return replace(space, notes=(*space.notes, *notes))


def _style_of(name: str, styles: Path) -> str:
    for label in read_labels(styles):
        if fnmatchcase(name, label.clips):
            return label.label
    raise InvalidInputError(
        f'{styles}: no label for the take {name!r}; add a row \'{{clips: "{name}", label:'
        " STYLE}', or leave the take out"
    )


@dataclass(frozen=True)
class Tool:
    """A point of a tool that is fixed to a joint, such as the middle of a racket.

    Parameters
    ----------
    name : str
        Of the joint that it becomes.
    joint : str
        Name or role of the joint that holds it.
    offset : tuple of float, metres
        The point in that joint's frame.
    orientation : tuple of float
        Rotation (w, x, y, z) of the tool in that joint's frame.

    Raises
    ------
    InvalidInputError
        When the numbers are no place and rotation, or the place is 20 m away.
    """

    name: str
    joint: str
    offset: tuple[float, float, float]
    orientation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        numbers = np.array([*self.offset, *self.orientation], float)
        fits = len(self.offset) == 3 and len(self.orientation) == 4 and np.isfinite(numbers).all()
        if not self.name or not fits or np.linalg.norm(self.orientation) < 1e-9:
            raise InvalidInputError(
                f"a tool needs a name, an offset x,y,z and perhaps a rotation w,x,y,z, got"
                f" {self.name!r}, {self.offset} and {self.orientation}"
            )
        if np.abs(self.offset).max() > LONGEST:
            raise InvalidInputError(
                f"the tool {self.name!r} is at {self.offset} metres in the frame of {self.joint!r};"
                f" a tool reaches at most {LONGEST:g} m"
            )


def read_tool(text: str) -> Tool:
    """A tool in one line: ``NAME=JOINT:x,y,z`` or ``NAME=JOINT:x,y,z:w,x,y,z``.

    Parameters
    ----------
    text : str
        Such as ``"racket=right_hand:-0.55,0,0"``, metres in the joint's frame.

    Returns
    -------
    Tool

    Raises
    ------
    InvalidInputError
        When it reads otherwise.

    Examples
    --------
    >>> read_tool("racket=right_hand:0,0,0.4").name
    'racket'
    """
    name, equals, rest = text.partition("=")
    joint, *parts = rest.split(":")
    try:
        numbers: list[Any] = [tuple(float(x) for x in part.split(",")) for part in parts]
    except ValueError:
        numbers = []
    sizes = [len(n) for n in numbers]
    if not (equals and name and joint) or sizes not in ([3], [3, 4]):
        raise InvalidInputError(
            f"a tool: expected NAME=JOINT:x,y,z in metres, and perhaps :w,x,y,z, got {text!r}"
        )
    return Tool(name, joint, *numbers)


def attach_tool(motion: Motion, tool: Tool, roles: Roles | None = None) -> Motion:
    """A motion whose skeleton holds a tool: one more joint that never turns.

    Parameters
    ----------
    motion : Motion
        Without a joint of the tool's name.
    tool : Tool
        What is held, and where.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    Motion
        The tool is the last joint.

    Raises
    ------
    UnknownJointError
        When there is no joint that could hold it.
    InvalidInputError
        When there is a joint or role of its name already.
    """
    skeleton = motion.skeleton
    roles = roles or find_roles(skeleton)
    if tool.name in skeleton.names or tool.name in roles.joints:
        raise InvalidInputError(
            f"the skeleton has a joint {tool.name!r} already; give the tool another name"
        )
    holder = joint_of(motion, tool.joint, roles)
    parents, offsets = np.append(skeleton.parents, holder), [*skeleton.offsets, tool.offset]
    ends = skeleton.end_parents, skeleton.end_offsets
    longer = Skeleton((*skeleton.names, tool.name), parents, np.vstack(offsets), *ends)
    turn = rot.normalize(np.array(tool.orientation, float))
    turns = np.broadcast_to(turn, (motion.n_frames, 1, 4))
    return replace(
        motion, skeleton=longer, rotations=np.concatenate([motion.rotations, turns], axis=1)
    )


#: Frames between events that fall on one.
_APART = 1e-3


def contact_keys(
    posed: PosedMotion, joint: int, rule: KeyRule
) -> tuple[tuple[str, ...], list[float]]:
    """When feet land and leave the ground, in the order of time; the joint does not count.

    Parameters
    ----------
    posed : PosedMotion
        A take.
    joint : int
        Of the rule.
    rule : KeyRule
        The rule.

    Returns
    -------
    names : tuple of str
        Such as ``"right_foot up"`` and ``"right_foot down"``, numbered from the second of a kind
        on.
    frames : list of float
        Between the frame before and that after.
    """
    events = sorted(
        (float(frame) + 0.5, f"{foot} {'down' if down[frame + 1] else 'up'}")
        for foot, down in detect_contacts(posed).by_foot().items()
        for frame in np.flatnonzero(np.diff(down))
    )
    named = [name for _, name in events]
    before = [named[:i].count(name) for i, name in enumerate(named)]
    names = tuple(f"{name}#{n + 1}" if n else name for name, n in zip(named, before, strict=True))
    # Events of one frame follow each other at once.
    return names, [frame + _APART * i for i, (frame, _) in enumerate(events)]


add_key_rule("contacts", contact_keys)
