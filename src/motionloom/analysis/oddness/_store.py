"""Whether what was learned of motion and read from a file fits a skeleton and itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from motionloom.analysis.hinges import find_limbs
from motionloom.analysis.oddness._checks import CHECKS, Model
from motionloom.analysis.oddness._evidence import Body, sizes_of
from motionloom.analysis.oddness._flow import Flow
from motionloom.analysis.oddness._learned import Basis
from motionloom.analysis.oddness._legs import sizes_of_legs
from motionloom.analysis.oddness._tracks import POINTS
from motionloom.analysis.oddness.captures import FOLDS
from motionloom.analysis.oddness.judge import MotionJudge
from motionloom.io.stored import Fault
from motionloom.roles import Roles


def check_motion_judge(judge: MotionJudge, roles: Roles, joints: int) -> None:
    """Refuse a judge whose parts do not fit together.

    Parameters
    ----------
    judge : MotionJudge
        From a file.
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that the skeleton has.

    Raises
    ------
    Fault
        When they do not.
    """
    parts = len(judge.models) - 1
    if not judge.checks or len({*judge.checks} & {*CHECKS}) != len(judge.checks):
        raise Fault("it names other checks than there are")
    if not 2 <= parts <= FOLDS or {*judge.fold.tolist()} != {*range(parts)}:
        raise Fault("a part has no captures")
    check_body(judge.body, judge.models, roles, joints)


def check_body(body: Body, models: Sequence[Model], roles: Roles, joints: int) -> None:
    """Refuse a body, and models of it, that are not those of a skeleton.

    Parameters
    ----------
    body : Body
        From a file.
    models : sequence of Model
        Likewise.
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that the skeleton has.

    Raises
    ------
    Fault
        When they are not.
    """
    limbs = [(one.limb.root, one.limb.middle, one.limb.tip) for one in body.hinges]
    used = [*body.moving.tolist(), *body.inner.tolist(), *(j for limb in limbs for j in limb)]
    if not all(0 <= joint < joints for joint in used) or len(limbs) != len(find_limbs(roles)):
        raise Fault("it is of other joints")
    balance, speeds, rates, cues, odd, even = sizes_of(roles)
    bases = (body.balance, body.speeds, body.rates)
    found = [len(basis.mean) for basis in bases]
    _expect(
        [*found, len(body.flow.scale), len(body.flow.middle)], (balance, speeds, rates, odd, even)
    )
    legs = sizes_of_legs(tuple(role for role in POINTS if role in roles.joints))
    wanted = (Flow.count(len(body.flow.phase), odd), cues, *map(_weights, bases), *legs)
    for model in models:
        ends = (model.order, model.cues, model.gravity, model.speeds, model.rates)
        _expect([*(own.shape[-1] for own in ends), *model.legs.weights.shape], wanted)


def _weights(basis: Basis) -> int:
    return len(basis.phase) + len(basis.plain[0]) + 1


def _expect(found: Sequence[int], wanted: Iterable[int]) -> None:
    if [*found] != [*wanted]:
        raise Fault(f"what was learned of motion has sizes {found}, expected {[*wanted]}")
