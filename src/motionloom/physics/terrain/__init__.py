"""Level walking adapted to stairs, slopes and uneven ground."""

from motionloom.physics.terrain.adapt import OnTerrain, adapt_to_terrain

__all__ = ["OnTerrain", "adapt_to_terrain"]
