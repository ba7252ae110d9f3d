"""Level walking adapted to stairs, slopes and uneven ground."""

from motionloom.physics.terrain._adapt import OnTerrain, adapt_to_terrain
from motionloom.physics.terrain.report import TerrainReport, make_terrain_report

__all__ = ["OnTerrain", "TerrainReport", "adapt_to_terrain", "make_terrain_report"]
