"""Gaps cut out of real takes and filled: gait along the path, linear blending, the motion graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.prepare import prepare_clip
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.body import BodyConstraint
from motionloom.constraints.kinds.paths import PathConstraint
from motionloom.constraints.kinds.poses import PoseConstraint
from motionloom.errors import MotionloomError
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.imdr.reconstruct import Reconstruction, reconstruct
from motionloom.gait.path.way.timing import Timing
from motionloom.gait.report import stance_speeds
from motionloom.gait.space.fit import fit_gait
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Report, Reported
from motionloom.synthesis.driver import SynthesisOptions, synthesize
from motionloom_evaluation.gait.blend import blend_gap

Array = NDArray[np.float64]

#: Gaps are between these, seconds, and leave so much of the take on both sides.
SHORTEST, LONGEST, LEFT = 1.0, 4.0, 0.6
#: The path that is given is the take's own, a point this often, seconds.
POINTS = 0.5
#: Frames per second of takes that are cut.
FPS = 30.0
#: What is measured, in the order of tables.
METHODS = ("gait", "blend", "graph")


@dataclass(frozen=True)
class Gap:
    """A gap in a take.

    Parameters
    ----------
    take : str
        The take.
    first, last : int
        Last frame before the gap, and the first behind it.
    """

    take: str
    first: int
    last: int


@dataclass(frozen=True)
class GapRow:
    """A gap as one method filled it.

    Parameters
    ----------
    gap : Gap
        Which.
    seconds : float
        How long.
    method : str
        One of `METHODS`, or ``truth``.
    distance : float, centimetres
        Mean distance of joints from the truth.
    slowest : float, centimetres per second
        Slowest point of the foot, the mean over the stances that the truth has.
    pop : float, metres per second squared
        Largest acceleration of a joint beside the joins.
    failed : str
        Why there is no motion; empty otherwise.
    """

    gap: Gap
    seconds: float
    method: str
    distance: float = float("nan")
    slowest: float = float("nan")
    pop: float = float("nan")
    failed: str = ""


@dataclass(frozen=True, eq=False)
class GapsEvaluation(Reported):
    """All gaps.

    Parameters
    ----------
    rows : tuple of GapRow
        Gap by gap, method by method.
    """

    rows: tuple[GapRow, ...]

    def as_report(self) -> Report:
        """A line for every gap, and one for every method."""
        lines = []
        gaps = list(dict.fromkeys(row.gap for row in self.rows))
        for gap in gaps:
            own = [row for row in self.rows if row.gap == gap]
            told = [
                f"{row.method}: {row.failed}"
                if row.failed
                else f"{row.method} {row.distance:.1f} / {row.slowest:.0f} / {row.pop:.0f}"
                for row in own
            ]
            lines.append(f"{gap.take:10s} {own[0].seconds:.1f} s  " + "   ".join(told))
        for method in ("truth", *METHODS):
            own = [row for row in self.rows if row.method == method and not row.failed]
            if own:
                values = np.array([[r.distance, r.slowest, r.pop] for r in own])
                mean, spread = values.mean(axis=0), values.std(axis=0)
                lines.append(
                    f"{method:6s} over {len(own)} gaps: {mean[0]:.2f} +- {spread[0]:.2f} cm,"
                    f" {mean[1]:.1f} +- {spread[1]:.1f} cm/s, {mean[2]:.0f} +- {spread[2]:.0f} m/s2"
                )
        title = (
            "Joint distance from the truth (cm), slowest point of a stance (cm/s), largest"
            " acceleration beside the joins (m/s2)"
        )
        return self.compose(title, *lines)


def cut_gaps(takes: Sequence[PosedMotion], count: int, seed: int) -> list[tuple[Gap, PosedMotion]]:
    """Gaps in takes, drawn at random; takes that are too short for one are passed over.

    Parameters
    ----------
    takes : sequence of PosedMotion
        With unique names.
    count : int
        Gaps wanted.
    seed : int
        Of what is drawn.

    Returns
    -------
    list of (Gap, PosedMotion)
        With the take of each.
    """
    rng = np.random.default_rng(seed)
    fit = [t for t in takes if t.motion.duration >= SHORTEST + 2 * LEFT]
    chosen = []
    for i in range(count if fit else 0):
        take = fit[i % len(fit)]
        room = take.motion.duration - 2 * LEFT
        seconds = float(rng.uniform(SHORTEST, min(LONGEST, room)))
        begin = LEFT + float(rng.uniform(0.0, max(room - seconds, 0.0)))
        first = round(begin * take.fps)
        chosen.append((Gap(take.motion.name, first, first + round(seconds * take.fps)), take))
    return chosen


def evaluate_gaps(
    motions: Sequence[Motion],
    count: int = 20,
    seed: int = 0,
    graph: bool = True,
    progress: Progress = silent,
) -> GapsEvaluation:
    """Cut gaps out of takes and fill them; models are learned from the other takes.

    Parameters
    ----------
    motions : sequence of Motion
        Walks and runs of skeletons with the same joints.
    count : int
        Gaps.
    seed : int
        Of the gaps.
    graph : bool
        Whether the motion graph fills them too.
    progress : Progress
        Told of every gap.

    Returns
    -------
    GapsEvaluation
    """
    takes = [prepare_clip(motion, FPS, None)[0] for motion in motions]
    rows: list[GapRow] = []
    gaps = cut_gaps(takes, count, seed)
    for i, (gap, take) in enumerate(gaps):
        progress("gaps", i, len(gaps))
        others = [m for m in motions if m.name != take.motion.name]
        rows += _fill(gap, take, others, takes if graph else ())
    return GapsEvaluation(tuple(rows))


def _fill(
    gap: Gap, take: PosedMotion, others: Sequence[Motion], takes: Sequence[PosedMotion]
) -> list[GapRow]:
    soles = fit_soles([take])
    down = _down(take, soles)
    start = take.motion.cut(0, gap.first + 1)
    end = take.motion.cut(gap.last, take.n_frames)
    asked = _asked(gap, take)
    made: Reconstruction | None = None

    def gait() -> Motion:
        nonlocal made
        made = reconstruct(start, end, asked, fit_gait(list(others)), take.roles)
        return made.motion

    def blend() -> Motion:
        assert made is not None
        return _blended(made, gap, take)

    ways: dict[str, Callable[[], Motion]] = {"truth": lambda: take.motion, "gait": gait}
    ways["blend"] = blend
    if takes:
        ways["graph"] = lambda: _by_graph(gap, take, takes)
    return [_row(gap, take, name, make, soles, down) for name, make in ways.items()]


def _row(
    gap: Gap,
    take: PosedMotion,
    method: str,
    make: Callable[[], Motion],
    soles: Soles,
    down: NDArray[np.bool_],
) -> GapRow:
    seconds = (gap.last - gap.first) / take.fps
    try:
        posed = take.with_motion(make())
    except (MotionloomError, AssertionError) as error:
        return GapRow(gap, seconds, method, failed=str(error) or "nothing to start from")
    inside = slice(gap.first + 1, gap.last)
    away = np.linalg.norm(posed.positions[inside] - take.positions[inside], axis=-1)
    part = slice(gap.first, gap.last + 1)
    found = stance_speeds(posed.cut(part.start, part.stop), soles, down[part])
    acceleration = np.linalg.norm(np.diff(posed.positions, 2, axis=0), axis=-1) * take.fps**2
    joins = [k for f in (gap.first, gap.last) for k in (f - 2, f - 1, f)]
    return GapRow(
        gap=gap,
        seconds=seconds,
        method=method,
        distance=100 * float(away.mean()),
        slowest=100 * float(np.mean([s.speed for s in found])) if found else float("nan"),
        pop=float(acceleration[joins].max()),
    )


def _down(posed: PosedMotion, soles: Soles) -> NDArray[np.bool_]:
    contacts = detect_contacts(posed, soles=soles)
    return np.column_stack([contacts.foot(f"{side}_foot") for side in SIDES])


def _asked(gap: Gap, take: PosedMotion) -> ConstraintSet:
    """The take's own path, a point every half second, as an animator would give it."""
    fps = take.fps
    step = max(1, round(POINTS * fps))
    frames = [*range(gap.first, gap.last - step // 2, step), gap.last]
    smooth = _uniform(take)
    path = PathConstraint(
        points=tuple((float(x), float(z)) for x, z in smooth[frames]),
        times=tuple(f / fps for f in frames),
        curve="spline" if len(frames) > 2 else "polyline",
    )
    return ConstraintSet(
        duration=take.motion.duration,
        fps=fps,
        paths=(path,),
        body=(_there(take, 0, 0.0), _there(take, -1, take.motion.duration)),
    )


def _there(take: PosedMotion, frame: int, time: float) -> BodyConstraint:
    """The body asked for where it is in a frame of a take."""
    x, z, angle = map(float, take.body[frame])
    return BodyConstraint(
        time=time, position=(x, z), facing=float(np.degrees(rot.wrap_angle(angle)))
    )


def _uniform(take: PosedMotion) -> Array:
    """The hips' way without their sway, shape (T, 2), metres."""
    width = 2 * round(0.5 * take.fps) + 1
    kernel = np.hanning(width + 2)[1:-1]
    kernel /= kernel.sum()
    padded = np.pad(
        take.hips[:, [0, 2]], ((width // 2, width // 2), (0, 0)), mode="reflect", reflect_type="odd"
    )
    return np.column_stack([np.convolve(padded[:, k], kernel, mode="valid") for k in (0, 1)])


def _blended(made: Reconstruction, gap: Gap, take: PosedMotion) -> Motion:
    plan = made.bridge.woven.plan
    way = plan.way
    steps = np.linalg.norm(np.diff(way.stand.ground, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    timing = Timing(way.fps, along, way.speeds)
    filled = blend_gap(plan.table, made.before, made.behind, made.bridge.route, timing)
    return _with_gap(made.motion, filled, gap, made.before.ground)


def _with_gap(whole: Motion, filled: Motion, gap: Gap, ground: float) -> Motion:
    """A motion whose gap is filled by another's frames but its first and last."""
    own = slice(gap.first + 1, gap.last)
    rotations = np.array(whole.rotations)
    rotations[own] = filled.rotations[1:-1]
    translations = np.array(whole.translations)
    slot = whole.translated.index(filled.translated[0])
    translations[own, slot] = filled.translations[1:-1, 0] + [0.0, ground, 0.0]
    return replace(whole, rotations=rotations, translations=translations)


def _by_graph(gap: Gap, take: PosedMotion, takes: Sequence[PosedMotion]) -> Motion:
    """The motion graph of the other takes and of what is left of this one."""
    skeleton = take.skeleton
    pieces = [
        replace(take.motion.cut(0, gap.first + 1), name="start"),
        replace(take.motion.cut(gap.last, take.n_frames), name="end"),
    ]
    others = [
        t.motion
        for t in takes
        if t.motion.name != take.motion.name and t.skeleton.matches(skeleton, 0.01)
    ]
    seconds = (gap.last - gap.first) / take.fps
    untimed = {"times": None, "begin": 0.0, "end": seconds}
    asked = ConstraintSet(
        duration=seconds,
        fps=take.fps,
        poses=(
            PoseConstraint(time=0.0, clip="start", frame=gap.first),
            PoseConstraint(time=seconds, clip="end", frame=0),
        ),
        body=(_there(take, gap.first, 0.0), _there(take, gap.last, seconds)),
        paths=(_asked(gap, take).paths[0].model_copy(update=untimed),),
    )
    options = SynthesisOptions(budget=3.0)
    made = synthesize([*pieces, *others], asked, options).motion
    whole = np.array(take.motion.rotations)
    whole[gap.first : gap.last + 1] = made.rotations
    places = np.array(take.motion.translations)
    places[gap.first : gap.last + 1] = made.with_translated(take.motion.translated).translations
    return replace(take.motion, rotations=whole, translations=places)
