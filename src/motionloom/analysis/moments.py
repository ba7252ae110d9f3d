"""Every moment of a motion judged by captured ones: the oddest of what the checks see there.

What was learned of moments of captures, kept on disk: read instead of learned again.

What is said of every moment of a motion.

How fast joints turn beside each other: one that hangs still while its body runs is odd.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.oddness._checks import CHECKS, Curve, Model, score
from motionloom.analysis.oddness._evidence import Body, Evidence, gather_evidence, is_long_enough
from motionloom.analysis.oddness._levels import fit_levels
from motionloom.analysis.oddness._store import check_body
from motionloom.analysis.oddness._tracks import RATE, nearest_frames
from motionloom.analysis.oddness._windows import SPAN, window_middles
from motionloom.analysis.oddness.captures import PIECE, Captures, learn_captures
from motionloom.analysis.oddness.judge import part_of_check, weights_of
from motionloom.declared import LEARNED, Shape
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, breathe, silent
from motionloom.roles import Roles
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Joints that turn more slowly are alike, degrees per second.
STILL = 3.0
#: Added to every standard deviation: what never varies in captures would be blown up without that.
_RIDGE = 0.1


def measure_turning(body: Body, posed: PosedMotion) -> Array:
    """How fast each large joint turns in the windows of a motion.

    Parameters
    ----------
    body : Body
        Which joints are large.
    posed : PosedMotion
        Of the body's skeleton, at least one window long.

    Returns
    -------
    array of shape (W, L)
        Natural logarithm of the root mean square over the window, degrees per second.
    """
    frames = nearest_frames(posed)
    large = body.moving[body.large]
    turns = rot.unroll(posed.motion.rotations[frames][:, large])
    # A quaternion's length is half an angle.
    speed = np.degrees(2 * np.linalg.norm(np.diff(turns, axis=0), axis=-1)) * RATE
    middles = window_middles(len(frames))
    steps = middles[:, None] + np.arange(-(SPAN // 2), SPAN // 2)
    return np.asarray(np.log(STILL + np.sqrt((speed[steps] ** 2).mean(axis=1))))


@dataclass(frozen=True, eq=False)
class TurningModel:
    """How fast joints turn in captures: one Gaussian of all of them.

    Parameters
    ----------
    mean : array of shape (L,)
        Of the logarithms.
    precision : array of shape (L, L)
        Inverse of their covariance.
    """

    mean: Annotated[Array, Shape("n"), LEARNED]
    precision: Annotated[Array, Shape("n", "n"), LEARNED]

    def distances(self, turning: Array) -> Array:
        """How far windows (W, L) are from the mean (Mahalanobis 1936), by the root of L."""
        away = turning - self.mean
        squares = np.einsum("wi,ij,wj->w", away, self.precision, away) / len(self.mean)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def beside_others(self, turning: Array) -> Array:
        """How much faster each joint turns than the others let expect, in deviations, (W, L)."""
        faster: Array = (turning - self.mean) @ self.precision
        return faster / np.sqrt(np.diag(self.precision))


def fit_turning(turning: Array) -> TurningModel:
    """How fast joints turn in captured windows (W, L)."""
    covariance = np.atleast_2d(np.cov(turning, rowvar=False))
    covariance = covariance + _RIDGE**2 * np.eye(len(covariance))
    precision = np.asarray(np.linalg.inv(covariance), np.float64)
    return TurningModel(turning.mean(axis=0), precision)


#: From here on a moment is less natural than all but one of a hundred captured ones.
LIMIT = 1.0

#: Checks take no longer time together than this, seconds: a moment is to be found where it is.
OVER = 1.0
#: What only whole takes can tell: which way time runs, and how a rig turns.
WHOLE = ("order", "axes")
#: How fast joints turn beside each other, and what is said of one.
TURNING = "turning"
_SLOW = "{part} hardly turns while the rest of the body moves"
_FAST = "{part} turns faster than goes with the rest of the body"
#: Share of captured moments below the limit.
RARE = 0.99
#: The limit of how joints turn is at least so many times what is usual.
_LEAST = 1.5
#: Long motions are judged in pieces, which see this much beyond their ends, seconds.
_BEYOND = 1.0


def save_moment_judge(judge: MomentJudge, kept: KeptFolder, key: str) -> None:
    """Keep what was learned of moments.

    Parameters
    ----------
    judge : MomentJudge
        What was learned.
    kept : KeptFolder
        Where.
    key : str
        Stands for the captures.
    """
    kept.save(f"moments-{key}", judge, MomentJudge)


def load_moment_judge(kept: KeptFolder, key: str, roles: Roles, joints: int) -> MomentJudge | None:
    """What was learned of moments and kept.

    Parameters
    ----------
    kept : KeptFolder
        Where.
    key : str
        As it was kept with.
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that it has.

    Returns
    -------
    MomentJudge or None
        None where there is none, or its file is damaged.
    """

    def check(judge: MomentJudge) -> None:
        if not {*judge.scales} <= {*CHECKS, TURNING} or TURNING not in judge.scales:
            raise Fault("it names other checks than there are")
        check_body(judge.body, [judge.model], roles, joints)
        if len(judge.turning.mean) != int(judge.body.large.sum()):
            raise Fault("it is of other joints")
        if any(one.limit <= one.middle for one in (*judge.scales.values(), judge.overall)):
            raise Fault("a limit is below what is usual")

    return kept.load(f"moments-{key}", MomentJudge, check)


@dataclass(frozen=True)
class Scale:
    """Where scores of captured moments lie.

    Parameters
    ----------
    middle : float
        Half of them are below it.
    limit : float
        Nearly all of them are; see `RARE`.
    """

    middle: Annotated[float, LEARNED]
    limit: Annotated[float, LEARNED]

    def __call__(self, scores: Array) -> Array:
        """0 at the middle, 1 at the limit."""
        return (scores - self.middle) / (self.limit - self.middle)


@dataclass(frozen=True, eq=False)
class MomentJudge:
    """What moments of captured motions are like.

    Parameters
    ----------
    body : Body
        What is common to them.
    model : Model
        What the checks know of all of them.
    turning : TurningModel
        How fast joints turn in them.
    scales : mapping of str to Scale
        By check, with `TURNING`.
    overall : Scale
        Of the oddest of all checks.
    """

    body: Body
    model: Model
    turning: TurningModel
    scales: Mapping[str, Scale]
    overall: Scale

    def judge(self, posed: PosedMotion) -> OddSeries | None:
        """Judge a motion.

        Parameters
        ----------
        posed : PosedMotion
            Of the skeleton of the captures.

        Returns
        -------
        OddSeries or None
            None for a motion that is too short.
        """
        if not is_long_enough(posed):
            return None
        parts = [self._judge(posed, *edges) for edges in _pieces_of(posed)]
        times = np.concatenate([one[0] for one in parts])
        values = np.concatenate([one[1] for one in parts])
        words = [text for one in parts for text in one[2]]
        frame_times = np.arange(posed.n_frames) * posed.motion.frame_time
        series = np.maximum(np.interp(frame_times, times, values), 0.0)
        nearest = np.abs(frame_times[:, None] - times).argmin(axis=1)
        stretches = tuple(_stretches(series, [words[w] for w in nearest]))
        most = int(series.argmax())
        worst = next((one for one in stretches if one.first <= most <= one.last), None)
        if worst is None:
            worst = OddStretch(most, most, most, float(series[most]), words[nearest[most]])
        return OddSeries(series, stretches, worst)

    def _judge(self, posed: PosedMotion, first: int, stop: int) -> tuple[Array, Array, list[str]]:
        """Times, values and words of the windows of some frames."""
        breathe()
        beyond = round(_BEYOND * posed.fps)
        begin = max(first - beyond, 0)
        piece = posed.cut(begin, min(stop + beyond, posed.n_frames))
        evidence = gather_evidence(self.body, piece)
        breathe()
        turning = measure_turning(self.body, piece)
        curves = score_moments(self.body, self.model, self.turning, evidence, turning)
        names = list(self.scales)
        rows = np.array([self.scales[name](curves[name].values) for name in names])
        times = evidence.times + begin * posed.motion.frame_time
        own = (times >= first * posed.motion.frame_time) & (times < stop * posed.motion.frame_time)
        kept = np.flatnonzero(own) if own.any() else np.arange(len(times))
        told = [(names[int(rows[:, w].argmax())], int(w)) for w in kept]
        words = [self._words(name, curves[name], w, turning, posed) for name, w in told]
        return times[kept], self.overall(rows.max(axis=0))[kept], words

    def _words(
        self, name: str, curve: Curve, window: int, turning: Array, posed: PosedMotion
    ) -> str:
        if name == TURNING:
            faster = self.turning.beside_others(turning[window])
            joint = int(np.abs(faster).argmax())
            part = posed.skeleton.names[self.body.moving[self.body.large][joint]]
            return (_FAST if faster[joint] > 0 else _SLOW).format(part=part)
        part = "a leg" if name == "phase" else ""
        if curve.parts is not None:
            part = part_of_check(self.body, name, int(curve.parts[window]), posed)
        return CHECKS[name].words_of(float(curve.values[window]), part)


def _pieces_of(posed: PosedMotion) -> Iterator[tuple[int, int]]:
    """First frame of each piece and the one behind its last; all of about the same length."""
    count = max(round(posed.motion.duration / PIECE), 1)
    yield from pairwise(np.linspace(0, posed.n_frames, count + 1).astype(int).tolist())


def _stretches(values: Array, words: Sequence[str]) -> Iterator[OddStretch]:
    """Frames beyond the limit that are odd for one reason."""
    reasons = groupby(range(len(values)), key=lambda i: (values[i] > LIMIT, words[i]))
    for (beyond, text), own in reasons:
        frames = list(own)
        if beyond:
            most = max(frames, key=values.__getitem__)
            yield OddStretch(frames[0], frames[-1], most, float(values[most]), text)


@one_thread()
def score_moments(
    body: Body, model: Model, turning: TurningModel, evidence: Evidence, turned: Array
) -> dict[str, Curve]:
    """What every check, and how joints turn, says of every window of a clip.

    Parameters
    ----------
    body : Body
        What is common to all clips of the skeleton.
    model : Model
        What the checks know.
    turning : TurningModel
        How fast joints turn in captures.
    evidence : Evidence
        What the clip says.
    turned : array of shape (W, L)
        How fast its joints turn.

    Returns
    -------
    dict of str to Curve
    """
    (curves,) = score(body, [model], evidence, OVER)
    found = {name: curve for name, curve in curves.items() if name not in WHOLE}
    return {**found, TURNING: Curve(turning.distances(turned))}


@one_thread()
def fit_moment_judge(
    clips: Sequence[PosedMotion], *, seed: int = 0, progress: Progress = silent
) -> MomentJudge:
    """Learn what moments of captured motions are like.

    Parameters
    ----------
    clips : sequence of PosedMotion
        Captures of one skeleton; their names say who moves and which take they are of.
    seed : int
        Of all that is drawn.
    progress : Progress
        Told of every piece.

    Returns
    -------
    MomentJudge

    Raises
    ------
    InvalidInputError
        When there are too few clips, no joint turns in them, or the body has no whole leg, or no
        left and right.
    """
    captures = learn_captures(clips, seed=seed, progress=progress)
    turned = [measure_turning(captures.body, piece) for piece in captures.pieces]
    curves = _judged_by_others(captures, turned)
    # A check that some captures lack has no level to be judged by.
    names = [name for name in curves[0] if all(name in one for one in curves)]
    table = {name: np.concatenate([one[name].values for one in curves]) for name in names}
    known = [name for name in names if name != TURNING]
    most_of = [{name: one[name].most for name in known} for one in curves]
    levels = fit_levels(most_of, weights_of(known))
    scales = {}
    for name, scores in table.items():
        middle, limit = np.quantile(scores, [0.5, RARE]).tolist()
        # Few captures are all alike: what faults have elsewhere counts, too.
        least = _LEAST * middle if name == TURNING else levels.weights[name].even
        scales[name] = Scale(middle, max(limit, least))
    most = np.max([scales[name](scores) for name, scores in table.items()], axis=0)
    overall = Scale(*np.quantile(most, [0.5, RARE]).tolist())
    turning = fit_turning(np.concatenate(turned))
    return MomentJudge(captures.body, captures.models[-1], turning, scales, overall)


def _judged_by_others(captures: Captures, turned: Sequence[Array]) -> list[dict[str, Curve]]:
    """Every captured piece, judged by what was learned without its person or take."""
    curves: dict[int, dict[str, Curve]] = {}
    for part in range(len(captures.models) - 1):
        own = np.flatnonzero(captures.fold == part).tolist()
        others = np.flatnonzero(captures.fold != part).tolist()
        turning = fit_turning(np.concatenate([turned[i] for i in others]))
        for i in own:
            breathe()
            seen = (captures.evidence[i], turned[i])
            curves[i] = score_moments(captures.body, captures.models[part], turning, *seen)
    return [curves[i] for i in range(len(captures.pieces))]


@dataclass(frozen=True)
class OddStretch:
    """Frames that follow each other and are odd for one reason.

    Parameters
    ----------
    first, last : int
        Frames, both included.
    frame : int
        The oddest of them.
    value : float
        How odd it is; see `OddSeries`.
    words : str
        What is odd there.
    """

    first: int
    last: int
    frame: int
    value: float
    words: str


@dataclass(frozen=True, eq=False)
class OddSeries:
    """How odd a motion is, frame by frame.

    Parameters
    ----------
    values : array of shape (T,)
        0 is usual among captures and `LIMIT` what 99 of 100 captured moments stay below, each
        judged by captures of other takes.
    stretches : tuple of OddStretch
        All that is odder than the limit, in the order of time.
    worst : OddStretch
        The oddest moment, even where it is within the limit.
    """

    values: Array
    stretches: tuple[OddStretch, ...]
    worst: OddStretch

    @property
    def share(self) -> float:
        """Share of the frames that are beyond the limit."""
        return float(np.mean(self.values > LIMIT))
