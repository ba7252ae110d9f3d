"""Kinds of constraints by name, and how a method says which of them it honours.

What a method cannot honour is refused, never ignored in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass

from motionloom.constraints.model import ConstraintSet
from motionloom.errors import Hint, InvalidInputError


@dataclass(frozen=True)
class Kind:
    """A kind of constraint.

    Parameters
    ----------
    name : str
        Its field in a constraint file.
    is_asked : callable
        Whether a constraint set asks for it.
    """

    name: str
    is_asked: Callable[[ConstraintSet], bool]


def _of_set(name: str) -> Kind:
    return Kind(name, lambda constraints: getattr(constraints, name) not in (None, ()))


def _of_joints(name: str) -> Kind:
    return Kind(
        name, lambda constraints: any(getattr(c, name) is not None for c in constraints.joints)
    )


#: All kinds by name. Those of single joints' fields are named as these.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _of_set("body"),
        _of_set("joints"),
        _of_set("poses"),
        _of_set("key_poses"),
        _of_set("avoid"),
        _of_set("paths"),
        _of_set("still"),
        _of_set("style"),
        _of_set("costs"),
        _of_set("frame"),
        Kind(
            "hold",
            lambda constraints: any(
                c.end is not None for c in (*constraints.body, *constraints.joints)
            ),
        ),
        _of_joints("position"),
        _of_joints("velocity"),
        _of_joints("orientation"),
        _of_joints("look_at"),
    )
}
#: What is about one pose alone.
POSE_ONLY = frozenset({"frame", "orientation", "look_at"})
#: What is about time, ways or clips, and so about motions alone.
MOTION_ONLY = frozenset(
    {"hold", "still", "poses", "key_poses", "avoid", "paths", "style", "costs", "velocity"}
)
MOTION_KINDS = frozenset(KINDS) - POSE_ONLY
POSE_KINDS = frozenset(KINDS) - MOTION_ONLY

_ADVICE: dict[str, tuple[str, Hint | None]] = {
    "frame": ("positions of a motion are always in the world; leave it out", None),
    "orientation": ("it is for single poses; leave it out, or ask for one pose", "make pose"),
    "look_at": ("it is for single poses; leave it out, or ask for one pose", "make pose"),
    "poses": ("leave it out; what a single pose has of captured ones is its start", "start"),
}
#: Of all other kinds.
_ELSE: tuple[str, Hint | None] = ("leave it out, or ask for a motion", "make motion")


class UnhonouredError(InvalidInputError):
    """A constraint that is valid, but not for this method.

    Parameters
    ----------
    field : str
        Its name in a constraint file.
    message : str
        It says what to do.
    hint : Hint, optional
        As `MotionloomError` has it.
    """

    def __init__(self, field: str, message: str, *, hint: Hint | None = None) -> None:
        self.field = field
        super().__init__(message, hint=hint)


def refuse_unhonoured(constraints: ConstraintSet, method: str, honours: Set[str]) -> None:
    """Refuse what a method cannot honour.

    Parameters
    ----------
    constraints : ConstraintSet
    method : str
        What cannot do it, such as ``"a pose"``.
    honours : set of str
        Kinds that it can.

    Raises
    ------
    UnhonouredError
        For the first kind that is asked for and not honoured, in one sentence.
    """
    for kind in KINDS.values():
        if kind.name not in honours and kind.is_asked(constraints):
            advice, hint = _ADVICE.get(kind.name, _ELSE)
            raise UnhonouredError(
                kind.name, f"{kind.name}: {method} cannot honour this; {advice}", hint=hint
            )
