"""From recordings to a motion model: cut, held tools, key postures, styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from motionloom.clips.label_files import read_labels
from motionloom.errors import InvalidInputError
from motionloom.models.tools import Tool, attach_tool
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import few
from motionloom.spaces.motion_space import (
    KeyFile,
    MotionSpace,
    MotionSpaceOptions,
    build_motion_space,
    find_keys,
    guess_rule,
)
from motionloom.spaces.motion_space.takes import check_joints_alike


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
