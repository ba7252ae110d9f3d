"""A minute of somebody who waits: recorded, made, noise on every joint, and a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.idle import IdleStream, begin_idle, fit_idle
from motionloom.idle.learning.recording import prepare_recording
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom_evaluation.idle.rivals import joint_noise, looped_clip

#: Length of a film, seconds.
SECONDS = 60.0


def make_films(
    motion: Motion, roles: Roles | None = None, seconds: float = SECONDS, seed: int = 0
) -> tuple[Motion, ...]:
    """Four motions to look at side by side.

    Parameters
    ----------
    motion : Motion
        Somebody who stands about.
    roles : Roles, optional
        Which joint is which part of the body.
    seconds : float
        How long; no longer than the recording.
    seed : int
        Of what is made.

    Returns
    -------
    tuple of Motion
        Recorded, made, noise on every joint, and the first ten seconds again and again.
    """
    recording = prepare_recording(motion, roles)
    shown = recording.posed.motion
    count = min(round(seconds * shown.fps), shown.n_frames)
    model = fit_idle([recording])
    made = IdleStream(model, None, begin_idle(model, seed)).frames(count)
    noise = joint_noise(shown, count, np.random.default_rng(seed))
    named = {
        "recorded": shown.cut(0, count),
        "ours": made,
        "noise": noise,
        "loop": looped_clip(shown, count),
    }
    return tuple(replace(film, name=f"{motion.name}, {name}") for name, film in named.items())


def film_places(folder: Path, names: Sequence[str]) -> list[Path]:
    """Files that `write_films` writes, a sheet and a page for each name.

    Parameters
    ----------
    folder : Path
        Where.
    names : sequence of str
        Of the recordings.
    """
    return [folder / f"{name}{ending}" for name in names for ending in (".png", ".html")]


def write_films(films: Sequence[Motion], place: Path) -> None:
    """Draw films as a contact sheet, or as a page where the place ends in .html.

    Parameters
    ----------
    films : sequence of Motion
        See `make_films`.
    place : Path
        The PNG or HTML file.
    """
    from motionloom.view import write_contact_sheet, write_page

    if place.suffix == ".html":
        write_page(films, place, title=films[0].name.split(",")[0])
    else:
        write_contact_sheet(films, place, dpi=70)
