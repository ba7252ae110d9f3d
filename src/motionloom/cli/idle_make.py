"""``motionloom idle make``: motion of a model, with what is done besides waiting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import Force, Html, Png, ReportAsJson, Seed, with_blocks
from motionloom.errors import InvalidInputError
from motionloom.workspace.checks import check_outputs, check_page, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.idle.making import MadeIdle
    from motionloom.idle.over.supplements import Supplement

ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL.npz", help="What 'idle fit' has learned.")
]


@dataclass(frozen=True, kw_only=True)
class WaitingBlock:
    """How somebody waits."""

    fps: Annotated[float, typer.Option(min=1, max=240, help="Frames per second.")] = 60.0
    seed: Seed = 0
    liveliness: Annotated[
        float, typer.Option(min=0, max=10, help="Factor on small variations.")
    ] = 1.0
    restlessness: Annotated[
        float, typer.Option(min=0.01, max=100, help="Factor on how often the posture shifts.")
    ] = 1.0


@dataclass(frozen=True, kw_only=True)
class MadeBlock:
    """What is written besides the motion, and how."""

    html: Html = None
    png: Png = None
    force: Force = False
    as_json: ReportAsJson = False


@dataclass(frozen=True, kw_only=True)
class OverBlock:
    """What is done besides waiting."""

    layer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLIP@SECONDS", help="A gesture over it, at a time; may be given repeatedly."
        ),
    ] = None
    look: Annotated[
        list[str] | None,
        typer.Option(
            metavar="X,Y,Z@SECONDS",
            help="Look at a point from a time on, 'away@SECONDS' no longer; repeatedly.",
        ),
    ] = None
    rate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLIP=PER_MINUTE",
            help="A gesture now and then, so often; 'round=PER_MINUTE' looks round; repeatedly.",
        ),
    ] = None
    gestures: Annotated[
        list[Path] | None,
        typer.Option(metavar="RECORDING", help="Shows gestures of --labels; may be repeated."),
    ] = None
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="When which gesture is shown; they come as often as there."
        ),
    ] = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is."""
        return not (self.layer or self.look or self.rate or self.gestures or self.labels)

    def supplements(self) -> list[Supplement]:
        """Gestures now and then: as often as labelled, or as told."""
        from motionloom.clips.label_files import read_labels
        from motionloom.idle.over.supplements import Supplement, learn_supplements
        from motionloom.io import load_motion

        if (self.labels is None) != (not self.gestures):
            raise InvalidInputError(
                "--labels says when the recordings of --gestures show which; give both"
            )
        learned: dict[str, Supplement] = {}
        if self.labels is not None:
            told = read_labels(self.labels)
            learned = learn_supplements([load_motion(p) for p in self.gestures or ()], told)
        for text in self.rate or ():
            name, often = _split_rate(text)
            if name in learned:
                learned[name] = Supplement(often, learned[name].clips)
            elif name == "round":
                learned[name] = Supplement(often)
            else:
                learned[name] = Supplement(often, (load_motion(Path(name)),))
        return list(learned.values())

    def files(self) -> list[Path]:
        """What is read for it."""
        named = [Path(_split_rate(text)[0]) for text in self.rate or ()]
        clips = [_split_layer(text)[0] for text in self.layer or ()]
        labels = [] if self.labels is None else [self.labels]
        return [*clips, *(path for path in named if path.suffix), *(self.gestures or ()), *labels]


