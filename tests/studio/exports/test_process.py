"""The process that writes files: what goes wrong in it is told, and it is begun again."""

from __future__ import annotations

from pathlib import Path

import pytest
from studios import run_apart

from motionloom.errors import MotionloomError, SynthesisError
from motionloom.studio._exports import Exporter, ExportJob

pytestmark = pytest.mark.slow


def test_errors_come_back_and_a_process_that_died_is_begun_again(tmp_path: Path) -> None:
    job = ExportJob(tmp_path / "none.yaml", "glb", tmp_path, tmp_path, 1.0)

    async def run() -> None:
        exporter = Exporter()
        try:
            with pytest.raises(MotionloomError, match=r"none\.yaml"):
                await exporter.export(job)
            assert exporter._process is not None
            exporter._process.process.kill()
            with pytest.raises(SynthesisError, match="process that writes files ended"):
                await exporter.export(job)
            with pytest.raises(MotionloomError, match=r"none\.yaml"):
                await exporter.export(job)
        finally:
            exporter.close()

    run_apart(run())
