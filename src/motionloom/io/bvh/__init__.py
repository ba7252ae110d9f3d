"""BVH files: read and written."""

from motionloom.io.bvh._file import read_bvh, write_bvh

__all__ = ["read_bvh", "write_bvh"]
