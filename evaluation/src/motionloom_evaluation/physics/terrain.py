"""Walks taken onto stairs, slopes and uneven ground, beside stairs as they were captured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom.clips.prepare import prepare_clip
from motionloom.constraints import HeightMap, Slope, Stairs
from motionloom.constraints.kinds.ground import Uneven, ground_heights
from motionloom.errors import MotionloomError
from motionloom.io.registry import load_markers
from motionloom.motion import Motion
from motionloom.physics.ground import find_ground_contacts
from motionloom.physics.quality import long_flights
from motionloom.physics.terrain import TerrainReport, adapt_to_terrain, make_terrain_report
from motionloom.physics.terrain.report import Landing, find_landings, summarize_landings
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import in_words

Array = NDArray[np.float64]

#: Stairs (rise, tread) in metres, how many steps, and slopes in degrees.
STAIRS = ((0.17, 0.30), (0.10, 0.40))
STEPS = 4
SLOPES = (-10.0, -5.0, 5.0, 10.0)
#: Steps on stairs also take so many times as long, as captured; and what is said then.
AS_CLIMBED, SLOWER = 1.5, " slow"
#: Uneven ground: standard deviation of heights and how far they go together, metres.
HILLS, TOGETHER, CELL = 0.05, 0.5, 0.25
#: The ground rises after this share of a walk, and only walks this long are taken, metres.
BEGINS, LONG_ENOUGH = 0.3, 3.0
#: Walks this straight are taken: distance over way.
STRAIGHT = 0.9
#: A marker stands that is slower than this, metres per second, for so long, seconds.
STILL, STANDS = 0.15, 0.15
#: Names of markers on heels and toes.
FEET = (("LHEE", "LTOE"), ("RHEE", "RTOE"))


@dataclass(frozen=True)
class TerrainRow:
    """One walk on one ground, or captured stairs.

    Parameters
    ----------
    name : str
        Of the walk.
    ground : str
        What it was taken onto; ``"captured"`` where it was there already.
    report : TerrainReport, optional
        What became of it.
    seconds : float
        Processor time.
    up, down : tuple of Landing
        Landings on other levels.
    refused : str
        Why it could not be measured; empty when it was.
    """

    name: str
    ground: str
    report: TerrainReport | None = None
    seconds: float = 0.0
    up: tuple[Landing, ...] = ()
    down: tuple[Landing, ...] = ()
    refused: str = ""


def evaluate_terrain(
    trials: Sequence[str], motions: Sequence[Motion], progress: Progress = silent
) -> tuple[TerrainRow, ...]:
    """Take straight walks onto every ground, and measure captured stairs.

    Parameters
    ----------
    trials : sequence of str
        Marker files; those whose feet stand at different heights are stairs.
    motions : sequence of Motion
        Those that walk straight on for some metres are taken; runs are not.
    progress : Progress
        Told of walks.

    Returns
    -------
    tuple of TerrainRow
    """
    rows = [row for path in trials for row in _captured(path)]
    for i, motion in enumerate(motions):
        progress("terrain", i, len(motions))
        try:
            rows += _walks(motion)
        except MotionloomError as error:
            rows.append(TerrainRow(motion.name, "", refused=str(error)))
    progress("terrain", len(motions), len(motions))
    return tuple(rows)


def _walks(motion: Motion) -> Iterator[TerrainRow]:
    posed, _, _ = prepare_clip(motion, motion.fps)
    way = posed.body[:, :2]
    length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    straight = float(np.linalg.norm(way[-1] - way[0]))
    if long_flights(find_ground_contacts(posed).support, posed.fps).any():
        return
    if straight < LONG_ENOUGH or straight < STRAIGHT * length:
        return
    for name, ground in _grounds(posed).items():
        began = process_time()
        slower = AS_CLIMBED if name.endswith(SLOWER) else 1.0
        made = adapt_to_terrain(posed, (ground,), slower=slower)
        report = make_terrain_report(made)
        seconds = process_time() - began
        yield TerrainRow(
            name=motion.name,
            ground=name,
            report=report,
            seconds=seconds,
            up=report.up,
            down=report.down,
        )


def _grounds(posed: PosedMotion) -> dict[str, Uneven]:
    """What one walk is taken onto: across its way, some way on."""
    way = posed.body[:, :2]
    ahead = way[-1] - way[0]
    heading = float(np.degrees(np.arctan2(ahead[0], ahead[1])))
    x, z = (float(v) for v in way[int(BEGINS * len(way))])
    found: dict[str, Uneven] = {}
    for rise, tread in STAIRS:
        for sign, word in ((1, "up"), (-1, "down")):
            stairs = Stairs(
                start=(x, z), heading=heading, rise=sign * rise, tread=tread, steps=STEPS
            )
            name = f"stairs {word} {100 * rise:.0f}/{100 * tread:.0f}"
            found[name] = found[name + SLOWER] = stairs
    for angle in SLOPES:
        found[f"slope {angle:+.0f}"] = Slope(start=(x, z), heading=heading, steepness=angle)
    found["uneven"] = _hills(way)
    return found


def _hills(way: Array) -> HeightMap:
    """Smooth random ground about a way, the same for the same way."""
    low = way.min(axis=0) - 2.0
    shape = np.ceil((way.max(axis=0) + 2.0 - low) / CELL).astype(int)[::-1] + 1
    noise = np.random.default_rng(7).normal(size=shape)
    smooth = scipy.ndimage.gaussian_filter(noise, TOGETHER / CELL)
    heights = HILLS * smooth / smooth.std()
    return HeightMap(
        heights=tuple(map(tuple, heights.tolist())),
        origin=(float(low[0]), float(low[1])),
        cell=CELL,
    )


def _captured(path: str) -> Iterator[TerrainRow]:
    """Stairs in a marker file, if it shows some."""
    try:
        markers = load_markers(path)
    except MotionloomError:
        return
    names = list(markers.labels)
    if not all(name in names for foot in FEET for name in foot):
        return
    feet = [markers.positions[:, [names.index(name) for name in foot]] for foot in FEET]
    stances = [_stances(foot[:, -1], markers.fps) for foot in feet]
    stairs = _fit_stairs(feet, stances)
    if stairs is None:
        return

    def heights(places: Array) -> Array:
        return ground_heights((stairs,), places)

    landings: list[Landing] = []
    for foot, own in zip(feet, stances, strict=True):
        points = foot.copy()
        for i in range(2):
            # Markers are above the ground; where the foot stands they say how far.
            off = [np.quantile(points[a : b + 1, i, 1], 0.1) for a, _, b in own]
            ground = [heights(points[(a + b) // 2, -1, [0, 2]]) for a, _, b in own]
            points[:, i, 1] -= np.median(np.subtract(off, ground))
        landings += find_landings(points, own, markers.fps, heights)
    yield TerrainRow(
        path.rsplit("/", 1)[-1],
        f"captured {100 * abs(stairs.rise):.0f}/{100 * stairs.tread:.0f}",
        up=tuple(landing for landing in landings if landing.rise > 0),
        down=tuple(landing for landing in landings if landing.rise < 0),
    )


def _stances(toe: Array, fps: float) -> list[tuple[int, int, int]]:
    """Frames in which a toe's marker stands."""
    speed = np.linalg.norm(np.gradient(toe, axis=0), axis=1) * fps
    runs = scipy.ndimage.find_objects(scipy.ndimage.label(speed < STILL)[0])
    return [
        (run.start, run.start, run.stop - 1)
        for (run,) in runs
        if run.stop - run.start > STANDS * fps
    ]


