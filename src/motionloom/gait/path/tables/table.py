"""GaitTable: gait at every speed from standing on, ready to be laid on footprints.

Between its nodes everything is linear: poses, durations, when feet strike, how they roll. Walking
and running lie one after the other, so a change of speed through the transition is a change of gait
within the time that the change takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import GaitBody, GaitCycle
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.path._stance import PIECE, Footing, foot_tracks, footing_of, ground_under
from motionloom.gait.path.tables.kernels import FootArrays
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Limb
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array

#: Standing, the hips are this share of their greatest height above the ground.
STANDING = 0.985
#: A body comes to stand and starts with both feet on the ground: there each foot stands for this
#: share of a cycle.
STANDING_STANCE = 0.65
#: Standing, the feet are at least this far from the middle, in hip heights.
STANDING_HALF_WIDTH = 0.09
#: A foot that steps on the spot is lifted by this, in hip heights.
STANDING_LIFT = 0.06


@dataclass(frozen=True, eq=False)
class GaitTable:
    """Gait over speed. S nodes, N samples of a cycle, feet left and right, M samples of a foot.

    Parameters
    ----------
    body : GaitBody
        On whose skeleton it is.
    speeds : array of shape (S,), metres per second
        Ascending; the first is 0, standing.
    durations : array of shape (S,), seconds
        Of a cycle.
    rotations : array of shape (S, N, J, 4)
        Local rotations, that of the root relative to the travel; signs fit between neighbours.
    deviations : array of shape (S, N, 3), metres
        The root: left of the line, above the ground, ahead of its uniform place.
    strikes : array of shape (S, 2)
        Phase of the strike of each foot.
    stances : array of shape (S, 2)
        Share of the cycle that each foot stands.
    flats : array of shape (S, 2, 2), metres
        Where the flat foot's ankle is in the middle of its stance, left and ahead of the root's
        uniform place.
    tracks : array of shape (S, 2, M, 3), metres
        The ankle relative to its flat place on the ground: from the swing before a stance, which
        begins at the first sample, through the stance, from a third to two thirds, to the end of
        the swing after it.
    turns : array of shape (S, 2, M, 4)
        World rotation of the ankle's joint then, relative to the direction of travel.
    soles : array of shape (S, 2, M, 2, 3), metres
        Heel and toe then, in the frame of the ankle's joint.
    flat_soles : array of shape (S, 2, 2, 3), metres
        Heel and toe relative to the ankle of the flat foot, in the axes of travel.
    rests : array of shape (2, 2), metres
        Height at which heel and toe of each foot rest.
    running : array of shape (S,)
        1 for nodes of running.
    """

    body: GaitBody
    speeds: Array
    durations: Array
    rotations: Array
    deviations: Array
    strikes: Array
    stances: Array
    flats: Array
    tracks: Array
    turns: Array
    soles: Array
    flat_soles: Array
    rests: Array
    running: Array
    __setstate__ = restore_read_only

    @property
    def legs(self) -> dict[str, Limb]:
        """Hip, knee and ankle by the roles of the feet, left first."""
        return legs_of(self.body)

    @property
    def n_samples(self) -> int:
        """Samples N of a cycle."""
        return int(self.rotations.shape[1])

    @property
    def transition(self) -> tuple[float, float]:
        """Fastest node of walking and slowest of running, metres per second."""
        runs = np.flatnonzero(self.running)
        if not len(runs):
            return float(self.speeds[-1]), float(self.speeds[-1])
        return float(self.speeds[runs[0] - 1]), float(self.speeds[runs[0]])

    def foot(self, foot: int) -> FootArrays:
        """Arrays of one foot, 0 left and 1 right, as compiled code takes them."""
        parts = [np.ascontiguousarray(getattr(self, n)[:, foot]) for n in FootArrays._fields[:-1]]
        return FootArrays._make([*parts, np.array(self.rests[foot])])

    def bracket(self, speeds: ArrayLike) -> tuple[NDArray[np.intp], Array]:
        """Nodes below speeds, and how far on to the next ones; beyond the last, the last.

        Parameters
        ----------
        speeds : array of shape (T,), metres per second
            Any.

        Returns
        -------
        nodes : int array of shape (T,)
        parts : array of shape (T,)
            From 0 to 1.
        """
        v = np.clip(np.asarray(speeds, float), self.speeds[0], self.speeds[-1])
        node = np.clip(np.searchsorted(self.speeds, v, side="right") - 1, 0, len(self.speeds) - 2)
        span = self.speeds[node + 1] - self.speeds[node]
        return node, (v - self.speeds[node]) / span

    def mixed(self, values: Array, speeds: ArrayLike) -> Array:
        """Values of nodes (S, ...) at speeds (T,), linear between nodes, shape (T, ...)."""
        node, part = self.bracket(speeds)
        part = part.reshape(-1, *[1] * (values.ndim - 1))
        return (1 - part) * values[node] + part * values[node + 1]


def legs_of(body: GaitBody) -> dict[str, Limb]:
    """Hip, knee and ankle of both legs, by the roles of the feet, left first.

    Parameters
    ----------
    body : GaitBody
        With the roles.

    Returns
    -------
    dict of str to Limb

    Raises
    ------
    InvalidInputError
        When a leg is not whole.
    """
    legs = {}
    for side in SIDES:
        parts = [body.roles.joint(f"{side}_{part}") for part in ("hip", "knee", "foot")]
        root, middle, tip = parts
        if root is None or middle is None or tip is None:
            raise InvalidInputError(
                f"gait needs hip, knee and foot of the {side} leg; name them in a roles table"
            )
        legs[f"{side}_foot"] = Limb(root, middle, tip)
    return legs


def make_table(cycles: Sequence[GaitCycle], body: GaitBody) -> GaitTable:
    """Cycles of ascending speeds made ready, with standing before the slowest.

    Parameters
    ----------
    cycles : sequence of GaitCycle
        All of one body, slowest first; walking before running.
    body : GaitBody
        On whose skeleton they are.

    Returns
    -------
    GaitTable

    Raises
    ------
    InvalidInputError
        When there is no cycle, or speeds do not ascend.
    """
    speeds = np.array([0.0, *(c.speed for c in cycles)])
    if not cycles or np.any(np.diff(speeds) <= 0):
        raise InvalidInputError("a gait table needs cycles of ascending speeds above 0")
    legs = legs_of(body)
    running = np.array([float(c.behaviour == "run") for c in cycles])
    cycles, grounded = zip(*(_grounded(cycle, body, legs) for cycle in cycles), strict=True)
    feet = _timed(grounded, speeds[1:], running)
    nodes = [_node(cycle, own) for cycle, own in zip(cycles, feet, strict=True)]
    nodes.insert(0, _standing(cycles[0], nodes[0], body, legs))
    joined = {name: np.stack([node[name] for node in nodes]) for name in nodes[0]}
    for node in range(len(nodes) - 2, -1, -1):
        # Linear mixtures need signs that fit.
        for name in ("rotations", "turns"):
            joined[name][node] = _signed(joined[name][node], joined[name][node + 1])
    return GaitTable(
        body=body,
        speeds=speeds,
        durations=np.array([cycles[0].duration, *(c.duration for c in cycles)]),
        running=np.concatenate([[0.0], running]),
        rests=_rests(body),
        **joined,
    )


def _grounded(
    cycle: GaitCycle, body: GaitBody, legs: dict[str, Limb]
) -> tuple[GaitCycle, list[Footing]]:
    """A cycle and its feet where these rest when they stand: grounds differ between captures."""
    world = world_of(body, cycle.rotations, cycle.deviations)
    feet = [footing_of(cycle, world, body, foot, leg) for foot, leg in legs.items()]
    down = float(np.mean([ground_under(foot) for foot in feet])) * np.array([0.0, 1.0, 0.0])
    lowered = [replace(foot, ankle=foot.ankle - down) for foot in feet]
    return replace(cycle, deviations=cycle.deviations - down), lowered


def _timed(feet: Sequence[list[Footing]], speeds: Array, running: Array) -> list[list[Footing]]:
    """Feet with strikes and stances on a straight line over speed, for each behaviour: they are
    read off single samples.
    """
    times = np.array([[(foot.strike, foot.stance) for foot in own] for own in feet])
    for behaviour in (0.0, 1.0):
        own = np.flatnonzero(running == behaviour)
        if len(own) > 2:
            line = np.polyfit(speeds[own], times[own].reshape(-1, 4), 1)
            times[own] = (np.outer(speeds[own], line[0]) + line[1]).reshape(-1, 2, 2)
    return [
        [
            replace(foot, strike=float(strike), stance=float(stance))
            for foot, (strike, stance) in zip(own, at, strict=True)
        ]
        for own, at in zip(feet, times, strict=True)
    ]


def _node(cycle: GaitCycle, feet: Sequence[Footing]) -> dict[str, Array]:
    made = [foot_tracks(foot, cycle) for foot in feet]
    return {
        "rotations": rot.unroll(cycle.rotations),
        "deviations": np.array(cycle.deviations),
        "strikes": np.array([foot.strike for foot in feet]),
        "stances": np.array([foot.stance for foot in feet]),
        **{name: np.stack([own[name] for own in made]) for name in made[0]},
    }


def world_of(body: GaitBody, rotations: Array, places: Array) -> WorldPose:
    """Kinematics of poses whose root is at given places.

    Parameters
    ----------
    body : GaitBody
        The skeleton.
    rotations : array of shape (T, J, 4)
        Local; that of the root is its world rotation.
    places : array of shape (T, 3), metres
        Of the root in the world.

    Returns
    -------
    WorldPose
    """
    return forward_kinematics(motion_of(body, rotations, places, 1.0 / 30.0))


def motion_of(body: GaitBody, rotations: Array, places: Array, frame_time: float) -> Motion:
    """A motion whose root is where it is told, in the world.

    Parameters
    ----------
    body : GaitBody
        The skeleton, and the joint that carries the body; those above that one are at rest.
    rotations : array of shape (T, J, 4)
        Local; that of the root is its world rotation.
    places : array of shape (T, 3), metres
        Of the root in the world.
    frame_time : float, seconds
        Between frames.

    Returns
    -------
    Motion
    """
    above = list(body.skeleton.chain(body.root)[:-1])
    rotations = rotations.copy()
    rotations[:, above] = [1.0, 0.0, 0.0, 0.0]
    roots = (places - body.skeleton.offsets[above].sum(axis=0))[:, None]
    return Motion(body.skeleton, rotations, roots, frame_time, translated=(body.root,))


def _rests(body: GaitBody) -> Array:
    """Resting heights of heel and toe of each foot; a foot of one point has it twice."""
    feet = [body.soles.of(f"{side}_foot") for side in SIDES]
    return np.array([[body.soles.points[own[k]].rest for k in (0, -1)] for own in feet])


def _signed(q: Array, like: Array) -> Array:
    """Quaternions with the signs nearer to others."""
    flip = np.sum(q * like, axis=-1, keepdims=True) < 0
    return np.where(flip, -q, q)


def _standing(
    slowest: GaitCycle, node: dict[str, Array], body: GaitBody, legs: dict[str, Limb]
) -> dict[str, Array]:
    """Standing as the mean of the slowest cycle, legs under the body, feet flat: at all phases."""
    pose = rot.mean(slowest.rotations, axis=0)
    n = slowest.n_samples
    for foot, leg in enumerate(legs.values()):
        # Toes as they are under a flat foot.
        sample = round(n * float(node["strikes"][foot] + 0.5 * node["stances"][foot])) % n
        toes = list(body.skeleton.descendants(leg.tip)[1:])
        pose[toes] = slowest.rotations[sample, toes]
    m = node["tracks"].shape[1]
    height = STANDING * body.hip_height
    world = world_of(body, pose[None], np.array([[0.0, height, 0.0]]))
    hips = world.positions[0, [leg.root for leg in legs.values()]]
    height += STANDING * body.hip_height - float(hips[:, 1].mean())
    middle = m // 2
    least = STANDING_HALF_WIDTH * body.hip_height
    sign = np.array([1.0, -1.0])
    flats = np.stack([sign * np.maximum(np.abs(node["flats"][:, 0]), least), hips[:, 2]], axis=-1)
    flat = np.zeros((2, m, 3))
    flat[..., 1] = node["tracks"][:, middle, 1][:, None]
    # A foot that is brought beside the other leaves the ground.
    swing = STANDING_LIFT * body.hip_height * np.sin(np.pi * np.linspace(0.0, 1.0, PIECE + 1)) ** 2
    flat[:, : PIECE + 1, 1] += swing
    flat[:, 2 * PIECE :, 1] += swing
    return {
        "rotations": np.repeat(pose[None], n, axis=0),
        "deviations": np.repeat([[0.0, height, 0.0]], n, axis=0),
        "strikes": node["strikes"].copy(),
        "stances": np.full(2, STANDING_STANCE),
        "flats": flats,
        "tracks": flat,
        "turns": np.repeat(node["turns"][:, middle : middle + 1], m, axis=1),
        "soles": np.repeat(node["soles"][:, middle : middle + 1], m, axis=1),
        "flat_soles": node["flat_soles"].copy(),
    }
