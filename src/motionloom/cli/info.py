"""``motionloom info``: what files are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from motionloom.cli.command import Command, Result
from motionloom.cli.console import say
from motionloom.cli.fields import argument, reading, strict
from motionloom.cli.hints import sentence_of
from motionloom.errors import MotionloomError
from motionloom.options import option_field
from motionloom.places import find_readable
from motionloom.progress import Progress
from motionloom.reading import ReadOptions

if TYPE_CHECKING:
    from motionloom.marker_motion import MarkerSequence


class Info(Command):
    """Show what files are: unit and why, up axis, rate, joints, channel orders, roles, warnings."""

    files: tuple[str, ...] = argument(
        "Motion or marker files, folders or patterns.", "FILE...", repeats=True
    )
    as_json: bool = option_field(
        False, "Print JSON: a list with one entry per file.", name="--json"
    )
    strict: bool = strict()
    reading: ReadOptions = reading()

    def make(self, progress: Progress) -> Result:
        """Look at every file."""
        from motionloom.io.registry import readable_formats

        entries = []
        texts = []
        code = 0
        for path in find_readable(self.files, (f.suffix for f in readable_formats())):
            try:
                facts, text = self._look(path)
            except MotionloomError as error:
                code = max(code, error.exit_code)
                entries.append({"path": path, "error": str(error)})
                say(f"motionloom: {sentence_of(error)}")
                continue
            entries.append({"path": path, **facts})
            texts.append(f"{path}\n{text}\n")
        as_json = json.dumps(entries, indent=2) + "\n"
        return Result(text=as_json if self.as_json else "".join(texts), code=code)

    def _look(self, path: str) -> tuple[dict[str, Any], str]:
        from motionloom.io import load
        from motionloom.io.describe import describe, format_facts
        from motionloom.marker_motion import MarkerSequence

        data = load(path, **self.reading.of_files, strict=self.strict)
        facts = describe(data)
        text = format_facts(facts)
        more = _marker_set(data) if isinstance(data, MarkerSequence) else None
        if more is None:
            return facts, text
        return {**facts, "marker_set": more[0]}, f"{text}\n{more[1]}"


def _marker_set(data: MarkerSequence) -> tuple[dict[str, Any], str]:
    """Facts about markers that go beyond their file, and the same as text."""
    from motionloom.fitting.marker_sets.describe import describe_markers, format_markers

    facts = describe_markers(data)
    return facts, format_markers(facts)
