"""The package's own data files: bodies, places on them, marker sets."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from motionloom.io.document import parse_document


@lru_cache(maxsize=32)
def read_data(name: str) -> dict[str, Any]:
    """One of the package's YAML files, by name without its ending; not to be changed."""
    file = files("motionloom.fitting.marker_sets").joinpath("data", f"{name}.yaml")
    found: dict[str, Any] = parse_document(file.read_text("utf-8"), f"{name}.yaml").value
    return found
