"""Whether windows of idle motion tell who they are of, and whether they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.motion import Motion
from motionloom.roles import find_roles
from motionloom_evaluation.idle.measures import angular_rates

Array = NDArray[np.float64]

#: Length of a window, seconds.
WINDOW = 10.0
#: A joint that turns less than this on average (radians/s) does not count.
_STILL = 1e-5
_QUANTILES = (0.1, 0.5, 0.9, 0.99)


@dataclass(frozen=True)
class Telling:
    """How far windows can be told.

    Parameters
    ----------
    person_recorded, person_made : float
        Share of held-out recorded windows, and of made ones, whose person is named right.
    made : float
        Balanced share of held-out windows that are rightly said to be recorded or made; .5 is
        guessing.
    halves : float
        The same of the two halves of the recordings: no maker of motion can ask for less.
    standing : float
        The same of made windows without the feet, which tremble where they stand when recorded.
    giveaways : tuple of (str, float)
        Features that tell most by themselves, with the share that each reaches.
    """

    person_recorded: float
    person_made: float
    made: float
    halves: float
    standing: float
    giveaways: tuple[tuple[str, float], ...]

    def to_text(self) -> str:
        """For people."""
        lines = [
            f"person named right: recorded windows {self.person_recorded:.2f}, made"
            f" {self.person_made:.2f}",
            f"told from recorded windows of the same person: {self.made:.2f}, without the feet"
            f" {self.standing:.2f}; the other half of the recording {self.halves:.2f} (guessing"
            " .50)",
        ]
        lines += [f"  by {name}: {share:.2f}" for name, share in self.giveaways]
        return "\n".join(lines) + "\n"


def mean_telling(tellings: Sequence[Telling]) -> Telling:
    """Mean of what was told of several motions; of the giveaways, those named most often.

    Parameters
    ----------
    tellings : sequence of Telling
        At least one.

    Returns
    -------
    Telling
    """
    shares: dict[str, list[float]] = {}
    for telling in tellings:
        for name, share in telling.giveaways:
            shares.setdefault(name, []).append(share)
    often = sorted(shares, key=lambda name: (-len(shares[name]), -max(shares[name])))[:3]
    fields = ("person_recorded", "person_made", "made", "halves", "standing")
    means = {name: float(np.mean([getattr(t, name) for t in tellings])) for name in fields}
    return Telling(
        **means,
        giveaways=tuple((name, float(np.mean(shares[name]))) for name in often),
    )


def living_joints(motions: Sequence[Motion]) -> tuple[int, ...]:
    """Joints that turn in all motions."""
    means = [angular_rates(motion)[0].mean(axis=0) for motion in motions]
    least = np.min(means, axis=0)
    return tuple(np.flatnonzero(least > _STILL).tolist())


def describe_windows(motion: Motion, living: Sequence[int]) -> tuple[Array, tuple[str, ...]]:
    """Features of windows that do not overlap: how fast joints turn, and how unevenly.

    Parameters
    ----------
    motion : Motion
        The motion.
    living : sequence of int
        Joints that count.

    Returns
    -------
    features : array of shape (W, F)
        Logarithms.
    names : tuple of str
        Of the features.
    """
    length = round(WINDOW * motion.fps)
    speed, acceleration = angular_rates(motion)
    joints = list(living)
    rows = []
    for first in range(0, motion.n_frames - length, length):
        parts = [
            np.quantile(rates[first : first + length - 2][:, joints], _QUANTILES, axis=0)
            for rates in (speed, acceleration)
        ]
        rows.append(np.log(np.maximum(np.concatenate(parts), 1e-9)).ravel())
    names = tuple(
        f"{kind} of {motion.skeleton.names[j]}, {100 * q:g} %"
        for kind in ("speed", "acceleration")
        for q in _QUANTILES
        for j in joints
    )
    return np.array(rows).reshape(-1, len(names)), names


def tell(recorded: Sequence[Motion], held_out: Sequence[Motion], made: Sequence[Motion]) -> Telling:
    """Train classifiers on windows and see what they tell.

    Parameters
    ----------
    recorded : sequence of Motion
        What the persons' classifier learns from, one for each person.
    held_out : sequence of Motion
        Recorded motion of the same persons that nothing was learned from.
    made : sequence of Motion
        Made motion of the same persons.

    Returns
    -------
    Telling
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    living = living_joints([*recorded, *held_out, *made])
    described = [
        [describe_windows(motion, living) for motion in group]
        for group in (recorded, held_out, made)
    ]
    names = described[0][0][1]
    features = [[part for part, _ in group] for group in described]
    who = [np.repeat(np.arange(len(group)), [len(part) for part in group]) for group in features]
    stacked = [np.concatenate(group) for group in features]
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000))
    model.fit(stacked[0], who[0])
    person = [
        float((model.predict(x) == y).mean()) for x, y in zip(stacked[1:], who[1:], strict=True)
    ]
    made_share, giveaways = _tell_made(features[1], features[2], names)
    halves, _ = _tell_made(features[1], features[0], names)
    above = [_above(group, made[0], living) for group in features[1:]]
    standing, _ = _tell_made(above[0], above[1], names)
    return Telling(
        person_recorded=person[0],
        person_made=person[1],
        made=made_share,
        halves=halves,
        standing=standing,
        giveaways=giveaways,
    )


def _above(features: Sequence[Array], motion: Motion, living: Sequence[int]) -> list[Array]:
    """Features without those of the feet."""
    roles = find_roles(motion.skeleton).joints
    feet = {roles.get(f"{side}_{part}") for side in ("left", "right") for part in ("foot", "toe")}
    kept = [k for k in range(features[0].shape[1]) if living[k % len(living)] not in feet]
    return [part[:, kept] for part in features]


def _tell_made(
    recorded: Sequence[Array], made: Sequence[Array], names: Sequence[str]
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Balanced accuracy, persons left out in turn; every person by their own recorded mean."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rows = []
    truth = []
    groups = []
    for person, (real, new) in enumerate(zip(recorded, made, strict=True)):
        count = min(len(real), len(new))
        middle = real.mean(axis=0)
        rows += [real[:count] - middle, new[:count] - middle]
        truth += [0] * count + [1] * count
        # Windows that follow each other are left out together.
        groups += [f"{person}:{k // 3}" for _ in (0, 1) for k in range(count)]
    x = np.concatenate(rows)
    y = np.array(truth)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=2000))
    folds = StratifiedGroupKFold(min(5, len(set(groups))), shuffle=True, random_state=0)
    guessed = cross_val_predict(model, x, y, groups=np.array(groups), cv=folds)
    alone = [abs(roc_auc_score(y, x[:, f]) - 0.5) + 0.5 for f in range(x.shape[1])]
    best = np.argsort(alone)[::-1][:3]
    giveaways = tuple((names[f], float(alone[f])) for f in best)
    return float(balanced_accuracy_score(y, guessed)), giveaways
