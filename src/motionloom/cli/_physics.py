"""``motionloom physics``: what a body must do to move as it does, and motions corrected."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Reporting, Result, Saving, Surveying
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place, find_place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import Files

if TYPE_CHECKING:
    from motionloom.physics.correct.options import CorrectionOptions
    from motionloom.physics.dynamics.state import Smoothing


def _one_place(clip: str) -> Place:
    return find_place([clip])


class _OfBody(Reporting):
    """A command about one motion and the body that makes it."""

    clip: Place = fields.argument("A motion of one person.", "CLIP", parse=_one_place)
    height: float | None = option_field(
        None, "Stature; else from the length of the legs.", unit="METRES"
    )
    mass: float | None = option_field(None, "Body mass; else that of a usual build.", unit="KG")
    masses: Path | None = fields.read_file("YAML table of segments: share, along, gyration.")
    smoothing: Smoothing = fields.part("motionloom.physics.dynamics.state", "poses", "balance")
    reading: ReadOptions = fields.reading("only", "without", "roles")

    @property
    def body(self) -> dict[str, Any]:
        """What the library is told of the body, its motion and the files."""
        return {**self.values_of("height", "mass", "masses", "smoothing"), **vars(self.reading)}


class ReportPhysics(Surveying, _OfBody):
    """Say which forces and torques a motion needs and whether it keeps its balance."""

    html: Path | None = fields.page("Write a page with figures and curves.")
    png: Path | None = fields.picture("Draw balance, forces, friction and torques.")
    npz: Path | None = fields.written_file("Write motion, torques and forces as arrays.")
    mjcf: Path | None = fields.written_file("Write the body as a MuJoCo model.")
    plates: Path | None = fields.read_file("Force plates of the same trial: .mot, .sto or .c3d.")
    friction: float = option_field(0.9, "Friction between feet and ground.", unit="MU")

    def make(self, progress: Progress) -> Result:
        """Measure it."""
        from motionloom.physics.verbs import report

        made = report(
            self.clip, plates=self.plates, friction=self.friction, progress=progress, **self.body
        )
        suffixes = {"npz": ".npz", "mjcf": ".xml", "png": ".png", "html": ".html"}
        files = {name: made.writers[suffix] for name, suffix in suffixes.items()}
        return Result(made.report, files, problems=made.problems)


def _height_or_file(text: str) -> float | Path:
    try:
        level = float(text)
    except ValueError:
        return Path(text)
    if not math.isfinite(level):
        raise InvalidInputError(f"--ground {text}: expected a height in metres or a file")
    return level


class CorrectPhysics(_OfBody, Saving):
    """Pin feet that slip or sink, keep the balance, let flights fall; say what changed."""

    output: Path = fields.motion_output()
    ground: float | Path | None = option_field(
        None,
        "Height of level ground, else where the feet rest; or a file with 'ground': stairs,"
        " slopes, height maps to walk on.",
        unit="METRES|FILE",
        parse=_height_or_file,
        file="read",
    )
    slower: float = option_field(
        1.0, "How many times as long steps on stairs take; as people climb: 1.5.", unit="FACTOR"
    )
    trust_paths: bool = option_field(False, "Read height maps from any folder.")
    correcting: CorrectionOptions = fields.part(
        "motionloom.physics.correct.options", "objective", "balance", "flight", "friction"
    )
    png: Path | None = fields.picture("Draw a contact sheet of the result, with its ground.")

    def check(self) -> None:
        """Refuse slower steps where there are none."""
        if self.slower != 1.0 and not isinstance(self.ground, Path):
            raise InvalidInputError(
                "--slower is about steps on stairs; name a file of ground (--ground FILE), or leave"
                " it out"
            )

    def make(self, progress: Progress) -> Result:
        """Correct it."""
        from motionloom.io.registry import check_save, save
        from motionloom.physics.verbs import correct
        from motionloom.view.sheet import write_contact_sheet

        made = correct(
            self.clip,
            trust_paths=self.trust_paths,
            slower=self.slower,
            progress=progress,
            **{**vars(self.correcting), "ground": self.ground},
            **self.body,
        )
        motion = made.motion
        skeleton = self.reading.skeleton
        check_save(motion, self.output, skeleton)
        files: Files = {
            "output": partial(save, motion, skeleton=skeleton),
            "png": lambda path: write_contact_sheet(motion, path, targets=made.asked),
        }
        return Result(made.report, files)
