"""Physical terms of a motion's quality: balance, friction, flight; and motions that no body could
do, with forces beyond all that people were measured to bear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.analysis.soles import Soles
from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.physics.body import make_body
from motionloom.physics.dynamics._inverse import GRAVITY
from motionloom.physics.ground._balance import FRICTION, Balance, analyse_balance, balanced_share
from motionloom.physics.ground._contacts import find_ground_contacts
from motionloom.posed_motion import PosedMotion
from motionloom.reports import shown
from motionloom.threads import one_thread
from motionloom.typing import Bools

#: Largest force on a body from outside, body weights, of poses filtered at 12 Hz. Of 45 captures
#: (walks, runs, jumps, dances, serves) none needs more than 9.1, and that has a jump of a marker;
#: captures whose segments come loose need 20 and more.
MOST_FORCE = 12.0
#: A body in flight should fall at g; mean forces above this share of its weight are not flight.
FLOATING = 0.25
#: Shorter flights are gaps between contacts, seconds.
LEAST_FLIGHT = 0.08
#: Of clips so many at most are measured, and of each so many seconds.
MOST_CLIPS = 12
LONGEST = 20.0


@dataclass(frozen=True)
class PhysicalQuality:
    """How far a motion could be one of a body with weight.

    Parameters
    ----------
    unbalanced_share : float
        Share of the frames with support whose zero moment point lies more than 5 cm outside the
        support polygon; 0 without support.
    slipping_share : float
        Share of them that need more friction than the ground has.
    floating_share : float
        Share of the frames in flight in which something would have to hold the body, or push it
        down, by more than a quarter of its weight; 0 without flight.
    flight_share : float
        Share of all frames.
    """

    unbalanced_share: float = field(metadata=shown("unbalanced support", "%", ".1f", 100))
    slipping_share: float = field(
        metadata=shown("needs more friction than the ground has", "%", ".1f", 100)
    )
    floating_share: float = field(metadata=shown("flight that does not fall", "%", ".1f", 100))
    flight_share: float = field(metadata=shown("flight", "%", ".1f", 100))


def quality_of(balance: Balance, friction: float = FRICTION) -> PhysicalQuality:
    """Physical terms of what has been analysed.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    friction : float
        Of the ground.

    Returns
    -------
    PhysicalQuality
    """
    support = balance.contacts.support
    flight = long_flights(support, balance.fps)
    held = np.isfinite(balance.distance)
    used = balance.friction[held]
    share = balanced_share(balance.distance)
    off = np.abs(balance.load[flight]) > FLOATING
    return PhysicalQuality(
        unbalanced_share=0.0 if np.isnan(share) else 1.0 - share,
        slipping_share=float(np.mean(used > friction)) if len(used) else 0.0,
        floating_share=float(np.mean(off)) if len(off) else 0.0,
        flight_share=float(np.mean(flight)) if len(flight) else 0.0,
    )


@one_thread()
def physical_terms(motions: Sequence[PosedMotion], soles: Soles) -> dict[str, float]:
    """Further terms of a synthesis' quality: `motionloom.synthesis.finish.FinishOptions.terms`.

    Parameters
    ----------
    motions : sequence of PosedMotion
        Of one skeleton; of more than `MOST_CLIPS`, so many spread evenly are looked at, and of long
        ones the middle.
    soles : Soles
        Of that skeleton.

    Returns
    -------
    dict of str to float
        Names with their units; shares are weighted by the frames they are of. Empty for what has
        no masses, such as a dog.
    """
    step = max(1, -(-len(motions) // MOST_CLIPS))
    found = []
    for posed in motions[::step]:
        spare = max(0, posed.n_frames - round(LONGEST * posed.fps)) // 2
        part = posed.cut(spare, posed.n_frames - spare) if spare else posed
        try:
            contacts = find_ground_contacts(part, soles)
            balance = analyse_balance(part, make_body(part), contacts=contacts)
        except InvalidInputError:
            continue
        held = float(np.isfinite(balance.distance).sum())
        flown = float(long_flights(balance.contacts.support, balance.fps).sum())
        own = quality_of(balance)
        shares = (own.unbalanced_share, own.slipping_share, own.floating_share)
        found.append([shares, (held, held, flown)])
    if not found:
        return {}
    sums = np.prod(found, axis=1).sum(axis=0) / np.maximum(np.sum(found, axis=0)[1], 1.0)
    names = (
        "not balanced within 5 cm (% of support)",
        f"friction over {FRICTION:g} (% of support)",
        "not falling at g (% of flight)",
    )
    return dict(zip(names, (100 * sums).tolist(), strict=True))


def long_flights(support: Bools, fps: float) -> Bools:
    """Frames of flights that are long enough to be some, without one frame at each end.

    Parameters
    ----------
    support : bool array of shape (T,)
        Whether any foot bears weight.
    fps : float
        Frames per second.

    Returns
    -------
    bool array of shape (T,)
    """
    flight = np.zeros(len(support), bool)
    for start, stop in runs_of(~support, least=LEAST_FLIGHT * fps):
        flight[start + 1 : stop - 1] = True
    return flight


def check_plausible(balance: Balance, posed: PosedMotion) -> None:
    """Refuse a motion whose forces would be beyond any body's.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    posed : PosedMotion
        The motion.

    Raises
    ------
    InvalidInputError
        It names the segment that flies apart, and when.
    """
    force = np.linalg.norm(balance.dynamics.wrench[:, :3], axis=-1) / balance.weight
    worst = int(np.argmax(force))
    if not force[worst] > MOST_FORCE:
        return
    rates = np.linalg.norm(np.gradient(np.gradient(posed.positions, axis=0), axis=0), axis=-1)
    near = slice(max(worst - 2, 0), worst + 3)
    joint = int(np.argmax(rates[near].max(axis=0)))
    pull = rates[near, joint].max() * posed.fps**2 / GRAVITY
    raise InvalidInputError(
        f"{posed.motion.name or 'the motion'}: at {worst / posed.fps:.2f} s the body would need"
        f" {force[worst]:.0f} times its weight, more than {MOST_FORCE:g}:"
        f" {posed.motion.skeleton.names[joint]} accelerates by {pull:.0f} g there; cut that time"
        " out, or mend the capture"
    )
