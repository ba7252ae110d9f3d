"""Level walking taken onto stairs, slopes and uneven ground.

Time on stairs: people climb at a slower pace than they walk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.analysis.soles import Soles
from motionloom.constraints.kinds.ground import Uneven, ground_heights
from motionloom.curves import gaussian_average
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import solve_limb
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.physics.body import Body, make_body
from motionloom.physics.ground import Balance, GroundContacts, find_ground_contacts
from motionloom.physics.terrain import _body as carrying
from motionloom.physics.terrain._footholds import Foothold, plan_footholds
from motionloom.physics.terrain._stances import find_soles, find_stances, find_way
from motionloom.physics.terrain._swing.feet import FootPlan, plan_foot
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.threads import one_thread
from motionloom.two_bones import unit
from motionloom.typing import Array, Bools

#: Time over which the pace changes, seconds (standard deviation).
CHANGING = 0.3
#: Slowest that time may go.
MOST_SLOWER = 3.0

#: Fewer frames hold no step.
LEAST_FRAMES = 8
#: The body is shifted for its balance so often, and no farther outside than this, metres.
ROUNDS, OUTSIDE = 6, 0.02
#: Shifts are smoothed over this time, seconds: nearly straight knees would show quicker ones.
SHIFTING = 0.05
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class OnTerrain:
    """A motion on uneven ground.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    level : PosedMotion
        What it was made of.
    holds : tuple of Foothold
        Where its feet stand, in the order in which they come down.
    plans : dict of str to FootPlan
        By the roles of the feet.
    soles : Soles
        Points of its feet.
    contacts : GroundContacts
        Of the level motion.
    before, after : Balance
        Loads of the level motion, and of the result.
    body : Body
        Its masses.
    ground : tuple of HeightMap, Slope or Stairs
        What it walks on.
    floor : float, metres
        Height of the level floor.
    """

    posed: PosedMotion
    level: PosedMotion
    holds: tuple[Foothold, ...]
    plans: dict[str, FootPlan]
    soles: Soles
    contacts: GroundContacts
    before: Balance
    after: Balance
    body: Body
    ground: tuple[Uneven, ...]
    floor: float

    @property
    def motion(self) -> Motion:
        """The motion without its kinematics."""
        return self.posed.motion

    @property
    def down(self) -> Bools:
        """Which points of the soles bear, (T, P)."""
        return _by_point(self.soles, self.plans)

    def heights(self, places: Array) -> Array:
        """Height of the ground at places (..., 2), metres."""
        return np.asarray(self.floor + ground_heights(self.ground, places))


@one_thread()
def adapt_to_terrain(
    motion: Motion | PosedMotion,
    ground: Sequence[Uneven],
    *,
    body: Body | None = None,
    contacts: GroundContacts | None = None,
    balance: bool = True,
    slower: float = 1.0,
    progress: Progress = silent,
) -> OnTerrain:
    """Take a motion on level ground onto ground that is not.

    Footholds are planned near where feet stood, tread by tread on stairs; feet swing over edges;
    the body goes along at the height that its legs reach, leans, and is shifted until its zero
    moment point is inside what it stands on. Frames keep their times unless steps shall be slower.

    Parameters
    ----------
    motion : Motion or PosedMotion
        A person with legs on a level floor; heights of the ground count from there.
    ground : sequence of HeightMap, Slope or Stairs
        What it shall walk on.
    body : Body, optional
        Its masses; of a usual build when not given.
    contacts : GroundContacts, optional
        When feet are down; found when not given.
    balance : bool
        Whether the body is shifted to keep its balance.
    slower : float
        How many times as long steps on stairs take, 1 to 3; people take about 1.5 times as long
        there as on the level. Beyond 1 the result has more frames.
    progress : Progress, optional
        Told how far it is.

    Returns
    -------
    OnTerrain

    Raises
    ------
    InvalidInputError
        When it is no person with legs, has too few frames, or time shall go too slowly.
    """
    posed = motion if isinstance(motion, PosedMotion) else pose_motion(motion)
    if posed.n_frames < LEAST_FRAMES:
        raise InvalidInputError(
            f"walking needs at least {LEAST_FRAMES} frames, and there are {posed.n_frames}"
        )
    if not 1.0 <= slower <= MOST_SLOWER:
        raise InvalidInputError(
            f"steps on stairs take 1 to {MOST_SLOWER:g} times as long, not {slower:g} times"
        )
    body = body or make_body(posed)
    contacts = contacts or find_ground_contacts(posed)
    floor = contacts.ground
    way = find_way(posed)
    stances = find_stances(posed, contacts, way)

    def heights(places: Array) -> Array:
        return np.asarray(floor + ground_heights(ground, places))

    outlines = find_soles(posed, contacts.soles, stances)
    holds = plan_footholds(stances, outlines, way, heights, floor)
    progress("footholds", 1, 1)
    slow = _slow_on_steps(posed, holds, slower)
    if slow is not posed:
        again = find_ground_contacts(slow, contacts.soles)
        return adapt_to_terrain(
            slow, ground, body=body, contacts=again, balance=balance, progress=progress
        )
    plans = {}
    for foot in contacts.soles.feet:
        mine = [h for h in holds if h.stance.foot == foot]
        if mine:
            plans[foot] = plan_foot(posed, contacts.bearing, foot, mine, outlines[foot], heights)
    before = carrying.analyse_standing(posed, body, contacts)
    made, after = posed, before
    rounds = ROUNDS if balance else 0
    if any(h.is_moved for h in holds):
        carried, steep = carrying.carry_along(posed, way, holds, floor)
        carried = carrying.lean_trunk(carried, steep)
        made, after = _balanced(posed, carried, plans, contacts, body, rounds, progress)
    feet = holds, plans, contacts.soles, contacts
    return OnTerrain(made, posed, *feet, before, after, body, tuple(ground), floor)


def _balanced(
    level: PosedMotion,
    carried: PosedMotion,
    plans: dict[str, FootPlan],
    contacts: GroundContacts,
    body: Body,
    rounds: int,
    progress: Progress,
) -> tuple[PosedMotion, Balance]:
    """Legs on their footholds, under a body that is shifted until it keeps its balance."""
    down = _by_point(contacts.soles, plans)
    contacts = replace(contacts, bearing=replace(contacts.bearing, down=down))
    shift = np.zeros((level.n_frames, 2))
    for k in range(rounds + 1):
        made = _on_legs(move_body(carried, np.insert(shift, 1, 0.0, axis=1)), level, plans)
        after = carrying.analyse_standing(made, body, contacts)
        progress("balance", k + 1, rounds + 1)
        if k == rounds:
            break
        more = carrying.shift_for_balance(after, OUTSIDE, contacts.soles.leg, level.fps)
        if not np.any(more):
            break
        shift = shift + gaussian_average(more, SHIFTING * level.fps)
    return made, after


def _on_legs(carried: PosedMotion, level: PosedMotion, plans: dict[str, FootPlan]) -> PosedMotion:
    """Legs that reach their feet, under hips that sink where they must."""
    legs = {foot: leg for foot, leg in find_legs(carried.roles).items() if foot in plans}
    targets = {foot: plans[foot].ankles for foot in legs}
    drop = carrying.sink_for_legs(carried, level, legs, targets)
    ready = move_body(carried, -drop[:, None] * UP)
    local: dict[int, Array] = {}
    for foot, leg in legs.items():
        local |= solve_limb(ready, leg, targets[foot], plans[foot].rotations)
        local |= _toes(ready, foot, plans[foot])
    return ready.with_local(local)


def _toes(posed: PosedMotion, foot: str, plan: FootPlan) -> dict[int, Array]:
    """Toes turned up against their foot, where they have a joint of their own."""
    toe = posed.roles.joint(foot.replace("foot", "toe"))
    if toe is None or toe == posed.roles.joints[foot] or not np.any(plan.toe_turn):
        return {}
    ahead = posed.positions[:, toe] - posed.positions[:, posed.roles.joints[foot]]
    across = unit(np.cross(ahead, UP))
    # About the same axis of the foot, which the plan has turned since.
    parent = int(posed.skeleton.parents[toe])
    axis = rot.rotate(rot.conjugate(posed.rotations[:, parent]), across)
    turn = rot.from_rotvec(plan.toe_turn[:, None] * axis)
    return {toe: rot.multiply(turn, posed.motion.rotations[:, toe])}


def _by_point(soles: Soles, plans: dict[str, FootPlan]) -> Bools:
    n = len(next(iter(plans.values())).down)
    out = np.zeros((n, len(soles.points)), bool)
    for foot, plan in plans.items():
        out[:, list(soles.of(foot))] = plan.down
    return out


def _slow_on_steps(posed: PosedMotion, holds: Sequence[Foothold], slower: float) -> PosedMotion:
    """Slow a motion down while it goes from level to level.

    Parameters
    ----------
    posed : PosedMotion
        The level motion.
    holds : sequence of Foothold
        Planned for it, in the order in which feet come down.
    slower : float
        How many times as long a step on stairs takes.

    Returns
    -------
    PosedMotion
        With more frames at the same rate; the same one where there are no stairs.
    """
    climbs = np.zeros(posed.n_frames)
    for a, b in pairwise(holds):
        if a.level != b.level:
            climbs[max(a.stance.middle, 0) : b.stance.middle + 1] = 1.0
    if not climbs.any() or slower == 1.0:
        return posed
    lasts = 1.0 + (slower - 1.0) * gaussian_average(climbs, CHANGING * posed.fps)
    times = np.concatenate([[0.0], np.cumsum(0.5 * (lasts[1:] + lasts[:-1]))])
    shown = scipy.interpolate.PchipInterpolator(times, np.arange(posed.n_frames, dtype=float))
    at = shown(np.arange(int(times[-1]) + 1, dtype=float))
    motion = posed.motion
    frames = np.arange(posed.n_frames)
    turns, places = (
        scipy.interpolate.CubicSpline(frames, values, axis=0)(at)
        for values in (rot.unroll(motion.rotations), motion.translations)
    )
    return posed.with_motion(replace(motion, rotations=rot.normalize(turns), translations=places))
