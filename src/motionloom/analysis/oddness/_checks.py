"""The checks of motion: what each is called and looks at, and what captures say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.oddness import _otherwise as otherwise
from motionloom.analysis.oddness._angles import AxisModel, HingeRange, fit_axes, fit_hinge_range
from motionloom.analysis.oddness._evidence import Body, Evidence, measure_balance
from motionloom.analysis.oddness._learned import PENALTY, Sums, fit_weights
from motionloom.analysis.oddness._legs import LegModel, fit_legs, rows_of_legs, sizes_of_legs
from motionloom.analysis.oddness._levels import Weight
from motionloom.analysis.oddness._speeds import limbs_of, measure_rates, measure_speeds
from motionloom.analysis.oddness._tracks import LEG, RATE, Track
from motionloom.analysis.oddness._turns import TurnModel, fit_turns
from motionloom.analysis.oddness._windows import HOP, SPAN, Dealt, cut_windows, means_around
from motionloom.declared import LEARNED, Shape
from motionloom.typing import Array, Ints

#: Captures score -1 in what was learned from them and their opposite, the opposite 1.
_TURNED = 0.25


@dataclass(frozen=True, kw_only=True)
class Check(Weight):
    """A named check, and what a score of it says.

    Parameters
    ----------
    over : float, seconds
        What a clip shows over so long a time counts together.
    words : str
        What is said of a motion that it finds odd; ``{part}`` stands for a limb or joint.
    reach : float, seconds
        How far what a score tells of goes on before and after the windows that have it.
    below : str
        What is said instead of a score that is rare, but not on the opposite side.
    """

    over: float
    words: str
    reach: float = 0.2
    below: str = ""

    def words_of(self, score: float, part: str) -> str:
        """What is said of such a score."""
        words = self.below if self.below and score < _TURNED else self.words
        return words.format(part=part)


_BACKWARDS = "the body moves as if time ran backwards"
_EITHER_WAY = "the body shows less than captures do which way time runs"
_FILLED = "all joints turn more smoothly than elsewhere, as if filled in"
_OTHER_AXES = "{part} and most joints turn about other axes than in captures"
# Where scores are even and what they weigh: logistic regressions on captured clips of four families
# and on the same clips with faults, each by a judge that had not seen them.  Few captures of one
# family could not tell it.
CHECKS: Mapping[str, Check] = {
    # A capture and its reverse have opposite scores.
    "order": Check(0.0, 6.5, fixed=True, over=6.0, words=_BACKWARDS, below=_EITHER_WAY),
    "pace": Check(0.1, 4.2, over=6.0, words="the body moves faster than one of its size does"),
    "stance": Check(0.4, 8.0, over=2.0, words="both feet slide: none stays where it stands"),
    "gravity": Check(0.34, 7.0, over=2.0, words="the body leans as nobody stands"),
    "frozen": Check(2.6, 8.0, over=0.0, words="{part} turns no more than noise does", reach=0.5),
    "gap": Check(4.0, 2.0, over=0.0, words=_FILLED),
    "pops": Check(1.6, 2.0, beside=True, over=0.0, words="{part} jumps for a moment", reach=0.0),
    "hinge": Check(1.8, 5.0, over=0.0, words="{part} bent past its range", reach=0.0),
    "noise": Check(1.3, 6.0, beside=True, over=1.0, words="all joints tremble"),
    "phase": Check(0.34, 5.3, over=2.0, words="{part} out of step with the body", fixed=True),
    "axes": Check(0.3, 14.0, beside=True, over=4.0, words=_OTHER_AXES),
}
#: Checks that learn from tracks made otherwise, on the features of speeds.
_ON_SPEEDS = ("stance", "phase", "pace")
#: Penalties of regressions on few features: of rates, and of cues to the direction of time, which
#: have to hold for people and actions that are in no capture.
_RATES_PENALTY, _CUES_PENALTY = 0.006, 0.5


@dataclass(frozen=True, eq=False)
class Model:
    """What the checks know of some captures.

    Parameters
    ----------
    order : array of shape (G,)
        Weights of the features that change sign with time.
    cues : array of shape (C,)
        Weights of the cues to the direction of time.
    gravity : array of shape (F,)
        Weights of the features of balance.
    speeds : array of shape (3, S)
        Weights of the features of speeds: stance, phase, pace.
    rates : array of shape (R,)
        Weights of the features of rates.
    turns : TurnModel
    hinges : HingeRange
    axes : AxisModel
    legs : LegModel
        Names the late leg where the check of phase finds one.
    """

    order: Annotated[Array, Shape("order"), LEARNED]
    cues: Annotated[Array, Shape("cues"), LEARNED]
    gravity: Annotated[Array, Shape("gravity"), LEARNED]
    speeds: Annotated[Array, Shape(3, "speeds"), LEARNED]
    rates: Annotated[Array, Shape("rates"), LEARNED]
    turns: TurnModel
    hinges: HingeRange
    axes: AxisModel
    legs: LegModel


#: Sums of rows of features by what they are of: a name of `CHECKS`, or a basis for captured rows.
Learning = Mapping[str, Sums]


def gather_sums(body: Body, evidence: Evidence, track: Track, rng: np.random.Generator) -> Learning:
    """What a capture gives to regressions: its own features, and those of it made otherwise.

    Parameters
    ----------
    body : Body
    evidence : Evidence
        Of the capture.
    track : Track
        Of the capture; its mirror image is learned from, too.
    rng : numpy.random.Generator
        Chooses how the capture is made otherwise.

    Returns
    -------
    Learning
        By names of `CHECKS`, or of a basis for the captured rows.
    """
    # Mirrored too: a person's left and right hand habits are no law of motion.
    both = (track, otherwise.mirrored(track))
    shown = np.concatenate([cut_windows(t) for t in both])
    upright = np.concatenate([measure_balance(t) for t in both])
    leaning = np.concatenate([measure_balance(_leaning(t, rng)) for t in both for _ in range(2)])
    found = {
        # Alone: its features change sign with time, so what runs backwards is known without making
        # it.
        "order": Sums.of(body.flow.features(shown)),
        "cues": Sums.of(evidence.cues),
        "balance": Sums.of(body.balance.features(upright)),
        "gravity": Sums.of(body.balance.features(leaning)),
        "speeds": Sums.of(evidence.speeds),
        "rates": Sums.of(evidence.rates),
        "legs": Sums.of(rows_of_legs(track)),
    }
    for name in _ON_SPEEDS:
        made = [t for t in _OTHERWISE[name](track, rng) if len(t) >= SPAN]
        rows = [body.speeds.features(measure_speeds(t)) for t in made]
        found[name] = _sums(rows, evidence.speeds)
        if name == "pace":
            rows = [body.rates.features(measure_rates(t)) for t in made]
            found["fast rates"] = _sums(rows, evidence.rates)
    return found


def _sums(rows: list[Array], like: Array) -> Sums:
    """Of several tables, or of none, with columns like another's."""
    return Sums.of(np.concatenate([np.zeros((0, like.shape[1])), *rows]))


