"""``motionloom info``: what files are."""

from __future__ import annotations

from typing import Any

from motionloom.cli._command import Command, Result
from motionloom.cli._fields import argument, reading, strict
from motionloom.cli._hints import sentence_of
from motionloom.cli.console import say
from motionloom.errors import MotionloomError
from motionloom.options import option_field
from motionloom.places import find_readable
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.reports import Report, Row, Section


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
        sections = []
        code = 0
        for path in find_readable(self.files, (f.suffix for f in readable_formats())):
            try:
                facts, rows = self._look(path)
            except MotionloomError as error:
                code = max(code, error.exit_code)
                entries.append({"path": path, "error": str(error)})
                say(f"motionloom: {sentence_of(error)}")
                continue
            entries.append({"path": path, **facts})
            sections.append(Section(path, rows))
        return Result(Report("", sections, data=entries), code=code)

    def _look(self, path: str) -> tuple[dict[str, Any], list[Row]]:
        from motionloom.io import load
        from motionloom.io.describe import describe, rows_of_facts
        from motionloom.marker_motion import MarkerSequence

        data = load(path, **self.reading.of_files, strict=self.strict)
        facts = describe(data)
        rows = rows_of_facts(facts)
        if not isinstance(data, MarkerSequence):
            return facts, rows
        # The fitting of markers needs SciPy, which motions do not.
        from motionloom.fitting.marker_sets.recognise import describe_markers, rows_of_markers

        of_set = describe_markers(data)
        return {**facts, "marker_set": of_set}, rows + rows_of_markers(of_set)
