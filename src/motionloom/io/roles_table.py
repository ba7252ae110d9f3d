"""A user's table of roles, for skeletons whose names say too little."""

from __future__ import annotations

from typing import Any

from motionloom.errors import FormatError, MotionloomError
from motionloom.io.document import Document, read_document
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import PathName


def read_roles(path: PathName, skeleton: Skeleton) -> Roles:
    r"""Roles of a skeleton, with what a file says about them.

    Parameters
    ----------
    path : path-like
        YAML or JSON: role name to joint name, and ``kind`` and ``forward`` as `find_roles` takes
        them.
    skeleton : Skeleton
        Its joints are those that the table names.

    Returns
    -------
    Roles
        What the table does not tell is found from names and tree.

    Raises
    ------
    FormatError
        For a file that is not such a table, a role or joint that does not exist; with the line.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("roles.yaml").write_text("right_hand: RightForeArm\n")
    >>> roles = read_roles("roles.yaml", walk.skeleton)
    >>> walk.skeleton.names[roles.joint("right_hand")]
    'RightForeArm'
    """
    document = _read_table(path)
    for role, joint in document.value.items():
        try:
            find_roles(skeleton, {role: joint})
        except MotionloomError as error:
            raise FormatError(str(error), path, document.line_of((role,))) from None
    return find_roles(skeleton, document.value)


def read_roles_table(path: PathName) -> dict[str, Any]:
    r"""Table of roles for a skeleton that is not known yet; see `read_roles`.

    Raises
    ------
    FormatError
        For a file that is not such a table.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("roles.yaml").write_text("hips: Root\n")
    >>> read_roles_table("roles.yaml")
    {'hips': 'Root'}
    """
    return dict(_read_table(path).value)


def _read_table(path: PathName) -> Document:
    document = read_document(path)
    if not isinstance(document.value, dict):
        message = "expected lines of 'role: joint', such as 'left_foot: LeftAnkle'"
        raise FormatError(message, path, 1)
    return document