def add_sums(parts: Sequence[Learning]) -> Learning:
    """What several captures give together."""
    together = dict(parts[0])
    for part in parts[1:]:
        together = {name: sums + part[name] for name, sums in together.items()}
    return together


def _leaning(track: Track, rng: np.random.Generator) -> Track:
    """The body turned by 20 to 60 degrees about a horizontal axis."""
    angle = rng.uniform(0, 2 * np.pi)
    size = np.radians(rng.uniform(20.0, 60.0))
    turn = rot.from_rotvec(size * np.array([np.cos(angle), 0.0, np.sin(angle)]))
    return otherwise.leaning(track, rot.to_matrix(turn))


def _drifting(track: Track, rng: np.random.Generator) -> list[Track]:
    angles = rng.uniform(0, 2 * np.pi, 2)
    sizes = rng.uniform(0.15, 0.6, 2)
    return [
        otherwise.drifting(track, s * np.array([np.sin(a), 0.0, np.cos(a)]))
        for a, s in zip(angles, sizes, strict=True)
    ]


def _with_late_leg(track: Track, rng: np.random.Generator) -> list[Track]:
    sides = sorted({side for side, parts in limbs_of(track) if parts == LEG})
    lags = [min(int(rng.integers(6, 24)), len(track) - SPAN) for _ in sides]
    late = zip(sides, lags, strict=True)
    return [otherwise.with_late_limb(track, side, LEG, lag) for side, lag in late if lag > 0]


def _faster(track: Track, rng: np.random.Generator) -> list[Track]:
    return [otherwise.faster(track, rng.uniform(1.8, 4.0))]


_OTHERWISE: Mapping[str, Callable[[Track, np.random.Generator], list[Track]]] = {
    "stance": _drifting,
    "phase": _with_late_leg,
    "pace": _faster,
}


