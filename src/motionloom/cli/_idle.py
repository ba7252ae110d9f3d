"""``motionloom idle``: how a person waits, learned from recordings, and motion without end."""

from __future__ import annotations

import sys
from dataclasses import MISSING, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli import _fields as fields
from motionloom.cli._command import Command, Reporting, Result, Showing, Writing
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import motion_files

if TYPE_CHECKING:
    from motionloom.idle.live import ServerOptions
    from motionloom.idle.over.supplements import Supplement
    from motionloom.idle.streams.plans import IdleStreamOptions


class IdleFitCommand(Writing):
    """Learn from recordings of somebody standing about how they wait."""

    clips: Place = fields.clips()
    output: Path = fields.model_output()
    spans: Path | None = fields.read_file("YAML: when the person rests; else found.")
    save_spans: Path | None = fields.written_file("Write the resting spans, to be corrected.")
    person: str = option_field("", "Name of the person.", unit="NAME")
    reading: ReadOptions = fields.reading("only", "without", "roles")

    def make(self, progress: Progress) -> Result:
        """Learn it."""
        from motionloom.idle.learning.spans import write_spans
        from motionloom.idle.verbs import fit

        own = {**self.values_of("spans", "person"), **vars(self.reading)}
        learned = fit(self.clips, progress=progress, **own)
        spans = partial(write_spans, learned.details, learned.model.fps)
        return Result(learned.report, {"output": learned.save, "save_spans": spans})


class IdleInfoCommand(Reporting):
    """Say how the person of a MODEL waits: balance, stays, shifts."""

    model: Path = fields.argument("What 'idle fit' has learned.", "MODEL.npz")
    png: Path | None = fields.picture("Draw it: postures, stays, what follows, energy.")

    def make(self, progress: Progress) -> Result:
        """Read it."""
        from motionloom.idle.overview import report_idle, write_idle_picture
        from motionloom.idle.store import load_idle
        from motionloom.io.files import name_of

        model = load_idle(self.model)
        title = model.person or name_of(self.model)
        files = {"png": lambda path: write_idle_picture(model, path, title)}
        return Result(report_idle(model), files)


def _split_number(text: str, sign: str, most: float, refusal: str) -> tuple[str, float]:
    """What stands before the last `sign`, and the number behind it."""
    name, _, number = text.rpartition(sign)
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not name or not 0.0 <= value <= most:
        raise InvalidInputError(refusal)
    return name, value


def _split_share(text: str) -> tuple[Path, float]:
    """``MODEL.npz:SHARE``; all shares are alike where none is told."""
    if ":" not in text or text.lower().endswith(".npz"):
        return Path(text), 1.0
    refusal = f"{text}: expected a model and how much of it, such as ada.npz:0.7"
    path, share = _split_number(text, ":", sys.float_info.max, refusal)
    return Path(path), share


class IdleMixCommand(Writing):
    """Mix persons, such as ada.npz:0.7 bea.npz:0.3; equal shares of many are nobody's in
    particular, for somebody without a recording.
    """

    models: tuple[tuple[Path, float], ...] = fields.argument(
        "Persons, and how much of each; else as much.",
        "MODEL.npz[:SHARE]...",
        repeats=True,
        parse=fields.each(_split_share),
    )
    output: Path = fields.model_output()
    height: float | None = option_field(
        None, "Of the body; else that of the first person.", unit="METRES"
    )
    person: str = option_field("", "Name of the person.", unit="NAME")

    def make(self, progress: Progress) -> Result:
        """Mix them."""
        from motionloom.idle.mixing import mix_idle, set_height
        from motionloom.idle.overview import report_idle
        from motionloom.idle.store import load_idle, save_idle

        models = [load_idle(path) for path, _ in self.models]
        mixed = mix_idle(models, [share for _, share in self.models], self.person)
        if self.height is not None:
            mixed = set_height(mixed, self.height)
        return Result(report_idle(mixed), {"output": partial(save_idle, mixed)})


def _split_often(text: str) -> tuple[str | Path, float]:
    """``CLIP=PER_MINUTE``, ``LABEL=PER_MINUTE``, or ``round=PER_MINUTE`` for looking round."""
    refusal = (
        f"--per-minute {text}: expected a file and how many times a minute, at most 60, such as"
        " touch_face.bvh=1.5, or round=2 to look round"
    )
    name, rate = _split_number(text, "=", 60.0, refusal)
    return Path(name) if Path(name).suffix else name, rate


def _split_layer(text: str) -> tuple[Path, float]:
    """``CLIP@SECONDS``, taken apart at the last ``@``."""
    refusal = f"--layer {text}: expected a file and when it begins, such as wave.bvh@12.5"
    path, time = _split_number(text, "@", 36_000.0, refusal)
    return Path(path), time


def _split_look(text: str) -> tuple[tuple[float, ...] | None, float]:
    """``X,Y,Z@SECONDS`` or ``away@SECONDS``."""
    refusal = (
        f"--look {text}: expected a point in metres and from when on, such as 0.5,1.6,2@3.5, or"
        " away@8"
    )
    where, time = _split_number(text, "@", 36_000.0, refusal)
    if where == "away":
        return None, time
    try:
        point = tuple(map(float, where.split(",")))
    except ValueError:
        point = ()
    if len(point) != 3 or not all(abs(x) <= 1000.0 for x in point):
        raise InvalidInputError(refusal)
    return point, time


