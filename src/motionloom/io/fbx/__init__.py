"""FBX files: our own writer of binary FBX 7.4, and a guarded reader."""

from motionloom.io.fbx._write import write_fbx
from motionloom.io.scenes._apart import read_fbx

__all__ = ["read_fbx", "write_fbx"]
