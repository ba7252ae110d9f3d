"""Walks that slip and sink, as in the thesis, before and after their correction; clean ones too."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.soles import fit_soles
from motionloom.clips.prepare import prepare_clip
from motionloom.errors import MotionloomError
from motionloom.motion import Motion
from motionloom.physics.body import make_body
from motionloom.physics.correct import CorrectionReport, correct_motion
from motionloom.physics.ground import (
    GroundContacts,
    analyse_balance,
    balanced_share,
    find_ground_contacts,
)
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent

#: The thesis' example: frames, slip and sinking of a stance (metres).
FRAMES = 28
RATE = 30.0
SLIP = 0.06
SINK = 0.02
#: Longest piece of a clip that is corrected as it is, seconds.
PIECE = 20.0


@dataclass(frozen=True)
class CorrectionRow:
    """One clip, damaged and corrected, and corrected as it is.

    Parameters
    ----------
    name : str
        Of the clip.
    refused : str
        Why it could not be measured; empty when it was.
    captured : float
        Share of support frames in balance in the captured piece.
    example : CorrectionReport, optional
        Of the damaged piece of 28 frames.
    milliseconds : float
        Processor time of that correction.
    clean : CorrectionReport, optional
        Of the clip as it was captured.
    seconds, processor : float
        Length of the clean piece, and processor time of its correction.
    """

    name: str
    refused: str = ""
    captured: float = 0.0
    example: CorrectionReport | None = None
    milliseconds: float = 0.0
    clean: CorrectionReport | None = None
    seconds: float = 0.0
    processor: float = 0.0


def evaluate_corrections(
    motions: Sequence[Motion], progress: Progress = silent
) -> tuple[CorrectionRow, ...]:
    """Correct clips as they are, and a piece of each after it was damaged.

    Parameters
    ----------
    motions : sequence of Motion
        Walks have an example; of others only the clean correction is measured.
    progress : Progress
        Told of clips.

    Returns
    -------
    tuple of CorrectionRow
    """
    rows = []
    for i, motion in enumerate(motions):
        progress("corrections", i, len(motions))
        try:
            rows.append(_evaluate(motion))
        except MotionloomError as error:
            rows.append(CorrectionRow(motion.name, refused=str(error)))
    progress("corrections", len(motions), len(motions))
    return tuple(rows)


def _evaluate(motion: Motion) -> CorrectionRow:
    posed, _, _ = prepare_clip(motion, motion.fps)
    posed = posed.cut(0, min(posed.n_frames, round(PIECE * posed.fps)))
    began = time.process_time()
    clean = correct_motion(posed).report
    spent = time.process_time() - began
    row = CorrectionRow(motion.name, clean=clean, seconds=posed.motion.duration, processor=spent)
    found = damage(posed)
    if found is None:
        return row
    captured, damaged, contacts = found
    body = make_body(captured)
    balance = analyse_balance(captured, body, contacts=contacts)
    correct_motion(damaged, body=body, contacts=contacts)  # what is compiled is loaded by now
    began = time.process_time()
    done = correct_motion(damaged, body=body, contacts=contacts)
    return replace(
        row,
        captured=balanced_share(balance.distance),
        example=done.report,
        milliseconds=1000 * (time.process_time() - began),
    )


def damage(posed: PosedMotion) -> tuple[PosedMotion, Motion, GroundContacts] | None:
    """A piece of 28 frames whose right stance slips and sinks.

    Parameters
    ----------
    posed : PosedMotion
        A walk.

    Returns
    -------
    tuple of (PosedMotion, Motion, GroundContacts), or None
        The piece as it was captured, damaged, and when its feet are down; None where no right
        stance of half a second to the piece's length begins and ends within the clip.
    """
    slow = posed.with_motion(posed.motion.resample(1 / RATE))
    soles = fit_soles([slow])
    down = find_ground_contacts(slow, soles).standing.foot("right_foot")
    edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]])))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        first = (start + stop - FRAMES) // 2
        if RATE / 2 <= stop - start <= FRAMES and 0 < first < slow.n_frames - FRAMES:
            piece = slow.cut(int(first), int(first) + FRAMES)
            contacts = find_ground_contacts(piece, soles)
            return piece, _slip(piece, start - first, stop - first), contacts
    return None


def _slip(piece: PosedMotion, start: int, stop: int) -> Motion:
    """The body goes ahead by the slip and down by the sinking while a foot stands."""
    t = np.arange(piece.n_frames)
    x = np.clip((t - start) / max(stop - start, 1), 0, 1)
    dip = np.clip(np.minimum(t - start + 4, stop + 4 - t) / 4, 0, 1)
    facing = piece.facing[len(t) // 2]
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
    shift = SLIP * (x * x * (3 - 2 * x))[:, None] * ahead
    shift[:, 1] -= SINK * dip * dip * (3 - 2 * dip)
    motion = piece.motion
    root = motion.root_joint
    motion = motion.with_translated(sorted({*motion.translated, root}))
    moved = motion.translations.copy()
    moved[:, motion.translated.index(root)] += shift
    return replace(motion, translations=moved)


def format_corrections(rows: Sequence[CorrectionRow]) -> str:
    """Tables of corrections.

    Parameters
    ----------
    rows : sequence of CorrectionRow
        What was measured.

    Returns
    -------
    str
    """
    lines = [
        f"A stance that slips {100 * SLIP:.0f} cm and sinks {100 * SINK:.0f} cm, {FRAMES} frames",
        f"{'clip':<26}{'off mm':>14}{'deep mm':>14}{'balance (captured)':>22}{'jerk':>14}"
        f"{'moved cm':>10}{'ms':>6}",
    ]
    for row in rows:
        if row.refused:
            lines.append(f"{row.name[:25]:<26}{row.refused}")
        if row.example is None:
            continue
        a = row.example.before
        b = row.example.after
        balance = f"{a.balanced:.2f} > {b.balanced:.2f} ({row.captured:.2f})"
        lines.append(
            f"{row.name[:25]:<26}{f'{a.slip:.1f} > {b.slip:.2f}':>14}"
            f"{f'{a.depth:.0f} > {b.depth:.0f}':>14}{balance:>22}"
            f"{f'{a.jerk:.0f} > {b.jerk:.0f}':>14}{row.example.moved_mean:>10.2f}"
            f"{row.milliseconds:>6.0f}"
        )
    lines += [
        "Clips as they were captured",
        f"{'clip':<26}{'s':>6}{'pinned':>8}{'moved cm':>10}{'most':>7}{'balance':>14}"
        f"{'fall %':>14}{'jerk':>16}{'cpu s':>7}",
    ]
    for row in rows:
        if row.clean is not None:
            lines.append(_clean_line(row, row.clean))
    return "\n".join(lines) + "\n"


def _clean_line(row: CorrectionRow, report: CorrectionReport) -> str:
    a = report.before
    b = report.after
    falls = f"{100 * a.quality.floating_share:.0f} > {100 * b.quality.floating_share:.0f}"
    return (
        f"{row.name[:25]:<26}{row.seconds:>6.1f}{report.stances:>8}{report.moved_mean:>10.2f}"
        f"{report.moved_max:>7.1f}{f'{a.balanced:.2f} > {b.balanced:.2f}':>14}{falls:>14}"
        f"{f'{a.jerk:.0f} > {b.jerk:.0f}':>16}{row.processor:>7.2f}"
    )
