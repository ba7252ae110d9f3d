"""What was learned of moments of captures, kept on disk: read instead of learned again."""

from __future__ import annotations

from motionloom.analysis.moments.judge import TURNING, MomentJudge
from motionloom.analysis.oddness.checks import CHECKS
from motionloom.analysis.oddness.store import check_body
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.roles import Roles


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