class _Waiting(Command):
    """A command that makes idle motion."""

    model: Path = fields.argument("What 'idle fit' has learned.", "MODEL.npz")
    fps: float = option_field(60.0, "Frames per second.", minimum=1, maximum=240)
    seed: int = fields.seed()
    liveliness: IdleStreamOptions = fields.part(
        "motionloom.idle.streams.plans", "liveliness", "restlessness"
    )


class IdleMakeCommand(_Waiting, Showing):
    """Make idle motion: feet where they stand, never the same twice."""

    output: Path = fields.motion_output()
    seconds: float = option_field(
        MISSING, "How long the motion lasts.", unit="SECONDS", minimum=0.1, maximum=36_000
    )
    layer: tuple[tuple[Path, float], ...] = fields.several(
        "A gesture over it, at a time; may be given repeatedly.",
        "CLIP@SECONDS",
        _split_layer,
        "read",
    )
    look: tuple[tuple[tuple[float, ...] | None, float], ...] = fields.several(
        "Look at a point from a time on, 'away@SECONDS' no longer; repeatedly.",
        "X,Y,Z@SECONDS",
        _split_look,
    )
    per_minute: tuple[tuple[str | Path, float], ...] = fields.several(
        "A gesture now and then, so often; 'round=PER_MINUTE' looks round; repeatedly.",
        "CLIP=PER_MINUTE",
        _split_often,
        "read",
    )
    gestures: tuple[Path, ...] = fields.several(
        "Shows gestures of --labels; may be repeated.", "RECORDING", file="read"
    )
    labels: Path | None = fields.read_file(
        "When which gesture is shown; they come as often as there."
    )
    to: Path | None = fields.read_file(
        "Somebody who stands: the motion has their bones and posture.", unit="CLIP"
    )

    def check(self) -> None:
        """Refuse gestures where there can be none."""
        more = self.layer or self.look or self.per_minute or self.gestures or self.labels
        if self.to is not None and more:
            raise InvalidInputError(
                "--layer, --look and --per-minute are for the body that the model was learned on;"
                " leave them out, or leave out --to"
            )
        if self.output.suffix.lower() == ".amc":
            raise InvalidInputError(
                f"{self.output}: idle motion is written as .bvh, .glb, .fbx or .usda; name one"
            )

    def make(self, progress: Progress) -> Result:
        """Make it."""
        from motionloom.idle.over.supplements import plan_supplements
        from motionloom.idle.store import load_idle
        from motionloom.idle.verbs import make
        from motionloom.io import load_motion

        learned = load_idle(self.model)
        supplements = self._supplements()
        planned = plan_supplements(supplements, self.seconds, self.seed, learned.space.leg)
        made = make(
            learned,
            self.seconds,
            **self.values_of("fps", "seed", "to"),
            layer=[*((load_motion(path), at) for path, at in self.layer), *planned.gestures],
            look=[*self.look, *planned.looks],
            progress=progress,
            **vars(self.liveliness),
        )
        return Result(made.report, motion_files([made.motion], [self.output], progress))

    def _supplements(self) -> list[Supplement]:
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
            learned = learn_supplements([load_motion(p) for p in self.gestures], told)
        for named, often in self.per_minute:
            name = str(named)
            known = learned.get(name, Supplement(often))
            is_file = name not in learned and name != "round"
            learned[name] = Supplement(often, (load_motion(name),) if is_file else known.clips)
        return list(learned.values())


def _split_clip(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not (name and sign and path):
        raise InvalidInputError(f"--clip {text}: expected NAME=FILE, such as wave=wave.bvh")
    return name, Path(path)


class IdleStreamCommand(_Waiting):
    """Send idle motion as it is made, and listen to commands; Ctrl-C ends it."""

    protocol: str = option_field("vmc", "vmc (Unity, Unreal, Blender) or json.")
    server: ServerOptions = fields.part("motionloom.idle.live", "host", "port", "bind")
    listen: int = option_field(
        39540, "UDP port for commands; 0 is any that is free.", minimum=0, maximum=65535
    )
    clip: tuple[tuple[str, Path], ...] = fields.several(
        "A gesture that commands may play by its name.", "NAME=FILE", _split_clip, "read"
    )
    seconds: float | None = option_field(
        None, "For so long; else until it is stopped.", unit="SECONDS", minimum=0.1
    )

    def make(self, progress: Progress) -> int:
        """Send it."""
        from motionloom.idle.live import PROTOCOLS, IdleServer
        from motionloom.idle.store import load_idle
        from motionloom.idle.streams.stream import IdleStream, begin_idle
        from motionloom.io import load_motion

        if self.protocol not in PROTOCOLS:
            raise InvalidInputError(
                f"--protocol {self.protocol}: expected one of {', '.join(PROTOCOLS)}"
            )
        options = replace(self.server, listen=self.listen)
        learned = load_idle(self.model)
        gestures = {name: load_motion(path) for name, path in self.clip}
        protocol = PROTOCOLS[self.protocol](learned.space.roles)
        waits = IdleStream(learned, self.fps, begin_idle(learned, self.seed), self.liveliness)
        server = IdleServer(waits, protocol, options, gestures)
        begin = f"{self.protocol} to {options.host} port {options.port}, commands at {options.bind}"
        try:
            server.run(self.seconds, lambda port: say(f"{begin} port {port}; Ctrl-C ends it"))
        finally:
            # Ctrl-C is how a stream without end is ended: what it did is told then, too.
            if server.counts.frames:
                print(server.counts.to_text(), end="")
        return 0
