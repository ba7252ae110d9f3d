"""The replayer, on a clock of its own."""

import numpy as np

from marked_bodies import trial
from motionloom.fitting.live._session import End, MarkerFrame, read_message
from motionloom.fitting.live.network import replay_frames


class Clock:
    """Time that passes by sleeping, and a little by being asked."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1e-5
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def replayed(markers, **more):
    """Lines with the times at which they were sent, and how it went."""
    clock = Clock()
    sent = []
    done = replay_frames(
        markers,
        lambda line: sent.append((clock.now, read_message(line.encode()))),
        clock=clock,
        sleep=clock.sleep,
        **more,
    )
    return sent, done


def test_frames_are_sent_when_they_are_due():
    markers = trial()[:50]
    sent, done = replayed(markers)
    frames = [(at, m) for at, m in sent if isinstance(m, MarkerFrame)]
    assert [m.number for _, m in frames] == list(range(50))
    steps = np.diff([at for at, _ in frames])
    np.testing.assert_allclose(steps, markers.frame_time, atol=1e-4)
    assert (done.frames, done.late) == (50, 0)
    assert isinstance(sent[-1][1], End)


def test_another_rate_and_a_longer_time_resample_and_repeat_the_trial():
    markers = trial()[:50]
    sent, done = replayed(markers, fps=200.0, seconds=1.0)
    frames = [m for _, m in sent if isinstance(m, MarkerFrame)]
    assert done.frames == len(frames) == 200
    np.testing.assert_allclose(frames[99].positions, frames[0].positions, atol=1e-9)


def test_frames_that_could_not_be_sent_in_time_are_counted():
    markers = trial()[:10]
    clock = Clock()

    def slow(_line):
        clock.now += 0.03

    done = replay_frames(markers, slow, clock=clock, sleep=clock.sleep)
    assert done.late >= 8
    assert done.latest > 0.1
