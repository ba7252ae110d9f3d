"""Dogs fitted, beside their own skeletons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.fitting import fit_markers
from motionloom.kinematics import end_site_positions, forward_kinematics
from motionloom_evaluation.markers.dog import COMPARED, Dog


@dataclass(frozen=True)
class DogRow:
    """One clip.

    Parameters
    ----------
    name : str
        Of the clip.
    joints : mapping of str to float, metres
        Mean distance from the clip's own skeleton, by joint and paw.
    rms : float, metres
        Of the markers about the body.
    """

    name: str
    joints: dict[str, float]
    rms: float


def evaluate_dog(dog: Dog) -> DogRow:
    """Fit a dog's markers and compare joints and paws.

    Parameters
    ----------
    dog : Dog
        With known joints.

    Returns
    -------
    DogRow
    """
    fitted = fit_markers(dog.markers)
    pose = forward_kinematics(fitted.motion)
    tips = end_site_positions(fitted.motion, pose)
    skeleton = fitted.motion.skeleton
    errors = {}
    for name, truth in dog.joints.items():
        side, part = name.split(" ", 1)
        if part == "front paw":
            hand = skeleton.index(f"{side.capitalize()}Hand")
            own = tips[:, int(np.flatnonzero(skeleton.end_parents == hand)[0])]
        else:
            joint = COMPARED.get(part, "{s}ToeBase").format(s=side.capitalize())
            own = pose.positions[:, skeleton.index(joint)]
        errors[name] = float(np.linalg.norm(own - truth, axis=-1).mean())
    return DogRow(dog.name, errors, fitted.tracked.rms)


def format_dogs(rows: Sequence[DogRow]) -> str:
    """A table of clips, both sides together."""
    parts = list(dict.fromkeys(name.split(" ", 1)[1] for name in rows[0].joints))
    lines = [
        "Dogs: mean distance from the clip's own skeleton, cm",
        f"{'':<24}" + "".join(f"{part:>11}" for part in parts) + f"{'all':>7}{'rms':>7}",
    ]
    for row in rows:
        cells = [np.mean([e for n, e in row.joints.items() if n.endswith(part)]) for part in parts]
        lines.append(
            f"{row.name[:23]:<24}"
            + "".join(f"{100 * cell:11.2f}" for cell in cells)
            + f"{100 * np.mean(list(row.joints.values())):7.2f}{100 * row.rms:7.2f}"
        )
    return "\n".join(lines)
