"""Sheets of gaps in a capture: slerp, phase space, the learned filler with locked feet, and the
capture, one row each, to be looked at.

Run: python evaluation/benchmarks/gap_sheets.py MODEL.npz CAPTURE.bvh FOLDER [--missing 30] [--count
6]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from motionloom.inbetween import Known, fill_gaps, load_inbetween, make_filler
from motionloom.inbetween.gaps import CONTEXT, Track
from motionloom.io import load_motion
from motionloom.posed_motion import PosedMotion
from motionloom_evaluation.inbetweening.feet import window_motion
from motionloom_evaluation.inbetweening.protocol import TEST_WINDOW, cut_windows

ROWS = ("slerp", "phase", "kernel", "capture")
SHOWN = 9


def draw(axis: plt.Axes, posed: PosedMotion, frames: np.ndarray, missing: int) -> None:
    """Stick figures of some frames beside each other, seen from the side of the way."""
    names = posed.skeleton.names
    roots = posed.positions[:, posed.motion.root_joint]
    way = roots[-1] - roots[CONTEXT - 1]
    along = np.arctan2(way[0], way[2]) if np.hypot(way[0], way[2]) > 0.3 else np.pi / 2
    ahead = np.array([np.sin(along), 0.0, np.cos(along)])
    for k, frame in enumerate(frames):
        places = posed.positions[frame]
        x = (places - roots[frame]) @ ahead + 1.1 * k
        known = frame < CONTEXT or frame >= CONTEXT + missing
        for joint, parent in enumerate(posed.skeleton.parents):
            if parent < 0 or parent < posed.motion.root_joint:
                continue
            side = names[joint].lower()
            color = "tab:blue" if "left" in side else "tab:orange" if "right" in side else "0.3"
            axis.plot(
                [x[parent], x[joint]],
                [places[parent, 1], places[joint, 1]],
                color=color,
                lw=1.2 if not known else 2.2,
            )
    axis.axhline(0, color="0.8", lw=0.5)
    axis.set_aspect("equal")
    axis.set_xlim(-0.8, 1.1 * len(frames) - 0.3)
    axis.axis("off")


def main() -> None:
    """Draw the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("capture", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--missing", type=int, default=30)
    parser.add_argument("--count", type=int, default=6)
    told = parser.parse_args()
    model = load_inbetween(told.model)
    rig = model.rig
    windows = cut_windows(rig, [Track.of(load_motion(told.capture), rig)], TEST_WINDOW)
    told.folder.mkdir(exist_ok=True)
    end = CONTEXT + told.missing
    frames = np.linspace(CONTEXT - 1, end, SHOWN).round().astype(int)
    for index in np.linspace(2, len(windows.clip) - 3, told.count).round().astype(int):
        whole = window_motion(rig, model, windows, int(index), end + 1)
        known = [Known(0, whole.cut(0, CONTEXT)), Known(end, whole.cut(end, end + 1))]
        figure, axes = plt.subplots(len(ROWS), 1, figsize=(13, 10))
        for axis, name in zip(axes, ROWS, strict=True):
            motion = whole
            text = name
            if name != "capture":
                filled = fill_gaps(known, make_filler(name, model), model)[0]
                motion = filled.motion
                skate = filled.gaps[0].skate
                off = PosedMotion(motion, rig.roles).positions[CONTEXT:end]
                off = off - PosedMotion(whole, rig.roles).positions[CONTEXT:end]
                text += f"\n{100 * np.linalg.norm(off, axis=-1).mean():.0f} cm off"
                text += "" if skate is None else f"\ncreep {skate:.1f} cm/s"
            draw(axis, PosedMotion(motion, rig.roles), frames, told.missing)
            axis.text(0.0, 0.5, text, transform=axis.transAxes, ha="right")
        figure.suptitle(f"{told.capture.stem}, window {index}, {told.missing} missing frames")
        figure.savefig(told.folder / f"gap_{index:03d}.png", dpi=70, bbox_inches="tight")
        plt.close(figure)


if __name__ == "__main__":
    main()
