"""First shots, to be changed: of one who goes to a door, and of two who meet."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

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
{spans}"""
#: Spans of it.
_GO = "    - {id: go, do: walk, to: door, by: 5.0}\n"
_WAIT = "    - {id: wait, do: idle, for: 3.0}\n"
_REACH = (
    "    - {id: hand, do: reach, joint: right_hand, target: handle, at: wait.start+1.5,"
    " hold: 0.5}\n"
)
_AWAY = "    - {id: away, do: walk, to: [0.0, 0.0], for: 6.0}\n"


_TWO = """\
shot: 1
fps: 30
seed: 1
library: {library}            # folder of clips, or a library
cast:
  {name}: {{}}
  {other}: {{start: {{position: [0.0, 5.0], facing: 180}}}}    # x, z; degrees from +Z to +X
tracks:
  {name}:
    - {{id: come, do: walk, by: 4.5}}                # without 'to': to where the meeting is
    - {{id: talk, do: idle, for: 4.0}}
  {other}:
    - {{id: come, do: walk, by: 4.0}}
    - {{id: talk, do: idle, until: {name}.talk.end}}
meet:
  - time: {name}.talk.start+1.5
    hold: 0.6
    between: [{name}, {other}]
    distance: 0.85
    joints: [{{first: right_hand, second: right_hand, gap: 0.18}}]
    name: handshake
"""


@dataclass(frozen=True)
class FirstParts:
    """What a first shot consists of besides walks.

    Parameters
    ----------
    waits : bool
        Whether somebody waits.
    reaches : bool
        Whether a hand is brought to a handle meanwhile.
    """

    waits: bool = True
    reaches: bool = True

    @property
    def told(self) -> str:
        """What one does, in words."""
        between = [", waits"] * self.waits + [", reaches"] * self.reaches
        return f"walks{''.join(between)} and goes back"


def first_shot(library: str, names: Sequence[str], parts: FirstParts | None = None) -> str:
    """Text of a shot file: one walks to a door, waits, takes its handle and goes back; two meet.

    Parameters
    ----------
    library : str
        Folder of clips, or a library.
    names : sequence of str
        Of one character, or of two.
    parts : FirstParts, optional
        What one alone does; everything when not given. Two wait where they meet.

    Returns
    -------
    str

    Raises
    ------
    InvalidInputError
        When a name is not of letters, digits, ``-`` and ``_``, or there are more than two.
    """
    for name in names:
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name) is None:
            raise InvalidInputError(
                f"expected a name of letters, digits, '-' and '_', got {name[:60]!r}; choose"
                " another"
            )
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        raise InvalidInputError(
            f"expected one name, or two that differ, got {len(names)}; more can be added to the"
            " file"
        )
    if len(names) == 2:
        return _TWO.format(library=json.dumps(library), name=names[0], other=names[1])
    parts = parts or FirstParts()
    spans = [_GO, _WAIT * parts.waits, _REACH * (parts.waits and parts.reaches), _AWAY]
    return _TEXT.format(library=json.dumps(library), name=names[0], spans="".join(spans))
