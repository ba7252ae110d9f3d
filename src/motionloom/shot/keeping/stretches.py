"""Stretches of motion with what lies over them, kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Facts, Fault, Stored, StoredFile, read_facts
from motionloom.io.stored_skeleton import LARGEST, check_unit
from motionloom.motion import Motion

Array = NDArray[np.float64]
#: A line of a report.
Text = Annotated[str, Field(max_length=10_000)]
F = TypeVar("F", bound=Facts)


def motion_arrays(motion: Motion) -> dict[str, NDArray[Any]]:
    """A motion as arrays by the names that they have in a kept file."""
    return {"rotations": motion.rotations, "translations": motion.translations}


def read_motion(file: StoredFile, like: Motion, n_frames: int) -> tuple[Array, Array]:
    """Rotations and translations that a motion of a known skeleton can have.

    Parameters
    ----------
    file : StoredFile
        Open.
    like : Motion
        Has the same skeleton.
    n_frames : int
        Frames of the motion.

    Returns
    -------
    rotations : array of shape (T, J, 4)
    translations : array of shape (T, K, 3)

    Raises
    ------
    Fault
        When an array is missing, of another shape, or holds what no motion can hold.
    """
    joints = like.skeleton.n_joints
    schema = {
        "rotations": Stored(np.float64, (n_frames, joints, 4), -1.001, 1.001),
        "translations": Stored(np.float64, (n_frames, len(like.translated), 3), -LARGEST, LARGEST),
    }
    found = file.arrays(schema)
    check_unit(found["rotations"], "rotations")
    return found["rotations"], found["translations"]


def save_layer(kept: KeptFolder, key: str, motion: Motion, facts: Mapping[str, Any]) -> None:
    """Keep a stretch of motion as it is with what lies over it.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        Of `key_of_layer`.
    motion : Motion
        The stretch.
    facts : mapping
        What is said of it, as JSON can hold it.
    """
    kept.save(key, motion_arrays(motion), facts)


def load_layer(
    kept: KeptFolder,
    key: str,
    like: Motion,
    kind: type[F],
    fits: Callable[[F], bool] = lambda facts: True,
) -> tuple[Motion, F] | None:
    """A stretch that was kept, and its facts.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        Of `key_of_layer`.
    like : Motion
        The stretch without what lies over it.
    kind : type of Facts
        What is said of it.
    fits : callable
        Whether facts are those of this stretch.

    Returns
    -------
    (Motion, Facts) or None
        None where there is none, or its file is damaged.
    """

    def read(file: StoredFile) -> tuple[Motion, F]:
        facts = read_facts(kind, file.text())
        if not fits(facts):
            raise Fault("its facts are of another stretch")
        rotations, translations = read_motion(file, like, like.n_frames)
        return replace(like, rotations=rotations, translations=translations), facts

    return kept.load(key, read)


def layer_as_loaded(like: Motion, motion: Motion) -> Motion:
    """A stretch with the bytes that it has when it was kept and read again."""
    return replace(like, rotations=motion.rotations, translations=motion.translations)
