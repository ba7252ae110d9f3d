"""Costs that a user writes in Python, registered by name and asked for in a constraint file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from os import PathLike
from typing import Any, Literal

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.io.python_files import run_python
from motionloom.plugins import note_registered
from motionloom.typing import Array

#: ``cost(clips, **parameters)`` gives one number for every frame of the clips, shape (N,): the cost
#: of showing it for a second. ``cost(clips, frames, body, **parameters)`` gives one number for a
#: whole motion, from the frames of the clips that it shows, shape (T,), and where the body stands
#: (x, z, metres) and faces (radians) in each, shape (T, 3).
CostFunction = Callable[..., Any]
Kind = Literal["frame", "path"]


_registered: dict[str, tuple[Kind, CostFunction]] = {}


def register_cost(name: str, kind: Kind = "frame") -> Callable[[CostFunction], CostFunction]:
    """Register a cost function under a name; use as a decorator.

    A later one of the same name replaces it.

    Parameters
    ----------
    name : str
        By which a constraint file asks for it.
    kind : {"frame", "path"}
        Whether it looks at frames of the clips or at a whole motion. Frames are cheap: they are
        summed up beforehand and steer every step of the search; a path's cost only ranks what has
        been found.

    Returns
    -------
    callable
        Decorator that registers a function and gives it back as it is.

    Raises
    ------
    InvalidInputError
        When `kind` is another word.
    """
    if kind not in ("frame", "path"):
        raise InvalidInputError(f"a cost's kind must be 'frame' or 'path', got {kind!r}")

    def keep(function: CostFunction) -> CostFunction:
        _registered[name] = kind, function
        note_registered(f"cost {name}")
        return function

    return keep


def kind_of_cost(name: str) -> Kind:
    """Whether the cost of a name looks at frames of the clips or at a whole motion.

    Raises
    ------
    UnknownNameError
        When there is none; it lists those there are.
    """
    if name not in _registered:
        known = ", ".join(sorted(_registered)) or "none"
        raise UnknownNameError(
            name,
            f"no cost is registered under the name {name!r} (registered: {known}); call"
            " register_cost first",
            hint="give costs",
        )
    return _registered[name][0]


def load_costs(path: str | PathLike[str]) -> None:
    """Run a Python file that registers costs.

    It is executed with all rights of the user: run only files you trust.

    Raises
    ------
    FormatError
        When the file cannot be run, with the line, or registers nothing.
    """
    run_python(path, "register_cost")


def frame_costs(name: str, clips: ClipSet, parameters: dict[str, Any]) -> Array:
    """Cost of showing each frame of the clips.

    Parameters
    ----------
    name : str
        Of a registered cost of the kind ``"frame"``.
    clips : ClipSet
        Given to the function.
    parameters : dict of str to object
        Given to the function by name.

    Returns
    -------
    array of shape (N,), per second
        Finite numbers; smaller is better.

    Raises
    ------
    InvalidInputError
        When the function does not take the parameters, fails, or gives something else.
    """
    values = _call(name, parameters, clips)
    try:
        values = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InvalidInputError(
            f"cost {name!r} must give numbers, it gave {values!r:.60}"
        ) from None
    if values.shape != (clips.n_frames,) or not np.isfinite(values).all():
        raise InvalidInputError(
            f"cost {name!r} must give {clips.n_frames} finite numbers, one for each frame of"
            f" the clips; it gave shape {values.shape}"
        )
    return values


def path_cost(name: str, parameters: dict[str, Any], *arguments: Any) -> float:
    """Cost of a whole motion.

    Parameters
    ----------
    name : str
        Of a registered cost of the kind ``"path"``.
    parameters : dict of str to object
        Given to the function by name.
    *arguments : object
        The clips, the frames of them that are shown, shape (T,), and where the body stands (metres)
        and faces (radians), shape (T, 3).

    Returns
    -------
    float
        A finite number; smaller is better.

    Raises
    ------
    InvalidInputError
        When the function does not take the parameters, fails, or gives something else.
    """
    value = _call(name, parameters, *arguments)
    if not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
        raise InvalidInputError(
            f"cost {name!r} must give one finite number for a path, it gave {value!r}"
        )
    return float(value)


def _call(name: str, parameters: dict[str, Any], *arguments: Any) -> Any:
    _, function = _registered[name]
    try:
        inspect.signature(function).bind(*arguments, **parameters)
    except TypeError as error:
        raise InvalidInputError(
            f"cost {name!r} does not take the parameters {sorted(parameters)} ({error});"
            " correct them"
        ) from None
    try:
        return function(*arguments, **parameters)
    except Exception as error:  # whatever a user's function does, it is that function's error
        raise InvalidInputError(
            f"cost {name!r} failed with {type(error).__name__}: {error}; mend the function"
        ) from error
