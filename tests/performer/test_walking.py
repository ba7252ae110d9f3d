import numpy as np
import pytest

from motionloom.performer import make_performer, perform, plan_steps, running_steps, walking_gait
from motionloom.performer._body import SIDES

SPEEDS = (0.5, 0.8, 1.2, 1.6, 2.2)


def pelvis_speed(clip):
    """Mean horizontal speed of the hips over the steady part."""
    times = clip.motion.times
    start, stop = (
        np.array([np.interp(t, times, clip.joint_positions[:, 0, k]) for k in (0, 2)])
        for t in clip.steady
    )
    return np.linalg.norm(stop - start) / (clip.steady[1] - clip.steady[0])


@pytest.mark.parametrize("height", [1.5, 1.75, 2.0])
@pytest.mark.parametrize("speed", SPEEDS)
def test_speed_is_within_two_percent(walk, speed, height):
    clip = walk(speed, height=height)
    assert clip.steady[1] - clip.steady[0] > 1.0
    assert pelvis_speed(clip) == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize("height", [1.5, 2.0])
@pytest.mark.parametrize("speed", SPEEDS)
def test_standing_feet_neither_slide_nor_sink(walk, sole, speed, height):
    clip = walk(speed, height=height)
    points = sole(clip)
    for side in (0, 1):
        for part in (0, 1):
            down = clip.contacts[:, side, part]
            steps = np.diff(points[:, side, part], axis=0)[down[1:] & down[:-1]]
            assert np.abs(steps).max() < 1e-9
            assert np.abs(points[down, side, part, 1]).max() < 1e-9
    assert points[..., 1].min() > -1e-3


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_walker_always_has_a_foot_down_and_a_stance_that_shortens_with_speed(walk, speed):
    clip = walk(speed)
    foot = clip.contacts.any(axis=2)
    assert foot.any(axis=1).all()
    frames = slice(*(round(t * clip.motion.fps) for t in clip.steady))
    assert foot[frames].mean() == pytest.approx(
        walking_gait(make_performer(), speed).stance, abs=0.02
    )


def test_joint_angles_follow_the_published_pattern(walk, leg_angles):
    """Ranges around Winter (1991) and Perry & Burnfield (2010) at natural speed."""
    clip = walk(1.3, fps=120.0)
    strikes = np.nonzero(np.diff(clip.contacts[:, 0, 0].astype(int)) == 1)[0] + 1
    first = next(s for s in strikes if s / 120.0 >= clip.steady[0] - 0.01)
    after = strikes[np.searchsorted(strikes, first) + 1]
    hip, knee, ankle = (angle[first:after] for angle in leg_angles(clip, "Left"))
    cycle = np.linspace(0.0, 1.0, len(knee))
    early, late, swing = cycle < 0.25, (cycle > 0.25) & (cycle < 0.45), cycle > 0.62
    assert knee[0] < 10.0
    assert 15.0 < knee[early].max() < 27.0
    assert 2.0 < knee[late].min() < 12.0
    assert 55.0 < knee[swing].max() < 70.0
    assert 0.66 < cycle[knee.argmax()] < 0.84
    assert -26.0 < ankle[(cycle > 0.5) & (cycle < 0.75)].min() < -14.0
    assert 22.0 < hip[0] < 36.0
    assert -26.0 < hip.min() < -10.0


def test_pelvis_moves_up_and_down_twice_and_sideways_once_a_stride(walk):
    clip = walk(1.3, fps=60.0)
    frames = slice(*(round(t * 60) for t in clip.steady))
    hips = clip.joint_positions[frames, 0]
    assert 0.030 < np.ptp(hips[:, 1]) < 0.055
    assert 0.020 < np.ptp(hips[:, 0]) < 0.060
    spectrum = [np.abs(np.fft.rfft(hips[:, k] - hips[:, k].mean())) for k in (0, 1)]
    assert spectrum[1].argmax() == 2 * spectrum[0].argmax()


def test_unloaded_hip_drops_and_arms_swing_against_legs(walk):
    clip = walk(1.3)
    at = {
        n: clip.joint_positions[:, clip.motion.skeleton.index(n)]
        for n in clip.motion.skeleton.names
    }
    frames = slice(*(round(t * 60) for t in clip.steady))
    list_ = (at["LeftUpLeg"] - at["RightUpLeg"])[frames, 1]
    only_left = (clip.contacts[:, 0].any(1) & ~clip.contacts[:, 1].any(1))[frames]
    assert list_[only_left].mean() > 0.0
    stride = (at["LeftFoot"] - at["RightFoot"])[frames, 2]
    hands = (at["LeftHand"] - at["RightHand"])[frames, 2]
    assert np.corrcoef(stride, hands)[0, 1] < -0.8


def test_left_and_right_do_the_same_half_a_stride_apart(walk, leg_angles):
    clip = walk(1.2, fps=100.0, count=12)
    half = walking_gait(make_performer(), 1.2).step_time
    times = clip.motion.times
    inner = times[(times > clip.steady[0] + 1.0) & (times < clip.steady[1] - 1.5)]
    for left, right in zip(*(leg_angles(clip, side) for side in SIDES), strict=True):
        assert (
            np.abs(np.interp(inner, times, left) - np.interp(inner + half, times, right)).max()
            < 3.0
        )


@pytest.mark.parametrize("speed", SPEEDS)
def test_motion_is_smooth(walk, speed):
    clip = walk(speed, fps=60.0)
    acceleration = np.linalg.norm(np.diff(clip.joint_positions, 2, axis=0) * 60.0**2, axis=-1)
    assert np.percentile(acceleration, 99) < 60.0
    trunk = [clip.motion.skeleton.index(n) for n in ("Hips", "Spine2", "Head")]
    assert acceleration[:, trunk].max() < 20.0


def test_a_runner_flies(sole):
    body = make_performer()
    clip = perform(body, plan_steps(body, running_steps(body, 3.5, 10)), fps=60.0)
    frames = slice(*(round(t * 60) for t in clip.steady))
    down = clip.contacts[frames].any(axis=(1, 2))
    assert 0.1 < 1.0 - down.mean() < 0.5
    assert pelvis_speed(clip) == pytest.approx(3.5, rel=0.02)
    assert 0.05 < np.ptp(clip.joint_positions[frames, 0, 1]) < 0.12
    assert sole(clip)[..., 1].min() > -1e-3