@with_blocks
def make(
    model: ModelFile,
    seconds: Annotated[float, typer.Option(min=0.1, max=36_000, help="How long the motion lasts.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
    waiting: WaitingBlock,
    over: OverBlock,
    results: MadeBlock,
    body: Annotated[
        Path | None,
        typer.Option(
            metavar="CLIP", help="Somebody who stands: the motion has their bones and posture."
        ),
    ] = None,
) -> int:
    """Make idle motion: feet where they stand, never the same twice."""
    from motionloom.io import save
    from motionloom.io.files import name_of
    from motionloom.io.registry import check_save, find_writer
    from motionloom.view import write_contact_sheet, write_page

    find_writer(output)
    if output.suffix.lower() == ".amc":
        raise InvalidInputError(
            f"{output}: idle motion is written as .bvh, .glb, .fbx or .usda; name one"
        )
    check_png(results.png)
    check_page(results.html)
    outputs = [path for path in (output, results.html, results.png) if path is not None]
    if body is None:
        made = _make(model, seconds, waiting, over, outputs, results.force)
    else:
        made = _make_on(body, model, seconds, waiting, over, outputs, results.force)
    check_save(made.motion, output)
    writer = Writer(results.force, say)
    writer.write(output, lambda path: save(made.motion, path))
    title = name_of(output)
    if results.png is not None:
        writer.write(results.png, lambda path: write_contact_sheet(made.motion, path, title=title))
    if results.html is not None:
        writer.write(results.html, lambda path: write_page(made.motion, path, title=title))
    print(format_report(made, results.as_json), end="")
    return 1 if made.problems else 0


def _make(
    model: Path,
    seconds: float,
    waiting: WaitingBlock,
    over: OverBlock,
    outputs: Sequence[Path],
    force: bool,
) -> MadeIdle:
    """Idle motion of the person, with gestures and looks."""
    from motionloom.idle.making import make_idle
    from motionloom.idle.over.supplements import plan_supplements
    from motionloom.idle.store import load_idle
    from motionloom.idle.streams.stream import IdleStreamOptions
    from motionloom.io import load_motion

    gestures = [_split_layer(text) for text in over.layer or ()]
    looks = [_split_look(text) for text in over.look or ()]
    check_outputs(outputs, [model, *over.files()], force)
    learned = load_idle(model)
    options = IdleStreamOptions(waiting.liveliness, waiting.restlessness)
    told = [(load_motion(path), at) for path, at in gestures]
    planned = plan_supplements(over.supplements(), seconds, waiting.seed, learned.space.leg)
    with progress_bars() as progress:
        return make_idle(
            learned,
            seconds,
            waiting.fps,
            waiting.seed,
            options,
            gestures=[*told, *planned.gestures],
            progress=progress,
            looks=[*looks, *planned.looks],
        )


def _make_on(
    body: Path,
    model: Path,
    seconds: float,
    waiting: WaitingBlock,
    over: OverBlock,
    outputs: Sequence[Path],
    force: bool,
) -> MadeIdle:
    """Idle motion on the body of somebody else."""
    from motionloom.idle.bodies.other_body import wait_on_body
    from motionloom.idle.making import measure_made
    from motionloom.idle.store import load_idle
    from motionloom.idle.streams.stream import IdleStreamOptions
    from motionloom.io import load_motion
    from motionloom.posed_motion import pose_motion

    if not over.is_empty:
        raise InvalidInputError(
            "--layer, --look and --rate are for the body that the model was learned on; leave them"
            " out, or leave out --body"
        )
    check_outputs(outputs, [model, body], force)
    learned = load_idle(model)
    options = IdleStreamOptions(waiting.liveliness, waiting.restlessness)
    posed = pose_motion(load_motion(body))
    motion = wait_on_body(learned, posed, seconds, waiting.fps, waiting.seed, options)
    return measure_made(posed.with_motion(motion), waiting.seed)


def _split_rate(text: str) -> tuple[str, float]:
    """``CLIP=PER_MINUTE``, ``LABEL=PER_MINUTE``, or ``round=PER_MINUTE`` for looking round."""
    path, sign, often = text.rpartition("=")
    try:
        rate = float(often)
    except ValueError:
        rate = -1.0
    if not sign or not path or not 0.0 <= rate <= 60.0:
        raise InvalidInputError(
            f"--rate {text}: expected a file and how many times a minute, at most 60, such as"
            " touch_face.bvh=1.5, or round=2 to look round"
        )
    return path, rate


def _split_layer(text: str) -> tuple[Path, float]:
    """``CLIP@SECONDS``, taken apart at the last ``@``."""
    path, at, seconds = text.rpartition("@")
    try:
        time = float(seconds)
    except ValueError:
        time = -1.0
    if not at or not path or not 0.0 <= time <= 36_000.0:
        raise InvalidInputError(
            f"--layer {text}: expected a file and when it begins, such as wave.bvh@12.5"
        )
    return Path(path), time


def _split_look(text: str) -> tuple[tuple[float, ...] | None, float]:
    """``X,Y,Z@SECONDS`` or ``away@SECONDS``."""
    where, _, seconds = text.rpartition("@")
    try:
        time = float(seconds)
        point = None if where == "away" else tuple(float(part) for part in where.split(","))
    except ValueError:
        time, point = -1.0, None
    right = point is None or (len(point) == 3 and all(abs(x) <= 1000.0 for x in point))
    if not (right and 0.0 <= time <= 36_000.0):
        raise InvalidInputError(
            f"--look {text}: expected a point in metres and from when on, such as 0.5,1.6,2@3.5, or"
            " away@8"
        )
    return point, time
