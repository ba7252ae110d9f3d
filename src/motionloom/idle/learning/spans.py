"""When somebody rests in one posture, when they shift to another, and files that say so.

Files of resting spans are YAML, for the user to correct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.signal import find_peaks

from motionloom.curves import low_pass, runs_of
from motionloom.declared import LENGTH, NORMALIZED, NUMBER, Declared, Shape
from motionloom.errors import FormatError, InvalidInputError
from motionloom.idle.learning.recording import Recording
from motionloom.io.document import Document, read_document
from motionloom.io.files import write_file
from motionloom.kinematics import center_of_mass
from motionloom.motion import GroundTransform, Motion
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Bools

#: Names of the categories of balance, from the right foot to the left.
CATEGORIES = ("right", "both", "left")
#: One of them, in a record.
Category = Annotated[str, Declared(Literal["right", "both", "left"])]


#: A posture has shifted when its mean before and after differ by this share of how far postures
#: differ at all (root mean square), by this much in any case, radians or leg lengths over all
#: joints, and by this many times as much as it usually (median) differs within a recording.
CHANGE, LEAST, USUAL = 0.5, 0.1, 1.6
#: Seconds over which these means are taken, and between the moment of the shift and both windows.
WINDOW, GAP = 1.5, 0.4
#: A shift lasts while the posture changes at more than this share of its fastest.
SPEED = 0.25
#: Shorter rests belong to the shifts around them, seconds.
SHORTEST = 0.5
#: The centre of mass is over a foot when it is this far towards it, as a share of the way from the
#: middle.
OVER_FOOT = 0.25


@dataclass(frozen=True)
class Span:
    """Somebody rests in one posture.

    Parameters
    ----------
    first, stop : int
        Frames ``first <= i < stop``.
    category : str
        Where the balance is: ``"left"``, ``"right"`` or ``"both"``.
    """

    first: int
    stop: int
    category: str


def find_spans(components: Array, balance: Array, moving: Bools, fps: float) -> tuple[Span, ...]:
    """Find when somebody rests; what lies between two spans is a shift.

    Parameters
    ----------
    components : array of shape (T, K)
        Postures.
    balance : array of shape (T,)
        Where the centre of mass is: -1 over the right foot, 1 over the left.
    moving : bool array of shape (T,)
        Where a foot steps: nobody rests there.
    fps : float
        Frames per second.

    Returns
    -------
    tuple of Span
        In the order of time.
    """
    slow = low_pass(components, fps, 1.0)
    shifting = moving.copy()
    for first, stop in _shifts(slow, fps):
        shifting[first:stop] = True
    return tuple(
        Span(first, stop, _categorise(float(balance[first:stop].mean())))
        for first, stop in runs_of(~shifting, least=SHORTEST * fps)
    )


def _categorise(balance: float) -> str:
    """Category of a mean balance: ``"left"``, ``"right"`` or ``"both"``."""
    if balance > OVER_FOOT:
        return "left"
    return "right" if balance < -OVER_FOOT else "both"


def _change_of_posture(slow: Array, fps: float) -> Array:
    """How far the mean postures before and after each frame differ, shape (T,); 0 near the ends."""
    window = max(1, round(WINDOW * fps))
    gap = round(GAP * fps)
    change = np.zeros(len(slow))
    reach = window + gap
    if len(slow) <= 2 * reach:
        return change
    sums = np.concatenate([np.zeros((1, slow.shape[1])), np.cumsum(slow, axis=0)])
    at = np.arange(reach, len(slow) - reach)
    before = sums[at - gap] - sums[at - reach]
    after = sums[at + reach] - sums[at + gap]
    change[at] = np.linalg.norm(after - before, axis=1) / window
    return change


def _shifts(slow: Array, fps: float) -> list[tuple[int, int]]:
    """Frames of each shift: around the fastest moment near each peak of change."""
    size = float(np.sqrt(np.mean(np.sum((slow - slow.mean(axis=0)) ** 2, axis=1))))
    window = max(1, round(WINDOW * fps))
    change = _change_of_posture(slow, fps)
    usual = float(np.median(change[change > 0])) if (change > 0).any() else 0.0
    limit = max(CHANGE * size, LEAST, USUAL * usual)
    peaks, _ = find_peaks(change, height=limit, distance=window)
    speed = np.linalg.norm(np.gradient(slow, axis=0), axis=1)
    return [_extent(speed, int(peak), window) for peak in peaks]


def _extent(speed: Array, peak: int, window: int) -> tuple[int, int]:
    first = max(0, peak - window)
    stop = min(len(speed), peak + window)
    top = first + int(np.argmax(speed[first:stop]))
    slow = np.flatnonzero(speed[first:stop] < SPEED * speed[top]) + first
    before = slow[slow < top]
    after = slow[slow > top]
    begin = int(before[-1]) + 1 if len(before) else first
    end = int(after[0]) if len(after) else stop
    return begin, end


#: How far up from the hips to the neck the centre of mass is taken to be where arms are unknown.
_UP_THE_TRUNK = 0.3


def compute_balance(recording: Recording) -> Array:
    """Where the centre of mass is: -1 over the right ankle, 1 over the left, shape (T,).

    Parameters
    ----------
    recording : Recording
        Somebody who stands.

    Returns
    -------
    array of shape (T,)
        On the line between the ankles of each frame's stance.
    """
    places = recording.places()
    mass = places.seen(_center(recording))
    which = recording.stance_of()
    feet = np.array([stance.feet for stance in recording.stances])[which]
    across = feet[:, 0, ::2] - feet[:, 1, ::2]
    half = 0.5 * np.maximum(np.linalg.norm(across, axis=1), 1e-3)
    middle = 0.5 * (feet[:, 0, ::2] + feet[:, 1, ::2])
    along = np.sum((mass[:, ::2] - middle) * across, axis=1) / (2.0 * half)
    return np.asarray(along / half)


def _center(recording: Recording) -> Array:
    posed = recording.posed
    try:
        return center_of_mass(posed.positions, posed.roles)
    except InvalidInputError:
        joints = posed.roles.joints
        top = next((joints[r] for r in ("neck", "chest", "spine") if r in joints), joints["hips"])
        hips = posed.positions[:, joints["hips"]]
        return hips + _UP_THE_TRUNK * (posed.positions[:, top] - hips)


#: Frames over which a shift takes over from the rest before it, as a share of its length, and most
#: seconds.
EASE, LONGEST_EASE = 0.25, 0.4


@dataclass(frozen=True, eq=False)
class Shift:
    """A recorded way from one posture to another.

    Parameters
    ----------
    postures : array of shape (n, K)
        Components, seen from a place that goes from the stance before it to the one behind it, as
        a cubic eases; the shift's share of time is the share of the way.
    begin, end : str
        Categories of balance before and after.
    feet : array of shape (n, 2, 3), metres, optional
        Places of both ankles seen from the stance before it, where a foot steps.
    turns : array of shape (n, 2, 4), optional
        Rotations of both feet likewise.
    moved : GroundTransform
        The stance after it, seen from the stance before it.
    """

    postures: Annotated[Array, Shape("n", "K"), NUMBER]
    begin: Category
    end: Category
    feet: Annotated[Array, Shape("n", 2, 3), LENGTH] | None = None
    turns: Annotated[Array, Shape("n", 2, 4), NORMALIZED] | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)
    __setstate__ = restore_read_only

    @property
    def n_frames(self) -> int:
        """How long it takes."""
        return len(self.postures)

    @property
    def steps(self) -> bool:
        """Whether a foot steps."""
        return self.feet is not None


def choose_shift(
    shifts: Sequence[Shift], start: ArrayLike, end: ArrayLike, weights: ArrayLike
) -> int:
    """The shift that fits best between two postures (section 5.4.3).

    Parameters
    ----------
    shifts : sequence of Shift
        At least one.
    start, end : array of shape (K,)
        Postures.
    weights : array of shape (K,)
        Of the components in the distance (equation 4).

    Returns
    -------
    int
        The one whose larger distance, at its first and its last frame, is least.
    """
    weights = np.asarray(weights, float)
    firsts = np.array([shift.postures[0] for shift in shifts])
    lasts = np.array([shift.postures[-1] for shift in shifts])
    at_start = np.sum(weights * (firsts - start) ** 2, axis=1)
    at_end = np.sum(weights * (lasts - end) ** 2, axis=1)
    return int(np.argmin(np.maximum(at_start, at_end)))


_FIELDS = {"from", "to", "balance"}
_EXAMPLE = "'person:' and '  - {from: 0.0, to: 12.4, balance: left}'"


@dataclass(frozen=True, eq=False)
class SpanFile:
    """What a file says before the recordings are known.

    Parameters
    ----------
    document : Document
        The file.
    rows : mapping of str to list
        By the name of the recording, from when until when somebody rests, seconds, and where the
        balance is.
    """

    document: Document
    rows: Mapping[str, list[tuple[float, float, str]]]

    def spans_of(self, recordings: Sequence[Motion]) -> tuple[tuple[Span, ...], ...]:
        """When somebody rests in recordings.

        Parameters
        ----------
        recordings : sequence of Motion
            Those that the file must tell of, by their names.

        Returns
        -------
        tuple of tuple of Span
            For each recording.

        Raises
        ------
        FormatError
            With file and line, when it leaves a recording out, names one that is not there, or its
            spans are not in order or beyond the recording.
        """
        names = [motion.name for motion in recordings]
        for name in self.rows:
            if name not in names:
                text = f"there is no recording {name[:80]!r} here; expected {', '.join(names)}"
                raise self.document.fault(text, name)
        return tuple(self._of(motion) for motion in recordings)

    def _of(self, motion: Motion) -> tuple[Span, ...]:
        if motion.name not in self.rows:
            raise FormatError(f"it does not say when {motion.name!r} rests", self.document.path)
        spans: list[Span] = []
        for i, (*times, category) in enumerate(self.rows[motion.name]):
            first, stop = (round(time * motion.fps) for time in times)
            begin = spans[-1].stop if spans else 0
            if not begin <= first or stop - first < 2 or stop > motion.n_frames:
                text = (
                    f"spans follow each other within the recording's {motion.duration:.2f} s, and"
                    f" each lasts two frames or more; got {times[0]:g} to {times[1]:g}"
                )
                raise self.document.fault(text, motion.name, i)
            spans.append(Span(first, stop, category))
        return tuple(spans)


def read_span_file(path: str | PathLike[str]) -> SpanFile:
    """Read a file of resting spans, whatever recordings it is for.

    The file has the name of every recording with a list of ``{from: s, to: s, balance: left}``,
    in the order of time; what lies between two of them is a shift.

    Parameters
    ----------
    path : path-like
        YAML or JSON.

    Returns
    -------
    SpanFile

    Raises
    ------
    FormatError
        With file and line, when it is no such list.
    """
    document = read_document(path)
    table = document.value
    if not isinstance(table, dict) or not table:
        raise FormatError(f"expected resting spans by recording; begin with {_EXAMPLE}", path, 1)
    rows: dict[str, list[tuple[float, float, str]]] = {}
    for name, own in table.items():
        if not isinstance(own, list) or not own:
            raise document.fault(f"{name}: expected a list of spans, as {_EXAMPLE}", name)
        rows[str(name)] = [_row(document, row, name, i) for i, row in enumerate(own)]
    return SpanFile(document, rows)


def _row(document: Document, row: Any, *at: str | int) -> tuple[float, float, str]:
    if not isinstance(row, dict) or set(row) != _FIELDS:
        text = f"expected {{from: s, to: s, balance: left}}, got {str(row)[:80]}"
        raise document.fault(text, *at)
    if row["balance"] not in CATEGORIES:
        text = f"balance is left, right or both, got {str(row['balance'])[:80]!r}"
        raise document.fault(text, *at)
    times = (row["from"], row["to"])
    if not all(isinstance(t, (int, float)) and 0 <= t < 1e9 for t in times):
        raise document.fault(f"from and to are seconds, got {str(times)[:80]}", *at)
    if not times[0] < times[1]:
        raise document.fault(f"a span ends after it begins, got {str(times)[:80]}", *at)
    return float(times[0]), float(times[1]), row["balance"]


def write_spans(spans: Mapping[str, Sequence[Span]], fps: float, path: str | PathLike[str]) -> None:
    """Write when somebody rests, for the user to correct.

    Parameters
    ----------
    spans : mapping of str to sequence of Span
        By the name of the recording.
    fps : float
        Frames per second.
    path : path-like
        YAML file; `read_spans` reads it.
    """
    lines = ["# When somebody rests; what lies between two spans is a shift. Correct it as needed."]
    for name, own in spans.items():
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'"{escaped}":')
        lines += [
            f"  - {{from: {span.first / fps:.3f}, to: {span.stop / fps:.3f},"
            f" balance: {span.category}}}"
            for span in own
        ]
    write_file(path, ("\n".join(lines) + "\n").encode())
