"""Tools that are held: a club, racket or stick as one more joint of the skeleton."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.spaces.motion_space import joint_of

#: No tool that is held is longer, metres.
LONGEST = 20.0


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
        numbers = [tuple(float(x) for x in part.split(",")) for part in parts]
    except ValueError:
        numbers = []
    sizes = [len(n) for n in numbers]
    if not (equals and name and joint) or sizes not in ([3], [3, 4]):
        raise InvalidInputError(
            f"a tool: expected NAME=JOINT:x,y,z in metres, and perhaps :w,x,y,z, got {text!r}"
        )
    x, y, z = numbers[0]
    if len(numbers) == 1:
        return Tool(name, joint, (x, y, z))
    w, i, j, k = numbers[1]
    return Tool(name, joint, (x, y, z), orientation=(w, i, j, k))


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
    longer = Skeleton(
        (*skeleton.names, tool.name),
        np.append(skeleton.parents, holder),
        np.vstack([skeleton.offsets, tool.offset]),
        skeleton.end_parents,
        skeleton.end_offsets,
    )
    turn = rot.normalize(np.array(tool.orientation, float))
    turns = np.broadcast_to(turn, (motion.n_frames, 1, 4))
    return replace(
        motion, skeleton=longer, rotations=np.concatenate([motion.rotations, turns], axis=1)
    )
