"""A user's own masses: a table with the layout in which anthropometric tables are published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from types import MappingProxyType
from typing import Any

from motionloom.errors import FormatError
from motionloom.physics.body.segments import LIMBS

#: Segments that a table may have.
KINDS = (*(row[0] for row in LIMBS), "trunk", "head", "neck")


@dataclass(frozen=True)
class SegmentRow:
    """What a table says of one kind of segment; what it does not say stays Winter's.

    Parameters
    ----------
    share : float, optional
        Of the body's mass, for one side; of the trunk for all of it.
    along : float, optional
        Where the centre lies from the upper (nearer) end to the far one, 0 to 1; not of the trunk.
    gyration : tuple of float, optional
        Radii of gyration about the axes across (to the side), depth (ahead) and along, as shares
        of the segment's length; not of the trunk.
    """

    share: float | None = None
    along: float | None = None
    gyration: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class MassTable:
    """Masses of segments by kind.

    Parameters
    ----------
    rows : mapping of str to SegmentRow
        By kind of segment (``"thigh"``, ``"trunk"`` ...).
    """

    rows: Mapping[str, SegmentRow] = field(default_factory=lambda: MappingProxyType({}))

    def row(self, kind: str) -> SegmentRow:
        """Row of a kind, empty where the table has none."""
        return self.rows.get(kind, SegmentRow())


def read_mass_table(path: str | PathLike[str]) -> MassTable:
    """Read a user's table of masses.

    Parameters
    ----------
    path : path-like
        YAML: by kind of segment ``share``, ``along`` and ``gyration`` (three numbers).

    Returns
    -------
    MassTable

    Raises
    ------
    FormatError
        When it is no such table.
    """
    import yaml

    from motionloom.io.files import read_bytes

    try:
        found = yaml.safe_load(read_bytes(path).decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FormatError("this is no YAML table of segments", path) from error
    if not isinstance(found, dict) or not found:
        raise FormatError("expected a table of segments, such as 'thigh: {share: 0.1}'", path)
    rows = {kind: _read_row(path, kind, row) for kind, row in found.items()}
    return MassTable(MappingProxyType(rows))


def _read_row(path: str | PathLike[str], kind: Any, row: Any) -> SegmentRow:
    if kind not in KINDS:
        raise FormatError(f"{kind!r} is no segment; known are {', '.join(KINDS)}", path)
    fields = ("share", "along", "gyration")
    if not isinstance(row, dict) or not set(row) <= set(fields):
        raise FormatError(f"{kind}: expected share, along or gyration, got {row!r}", path)
    share = _number(path, f"{kind}: share", row.get("share"))
    along = _number(path, f"{kind}: along", row.get("along"))
    gyration = row.get("gyration")
    if gyration is None:
        return SegmentRow(share, along)
    if not isinstance(gyration, list) or len(gyration) != 3:
        raise FormatError(f"{kind}: gyration needs three numbers, got {gyration!r}", path)
    radii = [_number(path, f"{kind}: gyration", radius) for radius in gyration]
    across, ahead, length = (float(radius or 0.0) for radius in radii)
    return SegmentRow(share, along, (across, ahead, length))


def _number(path: str | PathLike[str], what: str, value: Any) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1:
        raise FormatError(f"{what} must be a share between 0 and 1, got {value!r}", path)
    return float(value)
