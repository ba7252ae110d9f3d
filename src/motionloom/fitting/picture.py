"""A fitted trial as people look at it: markers over the skeleton, coloured by how far off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike

import numpy as np

from motionloom.fitting.tracking import TrackedMotion
from motionloom.fitting.tracking._tracked import take_sources
from motionloom.marker_motion import MarkerSequence
from motionloom.view import Overlay, write_contact_sheet, write_page

#: Markers this far from their places have the last colour, centimetres.
_FAR = 4.0
_MEANING = "marker to its place on the body, cm (x: left out)"


def marker_overlay(tracked: TrackedMotion, markers: MarkerSequence) -> Overlay:
    """The trial's markers as points over the motion, coloured by their residuals.

    Parameters
    ----------
    tracked : TrackedMotion
        The fitted trial.
    markers : MarkerSequence
        Its markers in the model's order, as they were tracked.

    Returns
    -------
    Overlay
        Markers that were left out are crossed.
    """
    found, seen = take_sources(markers.positions, markers.valid, tracked.sources)
    away = 100 * np.linalg.norm(tracked.residuals, axis=-1)
    left_out = seen & ~tracked.trusted
    return Overlay(found, seen, away, highest=_FAR, meaning=_MEANING, crossed=left_out)


def write_fit_sheet(
    tracked: TrackedMotion, markers: MarkerSequence, path: str | PathLike[str]
) -> None:
    """Write a contact sheet (PNG) of markers and skeleton.

    Parameters
    ----------
    tracked : TrackedMotion
        The fitted trial.
    markers : MarkerSequence
        Its markers in the model's order, as they were tracked.
    path : path-like
        The PNG file.
    """
    motion = tracked.motion
    over = [marker_overlay(tracked, markers)]
    write_contact_sheet(motion, path, title=motion.name, notes=_facts(tracked), overlays=over)


def write_fit_page(
    tracked: TrackedMotion, markers: MarkerSequence, path: str | PathLike[str]
) -> int:
    """Write a page (HTML) that plays markers and skeleton.

    Parameters
    ----------
    tracked, markers, path
        As of `write_fit_sheet`.

    Returns
    -------
    int
        Size of the file in bytes.
    """
    motion = tracked.motion
    return write_page(motion, path, title=motion.name, overlays=[marker_overlay(tracked, markers)])


def _facts(tracked: TrackedMotion) -> Sequence[str]:
    events = Counter(event.kind for event in tracked.events)
    named = {"gap": "gaps", "swap": "swaps", "jump": "jumps", "segment": "masked spans"}
    told = [f"{count} {named[kind]}" for kind, count in sorted(events.items())]
    return [f"{len(tracked.model.labels)} markers", f"rms {100 * tracked.rms:.2f} cm", *told]