def fit_model(sums: Learning, captures: Sequence[Evidence]) -> Model:
    """What the checks learn from captures.

    Parameters
    ----------
    sums : Learning
        Of all of them.
    captures : sequence of Evidence

    Returns
    -------
    Model
    """

    def against(captured: str, made: str, penalty: float = PENALTY) -> Array:
        # Wanted is -1 for what was captured and 1 for what was made, so high scores are odd.
        return fit_weights([(sums[captured], -1.0), (sums[made], 1.0)], penalty)

    return Model(
        order=fit_weights([(sums["order"], -1.0)]),
        cues=fit_weights([(sums["cues"], -1.0)], _CUES_PENALTY),
        gravity=against("balance", "gravity"),
        speeds=np.array([against("speeds", name) for name in _ON_SPEEDS]),
        rates=against("rates", "fast rates", _RATES_PENALTY),
        turns=fit_turns([e.turns for e in captures if e.turns is not None]),
        hinges=fit_hinge_range([e.flexion for e in captures]),
        axes=fit_axes([e.rotations for e in captures]),
        legs=fit_legs(sums["legs"], sizes_of_legs(captures[0].track.roles)[1]),
    )


@dataclass(frozen=True, eq=False)
class Curve:
    """What one check says along a clip.

    Parameters
    ----------
    values : array of shape (W,)
        In every window; larger is odder.
    parts : int array of shape (W,) or None
        Which limb or joint it is about.
    """

    values: Array
    parts: Ints | None = None

    @property
    def most(self) -> float:
        """The oddest."""
        return float(self.values.max())


def score(
    body: Body, models: Sequence[Model], evidence: Evidence, longest: float = np.inf
) -> list[dict[str, Curve]]:
    """What every check says of a clip; checks of turns are absent where these are not known.

    Parameters
    ----------
    body : Body
        What is common to all clips of the skeleton.
    models : sequence of Model
        Each knows of some captures; what does not depend on them is done once.
    evidence : Evidence
        What the clip says.
    longest : float, seconds
        Checks that take a longer time together take this one.

    Returns
    -------
    list of dict of str to Curve
        Of each model, in the order of `CHECKS`.
    """
    at, turns = evidence.times, evidence.turns
    of_flexion = Dealt.of(np.arange(len(evidence.flexion)) / RATE, at)
    large = np.flatnonzero(body.large)
    if turns is not None:
        jumps, of_jumps = turns.jumps[:, large], Dealt.of(turns.frame_times, at)
    scored = []
    for model in models:
        found = _of_places(model, evidence, longest)
        found["hinge"] = _hinge(model, evidence, of_flexion)
        if turns is not None:
            noise, smooth = model.turns.noise_and_smoothness(turns)
            found["noise"] = _running("noise", np.interp(at, turns.times, noise), longest)
            found["gap"] = _running("gap", np.interp(at, turns.times, smooth), longest)
            values, joints = of_jumps.worst(model.turns.pops(jumps, large))
            found["pops"] = Curve(values, large[joints])
        scored.append({name: found[name] for name in CHECKS if name in found})
    return scored


def _of_places(model: Model, evidence: Evidence, longest: float) -> dict[str, Curve]:
    """Checks of where joints are and of how they are turned, window by window."""
    speeds = evidence.speeds @ model.speeds.T
    found = {name: _running(name, speeds[:, i], longest) for i, name in enumerate(_ON_SPEEDS)}
    pace = 0.25 * speeds[:, 2] + 0.75 * (evidence.rates @ model.rates)
    found["pace"] = _running("pace", pace, longest)
    # What these very captures show, and what holds for everybody.
    order = (evidence.flow @ model.order + 2 * (evidence.cues @ model.cues)) / 3
    found["order"] = _running("order", order, longest)
    found["gravity"] = _running("gravity", evidence.balance @ model.gravity, longest)
    if evidence.arms.shape[1]:
        found["frozen"] = Curve(evidence.arms.max(axis=1), evidence.arms.argmax(axis=1))
    distances = model.axes.distances(evidence.rotations)
    axes = _running("axes", model.axes.oddness(distances), longest)
    found["axes"] = Curve(axes.values, distances.argmax(axis=1))
    return found


def _running(name: str, values: Array, longest: float) -> Curve:
    """Means over the time that a check takes together, at their middles; ends as beside them."""
    # Windows follow each other by `HOP` frames, and a short clip is its own mean.
    over = min(CHECKS[name].over, longest)
    return Curve(means_around(values, max(round(over * RATE / HOP), 1)))


def _hinge(model: Model, evidence: Evidence, dealt: Dealt) -> Curve:
    """The worst of all frames about each window, and its limb."""
    if not evidence.flexion.shape[1]:
        return Curve(np.zeros(len(evidence.times)))
    return Curve(*dealt.worst(model.hinges.excess(evidence.flexion)))
