"""C3D files: markers, and what else their parameters say."""

from motionloom.io.c3d._read import read_c3d

__all__ = ["read_c3d"]
