"""Key postures found in takes: when an effector goes, holds and returns, or is fastest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import few
from motionloom.spaces.motion_space.takes import Keys
from motionloom.typing import Array

Finder = Callable[[PosedMotion, int, "KeyRule"], tuple[tuple[str, ...], list[float]]]


#: An effector that is near its farthest place for more than this share of a take stays there.
_HELD = 0.2
#: Frames of a take in which something may happen between its ends.
_FEWEST_FRAMES = 3


@dataclass(frozen=True)
class KeyRule:
    """How key postures are found.

    Parameters
    ----------
    kind : str
        ``"hold"``: an effector goes somewhere, stays a while and comes back: where it has left its
        start by `share` of the way and comes back to there, with sub-frame times, the middle of the
        hold, and where it has left by the rest of that share and comes back to it. ``"speed"``: an
        effector is fastest once, such as a hand that strikes: that moment. ``"extremes"``: that
        moment, and when it is slowest before and after. ``"contacts"``, once `motionloom.models` is
        imported: feet land and leave the ground.
    effector : str
        Name or role of the joint.
    share : float
        Of the way, for ``"hold"``.

    Raises
    ------
    InvalidInputError
        When the kind is unknown or the share is not between a half and 1.
    """

    kind: str
    effector: str
    share: float = 0.9

    def __post_init__(self) -> None:
        if self.kind not in _RULES:
            raise InvalidInputError(
                f"key postures are found by {' or '.join(_RULES)}, not by {self.kind!r}"
            )
        if not 0.5 < self.share < 1.0:
            raise InvalidInputError(f"share must be between 0.5 and 1, got {self.share}")


def find_keys(takes: Sequence[Motion], rule: KeyRule, roles: Roles | None = None) -> Keys:
    """Find the same key postures in every take.

    Parameters
    ----------
    takes : sequence of Motion
        Of one action, each shown once.
    rule : KeyRule
        What to look for.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    Keys
        The first and last frame are key postures, too.

    Raises
    ------
    UnknownNameError
        When there is no such joint.
    InvalidInputError
        When a take does not show them.
    """
    check_lengths(takes)
    times = []
    names: tuple[str, ...] | None = None
    for take in takes:
        own = roles or find_roles(take.skeleton)
        joint = joint_of(take, rule.effector, own)
        posed = pose_motion(take, own)
        own_names, found = _RULES[rule.kind](posed, joint, rule)
        if names is not None and own_names != names:
            raise InvalidInputError(
                f"{take.name or 'a take'} shows {few(own_names) or 'nothing'}, but"
                f" {takes[0].name or 'the first take'} {few(names)}; leave it out, cut it, or"
                " give its key postures in a file"
            )
        names = own_names
        at = np.array([0.0, *found, take.n_frames - 1.0])
        if not (np.diff(at) > 0).all():
            raise InvalidInputError(
                f"{take.name or 'a take'} does not show {few(names)} of {rule.effector!r} one"
                " after the other; leave it out, cut it, or give its key postures in a file"
            )
        times.append(at * take.frame_time)
    return Keys(("start", *(names or ()), "end"), np.array(times))


def guess_rule(takes: Sequence[Motion], roles: Roles | None = None) -> KeyRule:
    """How key postures are probably found: by the hand or foot that goes farthest from the hips.

    Parameters
    ----------
    takes : sequence of Motion
        Of one action.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    KeyRule
        ``"hold"`` where it stays near its farthest place for a while, else ``"speed"``.

    Raises
    ------
    InvalidInputError
        When there are no hands and feet.
    """
    check_lengths(takes)
    own = roles or find_roles(takes[0].skeleton)
    ends = [r for r in ("right_hand", "left_hand", "right_foot", "left_foot") if r in own.joints]
    if not ends:
        raise InvalidInputError(
            "the skeleton has no hands and feet by which key postures could be found; give them in"
            " a file"
        )
    ways = np.zeros((len(takes), len(ends)))
    held = np.zeros((len(takes), len(ends)))
    for i, take in enumerate(takes):
        posed = pose_motion(take, own)
        for k, role in enumerate(ends):
            away = posed.positions[:, own.joints[role]] - posed.hips
            far = np.linalg.norm(away - away[0], axis=1)
            ways[i, k] = far.max()
            held[i, k] = np.mean(far > 0.9 * max(far.max(), 1e-9))
    best = int(ways.mean(axis=0).argmax())
    return KeyRule("hold" if held[:, best].mean() > _HELD else "speed", ends[best])


def check_lengths(takes: Sequence[Motion]) -> None:
    """Check that takes are long enough to show anything.

    Parameters
    ----------
    takes : sequence of Motion
        Of one action.

    Raises
    ------
    InvalidInputError
        For the first take of fewer than three frames.
    """
    for take in takes:
        if take.n_frames < _FEWEST_FRAMES:
            raise InvalidInputError(
                f"{take.name or 'a take'} has {take.n_frames} frames, a take needs at least"
                f" {_FEWEST_FRAMES}; leave it out"
            )


def joint_of(motion: Motion, name: str, roles: Roles) -> int:
    """Joint of a name or a role."""
    if name in roles.joints and name not in motion.skeleton.names:
        return roles.joints[name]
    return motion.skeleton.index(name)


def crossing(values: Array, level: float, start: int, step: int) -> float:
    """Sub-frame time at which values leave `level`, looked for from a frame on.

    Parameters
    ----------
    values : array of shape (T,)
        Above the level at the start.
    level : float
        To be crossed.
    start : int
        Frame to begin at.
    step : int
        1 to look forwards, -1 backwards.

    Returns
    -------
    float
        Frames; the first or last frame where the level is never crossed.
    """
    i = start
    while 0 <= i + step < len(values) and values[i + step] >= level:
        i += step
    j = i + step
    if not 0 <= j < len(values):
        return float(i)
    return i + step * float((values[i] - level) / (values[i] - values[j]))


def _hold(posed: PosedMotion, joint: int, rule: KeyRule) -> tuple[tuple[str, ...], list[float]]:
    """How far the joint is from where it begins and ends, as a share of the farthest."""
    place = posed.positions[:, joint]
    share = np.linspace(0.0, 1.0, len(place))[:, None]
    rest = (1 - share) * place[0] + share * place[-1]
    away = np.linalg.norm(place - rest, axis=1)
    away /= max(float(away.max()), 1e-9)
    top = int(away.argmax())
    high = [crossing(away, rule.share, top, way) for way in (-1, 1)]
    low = [crossing(away, 1.0 - rule.share, top, way) for way in (-1, 1)]
    middle = 0.5 * (high[0] + high[1])
    return ("leave", "up", "hold", "down", "back"), [low[0], high[0], middle, high[1], low[1]]


def _fastest(posed: PosedMotion, joint: int, rule: KeyRule) -> tuple[tuple[str, ...], list[float]]:
    """When the joint is fastest relative to the hips."""
    speed = _relative_speed(posed, joint)
    return ("fastest",), [_extreme(speed, int(speed[1:-1].argmax()) + 1)]


def _extremes(posed: PosedMotion, joint: int, rule: KeyRule) -> tuple[tuple[str, ...], list[float]]:
    """When the joint is fastest relative to the hips, and slowest between that and the ends."""
    speed = _relative_speed(posed, joint)
    top = int(speed[1:-1].argmax()) + 1
    before = int(speed[:top].argmin())
    after = top + 1 + int(speed[top + 1 :].argmin())
    last = len(speed) - 1
    found = [_extreme(speed, f) for f in (before, top, after)]
    # A slowest frame at the very end is the end.
    if found[0] < 0.5:
        found[0] = 0.5 * top
    if found[2] > last - 0.5:
        found[2] = 0.5 * (top + last)
    return ("ready", "fastest", "through"), found


def _relative_speed(posed: PosedMotion, joint: int) -> Array:
    """Speed of a joint relative to the hips, smoothed over 50 ms, shape (T,), metres per second."""
    own = posed.positions[:, joint] - posed.hips
    step = max(round(0.025 * posed.fps), 1)
    i = np.arange(len(own))
    after, before = np.minimum(i + step, len(own) - 1), np.maximum(i - step, 0)
    moved = np.linalg.norm(own[after] - own[before], axis=1)
    return moved / np.maximum(after - before, 1) * posed.fps


def _extreme(values: Array, frame: int) -> float:
    """Sub-frame place of an extreme: that of the parabola through three frames."""
    if not 0 < frame < len(values) - 1:
        return float(frame)
    a, b, c = values[frame - 1 : frame + 2]
    bend = a - 2 * b + c
    return frame + float(np.clip(0.5 * (a - c) / bend, -0.5, 0.5) if abs(bend) > 1e-12 else 0.0)


def add_key_rule(name: str, finder: Finder) -> None:
    """Make another way to find key postures known.

    Parameters
    ----------
    name : str
        `KeyRule.kind`; a later one of the same name replaces it.
    finder : callable
        From a take, the effector's joint and the rule to the names of the postures and their frames
        in order.
    """
    _RULES[name] = finder


_RULES: dict[str, Finder] = {"hold": _hold, "speed": _fastest, "extremes": _extremes}


def cut_strokes(
    motion: Motion,
    effector: str,
    *,
    before: float = 1.0,
    after: float = 0.6,
    share: float = 0.6,
    roles: Roles | None = None,
) -> tuple[Motion, ...]:
    """Cut a recording of several strokes at the peaks of an effector's speed.

    Parameters
    ----------
    motion : Motion
        The recording.
    effector : str
        Name or role of the joint that strikes.
    before, after : float, seconds
        What is kept on each side of a peak.
    share : float
        Peaks slower than this share of the fastest are no strokes, nor those that are nearer to a
        faster one than what is kept on the longer side.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    tuple of Motion
        Named after the recording and the stroke; those too near an end are left out.
    """
    roles = roles or find_roles(motion.skeleton)
    posed = pose_motion(motion, roles)
    speed = _relative_speed(posed, joint_of(motion, effector, roles))
    first, last = (round(t * motion.fps) for t in (before, after))
    apart = max(first, last)
    peaks: list[int] = []
    left = np.where(speed >= share * np.percentile(speed, 99.9), speed, 0.0)
    while left.max() > 0:
        peaks.append(int(left.argmax()))
        left[max(peaks[-1] - apart, 0) : peaks[-1] + apart + 1] = 0.0
    cuts: list[Motion] = []
    for peak in sorted(peaks):
        if first <= peak < len(speed) - last:
            cut = motion.cut(peak - first, peak + last + 1)
            cuts.append(replace(cut, name=f"{motion.name}#{len(cuts) + 1}"))
    return tuple(cuts)
