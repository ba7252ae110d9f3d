"""What kinds see of a motion when they measure it, and of clips when they look up names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from motionloom.typing import Array, Bools, Ints

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet

#: Frame of the clips (counted through all), how it is called, joints (K,) and their rotations
#: (K, 4) relative to their parents.
FoundPose = tuple[int, str, Ints, Array]


def unknown(*_: Any) -> Any:
    """Stands for a look-up where there are no clips.

    Raises
    ------
    LookupError
        Always.
    """
    raise LookupError("there are no clips to look this up in")


@dataclass(frozen=True, eq=False)
class Lookup:
    """What constraints name, looked up.

    Each function raises `UnknownNameError` for a name that is not there.

    Parameters
    ----------
    joint : callable
        ``joint(name)``: index of a joint, by its name or role.
    clip_pose : callable
        ``clip_pose(clip, frame)``: a `FoundPose`.
    own_pose : callable
        ``own_pose(key_pose)``: joints (K,) that a key pose speaks of, and their rotations (K, 4).
    label : callable
        ``label(name)``: which frames of the clips have a label, shape (N,).
    cost : callable
        ``cost(constraint)``: a function of a `Shown` that gives the cost.
    """

    joint: Callable[[str], int]
    clip_pose: Callable[[str, int], FoundPose] = unknown
    own_pose: Callable[[Any], tuple[Ints, Array]] = unknown
    label: Callable[[str], Bools] = unknown
    cost: Callable[[Any], Callable[[Shown], float]] = unknown


@dataclass(frozen=True, eq=False)
class Shown:
    """A motion that answers a constraint set.

    Parameters
    ----------
    constraints : ConstraintSet
        What was asked for.
    lookup : Lookup
        Finds what they name.
    body : array of shape (T, 3)
        Ground position of the hips (metres) and facing (radians).
    place, velocity : callable
        From frame and joint to its place (3,), metres, and velocity (3,), metres per second.
    standing : array of shape (T, K, 3), metres, optional
        Hips and feet.
    rotations : array of shape (T, J, 4), optional
        Of joints relative to their parents.
    points : callable, optional
        Gives points that stand for the body, shape (T, B, 3), metres.
    source_frames : int array of shape (T,), optional
        Frame of the clips (counted through all) that every frame shows.
    styles : mapping of str to array of shape (T,), optional
        By label, how much of that style every frame has, from 0 to 1, where it shows none of a
        clip.
    """

    constraints: ConstraintSet
    lookup: Lookup
    body: Array
    place: Callable[[int, int], Array]
    velocity: Callable[[int, int], Array]
    standing: Array | None = None
    rotations: Array | None = None
    points: Callable[[], Array] | None = None
    source_frames: Ints | None = None
    styles: Mapping[str, Array] | None = None
