"""Sheets of woven and captured motions in shuffled order, without a word on which is which.

Run from the repository root: ``python evaluation/benchmarks/blind_sheets.py FOLDER [--sets
bandai_walk cmu16] [--tasks two checkpoint tour] [--each 5] [--budget 1] [--seconds 4] [--seed 0]
[--hide-way]``. Of every set of clips, weaves the tasks with as many seeds as it takes, cuts
`--each` spans of `--seconds` out of the results and as many out of the clips, no clip twice while
there are others as long, and writes ``01.png``, ``02.png`` ... : the way of the hips and the marks
of the feet from above, and key frames from the side. With `--hide-way` the body stays where it is
and faces ahead, as on a treadmill that turns with it, so that only poses can tell. ``answers.json``
says what each shows; write the guesses down before opening it. Needs the captures beside the
project (``../shared/data``).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np

from motionloom.clips.clip_set import make_clip_set
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import pose_motion
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize
from motionloom.view import write_contact_sheet
from motionloom_evaluation.bench.run import FPS, make_parser, start, write_json
from motionloom_evaluation.bench.tasks import CLIPS, load_set, load_tasks


def cut(motion: Motion, frames: int, random: np.random.Generator) -> Motion:
    """A span of a motion, somewhere in it; where it begins says nothing of where it is from."""
    begin = int(random.integers(0, len(motion) - frames + 1))
    span = motion.cut(begin, begin + frames)
    body = pose_motion(span).body[0]
    return span.transformed(GroundTransform.of_body(body).inverse())


def hide_way(motion: Motion) -> Motion:
    """The same poses, in every frame at the origin and facing ahead."""
    return motion.transformed(GroundTransform.of_body(pose_motion(motion).body).inverse())


def draw_pairs(
    name: str, words: tuple[str, ...], arguments: argparse.Namespace, random: np.random.Generator
) -> list[tuple[str, Motion]]:
    """Woven and captured spans of one set of clips, with what they are."""
    clips = load_set(name)
    fitted = fit_generator(clips, FPS)
    frames = round(arguments.seconds * FPS)
    tasks = [
        (task, wish)
        for task, wish in load_tasks(name).items()
        if task.startswith(words) and wish.n_frames >= frames
    ]
    if not tasks:
        sys.exit(f"no task of {name} begins with {words} and lasts {arguments.seconds} s")
    woven: list[tuple[str, Motion]] = []
    for seed in count():
        for task, wish in tasks:
            if len(woven) == arguments.each:
                break
            options = SynthesisOptions(seed=seed, budget=arguments.budget, alternatives=1)
            motion = synthesize(fitted, wish, options).motion
            woven.append((f"woven {name} {task}#{seed}", cut(motion, frames, random)))
        if len(woven) == arguments.each:
            break
    captured = make_clip_set(clips, FPS).motions
    long = [m for m in captured if len(m) >= frames]
    chosen = np.resize(random.permutation(len(long)), arguments.each)
    return woven + [(f"captured {long[i].name}", cut(long[i], frames, random)) for i in chosen]


def main() -> None:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="+", choices=CLIPS, default=["bandai_walk", "cmu16"])
    parser.add_argument("--tasks", nargs="+", default=["two", "checkpoint", "tour"])
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hide-way", action="store_true", help="keep the body in its place")
    arguments = start(parser)
    random = np.random.default_rng(arguments.seed)
    shown = [
        pair
        for name in arguments.sets
        for pair in draw_pairs(name, tuple(arguments.tasks), arguments, random)
    ]
    order = random.permutation(len(shown))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    answers = {}
    for number, i in enumerate(order, start=1):
        what, motion = shown[i]
        motion = hide_way(motion) if arguments.hide_way else motion
        label = f"{number:02d}"
        write_contact_sheet(
            replace(motion, name=label, source=None), arguments.folder / f"{label}.png", dpi=60
        )
        answers[label] = what
    write_json(arguments.folder / "answers.json", answers)


if __name__ == "__main__":
    main()
