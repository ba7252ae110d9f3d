"""``motionloom evaluate`` with all that it measures."""

from __future__ import annotations

from motionloom_evaluation.cli.evaluate import app
from motionloom_evaluation.cli.evaluate_gait import evaluate_gait
from motionloom_evaluation.cli.evaluate_gait_ways import gait_gaps, gait_ways
from motionloom_evaluation.cli.evaluate_idle import evaluate_idle
from motionloom_evaluation.cli.evaluate_markers import evaluate_markers
from motionloom_evaluation.cli.evaluate_physics import evaluate_physics
from motionloom_evaluation.cli.evaluate_retarget import evaluate_retarget
from motionloom_evaluation.cli.evaluate_robots import evaluate_robots

app.command("gait-ways")(gait_ways)
app.command("gait-gaps")(gait_gaps)
app.command("gait")(evaluate_gait)
app.command("physics")(evaluate_physics)
app.command("idle")(evaluate_idle)
app.command("markers")(evaluate_markers)
app.command("robots")(evaluate_robots)
app.command("retarget")(evaluate_retarget)

__all__ = ["app"]
