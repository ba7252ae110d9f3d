"""USD files: our own writer of ``.usda`` with UsdSkel, and a reader by usd-core."""

from motionloom.io.scenes._apart import read_usd
from motionloom.io.usd._write import write_usda

__all__ = ["read_usd", "write_usda"]
