"""What was learned of motion as arrays and facts, for a file; checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from motionloom.analysis.hinges import Hinge, find_limbs
from motionloom.analysis.oddness.angles import AxisModel, HingeRange
from motionloom.analysis.oddness.captures import FOLDS
from motionloom.analysis.oddness.checks import CHECKS, Model
from motionloom.analysis.oddness.evidence import Body, sizes_of
from motionloom.analysis.oddness.flow import Flow
from motionloom.analysis.oddness.judge import MotionJudge
from motionloom.analysis.oddness.learned import Basis
from motionloom.analysis.oddness.legs import LegModel, sizes_of_legs
from motionloom.analysis.oddness.tracks import POINTS
from motionloom.analysis.oddness.turns import TurnModel
from motionloom.io.stored import Facts, Fault, Stored, StoredFile
from motionloom.roles import Limb, Roles

Arrays = dict[str, NDArray[Any]]
#: No number that was learned is larger.
_LARGEST = 1e9


def _numbers(*shape: int | str, low: float = -_LARGEST) -> Stored:
    return Stored(np.float64, shape, low, _LARGEST)


#: Sizes: J joints of the skeleton, M that move, I without the root; H hinges, C pieces, K checks,
#: F parts; LA of trunk and arms, LL of a leg.
_BODY = {
    "moving": Stored(np.int64, ("M",), 0, below="J"),
    "large": Stored(np.bool_, ("M",)),
    "inner": Stored(np.int64, ("I",), 0, below="J"),
    "limbs": Stored(np.int64, ("H", 3), 0, below="J"),
    "hinges": _numbers("H", 5),
}
_JUDGED = {
    "rate": _numbers(2, low=1e-3),
    "fold": Stored(np.int64, ("C",), 0, below="F"),
    "scores": _numbers("C", "K"),
}
#: What is made of balance (B), of speeds (S), of rates (R), and of directions (D) and poses (E).
_BASES = {
    "balance/mean": _numbers("B"),
    "balance/project": _numbers("B", "BF"),
    "balance/phase": _numbers("BF"),
    "balance/plain": _numbers("B", "BL"),
    "speeds/mean": _numbers("S"),
    "speeds/project": _numbers("S", "SF"),
    "speeds/phase": _numbers("SF"),
    "speeds/plain": _numbers("S", "SL"),
    "rates/mean": _numbers("R"),
    "rates/project": _numbers("R", "RF"),
    "rates/phase": _numbers("RF"),
    "rates/plain": _numbers("R", "RL"),
    "flow/scale": _numbers("D", low=1e-6),
    "flow/middle": _numbers("E"),
    "flow/spread": _numbers("E", low=1e-6),
    "flow/odd": _numbers("D", "DF"),
    "flow/even": _numbers("E", "DF"),
    "flow/phase": _numbers("DF"),
}
_MODEL = {
    "order": _numbers("DG"),
    "cues": _numbers("Q"),
    "gravity": _numbers("BG"),
    "speeds": _numbers(3, "SG"),
    "rates": _numbers("RG"),
    "turns/curve": _numbers(3, "M"),
    "turns/spread": _numbers("M", low=1e-6),
    "turns/jumps": _numbers("M"),
    "hinges/low": _numbers("H"),
    "hinges/high": _numbers("H"),
    "hinges/spread": _numbers(2, "H", low=1e-6),
    "axes/middle": _numbers("I", 4),
    "axes/mean": _numbers("I", 3),
    "axes/factor": _numbers("I", 3, 3),
    "legs/weights": _numbers("LA", "LL"),
    "legs/missed": _numbers("LL", low=1e-6),
}


class MotionFacts(Facts):
    """What is kept beside the arrays."""

    names: tuple[Annotated[str, Field(max_length=1000)], ...]
    checks: tuple[Annotated[str, Field(max_length=100)], ...]
    arms: tuple[Annotated[str, Field(max_length=100)], ...]
    parts: Annotated[int, Field(ge=2, le=FOLDS)]


def describe_motion_judge(judge: MotionJudge) -> tuple[dict[str, Any], Arrays]:
    """Facts, for JSON, and arrays by name."""
    body = judge.body
    facts = {
        "names": judge.names,
        "checks": judge.checks,
        "arms": body.arms,
        "parts": len(judge.models) - 1,
    }
    arrays: Arrays = {
        "rate": np.array([body.fps, judge.length]),
        "fold": judge.fold,
        "scores": judge.scores,
        **body_arrays(body),
    }
    for m, model in enumerate(judge.models):
        arrays |= model_arrays(model, f"{m}")
    return facts, arrays


def body_arrays(body: Body) -> Arrays:
    """What is common to clips of a skeleton, but for its rate and the names of its arms."""
    return {
        "moving": body.moving,
        "large": body.large,
        "inner": body.inner,
        "limbs": np.array([(h.limb.root, h.limb.middle, h.limb.tip) for h in body.hinges]),
        "hinges": np.array([(*h.axis, h.least, h.most) for h in body.hinges]),
        **{name: _look_up(body, name) for name in _BASES},
    }


def model_arrays(model: Model, place: str) -> Arrays:
    """What the checks know, under names that begin with a place."""
    return {f"{place}/{name}": _look_up(model, name) for name in _MODEL}


def _look_up(holder: object, path: str) -> NDArray[Any]:
    for name in path.split("/"):
        holder = getattr(holder, name)
    return np.asarray(holder)


def rebuild_motion_judge(
    file: StoredFile, place: str, facts: MotionFacts, roles: Roles, joints: int
) -> MotionJudge:
    """A judge from a file.

    Parameters
    ----------
    file : StoredFile
    place : str
        What the names of its arrays begin with.
    facts : MotionFacts
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that the skeleton has.

    Returns
    -------
    MotionJudge

    Raises
    ------
    Fault
        When it is not what it should be.
    """
    found, sizes = _read_body(file, place, roles, joints)
    sizes |= {"C": len(facts.names), "K": len(facts.checks), "F": facts.parts}
    judged = _read(file, place, _JUDGED, sizes)
    if not facts.checks or len(set(facts.checks) & set(CHECKS)) != len(facts.checks):
        raise Fault("it names other checks than there are")
    if set(judged["fold"].tolist()) != set(range(facts.parts)):
        raise Fault("a part has no captures")
    models = [_model(_read(file, f"{place}/{m}", _MODEL, sizes)) for m in range(facts.parts + 1)]
    fps, length = judged["rate"].tolist()
    body = _body(found, fps, facts.arms)
    scores, fold = judged["scores"], judged["fold"]
    return MotionJudge(body, tuple(models), facts.names, fold, facts.checks, scores, length)


def rebuild_body_and_model(
    file: StoredFile, fps: float, arms: tuple[str, ...], roles: Roles, joints: int
) -> tuple[Body, Model]:
    """What `body_arrays`, and `model_arrays` under ``model``, wrote.

    Parameters
    ----------
    file : StoredFile
    fps : float
        Frames per second that turns are measured at.
    arms : tuple of str
        Names of the arms.
    roles : Roles
        Of the skeleton.
    joints : int
        Joints that the skeleton has.

    Returns
    -------
    tuple of (Body, Model)

    Raises
    ------
    Fault
        When they are not what they should be.
    """
    found, sizes = _read_body(file, "body", roles, joints)
    return _body(found, fps, arms), _model(_read(file, "model", _MODEL, sizes))


def _read_body(
    file: StoredFile, place: str, roles: Roles, joints: int
) -> tuple[Arrays, dict[str, int]]:
    """Arrays of a body, and the sizes that its models have."""
    balance, speeds, rates, cues, odd, even = sizes_of(roles)
    sizes = {"J": joints, "B": balance, "S": speeds, "R": rates, "Q": cues, "D": odd, "E": even}
    sizes["LA"], sizes["LL"] = sizes_of_legs(tuple(r for r in POINTS if r in roles.joints))
    sizes["H"] = len(find_limbs(roles))
    found = _read(file, place, _BODY | _BASES, sizes)
    sizes |= {
        "BG": sizes["BF"] + sizes["BL"] + 1,
        "SG": sizes["SF"] + sizes["SL"] + 1,
        "RG": sizes["RF"] + sizes["RL"] + 1,
        "DG": Flow.count(sizes["DF"], odd),
    }
    return found, sizes


def _body(found: Arrays, fps: float, arms: tuple[str, ...]) -> Body:
    return Body(
        fps,
        found["moving"],
        found["large"],
        found["inner"],
        tuple(map(_hinge, found["limbs"].tolist(), found["hinges"].tolist())),
        arms,
        _basis(found, "balance"),
        _basis(found, "speeds"),
        _basis(found, "rates"),
        Flow(*(found[name] for name in _BASES if name.startswith("flow/"))),
    )


def _basis(found: Mapping[str, NDArray[Any]], kind: str) -> Basis:
    return Basis(*(found[f"{kind}/{part}"] for part in ("mean", "project", "phase", "plain")))


def _hinge(limb: list[int], numbers: list[float]) -> Hinge:
    x, y, z, least, most = numbers
    return Hinge(Limb(*limb), (x, y, z), least, most)


def _model(found: Mapping[str, NDArray[Any]]) -> Model:
    def part(kind: str) -> list[NDArray[Any]]:
        return [array for name, array in found.items() if name.startswith(f"{kind}/")]

    return Model(
        found["order"],
        found["cues"],
        found["gravity"],
        found["speeds"],
        found["rates"],
        TurnModel(*part("turns")),
        HingeRange(*part("hinges")),
        AxisModel(*part("axes")),
        LegModel(*part("legs")),
    )


def _read(
    file: StoredFile, place: str, schema: Mapping[str, Stored], sizes: dict[str, int]
) -> Arrays:
    found = file.arrays({f"{place}/{name}": wanted for name, wanted in schema.items()}, sizes)
    return {name: found[f"{place}/{name}"] for name in schema}
