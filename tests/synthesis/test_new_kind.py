"""A kind of constraint that only this file knows goes all the way, from a constraint file to
pictures.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Canvas
from pydantic import Field

import slerp_generator
from motionloom.constraints import (
    Kind,
    forget_kind,
    read_constraints,
    register_kind,
    write_constraints,
)
from motionloom.constraints.kinds._kind import entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.table import marks_of
from motionloom.constraints.scene import SceneConstraints
from motionloom.constraints.values import Number, Span, Time
from motionloom.errors import FormatError, InvalidInputError
from motionloom.ik.targets import check_pose_constraints
from motionloom.synthesis import SynthesisOptions, generator, register_generator, synthesize
from motionloom.view._curves import draw_speeds
from motionloom.view.figure import build_figure
from motionloom.view.ink import WAY_COLOR

WISH = "duration: 2.0\nspeed:\n  - {from: 0.5, to: 1.5, value: 0.8}\n"


class SpeedConstraint(Span):
    """How fast the hips move over a span of time."""

    begin: Time = Field(alias="from")
    end: Time = Field(alias="to")
    value: Number = Field(
        ge=0, description="metres per second from 0", json_schema_extra={"example": 1.2}
    )


def label(c, constraints):
    return f"speed of {c.value:g} m/s from {c.begin:g} to {c.end:g} s"


def adherence(c, index, shown):
    asked = shown.constraints
    way = shown.body[asked.frame_of(c.begin) : asked.frame_of(c.end) + 1, :2]
    speed = np.linalg.norm(np.diff(way, axis=0), axis=1).mean() * asked.fps
    return Adherence("speed", index, label(c, asked), float(abs(speed - c.value)))


SPEED = Kind(
    name="speed",
    item="speed",
    model=SpeedConstraint,
    field=entries("a list of speeds", "[{from: 2.0, to: 4.0, value: 1.2}]"),
    label=label,
    adherence=adherence,
    in_words=lambda a: f"{a.value:.2f} m/s away",
    departure=lambda a: f"is missed by {a.value:.2f} m/s" if a.value > 0.1 else "",
    marks=lambda c, constraints: (Point(c.begin, end=c.end, text=f"{c.value:g} m/s"),),
)


@dataclass(frozen=True)
class FittedGlide(slerp_generator.FittedSlerp):
    """A figure that glides at a share of the speed it is asked for."""

    share: float = 1.0
    name = "glide"
    honours = slerp_generator.HONOURS | {"speed"}

    def generate(self, constraints, **options):
        (draft,) = super().generate(constraints, **options)
        (asked,) = constraints.speed
        ahead = self.share * asked.value * np.arange(constraints.n_frames) / constraints.fps
        moved = draft.motion.translations.copy()
        moved[:, 0, 2] += ahead
        return (replace(draft, motion=replace(draft.motion, translations=moved)),)


class Glide:
    """See `FittedGlide`; its options are the share."""

    name = FittedGlide.name
    honours = FittedGlide.honours

    def fit(self, clips, options=None, progress=None):
        return FittedGlide(clips, 1.0 if options is None else options)


@pytest.fixture(autouse=True)
def speed(monkeypatch):
    # Other tests list the generators there are: this one is gone with its kind.
    monkeypatch.setattr(generator, "_registered", dict(generator._registered))
    register_kind(SPEED)
    register_generator(Glide())
    yield
    forget_kind("speed")


@pytest.fixture
def asked(tmp_path):
    (tmp_path / "wish.yaml").write_text(WISH)
    return read_constraints(tmp_path / "wish.yaml")


def test_files_have_it(asked, tmp_path):
    assert [c.value for c in asked.speed] == [0.8]
    write_constraints(asked, tmp_path / "again.yaml")
    assert read_constraints(tmp_path / "again.yaml") == asked
    for wrong, message in (
        (WISH.replace("0.8", "-1"), r":3: speed\[0\].value: expected metres per second from 0"),
        (WISH.replace("value", "v"), "known here: from, to, value"),
        (WISH.replace("1.5", "0.1"), "expected a time after 'from'"),
        (WISH.replace("1.5", "2.5"), "2.5 s is after the end of the motion"),
        (WISH.replace("speed", "spede"), "did you mean speed"),
    ):
        (tmp_path / "wish.yaml").write_text(wrong)
        with pytest.raises(FormatError, match=message):
            read_constraints(tmp_path / "wish.yaml")


def test_characters_of_scenes_have_it():
    one = {"speed": [{"from": 0.0, "to": 1.0, "value": 1.0}]}
    scene = SceneConstraints(duration=2.0, characters={"a": one, "b": {}})
    assert scene.characters["a"].speed[0].value == 1.0
    assert scene.characters["b"].speed == ()


@pytest.mark.parametrize("generator", ["slerp", "graph"])
def test_methods_that_do_not_know_it_refuse_it(performed, asked, generator):
    with pytest.raises(InvalidInputError, match="speed: the generator|speed: '?" + generator):
        synthesize(performed, asked, generator=generator)
    with pytest.raises(InvalidInputError, match="speed: a pose cannot honour this"):
        check_pose_constraints(asked)


def test_a_generator_honours_it_and_reports_tell_of_it(performed, asked):
    report = synthesize(performed, asked, generator="glide").report
    (kept,) = report.kept
    assert (kept.kind, kept.index) == ("speed", 0)
    assert kept.value < 0.01
    assert "speed of 0.8 m/s from 0.5 to 1.5 s: 0.00 m/s away" in report.to_text()
    assert not [p for p in report.problems if p.startswith("speed")]


def test_what_is_missed_is_a_problem(performed, asked):
    report = synthesize(performed, asked, SynthesisOptions(generator=0.5), generator="glide").report
    told = [p for p in report.problems if p.startswith("speed")]
    assert len(told) == 1
    # "glide" gives no reason, and searches for nothing.
    assert told[0] == "speed of 0.8 m/s from 0.5 to 1.5 s is missed by 0.40 m/s"


def test_pictures_show_it(performed, asked):
    canvas = Canvas(figsize=(6, 3))
    axes = canvas.add_subplot()
    draw_speeds(axes, build_figure(performed.motions[0]), marks_of(asked))
    FigureCanvasAgg(canvas).draw()
    (text,) = [t for t in axes.texts if t.get_text() == "0.8 m/s"]
    assert to_rgb(text.get_color()) == pytest.approx(np.array(WAY_COLOR) / 255, abs=0.01)


def test_it_is_gone_when_it_is_forgotten(tmp_path, asked):
    forget_kind("speed")
    try:
        with pytest.raises(FormatError, match="speed: unknown field"):
            read_constraints(tmp_path / "wish.yaml")
    finally:
        register_kind(SPEED)
