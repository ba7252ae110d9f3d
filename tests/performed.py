"""The built-in performer's clips, made once for all tests of a process; motions are frozen."""

from functools import lru_cache

from motionloom.performer import Performer, PerformerClip
from motionloom.performer import performer_clips as make_clips


def performer_clips(
    seed: int = 0, fps: float = 30.0, *, performer: Performer | None = None
) -> tuple[PerformerClip, ...]:
    """As the library's."""
    return _clips(seed, float(fps), performer)


@lru_cache(maxsize=8)
def _clips(seed: int, fps: float, body: Performer | None) -> tuple[PerformerClip, ...]:
    return make_clips(seed, fps, performer=body)
