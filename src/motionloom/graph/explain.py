"""Why a motion graph's motion misses what was asked, as far as the graph can tell.

Likeliest reasons why a finished motion misses a place, a facing or a velocity that was asked
for.

Constraints that no walk through a graph can meet, each with the reason: found without any
search.

How far a walk through a graph gets in a time, how much it turns, where a joint gets: bounds that
none passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

import numpy as np

from motionloom.clips.coverage import Coverage, measure_coverage
from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.constraints.kinds.avoid import INSIDE, measure_depths
from motionloom.constraints.kinds.measures import NEAR, STRAIGHT, Adherence, ConstraintError
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.kinds.speeds import STANDING
from motionloom.constraints.kinds.table import label_of
from motionloom.edit.posture import LARGEST_SHIFT, LARGEST_SINK, LARGEST_TURNS
from motionloom.edit.reach import find_limb
from motionloom.graph.searching.results import PoseError
from motionloom.graph.transitions.build import MotionGraph
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.rotations import wrap_angle
from motionloom.synthesis.generator import Reason
from motionloom.synthesis.spread import LARGEST_RISE, LARGEST_STEP, SHIFT, TURN
from motionloom.typing import Array

#: A mean speed or turn rate above this share of the clips' extreme leaves a search hardly a choice.
_EXTREME = 0.85
_SHARP = 0.5
#: Places nearer than this tell nothing about the direction of the way, metres.
_SHORT_WAY = 0.3
#: A body constraint this near in time says where the body is when a joint is to be somewhere,
#: seconds.
_MEANWHILE = 0.5

#: Said of what is missed where no other reason is known.
_SEARCHED = "the search found nothing nearer; a larger budget, another seed or more clips may"


def explain_missed(
    graph: MotionGraph,
    constraints: ConstraintSet,
    errors: Sequence[ConstraintError],
    adherence: Sequence[Adherence],
    out_of_reach: Callable[[], Sequence[PoseError]],
) -> tuple[Reason, ...]:
    """Say why constraints are missed: what is certain first, else what is likely.

    Parameters
    ----------
    graph : MotionGraph
        The graph that was searched.
    constraints : ConstraintSet
        What was asked for.
    errors : sequence of ConstraintError
        Of the constraints that are missed.
    adherence : sequence of Adherence
        Of what was asked over time and is not kept to.
    out_of_reach : callable
        Gives the poses that no walk through the graph shows in time; called when a pose is missed.

    Returns
    -------
    tuple of Reason
        At most one for each constraint.
    """
    certain = {
        (p.kind, p.index): f"it cannot be met, {p.text}"
        for p in find_impossible(graph, constraints)
    }
    if any(a.kind in ("pose", "key_pose") for a in adherence):
        late = {o.frame: _why_out_of_reach(graph, constraints, o) for o in out_of_reach()}
        for kind, asked in (("pose", constraints.poses), ("key_pose", constraints.key_poses)):
            frames = enumerate(constraints.frame_of(c.time) for c in asked)
            certain |= {(kind, i): late[frame] for i, frame in frames if frame in late}
    coverage = measure_coverage(graph.clips, graph.core)
    # Of ground that is not level more is known than of the search.
    unknown = "" if constraints.ground else _SEARCHED
    found: list[tuple[ConstraintError | Adherence, str | None]] = [
        *((e, _why_missed(graph, constraints, coverage, e)) for e in errors),
        *((a, _why_left(graph, constraints, coverage, a)) for a in adherence),
    ]
    texts = [(c, certain.get((c.kind, c.index)) or likely or unknown) for c, likely in found]
    return tuple(Reason(c.kind, c.index, text) for c, text in texts if text)


def _why_left(
    graph: MotionGraph, constraints: ConstraintSet, coverage: Coverage, left: Adherence
) -> str | None:
    """Likeliest reason why a path is left, a style not shown or a pose missed."""
    if left.kind == "path":
        frames, way = follow(constraints.paths[left.index], constraints)
        length = float(np.linalg.norm(np.diff(way.ground, axis=0), axis=1).sum())
        return _why_speed(coverage, length, max(len(frames) - 1, 1) / constraints.fps)
    if left.kind == "still":
        if coverage.slowest < STANDING:
            return None
        return f"nobody in the clips moves slower than {coverage.slowest:.2f} m/s"
    if left.kind == "style":
        return _why_style(graph, constraints.style[left.index].label)
    if left.kind == "pose":
        pose = constraints.poses[left.index]
        return _where_connected(graph, graph.clips.frame_of_file(pose.clip, pose.frame))
    return None


def _why_style(graph: MotionGraph, label: str) -> str:
    """How much of a style there is among the connected frames, and how many transitions lead into
    it.
    """
    shown = graph.clips.labels[label]
    edges = graph.edges
    seconds = float((shown & graph.core).sum()) / graph.clips.fps
    if not seconds:
        return f"it cannot be met, no connected frame has the label {label!r}"
    into = int(np.sum(shown[edges.target] & ~shown[edges.source]))
    return (
        f"{seconds:.1f} s of the connected frames have the label {label!r}, and {into} of"
        f" {len(edges.source)} transitions lead there from frames without it"
    )


def _why_out_of_reach(graph: MotionGraph, constraints: ConstraintSet, pose: PoseError) -> str:
    if pose.frames is not None:
        earliest = (pose.frame + pose.frames) / constraints.fps
        return f"it cannot be met, the clips get there at {earliest:.2f} s at the earliest"
    where = _where_connected(graph, pose.shows)
    return f"it cannot be met, no way leads there{': ' if where else ''}{where or ''}"


def _where_connected(graph: MotionGraph, frame: int) -> str | None:
    """That a frame is not connected, and which part of its clip is; None for a connected one."""
    if graph.core[frame]:
        return None
    clip = int(graph.clips.clip_of[frame])
    core = np.flatnonzero(graph.core[graph.clips.starts[clip] : graph.clips.starts[clip + 1]])
    times = graph.clips.file_time(clip)
    which = "no part of that clip is"
    if len(core):
        which = f"from {times[core[0]]:.2f} to {times[core[-1]]:.2f} s it is"
    return f"that frame is not connected to the other clips ({which})"


def _why_missed(
    graph: MotionGraph, constraints: ConstraintSet, coverage: Coverage, error: ConstraintError
) -> str | None:
    """Likeliest reason why a body or joint constraint is missed; None when there is none.

    Parameters
    ----------
    graph : MotionGraph
        The graph that was searched.
    constraints : ConstraintSet
        What was asked for.
    coverage : Coverage
        What the connected frames of the graph cover.
    error : ConstraintError
        Of the constraint that is missed.

    Returns
    -------
    str or None
        A clause that does not name the constraint.
    """
    if error.kind == "body":
        return _why_body(constraints, coverage, error)
    joint = check_joints(constraints, graph.clips.skeleton, graph.clips.roles)[error.index]
    if error.position > NEAR:
        return _why_joint(constraints, error.index, joint_reach(graph, joint))
    return _why_velocity(graph, constraints.joints[error.index], joint)


def _why_body(constraints: ConstraintSet, coverage: Coverage, error: ConstraintError) -> str | None:
    """Likeliest reason why the body is elsewhere, from the way to it from the body constraint
    before.
    """
    if error.index == 0:
        return None
    a, b = constraints.body[error.index - 1 : error.index + 1]
    way = np.subtract(b.position, a.position)
    seconds = (constraints.frame_of(b.time) - constraints.frame_of(a.time)) / constraints.fps
    distance = float(np.hypot(*way))
    return _why_speed(coverage, distance, seconds) or _why_turn(
        coverage, way, a.facing, b.facing, seconds
    )


def _why_speed(c: Coverage, distance: float, seconds: float) -> str | None:
    """Why nobody gets just that far in that time; None when a walk at that mean speed is usual.

    Parameters
    ----------
    c : Coverage
        Speeds that the connected frames of the graph cover.
    distance : float, metres
        Length of the way that is asked for.
    seconds : float
        Time for it, above 0.

    Returns
    -------
    str or None
        A clause that does not name the constraint.
    """
    speed = distance / seconds
    asked = f"it asks for {distance:.2f} m in {seconds:.2f} s, {speed:.2f} m/s"
    if speed > _EXTREME * c.fastest:
        return f"{asked}, and nobody moves faster than {c.fastest:.2f} m/s"
    if speed < c.slowest / _EXTREME:
        detour = ": the body has to make a detour" if speed < c.slowest else ""
        return f"{asked}, and nobody moves slower than {c.slowest:.2f} m/s{detour}"
    for low, high in c.gaps:
        if low < speed < high:
            return f"{asked}, and nobody moves at between {low:.2f} and {high:.2f} m/s"
    return None


def _why_turn(
    c: Coverage, way: np.ndarray, before: float | None, after: float | None, seconds: float
) -> str | None:
    """Who walks ahead turns into the way and, on arrival, out of it; that may be too much in the
    time.
    """
    along = np.degrees(np.arctan2(*way)) if np.hypot(*way) > _SHORT_WAY else None
    stations = [f for f in (before, along, after) if f is not None]
    turns = [float(np.degrees(wrap_angle(np.radians(q - p)))) for p, q in pairwise(stations)]
    total = float(np.abs(turns).sum())
    if total < _SHARP * max(c.left, c.right) * seconds:
        return None
    return (
        f"it asks to turn by {total:.0f} degrees in {seconds:.2f} s on the way there, and nobody"
        f" turns by more than {c.left:.0f} degrees a second to the left or {c.right:.0f} to the"
        " right"
    )


def _why_joint(constraints: ConstraintSet, index: int, reach: Reach) -> str | None:
    """Likeliest reason why a joint is elsewhere: the body is too far, or nobody has it there."""
    wish = constraints.joints[index]
    if wish.position is None:
        return None
    near = [b for b in constraints.body if abs(b.time - wish.time) <= _MEANWHILE]
    if near:
        body = min(near, key=lambda b: abs(b.time - wish.time))
        away = float(np.hypot(*np.subtract(wish.position[::2], body.position)))
        if away > _EXTREME * reach.aside:
            return (
                f"body at {body.time:g} s is {away:.2f} m away from it, and the joint gets"
                f" {reach.aside:.2f} m far"
            )
    low, high = reach.captured
    if not low <= wish.position[1] <= high:
        return (
            f"nobody has the joint at a height of {wish.position[1]:.2f} m (captured: {low:.2f} to"
            f" {high:.2f} m)"
        )
    return None


def _why_velocity(graph: MotionGraph, wish: JointConstraint, joint: int) -> str | None:
    """Nobody moves the joint that fast."""
    clips = graph.clips
    if wish.velocity is None:
        return None
    step = np.diff(clips.positions[:, joint], axis=0)[
        (clips.clip_of[1:] == clips.clip_of[:-1]) & graph.core[1:]
    ]
    fastest = float(np.linalg.norm(step, axis=1).max()) * clips.fps
    asked = float(np.linalg.norm(wish.velocity))
    if asked <= _EXTREME * fastest:
        return None
    return f"it asks for {asked:.1f} m/s and nobody moves the joint faster than {fastest:.1f} m/s"


#: Joints of the trunk that can lean, and how far a shrug raises a shoulder at most, metres.
_LEANING, _SHRUG = 3, 0.1


def find_impossible(graph: MotionGraph, constraints: ConstraintSet) -> tuple[Reason, ...]:
    """Find constraints that no walk can meet, one problem for each.

    Only what is certain is told: a set without a problem may still be beyond the clips.

    Parameters
    ----------
    graph : MotionGraph
        Its clips bound how far a walk gets, how much it turns and where a joint can be.
    constraints : ConstraintSet
        Body and joint constraints are looked at, and obstacles that cover one of these.

    Returns
    -------
    tuple of Reason
        One for each constraint that cannot be met; several causes are joined by semicolons.
    """
    distance, left, right = travel_limits(graph)
    joints = check_joints(constraints, graph.clips.skeleton, graph.clips.roles)
    known = {j: joint_reach(graph, j) for j in set(joints)}
    reaches = [known[j] for j in joints]
    found = [
        *_bad_heights(constraints, reaches),
        *_too_far(distance, constraints, reaches),
        *_too_much_turning(left, right, constraints),
        *_covered(graph, constraints),
    ]
    reasons: dict[tuple[str, int], list[str]] = {}
    for problem in found:
        reasons.setdefault((problem.kind, problem.index), []).append(problem.text)
    return tuple(Reason(kind, index, "; ".join(own)) for (kind, index), own in reasons.items())


def _bad_heights(constraints: ConstraintSet, reaches: list[Reach]) -> list[Reason]:
    found = []
    for i, (wish, reach) in enumerate(zip(constraints.joints, reaches, strict=True)):
        if wish.position is None:
            continue
        height, (low, high) = wish.position[1], reach.captured
        if reach.low - NEAR <= height <= reach.high + NEAR:
            continue
        way, end = ("higher", reach.high) if height > reach.high else ("lower", reach.low)
        text = (
            f"a height of {height:.2f} m is asked for; the joint was captured between {low:.2f} and"
            f" {high:.2f} m and gets no {way} than {end:.2f} m"
        )
        found.append(Reason("joint", i, text))
    return found


def _too_far(limits: Array, constraints: ConstraintSet, reaches: list[Reach]) -> list[Reason]:
    """Places farther from an earlier one than anybody gets in the time between; the worst such pair
    of each.
    """
    places = _places(constraints, reaches)
    frames, x, z, asides = np.array([place[3:] for place in places]).T
    found = []
    for i, (kind, index, *_) in enumerate(places[1:], 1):
        away = np.hypot(x[i] - x[:i], z[i] - z[:i])
        later = frames[i] - frames[:i]
        able = np.where(later > 0, np.polyval(limits, later), 0.0) + asides[:i] + asides[i]
        excess = away - able - SHIFT * later / constraints.fps
        worst = int(np.argmax(excess))
        if excess[worst] > NEAR:
            aside = asides[worst] + asides[i]
            seconds = later[worst] / constraints.fps
            text = f"it is {away[worst]:.2f} m from {places[worst][2]}"
            arms = f", {aside:.2f} m of them by reaching" if aside else ""
            text += (
                f", {seconds:.2f} s earlier ({away[worst] / seconds:.1f} m/s); the clips get at"
                f" most {able[worst]:.2f} m far in that time{arms}"
                if seconds
                else f"; {aside:.2f} m are possible"
            )
            found.append(Reason(kind, index, text))
    return found


def _places(
    constraints: ConstraintSet, reaches: list[Reach]
) -> list[tuple[str, int, str, int, float, float, float]]:
    """All places on the ground in the order of time: kind, index, label, frame, x, z, and by how
    much the body may pass them aside. Without a body constraint it starts at the origin.
    """
    asked = [("body", i, b.time, *b.position, 0.0) for i, b in enumerate(constraints.body)]
    for i, (wish, reach) in enumerate(zip(constraints.joints, reaches, strict=True)):
        if wish.position is not None:
            asked.append(("joint", i, wish.time, wish.position[0], wish.position[2], reach.aside))
    places = [
        (kind, i, label_of(constraints, kind, i), constraints.frame_of(time), x, z, aside)
        for kind, i, time, x, z, aside in asked
    ]
    if not constraints.body:
        places.insert(0, ("start", 0, "the start", 0, 0.0, 0.0, 0.0))
    return sorted(places, key=itemgetter(3))


def _too_much_turning(
    most_left: Array, most_right: Array, constraints: ConstraintSet
) -> list[Reason]:
    """Facings that nobody gets to from the facing before in the time between."""
    found = []
    known = [(i, b, b.facing) for i, b in enumerate(constraints.body) if b.facing is not None]
    for (_, a, before), (i, b, after) in pairwise(known):
        frames = constraints.frame_of(b.time) - constraints.frame_of(a.time)
        wanted = float(wrap_angle(np.radians(after - before)))
        left, right = (w if w >= 0 else w + 2 * np.pi for w in (wanted, -wanted))
        able = np.polyval(most_left, frames), np.polyval(most_right, frames)
        slack = np.radians(STRAIGHT + TURN * frames / constraints.fps)
        if left > able[0] + slack and right > able[1] + slack:
            text = (
                f"it faces {abs(np.degrees(wanted)):.0f} degrees away from how body at {a.time:g} s"
                f" does, {frames / constraints.fps:.2f} s earlier; the clips turn by at most"
                f" {np.degrees(able[0]):.0f} degrees to the left and {np.degrees(able[1]):.0f} to"
                " the right in that time"
            )
            found.append(Reason("body", i, text))
    return found


def _covered(graph: MotionGraph, constraints: ConstraintSet) -> list[Reason]:
    """Obstacles in which a body or joint constraint lies; the body's whatever the height of the
    hips is.
    """
    clips = graph.clips
    heights = clips.positions[:, clips.roles.joints["hips"], 1]
    span = float(heights.min()), float(heights.max())
    points = [
        ("body", i, [[(x, height, z)] for height in span])
        for i, (x, z) in enumerate(b.position for b in constraints.body)
    ]
    points += [
        ("joint", i, [[c.position]])
        for i, c in enumerate(constraints.joints)
        if c.position is not None
    ]
    covers: dict[int, list[str]] = {}
    for kind, k, at in points if constraints.avoid else []:
        deep = measure_depths(constraints.avoid, np.array(at)) > INSIDE
        for i in np.flatnonzero(deep.all(axis=0)).tolist():
            covers.setdefault(i, []).append(label_of(constraints, kind, k))
    return [Reason("avoid", i, f"it covers {' and '.join(labels)}") for i, labels in covers.items()]


def travel_limits(graph: MotionGraph) -> tuple[Array, Array, Array]:
    """Bounds on what a walk through a graph can do.

    No walk changes a quantity by more than ``rate * frames + extra``. Every piece but the first and
    last has at least `min_piece` frames, and a seam itself changes nothing. So the steepest span of
    at least so many frames that a clip has gives the rate, and two shorter spans the extra.

    Returns
    -------
    distance : array (rate, extra), metres
        From one place to another, as the crow flies.
    left, right : arrays (rate, extra), radians
        Change of facing.
    """
    bodies = _used_bodies(graph)
    least = graph.options.min_piece
    changes = [_changes(bodies, k) for k in range(1, 2 * least)]
    distance, left, right = (_bound(np.array(own), least) for own in zip(*changes, strict=True))
    return distance, left, right


def _used_bodies(graph: MotionGraph) -> list[Array]:
    """Body trajectories of the clips that a walk may show; its last piece may run to the end of a
    clip.
    """
    starts = graph.clips.starts
    used = np.add.reduceat(graph.core, starts[:-1]) > 0
    return [
        graph.clips.body[a:b] for a, b, u in zip(starts[:-1], starts[1:], used, strict=True) if u
    ]


def _changes(bodies: list[Array], frames: int) -> tuple[float, float, float]:
    """Largest distance, turn to the left and turn to the right over a number of frames within a
    clip.
    """
    steps = [b[frames:] - b[:-frames] for b in bodies if len(b) > frames]
    if not steps:
        return 0.0, 0.0, 0.0
    step = np.concatenate(steps)
    return (
        float(np.hypot(step[:, 0], step[:, 1]).max()),
        max(float(step[:, 2].max()), 0.0),
        max(-step[:, 2].min(), 0.0),
    )


def _bound(largest: Array, least: int) -> Array:
    """Bound from the largest change over 1, 2, ... ``2 * least - 1`` frames; longer spans are made
    of such ones.
    """
    frames = np.arange(1, len(largest) + 1)
    rate = float((largest / frames)[least - 1 :].max())
    return np.array([rate, 2 * (largest - rate * frames)[: least - 1].max(initial=0.0)])


@dataclass(frozen=True)
class Reach:
    """Where a joint can be, what reaching and leaning add included.

    Parameters
    ----------
    aside : float, metres
        Farthest from the hips, seen from above.
    low, high : float, metres
        Lowest and highest above the ground.
    captured : tuple of (float, float), metres
        Lowest and highest that it was captured.
    """

    aside: float
    low: float
    high: float
    captured: tuple[float, float]


def joint_reach(graph: MotionGraph, joint: int) -> Reach:
    """Where a joint can be in frames of the clips that a walk may show.

    A limb may be stretched from wherever its root was, the trunk lean, the hips sink, and the body
    step and rise a little.

    Parameters
    ----------
    graph : MotionGraph
        Clips without a frame in its largest component do not count.
    joint : int
        Index in the skeleton.

    Returns
    -------
    Reach
        Bounds that no frame passes once reaching, leaning and bending are done; metres.
    """
    clips = graph.clips
    used = (np.add.reduceat(graph.core, clips.starts[:-1]) > 0)[clips.clip_of]
    positions = clips.positions[used]
    hips = clips.positions[used, clips.roles.joints["hips"]]
    limb = find_limb(PosedMotion(clips.motions[0], clips.roles), joint)
    root, length = (joint, 0.0) if limb is None else (limb.root, _length(positions[0], limb))
    from_hips = positions[:, root] - hips
    trunk = float(np.linalg.norm(from_hips, axis=-1).max())
    bow = LARGEST_TURNS[0] + _LEANING * LARGEST_TURNS[1]
    lean = float(np.sin(min(bow, np.pi / 2))) * trunk
    height = positions[:, root, 1]
    own = positions[:, joint, 1]
    return Reach(
        aside=float(np.hypot(from_hips[:, 0], from_hips[:, 2]).max())
        + lean
        + length
        + LARGEST_STEP
        + LARGEST_SHIFT,
        low=float(height.min()) - LARGEST_SINK - lean - length,
        high=float(height.max()) + LARGEST_RISE + _SHRUG + length,
        captured=(float(own.min()), float(own.max())),
    )


def _length(pose: Array, limb: Limb) -> float:
    chain = pose[[limb.root, limb.middle, limb.tip]]
    return float(np.linalg.norm(np.diff(chain, axis=0), axis=-1).sum())
