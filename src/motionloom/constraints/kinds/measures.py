"""What kinds see of a motion when they measure it, how far it is from what was asked, and what they
look up in clips.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from motionloom.typing import Array, Bools, Ints

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet

#: A constraint counts as met when the motion is as near as this, metres, degrees and metres per
#: second.
NEAR, STRAIGHT, STEADY = 0.05, 3.0, 0.5


@dataclass(frozen=True)
class ConstraintError:
    """How far a motion is from one constraint at a time.

    Parameters
    ----------
    kind : str
        `Kind.item` of the constraint: ``"body"`` or ``"joint"``.
    index : int
        Which of its kind in the constraint set.
    frame : int
        Frame of the motion; the first one of a span.
    position : float, metres
        The largest of a span; 0 where no position is asked for.
    facing : float or None, degrees
        Absolute error of the heading; None where none is asked for.
    velocity : float or None, metres per second
        Length of the error; None where none is asked for.
    """

    kind: str
    index: int
    frame: int
    position: float
    facing: float | None = None
    velocity: float | None = None

    def amount(self) -> str:
        """What it amounts to, for people; empty where the constraint counts as met.

        Examples
        --------
        >>> ConstraintError("body", 0, 30, 0.3, None, None).amount()
        '30 cm'
        """
        parts = []
        if self.position > NEAR:
            far = self.position >= 1
            parts.append(f"{self.position:.2f} m" if far else f"{100 * self.position:.0f} cm")
        if self.facing is not None and self.facing > STRAIGHT:
            parts.append(f"{self.facing:.0f} degrees")
        if self.velocity is not None and self.velocity > STEADY:
            parts.append(f"{self.velocity:.1f} m/s")
        return " and ".join(parts)


@dataclass(frozen=True)
class Adherence:
    """How well a motion keeps to something that is asked over time, or to a hard pose.

    Parameters
    ----------
    kind : str
        `Kind.item` of the constraint; that kind says what `value` and `more` are.
    index : int
        Which of its kind in the constraint set.
    what : str
        Such as ``"avoid cylinder at 1.0 1.5"``.
    value : float or None
        None where it is never shown.
    more : float
        A second number.
    """

    kind: str
    index: int
    what: str
    value: float | None
    more: float = 0.0


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
