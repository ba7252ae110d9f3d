"""Motion through phase spaces: the minimum of its sum, speeds matched, ends met."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from motionloom import rotations as rot
from motionloom.clips import make_clip_set
from motionloom.inbetween import InbetweenOptions, fit_inbetween, make_filler
from motionloom.inbetween.gaps import Gaps, Track
from motionloom_evaluation.inbetweening.phases.phase_space import (
    Ends,
    PhaseWeights,
    _solve_blocks,
    fit_phase_space,
    solve_phase_motion,
)
from performed import performer_clips


@pytest.fixture(scope="module")
def space():
    rng = np.random.default_rng(2)
    times = np.linspace(0, 40, 800)[:, None]
    poses = np.sin(times * rng.uniform(0.5, 2, 6) + rng.uniform(0, 6, 6)) * rng.uniform(0.3, 1, 6)
    speeds = np.gradient(poses, axis=0)
    return fit_phase_space(np.concatenate([poses, speeds], axis=1), (1, 2), 7)


def total(space, ends, phases, speeds, weights):
    """The sum as it is written, term by term."""
    poses = phases @ space.pose.T + space.mean_pose
    own = phases @ space.speed.T + space.mean_speed
    sums = weights.ends * (
        ((poses[0] - ends.start) ** 2).sum()
        + ((poses[-1] - ends.stop) ** 2).sum()
        + ((own[0] - ends.start_speed) ** 2).sum()
        + ((own[-2] - ends.stop_speed) ** 2).sum()
    )
    going = phases[:-1] @ (space.pose + space.speed).T + space.mean_pose + space.mean_speed
    sums += weights.steps * ((poses[1:] - going) ** 2).sum()
    sums += weights.changes * (np.diff(phases, axis=0) ** 2).sum()
    if speeds is not None:
        asked = np.isfinite(speeds)
        wanted = np.where(asked, speeds, 0) ** 2
        weight = asked * weights.speed / wanted[asked].mean()
        sums += (weight * ((own**2).sum(axis=1) - wanted) ** 2).sum()
    return float(sums)


@pytest.mark.parametrize("with_speeds", [False, True])
def test_the_sum_is_at_its_minimum(space, with_speeds):
    """Its slope by finite differences is zero in every direction."""
    rng = np.random.default_rng(0)
    ends = Ends(*rng.normal(0, 0.3, (4, 6)) * [[1], [1], [0.02], [0.02]])
    speeds = np.full(11, 0.15) if with_speeds else None
    found = solve_phase_motion(space, ends, 10, speeds)
    shape = found.phases.shape

    def value(flat):
        return total(space, ends, flat.reshape(shape), speeds, PhaseWeights())

    slope = approx_fprime(found.phases.ravel(), value, 1e-6)
    off = approx_fprime(found.phases.ravel() + 0.01, value, 1e-6)
    assert np.abs(slope).max() < 0.02 * np.abs(off).max()
    if with_speeds:
        assert found.iterations > 0


def test_the_banded_solve_is_the_dense_one():
    rng = np.random.default_rng(1)
    n, k = 5, 3
    blocks = rng.normal(size=(n, k, k))
    diagonal = blocks @ blocks.transpose(0, 2, 1) + 6 * np.eye(k)
    beside = 0.5 * rng.normal(size=(n - 1, k, k))
    right = rng.normal(size=(n, k))
    dense = np.zeros((n * k, n * k))
    for i in range(n):
        dense[i * k : i * k + k, i * k : i * k + k] = diagonal[i]
        if i:
            at = (i - 1) * k
            dense[at : at + k, i * k : i * k + k] = beside[i - 1]
            dense[i * k : i * k + k, at : at + k] = beside[i - 1].T
    wanted = np.linalg.solve(dense, right.ravel()).reshape(n, k)
    np.testing.assert_allclose(_solve_blocks(diagonal, beside, right), wanted, atol=1e-9)


def test_a_faster_speed_makes_a_longer_way(space):
    ends = Ends.at_rest(np.full(6, -0.2), np.full(6, 0.2))
    plain = solve_phase_motion(space, ends, 20)
    fast = solve_phase_motion(space, ends, 20, 2.0 * plain.speeds + 0.05)
    length = [np.linalg.norm(np.diff(m.poses, axis=0), axis=1).sum() for m in (plain, fast)]
    assert length[1] > 1.2 * length[0]


def test_frames_without_a_wish_are_free(space):
    ends = Ends.at_rest(np.full(6, -0.2), np.full(6, 0.2))
    wished = np.full(21, np.nan)
    wished[10] = 0.3
    found = solve_phase_motion(space, ends, 20, wished, PhaseWeights(speed=100.0))
    assert found.speeds[10] == pytest.approx(0.3, rel=0.1)


def test_fillings_meet_both_ends():
    wanted = ("walk_0.6", "walk_1.1")
    walks = make_clip_set([c.motion for c in performer_clips() if c.motion.name in wanted])
    model = fit_inbetween(walks, InbetweenOptions((5, 15, 30), samples=300, landmarks=300))
    track = Track.of(walks.motions[0], model.rig)
    gaps = Gaps.cut(model.rig, track, np.array([30]), 20)
    found = make_filler("phase", model).fill(gaps, 30.0)[0].track
    steps = np.concatenate(
        [gaps.start_rotations[:, None], found.rotations, gaps.end_rotations[:, None]], axis=1
    )
    turned = rot.angle_between(steps[:, :-1], steps[:, 1:])
    assert np.degrees(turned.max()) < 30