def _fit_stairs(
    feet: Sequence[Array], stances: Sequence[Sequence[tuple[int, int, int]]]
) -> Stairs | None:
    """Stairs from where toes stand: their direction, treads, rise, and edges between the feet."""
    toes = np.array(
        [foot[(a + b) // 2, -1] for foot, own in zip(feet, stances, strict=True) for a, _, b in own]
    )
    heels = np.array(
        [foot[(a + b) // 2, 0] for foot, own in zip(feet, stances, strict=True) for a, _, b in own]
    )
    if len(toes) < 4 or np.ptp(toes[:, 1]) < 0.3:
        return None
    flat = toes[:, [0, 2]] - toes[:, [0, 2]].mean(axis=0)
    ahead = np.linalg.svd(flat)[2][0]
    ahead = ahead * np.sign((toes[:, 1] - toes[:, 1].mean()) @ (flat @ ahead))
    order = np.argsort(toes[:, [0, 2]] @ ahead)
    toes, heels = toes[order], heels[order]
    rises = np.diff(toes[:, 1])
    steps = np.flatnonzero(rises > 0.05)
    if not len(steps):
        return None
    rise = float(np.median(rises[steps]))
    levels = np.concatenate([[0], np.cumsum(np.round(rises / rise))])
    # An edge lies between the toes on one level and the heels on the next.
    edges = 0.5 * ((toes[steps] + heels[steps + 1])[:, [0, 2]] @ ahead)
    tread, first = np.polyfit(levels[steps], edges, 1) if len(steps) > 1 else (0.3, edges[0])
    across = toes[:, [0, 2]].mean(axis=0)
    across = across - (across @ ahead) * ahead
    x, z = first * ahead + across
    return Stairs(
        start=(float(x), float(z)),
        heading=float(np.degrees(np.arctan2(*ahead))),
        rise=rise,
        tread=float(tread),
        steps=int(levels[-1]),
    )


def format_terrain(rows: Sequence[TerrainRow]) -> str:
    """For people."""
    lines = [
        f"{'onto uneven ground':<48}{'stances':>8}{'across':>7}{'foot mm':>8}{'deep mm':>8}"
        f"{'balanced':>14}{'force bw/s':>12}{'load bw':>18}{'knee deg/s':>14}{'s':>6}"
    ]
    for row in rows:
        name = f"{row.name[:25]:<26}{row.ground:<22}"
        if row.refused:
            lines.append(f"{name} refused: {row.refused}")
        elif row.report is not None:
            lines.append(name + _figures(row.report) + f"{row.seconds:>6.2f}")
    lines.append("landings on stairs")
    for row in rows:
        for word, landings in (("up", row.up), ("down", row.down)):
            if landings and not row.ground.startswith(("slope", "uneven")):
                name = f"{row.name[:25]:<26}{row.ground:<22}{word:<5}"
                lines.append(name + in_words(summarize_landings(landings)))
    return "\n".join(lines) + "\n"


def _figures(r: TerrainReport) -> str:
    a = r.before
    b = r.after
    return (
        f"{r.stances:>8}{r.across:>7}{r.foot_error:>8.1f}{r.depth:>8.1f}"
        f"{f'{a.balanced:.2f} > {b.balanced:.2f}':>14}"
        f"{f'{a.force_rate:.0f} > {b.force_rate:.0f}':>12}"
        f"{f'{a.most_load:.2f} > {b.least_load:.2f}-{b.most_load:.2f}':>18}"
        f"{f'{a.knee_speed:.0f} > {b.knee_speed:.0f}':>14}"
    )
