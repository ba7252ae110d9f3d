"""What a method cannot honour is refused, never ignored in silence."""

from __future__ import annotations

from collections.abc import Mapping

from motionloom.constraints.model import ConstraintSet
from motionloom.errors import InvalidInputError

#: What each method cannot honour, and what to do instead.
MOTION_REFUSES = {
    "frame": "places of a motion are always in the world; leave it out",
    "orientation": "it is for 'motionloom pose'; leave it out, or ask for one pose",
    "look_at": "it is for 'motionloom pose'; leave it out, or ask for one pose",
}
POSE_REFUSES = {
    "poses": "give the captured pose with --start",
    "avoid": "leave it out, or use 'motionloom synthesize'",
    "paths": "leave it out, or use 'motionloom synthesize'",
    "style": "leave it out, or fit the pose space to clips of that style only",
    "costs": "leave it out, or use 'motionloom synthesize'",
    "velocity": "leave it out, or use 'motionloom synthesize'",
}


class UnhonouredError(InvalidInputError):
    """A constraint that is valid, but not for this method.

    Parameters
    ----------
    field : str
        Its name in a constraint file.
    message : str
    """

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)


def refuse(constraints: ConstraintSet, method: str, refused: Mapping[str, str]) -> None:
    """Refuse what a method cannot honour.

    Parameters
    ----------
    constraints : ConstraintSet
    method : str
        What cannot do it, such as ``"a motion"``.
    refused : mapping of str to str
        Fields of the set or of its joint constraints, and what to do instead.

    Raises
    ------
    UnhonouredError
        For the first such field, in one sentence.
    """
    for field, advice in refused.items():
        owners = [constraints, *constraints.joints]
        if any(getattr(owner, field, None) not in (None, ()) for owner in owners):
            raise UnhonouredError(field, f"{field}: {method} cannot honour this; {advice}")
