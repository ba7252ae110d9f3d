"""``motionloom demo``: the main job on the built-in performer."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli._command import Result, Writing
from motionloom.cli._fields import output, seed
from motionloom.cli.console import say
from motionloom.progress import Progress
from motionloom.reading import read_files
from motionloom.workspace.outputs import synthesis_files
from motionloom.workspace.writing import Writer, check_outputs, save_report

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.scene import SceneConstraints


class DemoCommand(Writing):
    """Make clips of a synthetic performer and a motion of them: walk a curve, stop, reach."""

    output: Path = output("Folder to write to.", "DIR", Path("demo"), file="beside")
    seed: int = seed()

    def outputs(self) -> Iterable[Path]:
        """Files that are written, besides the clips."""
        return [self.output / name for name in _MADE if name != "clips"]

    def make(self, progress: Progress) -> Result:
        """Make it."""
        from motionloom.constraints import write_constraints
        from motionloom.constraints.scene import write_scene
        from motionloom.io import save
        from motionloom.physics.quality import physical_terms
        from motionloom.synthesis.driver import SynthesisOptions, synthesize
        from motionloom.synthesis.finish import FinishOptions

        out = self.output
        asked = demo_wish()
        unsaid = Writer(self.force)
        files = self._clips(unsaid, progress)
        unsaid.write(out / "constraints.yaml", partial(write_constraints, asked))
        unsaid.write(out / "scene.yaml", partial(write_scene, _scene()))
        # Read back, so that the same files and seed give `motionloom synthesize` the same motion.
        clips = read_files(files, None, progress, say)
        options = SynthesisOptions(seed=self.seed, finish=FinishOptions(terms=physical_terms))
        made = synthesize(clips, asked, options, progress=progress)
        written = synthesis_files(made, asked, [out / "motion.bvh"], progress)
        written["report"] = partial(save_report, made.report)
        written[out / "motion.glb"] = partial(save, made.finished[0].motion)
        places = {"report": out / "report.txt", **{s: out / f"motion.{s}" for s in ("png", "html")}}
        named = {places.get(name, name): write for name, write in written.items()}
        text = f"{made.report.to_text()}\n{_summary(out, len(files))}\n"
        return Result(files=named, text=text)

    def _clips(self, writer: Writer, progress: Progress) -> list[Path]:
        """Where the clips are written; markers are written, too."""
        from motionloom.performer.demo_files import demo_files

        writes = demo_files(self.seed)
        writer.write(self.output / "markers.trc", writes.pop("markers.trc"))
        places = [self.output / name for name in writes]
        check_outputs(places, [], self.force)
        files = []
        for write, place in zip(writes.values(), places, strict=True):
            files.append(writer.write(place, write))
            progress("writing clips", len(files), len(places))
        return files


def demo_wish() -> ConstraintSet:
    """Walk a curve, stop, and reach for a point."""
    from motionloom.constraints import ConstraintSet

    stands = ((0.0, (0.0, 0.0), 0), (4.0, (1.2, 3.2), 60), (8.8, (2.4, 3.6), 90))
    body = [{"time": time, "position": at, "facing": way} for time, at, way in stands]
    hand = {"joint": "right_hand", "position": (2.95, 1.37, 3.74), "weight": 10.0}
    asked = {"body": body, "joints": [{"time": 8.8, **hand}], "still": [{"from": 8.0}]}
    return ConstraintSet.model_validate({"duration": 10.0, "fps": 30.0, **asked})


def _scene() -> SceneConstraints:
    """Two people walk towards each other and shake hands, for `motionloom synthesize` to try."""
    from motionloom.constraints.scene import SceneConstraints

    starts = {"alice": ((0.0, 0.0), 0.0), "bob": ((0.5, 6.0), 180.0)}
    hands = {"first": "right_hand", "second": "right_hand", "gap": 0.18}
    meeting = {"name": "handshake", "time": 5.5, "distance": 0.75, "hold": 1.0, "joints": [hands]}
    characters = {
        name: {"duration": 7.0, "body": [{"time": 0.0, "position": at, "facing": facing}]}
        for name, (at, facing) in starts.items()
    }
    events = [{**meeting, "between": tuple(starts)}]
    told = {"duration": 7.0, "characters": characters, "events": events}
    return SceneConstraints.model_validate(told)


#: What is made, and what it is for.
_MADE = {
    "motion.html": "the motion in a browser: open this first",
    "motion.png": "the motion as one picture",
    "motion.bvh": "for Blender, MotionBuilder, Unity ...",
    "motion.glb": "for Unreal, Unity, Blender and web viewers",
    "constraints.yaml": "what was asked for: change it, and run the line below",
    "scene.yaml": "another wish: two people who meet and shake hands",
    "markers.trc": "markers on the performer, for 'motionloom fit'",
    "report.txt": "how well it was met",
    "clips": "the {} clips it is made of",
}


def _summary(out: Path, n_clips: int) -> str:
    lines = [f"  {out / name!s:<26} {what.format(n_clips)}" for name, what in _MADE.items()]
    clips, wish = (shlex.quote(str(out / name)) for name in ("clips", "constraints.yaml"))
    command = f"motionloom synthesize {clips} --constraints {wish} -o mine.bvh --html mine.html"
    return "\n".join(["Open", *lines, "", f"  {command}"])
