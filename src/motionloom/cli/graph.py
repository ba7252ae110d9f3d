"""``motionloom graph``: motion graphs and what they can do."""

from __future__ import annotations

import typer

from motionloom.cli.graph_build import build
from motionloom.cli.graph_report import report

app = typer.Typer(
    name="graph", help="Motion graphs: what their clips can and cannot do.", no_args_is_help=True
)
app.command()(build)
app.command()(report)
