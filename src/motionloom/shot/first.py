"""A first shot, to be changed."""

from __future__ import annotations

import json
import re

from motionloom.errors import InvalidInputError

_TEXT = """\
shot: 1
fps: 30
seed: 1
library: {library}            # folder of clips, or a library
marks:
  door: {{position: [1.5, 2.5], facing: 90}}        # x, z in metres; degrees from +Z towards +X
  handle: {{point: [1.95, 1.1, 2.5]}}               # x, y, z; y is up
cast:
  {name}: {{}}
tracks:
  {name}:
    - {{id: go, do: walk, to: door, by: 5.0}}
    - {{id: wait, do: idle, for: 3.0}}
    - {{id: hand, do: reach, joint: right_hand, target: handle, at: wait.start+1.5, hold: 0.5}}
    - {{id: away, do: walk, to: [0.0, 0.0], for: 5.0}}
"""


def first_shot(library: str, name: str) -> str:
    """Text of a shot file: somebody walks to a door, waits, takes its handle and goes back.

    Parameters
    ----------
    library : str
        Folder of clips, or a library.
    name : str
        Of the character.

    Returns
    -------
    str

    Raises
    ------
    InvalidInputError
        When the name is not of letters, digits, ``-`` and ``_``.
    """
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name) is None:
        raise InvalidInputError(
            f"expected a name of letters, digits, '-' and '_', got {name[:60]!r}; choose another"
        )
    return _TEXT.format(library=json.dumps(library), name=name)
